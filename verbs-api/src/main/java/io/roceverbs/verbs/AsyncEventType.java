package io.roceverbs.verbs;

/**
 * Kind of an asynchronous event: {@code enum ibv_event_type}, kernel {@code enum ib_event_type}.
 *
 * <p>It is a C enum without explicit numbers; the values are its positions.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_get_async_event(3).
 */
public enum AsyncEventType {
  /** Completion queue: an overrun or a protection error; the queue takes no further entry. */
  CQ_ERR(0, Element.COMPLETION_QUEUE),

  /** Queue pair: failed with no work request that could carry the error. */
  QP_FATAL(1, Element.QUEUE_PAIR),

  /**
   * Queue pair: the peer sent an invalid request that had taken no receive. One that had, such as a
   * SEND, is reported by its receive instead.
   */
  QP_REQ_ERR(2, Element.QUEUE_PAIR),

  /**
   * Queue pair: a WRITE, READ or atomic of the peer violated a key. One with immediate data is
   * reported by the receive that it takes, with LOC_ACCESS_ERR, instead.
   */
  QP_ACCESS_ERR(3, Element.QUEUE_PAIR),

  /** Queue pair: the first request arrived while the queue pair was in RTR. */
  COMM_EST(4, Element.QUEUE_PAIR),

  /** Queue pair: the send queue drain that was asked for has finished. */
  SQ_DRAINED(5, Element.QUEUE_PAIR),

  /** Queue pair: moved to the alternate path. */
  PATH_MIG(6, Element.QUEUE_PAIR),

  /** Queue pair: could not move to the alternate path. */
  PATH_MIG_ERR(7, Element.QUEUE_PAIR),

  /**
   * Device: unusable. Every verb that needs it fails with EIO from now on, its queues are silent.
   */
  DEVICE_FATAL(8, Element.DEVICE),

  /** Port: the link came up. */
  PORT_ACTIVE(9, Element.PORT),

  /** Port: the link went down. */
  PORT_ERR(10, Element.PORT),

  /** Port: its LID changed (InfiniBand). */
  LID_CHANGE(11, Element.PORT),

  /** Port: the partition key table changed. */
  PKEY_CHANGE(12, Element.PORT),

  /** Port: another subnet manager took over (InfiniBand). */
  SM_CHANGE(13, Element.PORT),

  /** Shared receive queue: unusable. */
  SRQ_ERR(14, Element.SHARED_RECEIVE_QUEUE),

  /** Shared receive queue: fewer requests are left than the armed limit. */
  SRQ_LIMIT_REACHED(15, Element.SHARED_RECEIVE_QUEUE),

  /** Queue pair on a shared receive queue: in ERR, takes no further receive. */
  QP_LAST_WQE_REACHED(16, Element.QUEUE_PAIR),

  /** Port: the subnet manager asks clients to register again (InfiniBand). */
  CLIENT_REREGISTER(17, Element.PORT),

  /** Port: the GID table changed. */
  GID_CHANGE(18, Element.PORT),

  /** Work queue: failed. */
  WQ_FATAL(19, Element.WORK_QUEUE),

  /** Port: the speed of the link changed. */
  DEVICE_SPEED_CHANGE(20, Element.PORT);

  private static final ValueTable<AsyncEventType> BY_VALUE =
      ValueTable.of(AsyncEventType.class, AsyncEventType::value);

  /** What an event concerns: which field of the C union {@code element} is set. */
  public enum Element {
    /** A queue pair: {@code qp}. */
    QUEUE_PAIR,

    /** A completion queue: {@code cq}. */
    COMPLETION_QUEUE,

    /** A shared receive queue: {@code srq}. */
    SHARED_RECEIVE_QUEUE,

    /** A work queue of a receive side scaling table, which this API does not have: {@code wq}. */
    WORK_QUEUE,

    /** A port: {@code port_num}. */
    PORT,

    /** The whole device: no field. */
    DEVICE
  }

  private final int value;
  private final Element element;

  AsyncEventType(int value, Element element) {
    this.value = value;
    this.element = element;
  }

  /** {@return the number of this constant in the C ABI} */
  public int value() {
    return value;
  }

  /** {@return what an event of this type concerns} */
  public Element element() {
    return element;
  }

  /**
   * Finds a constant by its number in the C ABI.
   *
   * @param value the value from the C header
   * @return the constant with that value
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static AsyncEventType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

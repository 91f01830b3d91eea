package io.roceverbs.verbs;

/**
 * Transport service of a queue pair: {@code enum ibv_qp_type}, kernel {@code enum ib_qp_type}.
 *
 * <p>The numbers are equal in user space and in the kernel.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, Linux {@code include/rdma/ib_verbs.h}.
 */
public enum QueuePairType {
  /** Queue pair 0, for subnet management ({@code IB_QPT_SMI}); kernel only, InfiniBand only. */
  SMI(0),

  /** Queue pair 1, for the general services ({@code IB_QPT_GSI}); kernel only. */
  GSI(1),

  /** Reliable connected ({@code IBV_QPT_RC}): acknowledged, in order, between two queue pairs. */
  RC(2),

  /**
   * Unreliable connected ({@code IBV_QPT_UC}): between two queue pairs, nothing is acknowledged.
   */
  UC(3),

  /** Unreliable datagram ({@code IBV_QPT_UD}): each message is one packet, to any queue pair. */
  UD(4),

  /** Whole Ethernet frames ({@code IBV_QPT_RAW_PACKET}). */
  RAW_PACKET(8),

  /**
   * Sending end of an extended reliable connection ({@code IBV_QPT_XRC_SEND}, kernel {@code
   * IB_QPT_XRC_INI}): each request names the shared receive queue at the peer that it is for. It
   * receives nothing.
   */
  XRC_SEND(9),

  /**
   * Receiving end of an extended reliable connection ({@code IBV_QPT_XRC_RECV}, kernel {@code
   * IB_QPT_XRC_TGT}): it has no queues of its own and is made by an {@link XrcDomain}.
   */
  XRC_RECV(10),

  /** What the maker of the adapter has made of it ({@code IBV_QPT_DRIVER}). */
  DRIVER(0xff);

  private static final ValueTable<QueuePairType> BY_VALUE =
      ValueTable.of(QueuePairType.class, QueuePairType::value);

  private final int value;

  QueuePairType(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI} */
  public int value() {
    return value;
  }

  /**
   * Finds a constant by its number in the C ABI.
   *
   * @param value the value from the C header
   * @return the constant with that value
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static QueuePairType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * State of a queue pair: {@code enum ibv_qp_state}, kernel {@code enum ib_qp_state}.
 *
 * <p>The numbers are equal in user space and in the kernel, so a kernel message such as {@code
 * old_state=0x6, new_state=0x3} reads ERR to RTS. {@link QueuePair#modify} walks RESET, INIT, RTR,
 * RTS; SQE is never a legal target, the device alone enters it, and never for a reliable connected
 * queue pair.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}; legal moves: Linux {@code
 * drivers/infiniband/core/verbs.c}, {@code qp_state_table}.
 */
public enum QueuePairState {
  /** New or reset: both queues are empty, nothing can be posted, packets are dropped. */
  RESET(0),

  /**
   * Port, partition key and access rights are known: receives can be posted, packets are dropped.
   */
  INIT(1),

  /** Ready to receive: requests of the peer are executed, sends cannot be posted yet. */
  RTR(2),

  /** Ready to send: both directions work. */
  RTS(3),

  /** Send queue drain: started sends run to their end, posted ones wait, receiving goes on. */
  SQD(4),

  /**
   * Send queue error: later sends are flushed, receiving goes on. Datagram and UC queue pairs only.
   */
  SQE(5),

  /** Error: posting is legal, every request completes with WR_FLUSH_ERR, packets are dropped. */
  ERR(6),

  /** Unknown: user space only, seen in queries at most, never a legal target of a modify. */
  UNKNOWN(7);

  private static final ValueTable<QueuePairState> BY_VALUE =
      ValueTable.of(QueuePairState.class, QueuePairState::value);

  private final int value;

  QueuePairState(int value) {
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
  public static QueuePairState fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * What the batches of a queue pair may hold: {@code enum ibv_qp_create_send_ops_flags}. A program
 * that posts by {@link SendBatch} names them when it makes the queue pair.
 *
 * <p>The value is the bit. It is not always the one of the {@link SendOpcode}'s number.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_create_qp_ex(3), ibv_wr_post(3).
 */
public enum SendOperation {
  /** {@link SendOpcode#RDMA_WRITE}. */
  RDMA_WRITE(1),

  /** {@link SendOpcode#RDMA_WRITE_WITH_IMM}. */
  RDMA_WRITE_WITH_IMM(1 << 1),

  /** {@link SendOpcode#SEND}. */
  SEND(1 << 2),

  /** {@link SendOpcode#SEND_WITH_IMM}. */
  SEND_WITH_IMM(1 << 3),

  /** {@link SendOpcode#RDMA_READ}. */
  RDMA_READ(1 << 4),

  /** {@link SendOpcode#ATOMIC_CMP_AND_SWP}. */
  ATOMIC_CMP_AND_SWP(1 << 5),

  /** {@link SendOpcode#ATOMIC_FETCH_AND_ADD}. */
  ATOMIC_FETCH_AND_ADD(1 << 6),

  /** {@link SendOpcode#LOCAL_INV}. */
  LOCAL_INV(1 << 7),

  /** {@link SendOpcode#BIND_MW}. */
  BIND_MW(1 << 8),

  /** {@link SendOpcode#SEND_WITH_INV}. */
  SEND_WITH_INV(1 << 9),

  /** {@link SendOpcode#TSO}. */
  TSO(1 << 10),

  /** {@link SendOpcode#FLUSH}. */
  FLUSH(1 << 11),

  /** {@link SendOpcode#ATOMIC_WRITE}. */
  ATOMIC_WRITE(1 << 12);

  private static final ValueTable<SendOperation> BY_VALUE =
      ValueTable.of(SendOperation.class, SendOperation::value);

  private final int value;

  SendOperation(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI, a single bit} */
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
  public static SendOperation fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

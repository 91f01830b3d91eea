package io.roceverbs.verbs;

/**
 * Operation that completed: {@code enum ibv_wc_opcode}, kernel {@code enum ib_wc_opcode}.
 *
 * <p>Bit 7 marks the receive side. A SEND_WITH_INV arrives as {@link #RECV} with the flag {@link
 * CompletionFlag#WITH_INV}; it has no opcode of its own. {@link #REG_MR} exists in the kernel only.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_poll_cq(3); Linux {@code
 * include/rdma/ib_verbs.h}.
 */
public enum CompletionOpcode {
  /** A SEND, SEND_WITH_IMM or SEND_WITH_INV of this side. */
  SEND(0),

  /** An RDMA_WRITE or RDMA_WRITE_WITH_IMM of this side. */
  RDMA_WRITE(1),

  /** An RDMA_READ of this side. */
  RDMA_READ(2),

  /** An ATOMIC_CMP_AND_SWP of this side. */
  COMP_SWAP(3),

  /** An ATOMIC_FETCH_AND_ADD of this side. */
  FETCH_ADD(4),

  /** A BIND_MW of this side, or a {@link QueuePair#bind}. */
  BIND_MW(5),

  /** A LOCAL_INV of this side. */
  LOCAL_INV(6),

  /** A TSO of this side, which segments a long packet (raw packets and IPoIB). */
  TSO(7),

  /** A FLUSH of this side. */
  FLUSH(8),

  /** An ATOMIC_WRITE of this side. */
  ATOMIC_WRITE(9),

  /** A REG_MR of this side. */
  REG_MR(10),

  /** A masked compare-and-swap of this side (kernel). */
  MASKED_COMP_SWAP(11),

  /** A masked fetch-and-add of this side (kernel). */
  MASKED_FETCH_ADD(12),

  /** A receive that a SEND, SEND_WITH_IMM or SEND_WITH_INV of the peer filled. */
  RECV(128),

  /** A receive that an RDMA_WRITE_WITH_IMM of the peer took; its buffers are untouched. */
  RECV_RDMA_WITH_IMM(129),

  /** A tag was added to a tag matching queue. */
  TM_ADD(130),

  /** A tag was taken out of a tag matching queue. */
  TM_DEL(131),

  /** A tag matching queue was brought in step with its device. */
  TM_SYNC(132),

  /** A message found its tag. */
  TM_RECV(133),

  /** A message without a tag arrived at a tag matching queue. */
  TM_NO_TAG(134),

  /** The first opcode that belongs to a driver. */
  DRIVER1(135),

  /** The second opcode that belongs to a driver. */
  DRIVER2(136),

  /** The third opcode that belongs to a driver. */
  DRIVER3(137);

  private static final ValueTable<CompletionOpcode> BY_VALUE =
      ValueTable.of(CompletionOpcode.class, CompletionOpcode::value);

  private static final int RECEIVE_BIT = 0x80;

  private final int value;

  CompletionOpcode(int value) {
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
  public static CompletionOpcode fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /**
   * Tells whether a receive request completed ({@code opcode & IBV_WC_RECV}).
   *
   * @return true for RECV and everything above it
   */
  public boolean isReceive() {
    return (value & RECEIVE_BIT) != 0;
  }
}

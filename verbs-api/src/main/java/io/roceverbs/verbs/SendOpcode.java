package io.roceverbs.verbs;

/**
 * Operation of a send request: {@code enum ibv_wr_opcode}, kernel {@code enum ib_wr_opcode}.
 *
 * <p>{@link #REG_MR} exists in the kernel only; a storage target or a file system over RDMA uses it
 * there for each I/O.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_post_send(3); Linux {@code
 * include/rdma/ib_verbs.h}.
 */
public enum SendOpcode {
  /** Writes local bytes into the peer's memory; the peer is not told. */
  RDMA_WRITE(0, CompletionOpcode.RDMA_WRITE),

  /** Like RDMA_WRITE; then takes a receive of the peer, which completes with the immediate. */
  RDMA_WRITE_WITH_IMM(1, CompletionOpcode.RDMA_WRITE),

  /** A message into the peer's oldest receive. */
  SEND(2, CompletionOpcode.SEND),

  /** Like SEND, with 32 bits that arrive in the peer's completion. */
  SEND_WITH_IMM(3, CompletionOpcode.SEND),

  /** Reads the peer's memory into local memory. */
  RDMA_READ(4, CompletionOpcode.RDMA_READ),

  /** Compares 8 bytes of the peer's memory and swaps them if equal; the old value comes back. */
  ATOMIC_CMP_AND_SWP(5, CompletionOpcode.COMP_SWAP),

  /** Adds to 8 bytes of the peer's memory; the old value comes back. */
  ATOMIC_FETCH_AND_ADD(6, CompletionOpcode.FETCH_ADD),

  /** Takes a local memory key out of use. No packet is sent. */
  LOCAL_INV(7, CompletionOpcode.LOCAL_INV),

  /** Binds a {@link MemoryWindow} to a part of a region. No packet is sent. */
  BIND_MW(8, CompletionOpcode.BIND_MW),

  /**
   * Like SEND; the peer's adapter takes one of the peer's own keys out of use before the receive
   * completes.
   */
  SEND_WITH_INV(9, CompletionOpcode.SEND),

  /** Puts a mapped {@link FastRegistrationRegion} into use under a new key. No packet is sent. */
  REG_MR(0x20, CompletionOpcode.REG_MR);

  private static final ValueTable<SendOpcode> BY_VALUE =
      ValueTable.of(SendOpcode.class, SendOpcode::value);

  private final int value;
  private final CompletionOpcode completionOpcode;

  SendOpcode(int value, CompletionOpcode completionOpcode) {
    this.value = value;
    this.completionOpcode = completionOpcode;
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
  public static SendOpcode fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /** {@return the opcode of the completion that a success makes on the posting side} */
  public CompletionOpcode completionOpcode() {
    return completionOpcode;
  }

  /** {@return true for LOCAL_INV, BIND_MW and REG_MR, which send nothing} */
  public boolean isLocal() {
    return this == LOCAL_INV || this == BIND_MW || this == REG_MR;
  }

  /** {@return true for ATOMIC_CMP_AND_SWP and ATOMIC_FETCH_AND_ADD} */
  public boolean isAtomic() {
    return this == ATOMIC_CMP_AND_SWP || this == ATOMIC_FETCH_AND_ADD;
  }

  /**
   * Tells whether data comes back from the peer: these count against {@code max_rd_atomic}, write
   * local memory, and are what a fence waits for.
   *
   * @return true for RDMA_READ and the atomic operations
   */
  public boolean isReadOrAtomic() {
    return this == RDMA_READ || isAtomic();
  }

  /** {@return true for SEND, SEND_WITH_IMM and SEND_WITH_INV} */
  public boolean isSend() {
    return this == SEND || this == SEND_WITH_IMM || this == SEND_WITH_INV;
  }

  /** {@return true for RDMA_WRITE and RDMA_WRITE_WITH_IMM} */
  public boolean isWrite() {
    return this == RDMA_WRITE || this == RDMA_WRITE_WITH_IMM;
  }
}

package io.roceverbs.verbs;

/**
 * Operation of a send request: {@code enum ibv_wr_opcode}, kernel {@code enum ib_wr_opcode}.
 *
 * <p>{@link #REG_MR} exists in the kernel only; a storage target or a file system over RDMA uses it
 * there for each I/O.
 *
 * <p>A {@link SendRequest} can hold those that it has a method for. The others are here for their
 * numbers, which captures and programs in C know.
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

  /** Lets the adapter cut a long TCP segment; no request of this interface has it. */
  TSO(10, CompletionOpcode.TSO),

  /**
   * What the maker of the adapter has made of it; the kernel has RDMA_READ_WITH_INV of iWARP here.
   * No request of this interface has it.
   */
  DRIVER1(11, CompletionOpcode.DRIVER1),

  /** Compares and swaps the bits of two masks; kernel only. No request of this interface has it. */
  MASKED_ATOMIC_CMP_AND_SWP(12, CompletionOpcode.MASKED_COMP_SWAP),

  /** Adds to fields that a mask sets apart; kernel only. No request of this interface has it. */
  MASKED_ATOMIC_FETCH_AND_ADD(13, CompletionOpcode.MASKED_FETCH_ADD),

  /**
   * Makes the peer's memory visible everywhere, or persistent; no request of this interface has it
   * yet.
   */
  FLUSH(14, CompletionOpcode.FLUSH),

  /** Writes 8 bytes at once, and not byte by byte; no request of this interface has it yet. */
  ATOMIC_WRITE(15, CompletionOpcode.ATOMIC_WRITE),

  /** Puts a mapped {@link FastRegistrationRegion} into use under a new key. No packet is sent. */
  REG_MR(0x20, CompletionOpcode.REG_MR),

  /** Like REG_MR, with signatures over the data. No request of this interface has it. */
  REG_MR_INTEGRITY(0x21, CompletionOpcode.REG_MR);

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

  /** {@return true for LOCAL_INV, BIND_MW and the two REG_MR, which send nothing} */
  public boolean isLocal() {
    return this == LOCAL_INV || this == BIND_MW || this == REG_MR || this == REG_MR_INTEGRITY;
  }

  /** {@return true for the atomic operations that bring back the old value, masked or not} */
  public boolean isAtomic() {
    return this == ATOMIC_CMP_AND_SWP
        || this == ATOMIC_FETCH_AND_ADD
        || this == MASKED_ATOMIC_CMP_AND_SWP
        || this == MASKED_ATOMIC_FETCH_AND_ADD;
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

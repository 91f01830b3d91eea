package io.roceverbs.verbs;

/**
 * Flag of a successful completion: {@code enum ibv_wc_flags}.
 *
 * <p>The value is the bit of the user-space ABI. The kernel's {@code enum ib_wc_flags} has WITH_INV
 * and IP_CSUM_OK the other way round (4 and 8).
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_poll_cq(3).
 */
public enum CompletionFlag {
  /** The first 40 bytes of the receive buffer hold a global route header (datagrams). */
  GRH(1),

  /** {@link WorkCompletion#immediate()} is valid. */
  WITH_IMM(2),

  /** The adapter found the checksums of an IP packet right. */
  IP_CSUM_OK(4),

  /** {@link WorkCompletion#invalidatedRkey()} is valid. */
  WITH_INV(8);

  private static final ValueTable<CompletionFlag> BY_VALUE =
      ValueTable.of(CompletionFlag.class, CompletionFlag::value);

  private final int value;

  CompletionFlag(int value) {
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
  public static CompletionFlag fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

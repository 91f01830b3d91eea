package io.roceverbs.verbs;

/**
 * Flag of a send request: {@code enum ibv_send_flags}, kernel {@code enum ib_send_flags}.
 *
 * <p>The value is the bit. Programs set flags with the methods of {@link SendRequest}; providers
 * read them with {@link SendRequest#flags()}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_post_send(3).
 */
public enum SendFlag {
  /** Does not start before all earlier READ and atomic requests of the queue have completed. */
  FENCE(1),

  /** Makes a completion on success, too; errors and flushes always make one. */
  SIGNALED(2),

  /** Marks the message so that the peer's armed "solicited only" completion queue wakes up. */
  SOLICITED(4),

  /** The bytes were copied at the post; no memory key is looked at. */
  INLINE(8),

  /** Lets the device compute the checksums of the IP packet inside a message. */
  IP_CSUM(16);

  private static final ValueTable<SendFlag> BY_VALUE =
      ValueTable.of(SendFlag.class, SendFlag::value);

  private final int value;

  SendFlag(int value) {
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
  public static SendFlag fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

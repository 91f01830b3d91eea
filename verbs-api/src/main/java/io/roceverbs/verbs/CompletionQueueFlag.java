package io.roceverbs.verbs;

/**
 * How a completion queue is to behave: {@code enum ibv_create_cq_attr_flags}.
 *
 * <p>Source: ibv_create_cq_ex(3), rdma-core {@code libibverbs/verbs.h}.
 */
public enum CompletionQueueFlag {
  /** The program promises that one thread at a time uses the queue; a hint. */
  SINGLE_THREADED(1),

  /**
   * A completion that does not fit takes the place of the oldest, without {@link
   * AsyncEventType#CQ_ERR} and without harm to any queue pair.
   */
  IGNORE_OVERRUN(2);

  private static final ValueTable<CompletionQueueFlag> BY_VALUE =
      ValueTable.of(CompletionQueueFlag.class, CompletionQueueFlag::value);

  private final int value;

  CompletionQueueFlag(int value) {
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
  public static CompletionQueueFlag fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * Who takes receives from a shared receive queue: {@code enum ibv_srq_type}, kernel {@code enum
 * ib_srq_type}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum SharedReceiveQueueType {
  /** The queue pairs that were created on it. */
  BASIC(0),

  /** The XRC targets of its {@link XrcDomain}, for requests that name it. */
  XRC(1),

  /** Queue pairs with tag matching. */
  TM(2);

  private static final ValueTable<SharedReceiveQueueType> BY_VALUE =
      ValueTable.of(SharedReceiveQueueType.class, SharedReceiveQueueType::value);

  private final int value;

  SharedReceiveQueueType(int value) {
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
  public static SharedReceiveQueueType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

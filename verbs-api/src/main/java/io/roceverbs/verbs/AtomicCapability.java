package io.roceverbs.verbs;

/**
 * Reach of remote atomic operations: {@code enum ibv_atomic_cap}, kernel {@code enum
 * ib_atomic_cap}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_query_device(3).
 */
public enum AtomicCapability {
  /** The device has no atomic operations. */
  NONE(0),

  /** Atomic among the queue pairs of this device only. */
  HCA(1),

  /** Atomic also against the CPU and other devices. */
  GLOB(2);

  private static final ValueTable<AtomicCapability> BY_VALUE =
      ValueTable.of(AtomicCapability.class, AtomicCapability::value);

  private final int value;

  AtomicCapability(int value) {
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
  public static AtomicCapability fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * Type of a memory window: {@code enum ibv_mw_type}, kernel {@code enum ib_mw_type}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_alloc_mw(3).
 */
public enum MemoryWindowType {
  /**
   * Bound by {@link QueuePair#bind}, which chooses the key; reached through every queue pair of the
   * domain; bound again or unbound at any time. Needs the capability MEM_WINDOW.
   */
  TYPE_1(1),

  /**
   * Bound by a BIND_MW request under a key that the program chooses; reached through the queue pair
   * that it was bound on; invalidated before it is bound again. Needs the capability
   * MEM_WINDOW_TYPE_2B or MEM_WINDOW_TYPE_2A, which says what else is compared: 2B the protection
   * domain as well, 2A the number of the queue pair alone.
   */
  TYPE_2(2);

  private static final ValueTable<MemoryWindowType> BY_VALUE =
      ValueTable.of(MemoryWindowType.class, MemoryWindowType::value);

  private final int value;

  MemoryWindowType(int value) {
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
  public static MemoryWindowType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

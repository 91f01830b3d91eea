package io.roceverbs.verbs;

/**
 * Kind of an entry of the GID table: {@code enum ibv_gid_type}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_query_gid_ex(3).
 */
public enum GidType {
  /** InfiniBand. */
  IB(0),

  /** RoCE version 1, straight on Ethernet. */
  ROCE_V1(1),

  /** RoCE version 2, on UDP port 4791. */
  ROCE_V2(2);

  private static final ValueTable<GidType> BY_VALUE = ValueTable.of(GidType.class, GidType::value);

  private final int value;

  GidType(int value) {
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
  public static GidType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

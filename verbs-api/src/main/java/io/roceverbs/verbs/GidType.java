package io.roceverbs.verbs;

/**
 * What packets a GID stands for: {@code enum ibv_gid_type}, kernel {@code enum ib_gid_type}.
 *
 * <p>Source: ibv_query_gid_ex(3); rdma-core {@code libibverbs/verbs.h}.
 */
public enum GidType {
  /** InfiniBand packets, with a global route header. */
  IB(0),

  /** RoCE version 1: InfiniBand packets straight in Ethernet frames. */
  ROCE_V1(1),

  /** RoCE version 2: in UDP over IPv4 or IPv6. */
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

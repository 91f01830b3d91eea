package io.roceverbs.verbs;

/**
 * Number of lanes of a link: the {@code active_width} of {@code struct ibv_port_attr}, kernel
 * {@code enum ib_port_width}.
 *
 * <p>The value is a bit, not the number of lanes: 12X is 8, and 2X, which came last, is 16.
 *
 * <p>Source: Linux {@code include/rdma/ib_verbs.h}.
 */
public enum LinkWidth {
  /** One lane. */
  WIDTH_1X(1, 1),

  /** Four lanes. */
  WIDTH_4X(2, 4),

  /** Eight lanes. */
  WIDTH_8X(4, 8),

  /** Twelve lanes. */
  WIDTH_12X(8, 12),

  /** Two lanes. */
  WIDTH_2X(16, 2);

  private static final ValueTable<LinkWidth> BY_VALUE =
      ValueTable.of(LinkWidth.class, LinkWidth::value);

  private final int value;
  private final int lanes;

  LinkWidth(int value, int lanes) {
    this.value = value;
    this.lanes = lanes;
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
  public static LinkWidth fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /** {@return how many lanes run in parallel: 1, 2, 4, 8 or 12} */
  public int lanes() {
    return lanes;
  }
}

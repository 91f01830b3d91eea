package io.roceverbs.verbs;

/**
 * In what order a device promises to place the bytes of one message: {@code enum
 * ibv_query_qp_data_in_order_caps}.
 *
 * <p>Without a promise only the completion makes all bytes of a message valid, and a program must
 * not wait for the last byte to change.
 *
 * <p>Source: ibv_query_qp_data_in_order(3).
 */
public enum DataOrder {
  /** The whole message, from its first byte to its last. */
  WHOLE_MESSAGE(1),

  /** Each aligned block of 128 bytes in itself. */
  ALIGNED_128_BYTES(2);

  private static final ValueTable<DataOrder> BY_VALUE =
      ValueTable.of(DataOrder.class, DataOrder::value);

  private final int value;

  DataOrder(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI, a mask with one bit set} */
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
  public static DataOrder fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

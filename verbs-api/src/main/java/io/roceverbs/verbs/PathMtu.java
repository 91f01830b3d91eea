package io.roceverbs.verbs;

/**
 * Largest payload of one packet: {@code enum ibv_mtu}, kernel {@code enum ib_mtu}.
 *
 * <p>It counts the payload alone. On RoCEv2 headers and the ICRC come on top, which is why an
 * Ethernet MTU of 1500 bytes leaves a path MTU of 1024.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum PathMtu {
  /** 256 bytes. */
  MTU_256(1),

  /** 512 bytes. */
  MTU_512(2),

  /** 1024 bytes. */
  MTU_1024(3),

  /** 2048 bytes. */
  MTU_2048(4),

  /** 4096 bytes. */
  MTU_4096(5);

  private static final ValueTable<PathMtu> BY_VALUE = ValueTable.of(PathMtu.class, PathMtu::value);

  private static final int SHIFT_OF_VALUE_ZERO = 7;

  private final int value;

  PathMtu(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI, 1 to 5} */
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
  public static PathMtu fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /** {@return the largest payload of one packet in bytes, 256 to 4096} */
  public int bytes() {
    return 1 << (value + SHIFT_OF_VALUE_ZERO);
  }

  /**
   * Returns the largest MTU that fits into a number of payload bytes.
   *
   * @param bytes room for the payload of one packet, in bytes
   * @return the largest constant whose {@link #bytes()} is not more than that
   * @throws IllegalArgumentException if not even 256 bytes fit
   */
  public static PathMtu largestWithin(int bytes) {
    if (bytes < MTU_256.bytes()) {
      throw new IllegalArgumentException(
          "no path MTU fits into " + bytes + " bytes; the smallest needs " + MTU_256.bytes());
    }
    int value = Integer.SIZE - 1 - Integer.numberOfLeadingZeros(bytes) - SHIFT_OF_VALUE_ZERO;
    return fromValue(Math.min(value, MTU_4096.value));
  }
}

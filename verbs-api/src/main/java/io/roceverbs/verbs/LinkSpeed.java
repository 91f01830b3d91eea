package io.roceverbs.verbs;

/**
 * Signalling rate of one lane: the {@code active_speed} of {@code struct ibv_port_attr}, kernel
 * {@code enum ib_port_speed}.
 *
 * <p>XDR does not fit the 8-bit {@code active_speed}; C programs find it in {@code
 * active_speed_ex}. Here one field holds all of them.
 *
 * <p>Source: Linux {@code include/rdma/ib_verbs.h}.
 */
public enum LinkSpeed {
  /** 2.5 Gbit/s for each lane. */
  SDR(1, 2_500),

  /** 5 Gbit/s for each lane. */
  DDR(2, 5_000),

  /** 10 Gbit/s for each lane. */
  QDR(4, 10_000),

  /** 10.3125 Gbit/s for each lane. */
  FDR10(8, 10_000),

  /** 14.0625 Gbit/s for each lane. */
  FDR(16, 14_000),

  /** 25.78125 Gbit/s for each lane. */
  EDR(32, 25_000),

  /** 50 Gbit/s for each lane. */
  HDR(64, 50_000),

  /** 100 Gbit/s for each lane. */
  NDR(128, 100_000),

  /** 200 Gbit/s for each lane. */
  XDR(256, 200_000);

  private static final ValueTable<LinkSpeed> BY_VALUE =
      ValueTable.of(LinkSpeed.class, LinkSpeed::value);

  private final int value;
  private final int nominalMegabitsPerSecond;

  LinkSpeed(int value, int nominalMegabitsPerSecond) {
    this.value = value;
    this.nominalMegabitsPerSecond = nominalMegabitsPerSecond;
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
  public static LinkSpeed fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /**
   * Tells the rate of one lane without its coding, as Linux shows it: 25000 for EDR.
   *
   * @return Mbit/s
   */
  public int nominalMegabitsPerSecond() {
    return nominalMegabitsPerSecond;
  }
}

package io.roceverbs.verbs;

/**
 * How fast packets may leave for one peer: {@code enum ibv_rate}, kernel {@code enum ib_rate}.
 *
 * <p>The values have no order: 5 Gbit/s came after 40.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_rate_to_mbps(3).
 */
public enum StaticRate {
  /** As fast as the port is now: {@code IBV_RATE_MAX}. */
  MAX(0, 0),

  /** 2.5 Gbit/s. */
  GBPS_2_5(2, 2500),

  /** 5 Gbit/s. */
  GBPS_5(5, 5000),

  /** 10 Gbit/s. */
  GBPS_10(3, 10000),

  /** 20 Gbit/s. */
  GBPS_20(6, 20000),

  /** 30 Gbit/s. */
  GBPS_30(4, 30000),

  /** 40 Gbit/s. */
  GBPS_40(7, 40000),

  /** 60 Gbit/s. */
  GBPS_60(8, 60000),

  /** 80 Gbit/s. */
  GBPS_80(9, 80000),

  /** 120 Gbit/s. */
  GBPS_120(10, 120000),

  /** 14 Gbit/s. */
  GBPS_14(11, 14062),

  /** 56 Gbit/s. */
  GBPS_56(12, 56250),

  /** 112 Gbit/s. */
  GBPS_112(13, 112500),

  /** 168 Gbit/s. */
  GBPS_168(14, 168750),

  /** 25 Gbit/s. */
  GBPS_25(15, 25781),

  /** 100 Gbit/s. */
  GBPS_100(16, 103125),

  /** 200 Gbit/s. */
  GBPS_200(17, 206250),

  /** 300 Gbit/s. */
  GBPS_300(18, 309375),

  /** 28 Gbit/s. */
  GBPS_28(19, 28125),

  /** 50 Gbit/s. */
  GBPS_50(20, 53125),

  /** 400 Gbit/s. */
  GBPS_400(21, 425000),

  /** 600 Gbit/s. */
  GBPS_600(22, 637500),

  /** 800 Gbit/s. */
  GBPS_800(23, 850000),

  /** 1200 Gbit/s. */
  GBPS_1200(24, 1275000);

  private static final ValueTable<StaticRate> BY_VALUE =
      ValueTable.of(StaticRate.class, StaticRate::value);

  private final int value;
  private final int megabitsPerSecond;

  StaticRate(int value, int megabitsPerSecond) {
    this.value = value;
    this.megabitsPerSecond = megabitsPerSecond;
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
  public static StaticRate fromValue(int value) {
    return BY_VALUE.get(value);
  }

  /**
   * Tells the rate with its fraction: {@code ibv_rate_to_mbps()}.
   *
   * @return Mbit/s, 0 for {@link #MAX}
   */
  public int megabitsPerSecond() {
    return megabitsPerSecond;
  }
}

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
  SDR(1),

  /** 5 Gbit/s for each lane. */
  DDR(2),

  /** 10 Gbit/s for each lane. */
  QDR(4),

  /** 10.3125 Gbit/s for each lane. */
  FDR10(8),

  /** 14.0625 Gbit/s for each lane. */
  FDR(16),

  /** 25.78125 Gbit/s for each lane. */
  EDR(32),

  /** 50 Gbit/s for each lane. */
  HDR(64),

  /** 100 Gbit/s for each lane. */
  NDR(128),

  /** 200 Gbit/s for each lane. */
  XDR(256);

  private static final ValueTable<LinkSpeed> BY_VALUE =
      ValueTable.of(LinkSpeed.class, LinkSpeed::value);

  private final int value;

  LinkSpeed(int value) {
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
  public static LinkSpeed fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

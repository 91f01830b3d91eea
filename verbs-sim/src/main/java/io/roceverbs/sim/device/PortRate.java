package io.roceverbs.sim.device;

import io.roceverbs.verbs.LinkSpeed;
import io.roceverbs.verbs.LinkWidth;

/**
 * How many lanes of what speed a port says it has, for the bandwidth of its link. Ethernet has no
 * lanes of these speeds; Linux names the InfiniBand link that comes next.
 */
enum PortRate {
  GBPS_1(1, LinkWidth.WIDTH_1X, LinkSpeed.SDR),
  GBPS_10(10, LinkWidth.WIDTH_1X, LinkSpeed.FDR10),
  GBPS_25(25, LinkWidth.WIDTH_1X, LinkSpeed.EDR),
  GBPS_40(40, LinkWidth.WIDTH_4X, LinkSpeed.FDR10),
  GBPS_100(100, LinkWidth.WIDTH_4X, LinkSpeed.EDR),
  GBPS_200(200, LinkWidth.WIDTH_4X, LinkSpeed.HDR),
  GBPS_400(400, LinkWidth.WIDTH_4X, LinkSpeed.NDR),
  GBPS_800(800, LinkWidth.WIDTH_4X, LinkSpeed.XDR);

  /** What a link on which a frame takes no time counts as. */
  static final PortRate UNLIMITED = GBPS_100;

  private static final long BITS_PER_GIGABIT = 1_000_000_000;
  private static final int UNIT_MEGABITS = 100;

  private final long bitsPerSecond;
  private final LinkWidth width;
  private final LinkSpeed speed;

  PortRate(long gigabitsPerSecond, LinkWidth width, LinkSpeed speed) {
    this.bitsPerSecond = gigabitsPerSecond * BITS_PER_GIGABIT;
    this.width = width;
    this.speed = speed;
  }

  /** The least rate that the bandwidth of a link does not exceed, or else the highest one. */
  static PortRate of(long bitsPerSecond) {
    if (bitsPerSecond == 0) {
      return UNLIMITED;
    }
    for (PortRate rate : values()) {
      if (bitsPerSecond <= rate.bitsPerSecond) {
        return rate;
      }
    }
    return GBPS_800;
  }

  long bitsPerSecond() {
    return bitsPerSecond;
  }

  LinkWidth width() {
    return width;
  }

  LinkSpeed speed() {
    return speed;
  }

  /** The rate over all lanes, in units of 100 Mbit/s. */
  long units() {
    return (long) width.lanes() * speed.nominalMegabitsPerSecond() / UNIT_MEGABITS;
  }
}

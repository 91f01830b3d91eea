package io.roceverbs.sim;

import java.time.Clock;
import java.time.Instant;
import java.time.ZoneId;

/** The virtual time of a fabric as a clock. */
final class FabricClock extends Clock {
  private final Fabric fabric;
  private final ZoneId zone;

  FabricClock(Fabric fabric, ZoneId zone) {
    this.fabric = fabric;
    this.zone = zone;
  }

  @Override
  public ZoneId getZone() {
    return zone;
  }

  @Override
  public Clock withZone(ZoneId otherZone) {
    return otherZone.equals(zone) ? this : new FabricClock(fabric, otherZone);
  }

  @Override
  public Instant instant() {
    return Fabric.EPOCH.plusNanos(fabric.nanoTime());
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof FabricClock clock && clock.fabric == fabric && clock.zone.equals(zone);
  }

  @Override
  public int hashCode() {
    return System.identityHashCode(fabric) * 31 + zone.hashCode();
  }

  @Override
  public String toString() {
    return "clock of the fabric at " + instant();
  }
}

package io.roceverbs.sim.fabric;

import io.netty.util.concurrent.Ticker;
import java.util.concurrent.TimeUnit;

/** A clock that stands still until the next event, and then jumps there. */
final class VirtualTicker implements Ticker {
  private long nowNanos;

  @Override
  public long initialNanoTime() {
    return 0;
  }

  @Override
  public long nanoTime() {
    return nowNanos;
  }

  @Override
  public void sleep(long delay, TimeUnit unit) {
    throw new UnsupportedOperationException(
        "nobody may sleep in virtual time: schedule a task on the event loop instead");
  }

  /** Jumps to a time that is not before the present one. */
  void advanceTo(long timeNanos) {
    if (timeNanos < nowNanos || timeNanos > FabricCore.NO_BOUND) {
      throw new IllegalStateException(
          "the fabric's time can't go from "
              + nowNanos
              + " to "
              + timeNanos
              + " ns: it only goes forward, and ends at "
              + FabricCore.NO_BOUND);
    }
    nowNanos = timeNanos;
  }
}

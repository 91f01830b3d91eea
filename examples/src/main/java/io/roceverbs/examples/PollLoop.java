package io.roceverbs.examples;

import io.roceverbs.sim.Fabric;
import java.util.function.BooleanSupplier;

/**
 * Runs two protocol ends in one thread, each of which polls as it would on hardware.
 *
 * <p>An empty poll of one end lets time pass for both. So an end may look a few microseconds after
 * its completion has come, and the virtual time of a run depends a little on who polls when; it is
 * the same in each run.
 */
final class PollLoop {
  /** 2 s of real time, longer than all retries of a request take. */
  private static final long QUIET_NANOS = 2_000_000_000L;

  private PollLoop() {}

  /**
   * Lets the ends take turns until they are done, or until nothing can happen any more. It ends:
   * whatever is lost, retries are counted.
   *
   * @param fabric the fabric between them; an empty poll lets one of its events happen
   * @param isDone whether the ends have what they want; asked after each round
   * @param first polls once, and tells whether anything came
   * @param second the same for the other end
   * @return whether they are done
   */
  static boolean run(
      Fabric fabric, BooleanSupplier isDone, BooleanSupplier first, BooleanSupplier second) {
    boolean mayHappen = true;
    while (!isDone.getAsBoolean()) {
      boolean firstCame = first.getAsBoolean();
      boolean secondCame = second.getAsBoolean();
      if (!firstCame && !secondCame && !mayHappen) {
        return false;
      }
      mayHappen = firstCame || secondCame || fabric.step();
    }
    return true;
  }

  /**
   * Lets the ends take turns until they are done, on a fabric whose time passes by itself, or until
   * nothing has come for {@link #QUIET_NANOS}.
   *
   * @param isDone whether the ends have what they want; asked after each round
   * @param first polls once, and tells whether anything came
   * @param second the same for the other end
   * @return whether they are done
   */
  static boolean runInRealTime(
      BooleanSupplier isDone, BooleanSupplier first, BooleanSupplier second) {
    long lastNanos = System.nanoTime();
    while (!isDone.getAsBoolean()) {
      boolean firstCame = first.getAsBoolean();
      boolean secondCame = second.getAsBoolean();
      if (firstCame || secondCame) {
        lastNanos = System.nanoTime();
      } else if (System.nanoTime() - lastNanos > QUIET_NANOS) {
        return false;
      } else {
        Thread.onSpinWait();
      }
    }
    return true;
  }
}

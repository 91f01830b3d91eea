package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.UlpActivity;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpStuckException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Lets time pass for threads that were not started through the fabric, while there is no ULP thread
 * to take turns with: each call that waits makes the next event happen.
 *
 * <p>Nobody knows all threads of such a program. When nothing is left to happen, another one may be
 * about to post; so the last looks before a thread counts as stuck take some real time.
 */
final class LoneCalls {
  /** Who looks so often in vain when nothing is left to happen is stuck. */
  static final int LOOKS_AT_END_MAX = 10_000;

  /** So many of these looks, the last ones, take real time. */
  private static final int PATIENT_LOOKS = 1_000;

  private static final long PATIENCE_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final FabricCore core;
  private final FabricLock lock;
  private final UlpActivity activity;
  private final StuckReport report;
  private int looksAtEnd;
  private long callsAtEnd;

  LoneCalls(FabricCore core, FabricLock lock, UlpActivity activity) {
    this.core = core;
    this.lock = lock;
    this.activity = activity;
    this.report = new StuckReport(core, activity);
  }

  /** Lets the next event happen for a thread that found a place empty. */
  void poll(PolledPlace place) {
    if (core.turn()) {
      looksAtEnd = 0;
    } else if (isStuck()) {
      throw stuck("polls " + place.describe());
    }
  }

  /**
   * Lets the next event happen for a thread that waits, or its time come.
   *
   * @return false if the time has come
   */
  boolean await(UlpWait wait, long untilNanos) {
    if (untilNanos != DeviceTimer.NEVER) {
      boolean happened = core.turnOrPassTime(untilNanos);
      hasHappened();
      return happened;
    }
    if (core.turn()) {
      hasHappened();
    } else if (isStuck()) {
      throw stuck("waits for " + wait.describe());
    }
    return true;
  }

  private void hasHappened() {
    looksAtEnd = 0;
    lock.letOthersIn();
  }

  /** Counts a look at the end of all events. A thread that is told to stop does not look on. */
  private boolean isStuck() {
    if (callsAtEnd != activity.calls()) {
      callsAtEnd = activity.calls();
      looksAtEnd = 0;
    }
    looksAtEnd++;
    if (looksAtEnd > LOOKS_AT_END_MAX - PATIENT_LOOKS) {
      lock.exit();
      LockSupport.parkNanos(this, PATIENCE_NANOS);
      lock.enter();
    }
    return looksAtEnd > LOOKS_AT_END_MAX || Thread.currentThread().isInterrupted();
  }

  private UlpStuckException stuck(String whatItDoes) {
    looksAtEnd = 0;
    String why = Thread.currentThread().isInterrupted() ? "interrupted: " : "";
    return new UlpStuckException(why + report.ofCaller(whatItDoes));
  }
}

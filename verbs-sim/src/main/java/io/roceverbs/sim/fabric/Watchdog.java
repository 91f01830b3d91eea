package io.roceverbs.sim.fabric;

import io.roceverbs.sim.ulp.UlpBlockedException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * A guest that waits for its turn keeps an eye on who has it. A thread that keeps the turn too
 * long, in real time, blocks somewhere that the fabric doesn't know of, and would stop everybody
 * for ever.
 */
final class Watchdog {
  private final UlpScheduler scheduler;
  private final FabricCore core;
  private final FabricLock lock;
  private final long limitNanos;

  Watchdog(UlpScheduler scheduler, FabricCore core, FabricLock lock, long limitNanos) {
    this.scheduler = scheduler;
    this.core = core;
    this.lock = lock;
    this.limitNanos = limitNanos;
  }

  /**
   * Waits until a guest gets its turn. The caller does not hold the lock.
   *
   * @param progressBefore how far the threads had got when the wait began
   */
  void awaitTurn(Participant guest, long progressBefore) {
    if (!guest.spinForTurn()) {
      watch(guest, progressBefore);
    }
    guest.takeTurn();
  }

  private void watch(Participant guest, long progressBefore) {
    boolean interrupted = false;
    long progress = progressBefore;
    long sinceNanos = System.nanoTime();
    while (!guest.hasTurn()) {
      LockSupport.parkNanos(this, limitNanos);
      if (Thread.interrupted()) {
        interrupted = true;
        enter();
        scheduler.endRun(
            new IllegalStateException(
                guest + " was interrupted while it waited for the threads of the ULP"));
        lock.exit();
      }
      long nowNanos = System.nanoTime();
      if (nowNanos - sinceNanos >= limitNanos && !guest.hasTurn()) {
        sinceNanos = nowNanos;
        progress = look(guest, progress);
      }
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  /** Looks whether anybody got on since the last look. */
  private long look(Participant guest, long progressBefore) {
    enter();
    try {
      long progress = scheduler.progress();
      Participant holder = scheduler.runningThread();
      if (progress == progressBefore && holder != null && !guest.hasTurn()) {
        Thread thread = holder.thread();
        scheduler.takeTurnFrom(holder, report(holder, thread));
        if (thread != null) {
          thread.interrupt();
        }
      }
      return progress;
    } finally {
      lock.exit();
    }
  }

  private void enter() {
    if (!lock.tryEnter(limitNanos)) {
      core.breakOpen();
      lock.enter();
    }
  }

  private UlpBlockedException report(Participant holder, @Nullable Thread thread) {
    StackTraceElement[] stack = thread == null ? new StackTraceElement[0] : thread.getStackTrace();
    String state = thread == null ? "not started" : thread.getState().toString();
    Throwable place = new Throwable("where " + holder + " is");
    place.setStackTrace(stack);
    StringBuilder text = new StringBuilder();
    text.append(holder)
        .append(" has kept its turn for ")
        .append(TimeUnit.NANOSECONDS.toMillis(limitNanos))
        .append(" ms of real time and is ")
        .append(state)
        .append(
            " outside of the fabric's calls; threads of a ULP run one at a time, so wait with"
                + " fabric.await or fabric.sleep instead");
    for (StackTraceElement frame : stack) {
      text.append("\n    at ").append(frame);
    }
    return new UlpBlockedException(text.toString(), place);
  }
}

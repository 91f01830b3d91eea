package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpThread;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What is the same of the threads of a ULP in virtual and in real time: how they start, and who may
 * wait for their end. All state is guarded by the lock of the fabric.
 */
abstract class FabricThreads implements Ulps {
  final FabricCore core;
  final FabricLock lock;

  FabricThreads(FabricCore core, FabricLock lock) {
    this.core = core;
    this.lock = lock;
  }

  /** Why all threads are being ended, or null if they are not. */
  abstract @Nullable String stopReason();

  /** How many threads have not ended. */
  abstract int alive();

  /** How many of them somebody may join, so without those that serve others. */
  abstract int aliveToJoin();

  /** Starts a thread, which may. */
  abstract UlpThread startThread(String node, String name, boolean isService, UlpBody body);

  // ---- starting ------------------------------------------------------------------------------

  @Override
  public final UlpThread start(String node, String name, UlpBody body) {
    return start(node, name, false, body);
  }

  @Override
  public final void startService(String name, UlpBody body) {
    start("", name, true, body);
  }

  private UlpThread start(String node, String name, boolean isService, UlpBody body) {
    core.enter();
    try {
      String reason = stopReason();
      if (reason != null) {
        throw new UlpStoppedException(reason);
      }
      if (alive() >= THREADS_MAX) {
        throw new IllegalStateException(
            "a fabric runs at most " + THREADS_MAX + " ULP threads at a time");
      }
      return startThread(node, name, isService, body);
    } finally {
      core.exit();
    }
  }

  // ---- waiting -------------------------------------------------------------------------------

  @Override
  public final void join() {
    waitFor(new JoinWait("the end of all threads", () -> aliveToJoin() == 0));
  }

  @Override
  public final void joinAll() {
    waitFor(new JoinWait("the end of all threads and timers", () -> alive() == 0));
  }

  /** Waits for the end of one thread. */
  final void join(FabricThread thread) {
    if (thread.isCurrent()) {
      throw new IllegalStateException(thread + " can't wait for its own end");
    }
    waitFor(new JoinWait("the end of " + thread, () -> !thread.isAlive()));
  }

  /** Waits without an end in time, in a call of its own. */
  final void waitFor(UlpWait wait) {
    core.enter();
    try {
      await(wait, DeviceTimer.NEVER);
    } finally {
      core.exit();
    }
  }

  @Override
  public final boolean await(String what, BooleanSupplier condition, long untilNanos) {
    core.enter();
    try {
      return await(new ConditionWait(lock, what, condition), untilNanos);
    } finally {
      core.exit();
    }
  }

  // ---- the end -------------------------------------------------------------------------------

  /** Whether a thread ended since it was told to, whatever it made of that. */
  final boolean isUnwound(Throwable thrown) {
    Throwable cause = thrown;
    while (cause != null && !isEndOfRun(cause)) {
      cause = cause.getCause();
    }
    return cause != null;
  }

  /** Whether this is what a thread gets to see of the end of its run. */
  boolean isEndOfRun(Throwable thrown) {
    return thrown instanceof UlpStoppedException;
  }
}

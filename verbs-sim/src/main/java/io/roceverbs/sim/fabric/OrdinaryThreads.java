package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PolledPlace;
import io.roceverbs.sim.device.UlpWait;
import io.roceverbs.sim.ulp.UlpBlockedException;
import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpThread;
import io.roceverbs.sim.ulp.UlpThreadException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The threads of a ULP in real time: ordinary ones, which the operating system lets run. A call
 * that waits sleeps until something has happened on the fabric.
 *
 * <p>Nobody can know here that what a thread waits for never comes. So a wait ends when it comes,
 * with its time, when the thread is interrupted, with the run of the thread, or with the fabric.
 *
 * <p>As in virtual time, a thread that fails ends the run of all others, and so does the end of the
 * fabric. All state is guarded by the lock of the fabric.
 */
final class OrdinaryThreads extends FabricThreads {
  /** A condition of the ULP comes true unnoticed, so it is asked again and again. */
  private static final long ASK_AGAIN_NANOS = TimeUnit.MILLISECONDS.toNanos(1);

  private final long blockingLimitNanos;
  private final List<OrdinaryThread> threads = new ArrayList<>();
  private int services;
  private @Nullable UlpThreadException failure;

  private boolean isClosing;

  /** Why all threads are being ended, or null if they are not. */
  private volatile @Nullable String stopReason;

  OrdinaryThreads(FabricCore core, FabricLock lock, long blockingLimitNanos) {
    super(core, lock);
    this.blockingLimitNanos = blockingLimitNanos;
  }

  // ---- threads -------------------------------------------------------------------------------

  @Override
  @Nullable String stopReason() {
    return stopReason;
  }

  @Override
  int alive() {
    return threads.size();
  }

  @Override
  int aliveToJoin() {
    return threads.size() - services;
  }

  @Override
  UlpThread startThread(String node, String name, boolean isService, UlpBody body) {
    OrdinaryThread thread = new OrdinaryThread(this, name, node, isService, body);
    threads.add(thread);
    services += isService ? 1 : 0;
    thread.start();
    return thread;
  }

  @Override
  public boolean isUlpThread() {
    lock.enter();
    try {
      return threads.stream().anyMatch(OrdinaryThread::isCurrent);
    } finally {
      lock.exit();
    }
  }

  /** The body of a thread is over. Called by that thread. */
  void ended(OrdinaryThread thread, @Nullable Throwable thrown) {
    lock.enter();
    try {
      thread.end();
      threads.remove(thread);
      services -= thread.isService() ? 1 : 0;
      if (thrown != null && !isUnwound(thrown)) {
        fail(new UlpThreadException(thread, core.nanoTime(), thrown));
      }
      if (threads.isEmpty() && !isClosing) {
        stopReason = null; // ready for another run
      }
      lock.signalChange();
    } finally {
      lock.exit();
    }
  }

  private void fail(UlpThreadException cause) {
    UlpThreadException first = failure;
    if (first == null) {
      failure = cause;
      endRun("the run has ended: " + cause.getMessage());
    } else {
      first.addSuppressed(cause);
    }
  }

  private void endRun(String reason) {
    if (stopReason == null) {
      stopReason = reason;
    }
    threads.forEach(OrdinaryThread::interrupt);
    lock.signalChange();
  }

  /** A thread that blocked elsewhere was interrupted. */
  @Override
  boolean isEndOfRun(Throwable thrown) {
    return super.isEndOfRun(thrown)
        || (thrown instanceof InterruptedException && stopReason != null);
  }

  // ---- calls that wait -----------------------------------------------------------------------

  @Override
  public void awaitIdle(long eventsMax) {
    joinAll();
    waitFor(new IdleWait(core));
  }

  @Override
  public boolean await(UlpWait wait, long untilNanos) {
    if (!core.mayWait()) {
      throw new IllegalStateException(
          "a wait for "
              + wait.describe()
              + " was begun inside an event of the fabric, such as a completion callback; return"
              + " from it first");
    }
    long mostNanos = wait instanceof ConditionWait ? ASK_AGAIN_NANOS : Long.MAX_VALUE;
    while (true) {
      requireRunning();
      if (failure != null) {
        sleep(wait, Long.MAX_VALUE); // until the threads have ended; then it is thrown
        continue;
      }
      if (wait.isOver()) {
        return true;
      }
      long leftNanos = untilNanos - core.nanoTime();
      if (leftNanos <= 0) {
        return false;
      }
      sleep(wait, Math.min(leftNanos, mostNanos));
    }
  }

  @Override
  public boolean awaitOthers(UlpWait wait) {
    return core.mayWait() && await(wait, DeviceTimer.NEVER);
  }

  @Override
  public void signalChange() {
    lock.signalChange();
  }

  private void sleep(UlpWait wait, long nanos) {
    try {
      lock.awaitChange(nanos);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      requireRunning();
      throw new UlpStoppedException("interrupted while it waited for " + wait.describe());
    }
  }

  /** A thread does not wait on when its run is over, or something has failed that it must know. */
  private void requireRunning() {
    core.throwFailure();
    String reason = stopReason;
    if (reason != null && isUlpThread()) {
      throw new UlpStoppedException(reason);
    }
    if (threads.isEmpty()) {
      throwFailure();
    }
    if (core.isClosed()) {
      throw new IllegalStateException("a call that waited ends: the fabric is closed");
    }
  }

  private void throwFailure() {
    UlpThreadException cause = failure;
    if (cause != null) {
      failure = null;
      cause.fillInStackTrace(); // where the caller waits tells more than where the thread ended
      throw cause;
    }
  }

  @Override
  public boolean mayStayOutside() {
    return stopReason == null && !core.hasFailed() && !core.isClosed();
  }

  @Override
  public void polledInVain(PolledPlace place) {
    if (core.mayWait()) {
      requireRunning();
      lock.letOthersIn();
    }
  }

  @Override
  public void readyToPoll(PolledPlace place) {
    lock.signalChange();
  }

  @Override
  public boolean step() {
    throw new IllegalStateException(
        "step was called in real time, where events happen by themselves; use runFor, runUntil or"
            + " run");
  }

  // ---- the end -------------------------------------------------------------------------------

  @Override
  public void stop() {
    lock.enter();
    try {
      isClosing = true;
      endRun("the fabric is being closed");
      awaitEnd();
      core.throwFailure();
      throwFailure();
    } finally {
      lock.exit();
    }
  }

  /** Waits for the threads, which were interrupted; one that blocks all the same is reported. */
  private void awaitEnd() {
    long untilNanos = core.nanoTime() + Math.min(blockingLimitNanos, FabricCore.NO_BOUND);
    boolean isInterrupted = false;
    while (!threads.isEmpty()) {
      long leftNanos = untilNanos - core.nanoTime();
      if (leftNanos <= 0) {
        throw report(threads.get(0));
      }
      try {
        lock.awaitChange(leftNanos);
      } catch (InterruptedException e) {
        isInterrupted = true;
      }
    }
    if (isInterrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private UlpBlockedException report(OrdinaryThread thread) {
    Throwable place = new Throwable("where " + thread + " is");
    place.setStackTrace(thread.stack());
    return new UlpBlockedException(
        thread
            + " was interrupted, since the fabric is being closed, and has not ended after "
            + TimeUnit.NANOSECONDS.toMillis(blockingLimitNanos)
            + " ms",
        place);
  }
}

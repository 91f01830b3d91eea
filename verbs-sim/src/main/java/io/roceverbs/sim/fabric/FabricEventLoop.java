package io.roceverbs.sim.fabric;

import io.netty.channel.ManualIoEventLoop;

/**
 * The event loop of all ports of one fabric. Nobody waits in it: whoever holds the fabric's lock
 * drives it and counts as its thread, so that calls into a pipeline run at once.
 */
final class FabricEventLoop extends ManualIoEventLoop {
  private final FabricLock lock;

  FabricEventLoop(FabricLock lock, VirtualTicker ticker) {
    super(null, null, executor -> new NoIoHandler(), ticker);
    this.lock = lock;
  }

  @Override
  public boolean inEventLoop() {
    return lock.isHeldByCurrentThread();
  }

  /** Runs all tasks that are due. Returns how many there were. */
  int runTasks() {
    return runNonBlockingTasks(0);
  }

  /** When the next scheduled task is due, or {@link EventQueue#NEVER}. */
  long nextTaskNanos() {
    long deadline = nextScheduledTaskDeadlineNanos();
    return deadline < 0 ? EventQueue.NEVER : deadline;
  }

  /** Runs what is left and refuses everything from then on. */
  @SuppressWarnings("deprecation") // the graceful kind sleeps for 100 ms of real time
  void terminate() {
    setOwningThread(Thread.currentThread());
    shutdown();
    while (!isTerminated()) {
      runNow();
    }
  }
}

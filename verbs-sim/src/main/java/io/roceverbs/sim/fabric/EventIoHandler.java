package io.roceverbs.sim.fabric;

import io.netty.channel.IoHandle;
import io.netty.channel.IoHandler;
import io.netty.channel.IoHandlerContext;
import io.netty.channel.IoRegistration;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The I/O of an event loop in real time: frames and timers of the fabric, each once its time has
 * come. Nothing is scheduled on the loop itself for them, which would allocate; it waits here.
 */
final class EventIoHandler implements IoHandler {
  /**
   * How long the loop looks out for the next event before it sleeps: about what it takes to wake
   * it. Where there is one processor, those that it waits for would not run meanwhile.
   */
  private static final long LOOK_OUT_NANOS =
      Runtime.getRuntime().availableProcessors() > 1 ? 50_000 : 0;

  /** How much of that it spends without giving way to other threads. */
  private static final long SPIN_NANOS = 2_000;

  private final FabricCore core;
  private volatile boolean isWoken;
  private volatile @Nullable Thread sleeper;

  EventIoHandler(FabricCore core) {
    this.core = core;
  }

  @Override
  public int run(IoHandlerContext context) {
    isWoken = false; // who wakes the loop from here on wants it to look again
    long delayNanos = core.runDue();
    if (delayNanos > 0 && context.canBlock()) {
      await(Math.min(delayNanos, context.delayNanos(System.nanoTime())));
    }
    return 0;
  }

  private void await(long delayNanos) {
    long lookOutNanos = Math.min(delayNanos, LOOK_OUT_NANOS);
    if (lookOut(lookOutNanos)) {
      return;
    }
    // To be awake in time, it wakes up early and looks out again.
    long sleepNanos = delayNanos - lookOutNanos - LOOK_OUT_NANOS;
    if (sleepNanos > 0) {
      sleeper = Thread.currentThread();
      if (!isWoken) {
        LockSupport.parkNanos(this, sleepNanos);
      }
      sleeper = null;
    }
  }

  /** Returns whether it was woken meanwhile. */
  @SuppressWarnings("ThreadPriorityCheck") // who is to wake the loop may wait for this processor
  private boolean lookOut(long nanos) {
    long startNanos = System.nanoTime();
    while (!isWoken) {
      long passedNanos = System.nanoTime() - startNanos;
      if (passedNanos >= nanos) {
        return false;
      }
      if (passedNanos < SPIN_NANOS) {
        Thread.onSpinWait();
      } else {
        Thread.yield();
      }
    }
    return true;
  }

  @Override
  public void wakeup() {
    isWoken = true;
    LockSupport.unpark(sleeper);
  }

  @Override
  public IoRegistration register(IoHandle handle) {
    throw new UnsupportedOperationException("the event loop of a fabric does no other I/O");
  }

  @Override
  public boolean isCompatible(Class<? extends IoHandle> handleType) {
    return false;
  }
}

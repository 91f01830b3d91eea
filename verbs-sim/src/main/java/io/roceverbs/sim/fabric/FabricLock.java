package io.roceverbs.sim.fabric;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one fabric: one verbs call or one event at a time.
 *
 * <p>Calls nest often, as a poll that gives the fabric a turn does. A {@link ReentrantLock} pays a
 * memory barrier to count each nested call; here a nested call costs a comparison.
 */
final class FabricLock {
  /** About what it takes to wake a thread. */
  private static final long OTHERS_COME_NANOS = 50_000;

  /** How often a thread looks for the lock, which is held for moments only, before it sleeps. */
  private static final int LOOKS_MAX = Runtime.getRuntime().availableProcessors() > 1 ? 256 : 0;

  /** So many of these looks without giving way to others. */
  private static final int SPINS_MAX = 64;

  private volatile ReentrantLock lock = new ReentrantLock();

  /** Signalled when something has happened that somebody may wait for, in real time. */
  private Condition changed = lock.newCondition();

  private int waiting;
  private volatile boolean isLoopWaiting;

  /**
   * Who holds the lock. Written by the holder only; a thread that reads it without the lock sees
   * itself here only if it is the holder.
   */
  private @Nullable Thread holder;

  private int depth;

  void enter() {
    Thread caller = Thread.currentThread();
    if (holder != caller) {
      lock();
      holder = caller;
    }
    depth++;
  }

  private void lock() {
    for (int i = 0; i < LOOKS_MAX; i++) {
      if (!isLoopWaiting && lock.tryLock()) {
        return;
      }
      pause(isLoopWaiting ? SPINS_MAX : i);
    }
    lock.lock();
  }

  /** Passes the time between two looks. */
  @SuppressWarnings("ThreadPriorityCheck") // who holds the lock may wait for this processor
  private static void pause(int looksBefore) {
    if (looksBefore < SPINS_MAX) {
      Thread.onSpinWait();
    } else {
      Thread.yield();
    }
  }

  /**
   * Enters before all that come later: the event loop of a fabric in real time, which threads that
   * post and poll without a pause would keep out otherwise.
   */
  void enterFirst() {
    Thread caller = Thread.currentThread();
    if (!lock.tryLock()) {
      isLoopWaiting = true;
      int looks = 0;
      while (looks < LOOKS_MAX && !lock.tryLock()) {
        pause(looks);
        looks++;
      }
      if (looks == LOOKS_MAX) {
        lock.lock();
      }
      isLoopWaiting = false;
    }
    holder = caller;
    depth = 1;
  }

  /** Enters if the lock gets free within a time. Returns whether it did. */
  boolean tryEnter(long withinNanos) {
    Thread caller = Thread.currentThread();
    if (holder != caller) {
      if (!tryLock(withinNanos)) {
        return false;
      }
      holder = caller;
    }
    depth++;
    return true;
  }

  private boolean tryLock(long withinNanos) {
    try {
      return lock.tryLock(withinNanos, TimeUnit.NANOSECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return lock.tryLock();
    }
  }

  void exit() {
    if (holder != Thread.currentThread()) {
      throw new IllegalMonitorStateException(
          "the lock of the fabric is exited by a thread that has not entered it");
    }
    depth--;
    if (depth == 0) {
      holder = null;
      lock.unlock();
    }
  }

  /**
   * Lets others in that wait for the lock. The holder, who asks, has entered it once only. It
   * sleeps for a moment, or it would be back before they are awake.
   */
  void letOthersIn() {
    if (lock.hasQueuedThreads()) {
      exit();
      LockSupport.parkNanos(this, OTHERS_COME_NANOS);
      enter();
    }
  }

  /**
   * Lets others in until {@link #signalChange} is called or a time is over, or for no reason. The
   * holder, who asks, has entered it once only.
   */
  @SuppressWarnings("WaitNotInLoop") // the caller looks whether what it waits for has come
  void awaitChange(long nanos) throws InterruptedException {
    Thread caller = Thread.currentThread();
    waiting++;
    holder = null;
    depth = 0;
    try {
      changed.awaitNanos(nanos);
    } finally {
      holder = caller;
      depth = 1;
      waiting--;
    }
  }

  /** Lets those look who wait for a change. */
  void signalChange() {
    if (waiting > 0) {
      changed.signalAll();
    }
  }

  /** Takes the lock from a thread that holds it for ever. That thread can't even exit it. */
  void breakOpen() {
    lock = new ReentrantLock();
    changed = lock.newCondition();
    holder = null;
    depth = 0;
  }

  boolean isHeldByCurrentThread() {
    return holder == Thread.currentThread();
  }

  /** Whether the holder, who asks, has entered it once only. */
  boolean isOutermost() {
    return depth == 1;
  }
}

package io.roceverbs.sim.fabric;

import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * The lock of one fabric: one verbs call or one event at a time.
 *
 * <p>Calls nest often, as a poll that gives the fabric a turn does. A {@link ReentrantLock} pays a
 * memory barrier to count each nested call; here a nested call costs a comparison.
 */
final class FabricLock {
  private final ReentrantLock lock = new ReentrantLock();

  /**
   * Who holds the lock. Written by the holder only; a thread that reads it without the lock sees
   * itself here only if it is the holder.
   */
  private @Nullable Thread holder;

  private int depth;

  void enter() {
    Thread caller = Thread.currentThread();
    if (holder != caller) {
      lock.lock();
      holder = caller;
    }
    depth++;
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

  boolean isHeldByCurrentThread() {
    return holder == Thread.currentThread();
  }

  /** Whether the holder, who asks, has entered it once only. */
  boolean isOutermost() {
    return depth == 1;
  }
}

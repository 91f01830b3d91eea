package io.roceverbs.sim.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * A lock that is held for moments only, and costs no object when threads meet at it. Not reentrant.
 */
final class SpinLock {
  /** So often a thread looks without giving way to others, such as the one that holds the lock. */
  private static final int LOOKS_IN_A_ROW = 64;

  private static final VarHandle IS_HELD;

  static {
    try {
      IS_HELD = MethodHandles.lookup().findVarHandle(SpinLock.class, "isHeld", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // used through its handle
  private boolean isHeld;

  @SuppressWarnings("ThreadPriorityCheck") // the holder may wait for this processor
  void lock() {
    int looks = 0;
    while ((boolean) IS_HELD.getOpaque(this) || !IS_HELD.compareAndSet(this, false, true)) {
      looks++;
      if (looks % LOOKS_IN_A_ROW == 0) {
        Thread.yield();
      } else {
        Thread.onSpinWait();
      }
    }
  }

  void unlock() {
    IS_HELD.setRelease(this, false);
  }
}

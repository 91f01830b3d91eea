package io.roceverbs.sim.device;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * What a thread rings, in real time, when it has posted something without entering the host: who
 * drives the device comes and takes it.
 */
public abstract class Doorbell {
  private static final VarHandle IS_RUNG;

  static {
    try {
      IS_RUNG = MethodHandles.lookup().findVarHandle(Doorbell.class, "isRung", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  @SuppressWarnings("UnusedVariable") // used through its handle
  private boolean isRung;

  /** Makes a bell that is not rung. */
  protected Doorbell() {}

  /**
   * Rings. What the caller did before is seen by whoever answers.
   *
   * @return whether it was not rung already; then the caller has to tell the one who answers
   */
  public final boolean ring() {
    return !(boolean) IS_RUNG.getAndSet(this, true);
  }

  /** Answers, in a call that has entered the host: takes all that was posted before the ring. */
  public final void answer() {
    IS_RUNG.getAndSet(this, false); // before looking: who posts later rings again
    takePosted();
  }

  /** Takes what was posted. The caller has entered the host. */
  protected abstract void takePosted();
}

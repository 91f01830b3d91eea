package io.roceverbs.sim.device;

/**
 * One timer that the host keeps for the device: a deadline that may move often and runs out seldom.
 *
 * <p>Moving a deadline is cheap by design. The host's queue may hold the timer at an earlier time
 * than its deadline; when that time comes it looks again. So an acknowledgement that pushes the
 * deadline forward touches no queue.
 */
public abstract class DeviceTimer {
  /** The deadline of a timer that is not running. */
  public static final long NEVER = Long.MAX_VALUE;

  private long deadlineNanos = NEVER;
  private long queuedNanos = NEVER;

  /** When it runs out, in the fabric's time, or {@link #NEVER}. */
  public final long deadlineNanos() {
    return deadlineNanos;
  }

  /** Sets the deadline; the owner then tells the host through {@link DeviceHost#timerChanged}. */
  protected final void deadlineNanos(long nanos) {
    this.deadlineNanos = nanos;
  }

  /** Moves the deadline, and tells the host if that is news to it. */
  final void update(DeviceHost host, long nanos) {
    if (nanos != deadlineNanos) {
      deadlineNanos = nanos;
      host.timerChanged(this);
    }
  }

  /**
   * The time under which the host's queue holds this timer, or {@link #NEVER}; kept by the host.
   */
  public final long queuedNanos() {
    return queuedNanos;
  }

  /** Notes the time under which the host's queue holds this timer. */
  public final void queuedNanos(long nanos) {
    this.queuedNanos = nanos;
  }

  /**
   * Called by the host once the deadline has come; the callee sets a new deadline or {@link
   * #NEVER}.
   */
  public abstract void expire(long nowNanos);
}

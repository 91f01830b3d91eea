package io.roceverbs.sim.trace;

/** Hears of every event of a {@link Trace} at the moment it happens. */
@FunctionalInterface
public interface TraceListener {
  /**
   * Takes one event. Called under the fabric's lock, on the thread that caused the event; it must
   * not call back into the fabric.
   *
   * @param event what happened, immutable, so it may be kept
   */
  void onEvent(TraceEvent event);
}

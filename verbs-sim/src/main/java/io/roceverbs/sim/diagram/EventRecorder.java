package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceListener;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps the events of a trace, from the first one on, up to a limit.
 *
 * <p>It keeps the beginning and counts the rest: a story is read from its start, and a test that
 * runs away must not fill the heap. {@link #clear()} begins anew, for instance once the queue pairs
 * are connected and the part of interest starts.
 *
 * <p>Thread-safe: the fabric reports on whichever thread runs it, a test reads on its own.
 */
public final class EventRecorder implements TraceListener {
  /** How many events are kept where no other limit is given. */
  public static final int EVENTS_DEFAULT = 10_000;

  /** The highest limit that can be given; events are objects of about a hundred bytes. */
  public static final int EVENTS_MAX = 1_000_000;

  private final int limit;
  private final List<TraceEvent> events = new ArrayList<>();
  private long leftOut;

  /** Makes a recorder that keeps {@link #EVENTS_DEFAULT} events. */
  public EventRecorder() {
    this(EVENTS_DEFAULT);
  }

  /**
   * Makes a recorder with a limit of its own.
   *
   * @param limit how many events are kept, 1 to {@link #EVENTS_MAX}
   * @throws IllegalArgumentException if the limit is outside of that range
   */
  public EventRecorder(int limit) {
    if (limit < 1 || limit > EVENTS_MAX) {
      throw new IllegalArgumentException(
          "a recorder keeps 1 to " + EVENTS_MAX + " events, not " + limit);
    }
    this.limit = limit;
  }

  @Override
  public synchronized void onEvent(TraceEvent event) {
    if (events.size() < limit) {
      events.add(event);
    } else {
      leftOut++;
    }
  }

  /**
   * Returns what was kept so far, in the order in which it happened.
   *
   * @return a copy that later events don't change
   */
  public synchronized List<TraceEvent> events() {
    return List.copyOf(events);
  }

  /**
   * Tells how many events came after the limit was reached.
   *
   * @return the number of events that are missing at the end of {@link #events()}
   */
  public synchronized long leftOut() {
    return leftOut;
  }

  /** Forgets everything, so that the next event is the first one kept. */
  public synchronized void clear() {
    events.clear();
    leftOut = 0;
  }
}

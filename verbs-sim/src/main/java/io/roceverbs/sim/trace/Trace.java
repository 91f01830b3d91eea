package io.roceverbs.sim.trace;

import java.util.ArrayList;
import java.util.List;

/**
 * The log of one fabric: a running hash of everything that happened, and the events themselves
 * while somebody listens.
 *
 * <p>The hash costs a few nanoseconds and no allocation, so it is always on. Events are objects; a
 * reporter asks {@link #isRecording()} first and makes none when nobody listens.
 *
 * <p>Not thread-safe: the simulator calls it under the fabric's lock. A program adds and removes
 * listeners, and reads the hash, while no other thread calls a verb or lets the fabric run.
 */
public final class Trace {
  /** More listeners than this are a leak, not a use. */
  private static final int LISTENERS_MAX = 64;

  private static final long MULTIPLIER = 0x9E37_79B9_7F4A_7C15L;

  /** Replaced as a whole: in real time, somebody may listen while events come. */
  private volatile List<TraceListener> listeners = List.of();

  private long hash;
  private long mixed;

  /** Makes an empty log that nobody listens to. */
  public Trace() {}

  /**
   * Adds one happening to the hash.
   *
   * @param timeNanos virtual time of the happening
   * @param point what kind of happening
   * @param first its first distinguishing value, such as a request id or the ICRC of a packet
   * @param second its second one, such as a status
   */
  public void mix(long timeNanos, TracePoint point, long first, long second) {
    long value = hash ^ (timeNanos + point.salt());
    value = scramble(value * MULTIPLIER + first);
    hash = scramble(value * MULTIPLIER + second);
    mixed++;
  }

  private static long scramble(long value) {
    long high = value ^ (value >>> 32);
    long product = high * MULTIPLIER;
    return product ^ (product >>> 29);
  }

  /**
   * A digest of all that happened so far, in order; equal for equal seeds and equal calls.
   *
   * @return 64 bits without further meaning; 0 if nothing has happened
   */
  public long hash() {
    return hash;
  }

  /**
   * How many happenings the hash covers.
   *
   * @return the number of calls of {@link #mix}
   */
  public long happenings() {
    return mixed;
  }

  /**
   * Tells whether somebody listens, so that it is worth making events.
   *
   * @return whether there is a listener
   */
  public boolean isRecording() {
    return !listeners.isEmpty();
  }

  /**
   * Hands an event to all listeners, in the order in which they were added.
   *
   * @param event what has just happened
   */
  public void record(TraceEvent event) {
    List<TraceListener> present = listeners;
    for (int i = 0; i < present.size(); i++) {
      present.get(i).onEvent(event);
    }
  }

  /**
   * Adds a listener, which hears of everything from now on.
   *
   * @param listener is called on whichever thread causes an event; added twice, it hears twice
   * @throws IllegalStateException if there are 64 listeners already
   */
  public synchronized void addListener(TraceListener listener) {
    if (listeners.size() >= LISTENERS_MAX) {
      throw new IllegalStateException(
          "a trace takes at most " + LISTENERS_MAX + " listeners; remove those no longer needed");
    }
    List<TraceListener> more = new ArrayList<>(listeners);
    more.add(listener);
    listeners = List.copyOf(more);
  }

  /**
   * Removes a listener; one that was never added is ignored.
   *
   * @param listener hears of nothing more, unless it was added more than once
   */
  public synchronized void removeListener(TraceListener listener) {
    List<TraceListener> fewer = new ArrayList<>(listeners);
    fewer.remove(listener);
    listeners = List.copyOf(fewer);
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;

/** The events of one kind and one object that were taken, and how many of them are acknowledged. */
final class EventSource {
  private final String kind;
  private final String remedy;
  private long taken;
  private long acknowledged;

  private EventSource(String kind, String remedy) {
    this.kind = kind;
    this.remedy = remedy;
  }

  /** The asynchronous events of an object. */
  static EventSource ofAsyncEvents() {
    return new EventSource("asynchronous", "AsyncEvent.acknowledge()");
  }

  /** The completion events of a completion queue. */
  static EventSource ofCompletionEvents() {
    return new EventSource("completion", "CompletionQueue.acknowledgeEvents()");
  }

  void taken() {
    taken++;
  }

  /** Acknowledges so many, of which each must have been taken. */
  void acknowledge(String call, int count) {
    long missing = taken - acknowledged;
    if (count < 0 || count > missing) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          count
              + " events can't be acknowledged; "
              + taken
              + " were taken and "
              + acknowledged
              + " acknowledged, so it must be 0.."
              + missing);
    }
    acknowledged += count;
  }

  boolean isAllAcknowledged() {
    return taken == acknowledged;
  }

  /** The events that are not acknowledged, and how that is done. */
  String describeMissing() {
    return kind
        + " events of it: taken "
        + taken
        + ", acknowledged "
        + acknowledged
        + "; call "
        + remedy
        + " for the missing "
        + (taken - acknowledged)
        + " first";
  }
}

package io.roceverbs.sim.trace;

/** The kinds of happening that the hash of a {@link Trace} tells apart. */
public enum TracePoint {
  POST_SEND(1),
  POST_RECEIVE(2),
  COMPLETION(3),
  POLL(4),
  PACKET_SENT(5),
  PACKET_DELIVERED(6),
  PACKET_DROPPED(7),
  KEY_CHANGED(8),
  STATE_CHANGED(9),
  TIMER_EXPIRED(10),
  ASYNC_EVENT(11);

  private final long salt;

  TracePoint(int number) {
    this.salt = (long) number << 56;
  }

  /** A constant that keeps equal values of different kinds apart. */
  long salt() {
    return salt;
  }
}

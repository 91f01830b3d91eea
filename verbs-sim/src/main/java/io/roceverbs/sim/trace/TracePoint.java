package io.roceverbs.sim.trace;

/**
 * The kinds of happening that the hash of a {@link Trace} tells apart.
 *
 * <p>Each constant names the two values that go into the hash beside the time, see {@link
 * Trace#mix}.
 */
public enum TracePoint {
  /** A request was posted to a send queue: number of the queue pair, id of the request. */
  POST_SEND(1),
  /** A request was posted to a receive queue: number of the queue pair, id of the request. */
  POST_RECEIVE(2),
  /** A completion was put into a completion queue: id of the request, status. */
  COMPLETION(3),
  /** A completion was polled: id of the request, status. */
  POLL(4),
  /** A frame left a port, as an original or as a copy: ICRC, number of the frame. */
  PACKET_SENT(5),
  /** A good frame arrived: number of the frame, index of the port. */
  PACKET_DELIVERED(6),
  /** A frame was lost or refused: number of the frame, a digest of the reason. */
  PACKET_DROPPED(7),
  /** A memory key became valid or invalid: the key, 1 for valid and 0 for invalid. */
  KEY_CHANGED(8),
  /** A queue pair changed its state: number of the queue pair, the new state. */
  STATE_CHANGED(9),
  /** A timer of a queue pair ran out: number of the queue pair, the PSN it goes back to. */
  TIMER_EXPIRED(10),
  /** An asynchronous event was raised: number of the queue pair or 0, type. */
  ASYNC_EVENT(11),
  /** A completion queue told its channel: how many completions are in it, number of the queue. */
  COMPLETION_EVENT(12),
  /** A queue of the switch marked a frame: number of the frame, index of the port it leads to. */
  PACKET_MARKED(13),
  /**
   * A thread of the ULP got its turn: number of the thread or 0, 0. It is the one kind without a
   * {@link TraceEvent}: whose turn it was shows in what happened.
   */
  ULP_TURN(40);

  private final long salt;

  TracePoint(int number) {
    this.salt = (long) number << 56;
  }

  /** A constant that keeps equal values of different kinds apart. */
  long salt() {
    return salt;
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.AckTimeout;
import io.roceverbs.sim.wire.RnrTimer;

/**
 * The two timers of a requester: the one that waits for an acknowledgement, and the one that waits
 * because the peer has no receive. While the second runs, the first stands.
 */
final class RequesterTimers {
  /** The deadline of a timer that is not running. */
  static final long NEVER = Long.MAX_VALUE;

  private final long tickNanos;
  private long ackDeadlineNanos = NEVER;
  private long receiverDeadlineNanos = NEVER;

  /**
   * Makes both timers, stopped.
   *
   * @param tickNanos ACK timeouts are rounded up to a multiple of this
   */
  RequesterTimers(long tickNanos) {
    this.tickNanos = tickNanos;
  }

  /** When the next of them runs out. */
  long nextNanos() {
    return Math.min(ackDeadlineNanos, receiverDeadlineNanos);
  }

  /** Whether nothing may be sent because the peer asked to wait (rule RNR-WAIT). */
  boolean isWaitingForReceiver() {
    return receiverDeadlineNanos != NEVER;
  }

  void waitForReceiver(long nowNanos, int timerCode) {
    ackDeadlineNanos = NEVER;
    receiverDeadlineNanos = nowNanos + RnrTimer.nanos(timerCode);
  }

  /** Starts the ACK timer if it does not run; code 0 is no timer. */
  void startAck(long nowNanos, int timeoutCode) {
    long timeoutNanos = AckTimeout.nanos(timeoutCode);
    if (ackDeadlineNanos == NEVER && timeoutNanos != 0) {
      ackDeadlineNanos = nowNanos + roundUp(timeoutNanos);
    }
  }

  private long roundUp(long nanos) {
    return (nanos + tickNanos - 1) / tickNanos * tickNanos;
  }

  void stopAck() {
    ackDeadlineNanos = NEVER;
  }

  void stop() {
    ackDeadlineNanos = NEVER;
    receiverDeadlineNanos = NEVER;
  }

  /** Whether the wait for the receiver is over now; says so once. */
  boolean takeReceiverExpiry(long nowNanos) {
    boolean over = receiverDeadlineNanos <= nowNanos;
    if (over) {
      receiverDeadlineNanos = NEVER;
    }
    return over;
  }

  /** Whether the ACK timer has run out; says so once. */
  boolean takeAckExpiry(long nowNanos) {
    boolean over = ackDeadlineNanos <= nowNanos;
    if (over) {
      ackDeadlineNanos = NEVER;
    }
    return over;
  }
}

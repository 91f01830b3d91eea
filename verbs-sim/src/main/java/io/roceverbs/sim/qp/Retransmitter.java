package io.roceverbs.sim.qp;

import io.roceverbs.verbs.CompletionStatus;
import java.util.Locale;

/**
 * Decides when an RC requester goes back to send again, how often it may, and how long it waits for
 * an acknowledgement or for a receive of the peer.
 */
final class Retransmitter {
  private final QueuePairEngine engine;
  private final SendQueue queue;
  private final SendWindow window;
  private final RequesterTimers timers;
  private final RequestCompleter completer;
  private final TransportRules rules;
  private final RetryBudget budget;

  Retransmitter(
      QueuePairEngine engine,
      SendQueue queue,
      SendWindow window,
      RequesterTimers timers,
      RequestCompleter completer,
      TransportRules rules) {
    this.engine = engine;
    this.queue = queue;
    this.window = window;
    this.timers = timers;
    this.completer = completer;
    this.rules = rules;
    this.budget = new RetryBudget(rules.sevenIsInfinite());
  }

  /** Takes the programmed number of retries over. */
  void reload() {
    budget.reload(engine.settings());
  }

  /** Nothing is outstanding any more. */
  void stop() {
    timers.stop();
    budget.recovering(false);
  }

  // ---- going back ----------------------------------------------------------------------------

  /** The responder misses a packet, and says which. */
  void goBackForSequenceNak(long nowNanos) {
    if (rules.sequenceNakCostsRetry()) {
      goBack(nowNanos, "PSN sequence NAK");
    } else if (!timers.isWaitingForReceiver() && !budget.isRecovering()) {
      rewindToRecover();
    }
  }

  /** A response shows that one before it was lost (rule NAK-IMPLIED). */
  void goBackForImpliedNak(long nowNanos) {
    engine.counters().count(TransportCounter.IMPLIED_NAKS);
    goBack(nowNanos, "a response is missing");
  }

  /**
   * Goes back to the oldest unacknowledged PSN. While packets are already being sent again and
   * nothing has moved, a second hint at the same gap is ignored, so that one loss costs one retry
   * (rule RETRY-ONCE-PER-GAP).
   */
  private void goBack(long nowNanos, String reason) {
    // Rule RNR-WAIT: the wait is not cut short, and what is refused meanwhile costs no retry.
    if (budget.isRecovering() || timers.isWaitingForReceiver() || !queue.hasIncomplete()) {
      return;
    }
    if (spendRetry(nowNanos, reason)) {
      rewindToRecover();
    }
  }

  private boolean spendRetry(long nowNanos, String reason) {
    if (budget.spendRetry(engine.settings())) {
      engine.counters().count(TransportCounter.RETRIES);
      return true;
    }
    completer.fail(
        nowNanos,
        CompletionStatus.RETRY_EXC_ERR,
        reason + ", and all " + engine.settings().retryCount() + " retries are spent");
    return false;
  }

  private void rewindToRecover() {
    budget.recovering(true);
    rewind();
  }

  private void rewind() {
    timers.stopAck();
    window.rewind();
  }

  // ---- waiting -------------------------------------------------------------------------------

  boolean isWaitingForReceiver() {
    return timers.isWaitingForReceiver();
  }

  /** The peer has no receive, and says when to come again. */
  void waitForReceiver(long nowNanos, int timerCode) {
    if (!queue.hasIncomplete()) {
      return;
    }
    if (!budget.spendRnrRetry(engine.settings())) {
      completer.fail(
          nowNanos,
          CompletionStatus.RNR_RETRY_EXC_ERR,
          "the peer has no receive posted, and all "
              + engine.settings().rnrRetry()
              + " receiver-not-ready retries are spent");
      return;
    }
    rewind();
    timers.waitForReceiver(nowNanos, timerCode);
  }

  void handleTimeout(long nowNanos) {
    if (timers.takeReceiverExpiry(nowNanos)) {
      engine.timerExpired(nowNanos, "receiver-not-ready wait over", window.unacknowledgedPsn());
    }
    if (timers.takeAckExpiry(nowNanos) && window.outstanding() > 0) {
      int psn = window.unacknowledgedPsn();
      engine.counters().countAckTimeout();
      engine.timerExpired(nowNanos, "ACK timeout", psn);
      String reason = String.format(Locale.ROOT, "no acknowledgement for psn 0x%06x", psn);
      if (spendRetry(nowNanos, reason)) {
        rewindToRecover();
      }
    }
  }

  /** The oldest unacknowledged PSN has moved. */
  void progress(long nowNanos) {
    reload();
    restartAckTimer(nowNanos);
    window.skipAcknowledged();
  }

  /**
   * Rule ACK-TIMER: started when something is sent and it does not run, by progress anew, stopped
   * when all is acknowledged.
   */
  void armAckTimer(long nowNanos) {
    timers.startAck(nowNanos, engine.settings().timeoutCode());
  }

  private void restartAckTimer(long nowNanos) {
    if (window.outstanding() > 0 || rules.stopsIdleAckTimer()) {
      timers.stopAck();
    }
    if (engine.sendsRequests()
        && !timers.isWaitingForReceiver()
        && window.outstanding() > 0
        && !window.isCursorAtFirstPacket()) {
      armAckTimer(nowNanos);
    }
  }
}

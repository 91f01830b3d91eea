package io.roceverbs.sim.qp;

/**
 * How often a requester may still try again, for each of the two reasons to do so; and whether it
 * has already gone back for the present gap.
 */
final class RetryBudget {
  /**
   * This value of rnr_retry means without end (rule RNR-SEVEN), and on some devices of retry_cnt.
   */
  private static final int WITHOUT_END = 7;

  private final boolean sevenIsInfinite;
  private int retries;
  private int rnrRetries;
  private boolean recovering;

  RetryBudget(boolean sevenIsInfinite) {
    this.sevenIsInfinite = sevenIsInfinite;
  }

  /**
   * Loads the programmed values: at the start, and whenever the oldest unacknowledged PSN moves
   * (rule RETRY-RELOAD).
   */
  void reload(QueuePairSettings settings) {
    retries = settings.retryCount();
    rnrRetries = settings.rnrRetry();
    recovering = false;
  }

  /**
   * Takes one retry for a timeout, a sequence NAK or a lost response; false when none is left (rule
   * RETRY-COUNT).
   */
  boolean spendRetry(QueuePairSettings settings) {
    if (sevenIsInfinite && settings.retryCount() == WITHOUT_END) {
      return true;
    }
    if (retries == 0) {
      return false;
    }
    retries--;
    return true;
  }

  /** Takes one receiver-not-ready retry; false when none is left. */
  boolean spendRnrRetry(QueuePairSettings settings) {
    if (settings.rnrRetry() == WITHOUT_END) {
      return true;
    }
    if (rnrRetries == 0) {
      return false;
    }
    rnrRetries--;
    return true;
  }

  /** Whether packets are being sent again for a gap that no response has closed yet. */
  boolean isRecovering() {
    return recovering;
  }

  void recovering(boolean value) {
    recovering = value;
  }
}

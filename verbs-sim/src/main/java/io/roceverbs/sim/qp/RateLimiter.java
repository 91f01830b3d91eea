package io.roceverbs.sim.qp;

/**
 * The reaction point of DCQCN: how fast a queue pair may send after it was told of congestion.
 *
 * <p>Each notification lowers the rate, the more the more of them come; silence lets it rise again,
 * first to where it was, then beyond. No timer runs for that: the state is brought up to date
 * whenever somebody looks at it, so that an idle queue pair costs nothing.
 *
 * <p>Source: Zhu et al., Congestion Control for Large-Scale RDMA Deployments, SIGCOMM 2015; the
 * constants are those of the ns-3 model of HPCC, {@code rdma-hw.cc}.
 */
final class RateLimiter {
  /** The rate is lowered at most this often; a notification that comes sooner waits. */
  static final long DECREASE_INTERVAL_NANOS = 4_000;

  /** How often alpha, the estimate of how congested the way is, is brought up to date. */
  static final long ALPHA_INTERVAL_NANOS = 55_000;

  /** How long after the last change of the rate it rises. */
  static final long INCREASE_INTERVAL_NANOS = 1_500_000;

  /** So often the rate rises half the way to the target before the target itself moves. */
  static final int FAST_RECOVERIES = 5;

  static final long ADDITIVE_INCREASE_BITS = 5_000_000;
  static final long HYPER_INCREASE_BITS = 50_000_000;
  static final long RATE_MIN_BITS = 100_000_000;

  private static final double GAIN = 1.0 / 16;

  /** After so many intervals without a notification alpha is below any rounding. */
  private static final int SILENT_INTERVALS_MAX = 1_024;

  private static final long BIT_NANOS_PER_SECOND = 8_000_000_000L;

  private boolean isLimiting;
  private long lineRate;
  private long targetRate;
  private long currentRate;
  private double alpha;
  private boolean isNotifiedInInterval;
  private long alphaIntervalEndNanos;
  private long lastDecreaseNanos;
  private boolean decreaseWaits;
  private long nextIncreaseNanos;
  private int increases;
  private long freeNanos;
  private long blockedUntilNanos = RequesterTimers.NEVER;

  /**
   * Takes a notification (rule DCQCN-DECREASE).
   *
   * @param lineRateBits the bandwidth of the port, where the first notification finds the rate
   */
  void notified(long nowNanos, long lineRateBits) {
    bringUpToDate(nowNanos);
    if (!isLimiting) {
      isLimiting = true;
      lineRate = lineRateBits;
      currentRate = lineRateBits;
      alpha = 1;
      isNotifiedInInterval = false;
      alphaIntervalEndNanos = nowNanos + ALPHA_INTERVAL_NANOS;
      decrease(nowNanos);
      return;
    }
    updateAlpha(nowNanos);
    isNotifiedInInterval = true;
    if (nowNanos - lastDecreaseNanos >= DECREASE_INTERVAL_NANOS) {
      decrease(nowNanos);
    } else {
      decreaseWaits = true;
    }
  }

  private void decrease(long timeNanos) {
    updateAlpha(timeNanos);
    targetRate = currentRate;
    long rateMin = Math.min(RATE_MIN_BITS, lineRate);
    currentRate = Math.max(rateMin, (long) (currentRate * (1 - alpha / 2)));
    decreaseWaits = false;
    lastDecreaseNanos = timeNanos;
    nextIncreaseNanos = timeNanos + INCREASE_INTERVAL_NANOS;
    increases = 0;
    isLimiting = currentRate < lineRate;
  }

  private void updateAlpha(long timeNanos) {
    int silent = 0;
    while (alphaIntervalEndNanos <= timeNanos && silent < SILENT_INTERVALS_MAX) {
      alpha *= 1 - GAIN;
      if (isNotifiedInInterval) {
        alpha += GAIN;
        isNotifiedInInterval = false;
      }
      alphaIntervalEndNanos += ALPHA_INTERVAL_NANOS;
      silent++;
    }
    if (alphaIntervalEndNanos <= timeNanos) {
      alpha = 0;
      alphaIntervalEndNanos = timeNanos + ALPHA_INTERVAL_NANOS;
    }
  }

  private void bringUpToDate(long nowNanos) {
    if (!isLimiting) {
      return;
    }
    long waitEndNanos = lastDecreaseNanos + DECREASE_INTERVAL_NANOS;
    if (decreaseWaits && waitEndNanos <= nowNanos) {
      decrease(waitEndNanos);
    }
    while (isLimiting && nextIncreaseNanos <= nowNanos) {
      increase();
    }
  }

  /** Rule DCQCN-INCREASE: fast recovery, then additive, then hyper increase, up to the line. */
  private void increase() {
    if (increases == FAST_RECOVERIES) {
      targetRate += ADDITIVE_INCREASE_BITS;
    } else if (increases > FAST_RECOVERIES) {
      targetRate += HYPER_INCREASE_BITS;
    }
    targetRate = Math.min(targetRate, lineRate);
    // Rounded up, or the rate would never get where it goes.
    currentRate = (currentRate + targetRate + 1) / 2;
    increases++;
    nextIncreaseNanos += INCREASE_INTERVAL_NANOS;
    isLimiting = currentRate < lineRate;
  }

  /** Whether the next packet may leave; if not, {@link #blockedUntilNanos()} says when. */
  boolean maySend(long nowNanos) {
    bringUpToDate(nowNanos);
    boolean may = !isLimiting || freeNanos <= nowNanos;
    blockedUntilNanos = may ? RequesterTimers.NEVER : freeNanos;
    return may;
  }

  /** Rule DCQCN-PACING: the next packet leaves when this one has had its time at the rate. */
  void sent(long nowNanos, int frameBytes) {
    if (isLimiting) {
      freeNanos = nowNanos + (frameBytes * BIT_NANOS_PER_SECOND + currentRate - 1) / currentRate;
    }
  }

  /** When a packet that was held back may leave, or {@link RequesterTimers#NEVER}. */
  long blockedUntilNanos() {
    return blockedUntilNanos;
  }

  /** The time has come. */
  void handleTimeout(long nowNanos) {
    if (blockedUntilNanos <= nowNanos) {
      blockedUntilNanos = RequesterTimers.NEVER;
    }
  }

  /** The rate now, in bits per second; 0 for no limit. */
  long rate(long nowNanos) {
    bringUpToDate(nowNanos);
    return isLimiting ? currentRate : 0;
  }

  /** The rate that recovery goes to, in bits per second. */
  long targetRate() {
    return targetRate;
  }

  void reset() {
    isLimiting = false;
    decreaseWaits = false;
    freeNanos = 0;
    blockedUntilNanos = RequesterTimers.NEVER;
  }
}

package io.roceverbs.examples;

import java.util.Arrays;

/** How long the rounds of a ping-pong took: of very many, the last ones. */
final class RoundTrips {
  private static final int KEPT_MAX = 1 << 20;

  private final long[] nanos;
  private int lastRound;
  private long lastNanos;

  /**
   * Begins with no round.
   *
   * @param rounds how many there will be
   * @param startNanos when the first one begins
   */
  RoundTrips(int rounds, long startNanos) {
    this.nanos = new long[Math.min(rounds, KEPT_MAX)];
    this.lastNanos = startNanos;
  }

  /** Takes note that so many rounds are over by now; each begins when the one before it ends. */
  void over(int rounds, long nowNanos) {
    if (rounds > lastRound) {
      nanos[lastRound % nanos.length] = nowNanos - lastNanos;
      lastRound = rounds;
      lastNanos = nowNanos;
    }
  }

  /** The one in the middle, or 0 if there is none. */
  long medianNanos() {
    int count = Math.min(lastRound, nanos.length);
    long[] sorted = Arrays.copyOf(nanos, count);
    Arrays.sort(sorted);
    return count == 0 ? 0 : sorted[count / 2];
  }
}

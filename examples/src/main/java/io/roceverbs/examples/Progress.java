package io.roceverbs.examples;

import java.io.PrintWriter;
import java.util.function.LongSupplier;

/** A line that tells how far a run is, rewritten now and then once the run takes long. */
final class Progress {
  private static final long FIRST_NANOS = 1_000_000_000L;
  private static final long INTERVAL_NANOS = 200_000_000L;

  private final PrintWriter out;
  private final boolean isWatched;
  private final LongSupplier clock;
  private final int total;
  private long nextNanos;
  private boolean isShown;

  /**
   * Begins a run.
   *
   * @param out where the line goes
   * @param isWatched whether anybody sees it; if not, nothing is written
   * @param clock wall clock time in nanoseconds
   * @param total iterations to come
   */
  Progress(PrintWriter out, boolean isWatched, LongSupplier clock, int total) {
    this.out = out;
    this.isWatched = isWatched;
    this.clock = clock;
    this.total = total;
    this.nextNanos = clock.getAsLong() + FIRST_NANOS;
  }

  /** Tells how many iterations are over. */
  void update(int iterations) {
    if (isWatched && clock.getAsLong() - nextNanos >= 0) {
      nextNanos = clock.getAsLong() + INTERVAL_NANOS;
      isShown = true;
      out.print("\r" + iterations + " of " + total + " iterations");
      out.flush();
    }
  }

  /** Takes the line away. */
  void end() {
    if (isShown) {
      out.print("\r" + " ".repeat(2 * String.valueOf(total).length() + 15) + "\r");
      out.flush();
    }
  }
}

package io.roceverbs.sim.fabric;

/**
 * How long a thread looks out for its turn before it goes to sleep.
 *
 * <p>To wake a sleeping thread costs ten times as much as a successful look-out. But where
 * processors are scarce, the thread that is to hand the turn over does not run meanwhile, and to
 * look out only makes things worse. So the limit follows from how the last look-outs went.
 */
final class Spins {
  private static final int MAX = Runtime.getRuntime().availableProcessors() > 1 ? 1_024 : 0;

  /** Enough to notice that processors are to be had again. */
  private static final int MIN = Math.min(MAX, 32);

  /** A guess that threads correct without a lock: a lost update does not matter. */
  private static volatile int limit = MAX;

  private Spins() {}

  static int limit() {
    return limit;
  }

  /** Takes note of how a look-out went. */
  static void learn(boolean turnCame) {
    int before = limit;
    int after = turnCame ? Math.min(MAX, before * 2) : Math.max(MIN, before / 2);
    if (after != before) {
      limit = after;
    }
  }
}

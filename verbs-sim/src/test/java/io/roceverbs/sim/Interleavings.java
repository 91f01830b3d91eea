package io.roceverbs.sim;

import org.jetbrains.lincheck.datastructures.ModelCheckingOptions;
import org.jetbrains.lincheck.datastructures.StressOptions;

/**
 * Checks that concurrent calls are linearizable: however their steps are interleaved, the results
 * are those of some order of the calls. Lincheck tries the interleavings, one step of memory access
 * at a time, and then real threads.
 *
 * <p>It rewrites byte code, so tests that use it, named {@code ...Lincheck}, run in a process of
 * their own.
 */
public final class Interleavings {
  private static final int CALLS_OF_EACH = 3;

  /** Before and behind those that are concurrent. */
  private static final int OTHER_CALLS = 2;

  /** How thorough it is: {@code -Droceverbs.lincheck.scenarios=100}. */
  private static final int SCENARIOS = Integer.getInteger("roceverbs.lincheck.scenarios", 10);

  private static final int INTERLEAVINGS = 300;

  private Interleavings() {}

  /**
   * Tries scenarios of random calls, each in many interleavings.
   *
   * @param operations a class with the calls
   * @param threads how many there are
   */
  public static void check(Class<?> operations, int threads) {
    new ModelCheckingOptions()
        .threads(threads)
        .actorsBefore(OTHER_CALLS)
        .actorsPerThread(CALLS_OF_EACH)
        .actorsAfter(OTHER_CALLS)
        .iterations(SCENARIOS)
        .invocationsPerIteration(INTERLEAVINGS)
        .check(operations);
    new StressOptions()
        .threads(threads)
        .actorsBefore(OTHER_CALLS)
        .actorsPerThread(CALLS_OF_EACH)
        .actorsAfter(OTHER_CALLS)
        .iterations(SCENARIOS)
        .invocationsPerIteration(INTERLEAVINGS)
        .check(operations);
  }
}

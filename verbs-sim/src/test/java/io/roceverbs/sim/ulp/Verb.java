package io.roceverbs.sim.ulp;

import io.roceverbs.sim.conformance.Pair;

/** Verbs calls with what they must give, wherever they are made. */
interface Verb {
  /** Makes the calls on node {@code a} of a connected pair. */
  void call(Pair pair);

  /** What has come of it when all has happened. */
  default void check(Pair pair) {}
}

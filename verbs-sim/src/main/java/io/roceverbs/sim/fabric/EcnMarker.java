package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.EcnMarking;
import java.util.SplittableRandom;

/** Decides which frames one queue of the switch marks, with a source of randomness of its own. */
final class EcnMarker {
  private final EcnMarking marking;
  private final SplittableRandom random;

  EcnMarker(EcnMarking marking, long seed) {
    this.marking = marking;
    this.random = new SplittableRandom(seed);
  }

  /** Rule ECN-MARK: the more bytes a frame finds waiting, the likelier it is marked. */
  boolean marks(int waitingBytes) {
    double probability = marking.probability(waitingBytes);
    return probability > 0 && (probability >= 1 || random.nextDouble() < probability);
  }
}

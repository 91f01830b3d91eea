package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random work under random faults, against a model that knows nothing of packets: what each side
 * posts happens once, in the order of posting, or the connection ends as the retry counts say.
 */
@Checks({
  "GO-BACK-N",
  "DUPLICATE-ACK",
  "DUPLICATE-READ",
  "ATOMIC-ONCE",
  "LOCAL-ONCE",
  "FENCE-READ",
  "FENCE-INVALIDATE",
  "READ-DEPTH",
  "RNR-SEVEN",
  "RETRY-COUNT"
})
class ChaosTest {
  private static final int SEEDS_PER_TEST = 50;

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 100, 150, 200, 250, 300, 350, 400, 450})
  @Checks("S09")
  void everyRequestHappensOnceAndInOrder(int firstSeed) {
    int ended = 0;
    for (int seed = firstSeed; seed < firstSeed + SEEDS_PER_TEST; seed++) {
      try (ChaosRun run = new ChaosRun(seed, 0.1)) {
        ended += run.toTheEnd() ? 0 : 1;
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e.getMessage(), e);
      }
    }
    assertThat(ended).as("connections that ran out of retries").isLessThan(SEEDS_PER_TEST / 2);
  }

  @ParameterizedTest
  @ValueSource(ints = {1000, 1050})
  void withoutFaultsEveryConnectionLivesToTheEnd(int firstSeed) {
    for (int seed = firstSeed; seed < firstSeed + SEEDS_PER_TEST; seed++) {
      try (ChaosRun run = new ChaosRun(seed, 0)) {
        assertThat(run.toTheEnd()).as("seed %d", seed).isTrue();
      }
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Verbs calls without sense and order, legal and not, on several queue pairs under faults. Nothing
 * but errno may come of them, every request completes at most once and in order, and in ERR all of
 * them come back.
 */
@Checks({"FLUSH-IN-ORDER", "RESET-SILENT", "CQ-PURGE", "POST-IN-ERR", "DEREGISTER-AT-ONCE", "C19"})
class ChaosMonkeyTest {
  private static final int SEEDS_PER_TEST = 50;
  private static final int ACTIONS = 600;

  @ParameterizedTest
  @ValueSource(ints = {0, 50, 100, 150})
  void callsWithoutSenseDoNoHarm(int firstSeed) {
    long completions = 0;
    for (int seed = firstSeed; seed < firstSeed + SEEDS_PER_TEST; seed++) {
      try (ChaosMonkey monkey = new ChaosMonkey(seed)) {
        for (int i = 0; i < ACTIONS; i++) {
          monkey.act();
        }
        monkey.bringEverythingHome();
        completions += monkey.completions();
      } catch (AssertionError | RuntimeException e) {
        throw new AssertionError("seed " + seed + ": " + e, e);
      }
    }
    assertThat(completions).isGreaterThan(2_000);
  }
}

package io.roceverbs.sim.fabric.impair;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ImpairmentTest {
  @ParameterizedTest
  @ValueSource(doubles = {-0.1, 1.1, Double.NaN, Double.POSITIVE_INFINITY})
  void aProbabilityIsBetweenZeroAndOne(double probability) {
    assertThatThrownBy(() -> Impairment.loss(probability))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("drop probability " + probability + " is not in 0 to 1");
  }

  @Test
  void aChanceOfDelayNeedsALongestDelay() {
    assertThatThrownBy(() -> Impairment.NONE.withDelay(0.5, 0))
        .hasMessage("longest delay of 0 ns is not in 1 ns to 3600000000000 ns");
  }

  @Test
  void eachChanceIsSetOnItsOwn() {
    assertThat(
            Impairment.loss(0.1)
                .withCorrupt(0.2)
                .withDuplicate(0.3)
                .withBehindNext(0.4)
                .withDelay(0.5, 6))
        .isEqualTo(new Impairment(0.1, 0.2, 0.3, 0.4, 0.5, 6));
  }
}

package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Checks;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The rate of a queue pair after each notification and in the silence after it, to the bit. */
class RateLimiterTest {
  private static final long GIGABIT = 1_000_000_000L;
  private static final long LINE = 100 * GIGABIT;
  private static final long INCREASE = RateLimiter.INCREASE_INTERVAL_NANOS;

  private final RateLimiter limiter = new RateLimiter();

  private List<Long> ratesAfterNotifications(int count, long intervalNanos) {
    List<Long> rates = new ArrayList<>();
    for (int i = 0; i < count; i++) {
      limiter.notified(i * intervalNanos, LINE);
      rates.add(limiter.rate(i * intervalNanos));
    }
    return rates;
  }

  @Test
  void withoutANotificationThereIsNoLimit() {
    assertThat(limiter.rate(1)).isZero();
    assertThat(limiter.maySend(1)).isTrue();
    limiter.sent(1, 1_000_000);
    assertThat(limiter.maySend(1)).isTrue();
    assertThat(limiter.blockedUntilNanos()).isEqualTo(Long.MAX_VALUE);
  }

  @Test
  @Checks("DCQCN-DECREASE")
  void eachNotificationHalvesTheRateWhileTheyDoNotStop() {
    assertThat(ratesAfterNotifications(5, 50_000))
        .containsExactly(
            50 * GIGABIT, 25 * GIGABIT, 12_500_000_000L, 6_250_000_000L, 3_125_000_000L);
    assertThat(limiter.targetRate()).isEqualTo(6_250_000_000L);
  }

  @Test
  @Checks("DCQCN-DECREASE")
  void theRateDoesNotGoBelowTheLeast() {
    assertThat(ratesAfterNotifications(12, 50_000))
        .endsWith(195_312_500L, 100_000_000L, 100_000_000L, 100_000_000L);
  }

  @Test
  @Checks("DCQCN-DECREASE")
  void aSlowLineIsItsOwnLeast() {
    limiter.notified(0, 1_000_000);
    assertThat(limiter.rate(0)).isZero();
    assertThat(limiter.maySend(0)).isTrue();
  }

  @Test
  @Checks("DCQCN-DECREASE")
  void alphaFallsBySixteenthsInSilence() {
    limiter.notified(0, LINE);
    // Two intervals of 55 us without a notification: alpha is (15/16)^2.
    limiter.notified(110_000, LINE);
    assertThat(limiter.rate(110_000)).isEqualTo((long) (50 * GIGABIT * (1 - 225.0 / 256 / 2)));
    // The one that has come counts in the third: alpha is 15/16 of that and 1/16 more.
    limiter.notified(165_000, LINE);
    double alpha = 225.0 / 256 * 15 / 16 + 1.0 / 16;
    assertThat(limiter.rate(165_000))
        .isEqualTo((long) (28_027_343_750L * (1 - alpha / 2)))
        .isEqualTo(15_604_579_448L);
  }

  @Test
  @Checks("DCQCN-DECREASE")
  void notificationsWithinFourMicrosecondsCountOnce() {
    limiter.notified(0, LINE);
    limiter.notified(1_000, LINE);
    limiter.notified(3_999, LINE);
    assertThat(limiter.rate(3_999)).isEqualTo(50 * GIGABIT);
    assertThat(limiter.rate(4_000)).isEqualTo(25 * GIGABIT);
    assertThat(limiter.rate(8_000)).isEqualTo(25 * GIGABIT);
    limiter.notified(8_000, LINE);
    assertThat(limiter.rate(8_000)).isEqualTo(12_500_000_000L);
  }

  @Test
  @Checks("DCQCN-INCREASE")
  void silenceRaisesTheRateHalfTheWayToTheTargetFiveTimes() {
    limiter.notified(0, LINE);
    limiter.notified(50_000, LINE);
    List<Long> rates = new ArrayList<>();
    rates.add(limiter.rate(50_000 + INCREASE - 1));
    for (int i = 1; i <= 5; i++) {
      rates.add(limiter.rate(50_000 + i * INCREASE));
    }
    assertThat(rates)
        .containsExactly(
            25 * GIGABIT,
            37_500_000_000L,
            43_750_000_000L,
            46_875_000_000L,
            48_437_500_000L,
            49_218_750_000L);
    assertThat(limiter.targetRate()).isEqualTo(50 * GIGABIT);
  }

  @Test
  @Checks("DCQCN-INCREASE")
  void thenTheTargetMovesBySmallAndByLargeSteps() {
    limiter.notified(0, LINE);
    limiter.notified(50_000, LINE);
    assertThat(limiter.rate(50_000 + 6 * INCREASE))
        .isEqualTo((49_218_750_000L + 50_005_000_000L) / 2);
    assertThat(limiter.targetRate()).isEqualTo(50_005_000_000L);
    assertThat(limiter.rate(50_000 + 7 * INCREASE))
        .isEqualTo((49_611_875_000L + 50_055_000_000L) / 2);
    assertThat(limiter.targetRate()).isEqualTo(50_055_000_000L);
    limiter.rate(50_000 + 8 * INCREASE);
    assertThat(limiter.targetRate()).isEqualTo(50_105_000_000L);
  }

  @Test
  @Checks("DCQCN-INCREASE")
  void theLimitEndsAtTheRateOfTheLine() {
    limiter.notified(0, LINE);
    // From 50 Gbit/s half the way at a time to the bit takes 36 steps.
    assertThat(limiter.rate(35 * INCREASE)).isEqualTo(LINE - 1);
    assertThat(limiter.rate(36 * INCREASE)).isZero();
    limiter.notified(36 * INCREASE, LINE);
    assertThat(limiter.rate(36 * INCREASE)).isEqualTo(50 * GIGABIT);
  }

  @Test
  @Checks("DCQCN-INCREASE")
  void aLookAfterALongTimeGivesTheSameAsManyLooks() {
    limiter.notified(0, LINE);
    limiter.notified(2_000, LINE);
    RateLimiter other = new RateLimiter();
    other.notified(0, LINE);
    other.notified(2_000, LINE);
    long end = 20 * INCREASE;
    for (long time = 0; time <= end; time += 1_000) {
      other.rate(time);
    }
    assertThat(limiter.rate(end)).isEqualTo(other.rate(end)).isGreaterThan(50 * GIGABIT);
    limiter.notified(end, LINE);
    other.notified(end, LINE);
    assertThat(limiter.rate(end)).isEqualTo(other.rate(end));
  }

  @Test
  @Checks("DCQCN-PACING")
  void aPacketHasItsTimeAtTheRate() {
    limiter.notified(0, LINE);
    assertThat(limiter.maySend(0)).isTrue();
    limiter.sent(0, 1_086);
    // 8,688 bits at 50 Gbit/s take 173.76 ns.
    assertThat(limiter.maySend(173)).isFalse();
    assertThat(limiter.blockedUntilNanos()).isEqualTo(174);
    limiter.handleTimeout(174);
    assertThat(limiter.blockedUntilNanos()).isEqualTo(Long.MAX_VALUE);
    assertThat(limiter.maySend(174)).isTrue();
  }

  @Test
  void resetForgetsTheRate() {
    limiter.notified(0, LINE);
    limiter.sent(0, 1_086);
    limiter.reset();
    assertThat(limiter.rate(0)).isZero();
    assertThat(limiter.maySend(0)).isTrue();
  }
}

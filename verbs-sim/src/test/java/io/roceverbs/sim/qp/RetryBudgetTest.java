package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.QueuePairAttributes;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The two retry counters. */
class RetryBudgetTest {
  private static QueuePairSettings settings(int retries, int rnrRetries) {
    QueuePairSettings settings = new QueuePairSettings(17, false);
    settings.apply(
        QueuePairAttributes.builder().retryCount(retries).rnrRetry(rnrRetries).build(), null);
    return settings;
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6, 7})
  void retriesAreAsManyAsProgrammedAndSevenIsSeven(int retries) {
    QueuePairSettings settings = settings(retries, 0);
    RetryBudget budget = new RetryBudget(false);
    budget.reload(settings);
    for (int i = 0; i < retries; i++) {
      assertThat(budget.spendRetry(settings)).isTrue();
    }
    assertThat(budget.spendRetry(settings)).isFalse();
    assertThat(budget.spendRetry(settings)).isFalse();
  }

  @Test
  void onSomeDevicesARetryCountOfSevenNeverEnds() {
    RetryBudget budget = new RetryBudget(true);
    QueuePairSettings seven = settings(7, 0);
    budget.reload(seven);
    for (int i = 0; i < 1000; i++) {
      assertThat(budget.spendRetry(seven)).isTrue();
    }
    QueuePairSettings six = settings(6, 0);
    budget.reload(six);
    for (int i = 0; i < 6; i++) {
      assertThat(budget.spendRetry(six)).isTrue();
    }
    assertThat(budget.spendRetry(six)).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 6})
  void rnrRetriesAreAsManyAsProgrammed(int retries) {
    QueuePairSettings settings = settings(0, retries);
    RetryBudget budget = new RetryBudget(false);
    budget.reload(settings);
    for (int i = 0; i < retries; i++) {
      assertThat(budget.spendRnrRetry(settings)).isTrue();
    }
    assertThat(budget.spendRnrRetry(settings)).isFalse();
  }

  @Test
  void anRnrRetryOfSevenNeverEnds() {
    QueuePairSettings settings = settings(0, 7);
    RetryBudget budget = new RetryBudget(false);
    budget.reload(settings);
    for (int i = 0; i < 1000; i++) {
      assertThat(budget.spendRnrRetry(settings)).isTrue();
    }
    assertThat(budget.spendRetry(settings)).isFalse();
  }

  @Test
  void theCountersAreIndependentAndReloadedTogether() {
    QueuePairSettings settings = settings(1, 1);
    RetryBudget budget = new RetryBudget(false);
    budget.reload(settings);
    budget.recovering(true);
    assertThat(budget.spendRetry(settings)).isTrue();
    assertThat(budget.spendRnrRetry(settings)).isTrue();
    assertThat(budget.spendRetry(settings)).isFalse();
    assertThat(budget.spendRnrRetry(settings)).isFalse();
    budget.reload(settings);
    assertThat(budget.isRecovering()).isFalse();
    assertThat(budget.spendRetry(settings)).isTrue();
    assertThat(budget.spendRnrRetry(settings)).isTrue();
  }
}

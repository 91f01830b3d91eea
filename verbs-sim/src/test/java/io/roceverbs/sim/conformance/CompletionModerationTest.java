package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Events that are held back until enough completions or enough time have gathered. */
class CompletionModerationTest {
  private final ReceivingEnd end = new ReceivingEnd();

  @AfterEach
  void closeFabric() {
    end.close();
  }

  /** Posts messages so that they arrive so many ns apart, and lets the last of them arrive. */
  private void messages(int count, long gapNanos) {
    for (int i = 1; i <= count; i++) {
      end.post(i);
      end.passNanos(i < count ? gapNanos : Pair.LATENCY_NANOS);
    }
  }

  @Test
  @Checks("CQ-MODERATION")
  void theEventComesAtTheCompletionThatMakesTheCountFull() {
    end.queue.moderate(3, 0);
    end.queue.requestNotification(false);
    end.message(1);
    end.message(2);
    assertThat(end.channel.pollEvent()).isNull();
    long posted = end.fabric.nanoTime();
    end.post(3);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(posted + Pair.LATENCY_NANOS);
    assertThat(end.ids()).containsExactly(1L, 2L, 3L);
    assertThat(end.events()).isZero();
  }

  @Test
  @Checks("CQ-MODERATION")
  void withoutACountTheEventComesWhenThePeriodSinceTheFirstCompletionIsOver() {
    end.queue.moderate(0, 50);
    end.queue.requestNotification(false);
    messages(3, 2_000);
    assertThat(end.fabric.nanoTime()).isEqualTo(14_000);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS + 50_000);
    assertThat(end.ids()).containsExactly(1L, 2L, 3L);
  }

  @ParameterizedTest
  @CsvSource({"1, 60_000", "2, 60_000", "3, 14_000", "4, 14_000"})
  @Checks("CQ-MODERATION")
  void ofCountAndPeriodTheEarlierOneCounts(int messages, String expectedNanos) {
    end.queue.moderate(3, 50);
    end.queue.requestNotification(false);
    for (int i = 1; i <= messages; i++) {
      end.post(i);
      end.passNanos(2_000);
    }

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Long.parseLong(expectedNanos.replace("_", "")));
    assertThat(end.events()).isZero();
  }

  @Test
  @Checks("CQ-MODERATION")
  void onlyWhatTheArmingAskedForCounts() {
    end.queue.moderate(2, 0);
    end.queue.requestNotification(true);
    end.message(1);
    end.solicitedMessage(2);
    end.message(3);
    assertThat(end.events()).isZero();
    end.solicitedMessage(4);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("CQ-MODERATION")
  void whatCameBeforeTheArmingDoesNotCount() {
    end.queue.moderate(2, 0);
    end.message(1);
    end.queue.requestNotification(false);
    end.message(2);
    assertThat(end.events()).isZero();
    end.message(3);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks({"CQ-MODERATION", "ARM-ONE-SHOT"})
  void eachArmingCountsAnew() {
    end.queue.moderate(2, 0);
    end.queue.requestNotification(false);
    for (int i = 1; i <= 3; i++) {
      end.message(i);
    }
    assertThat(end.events()).isEqualTo(1);
    end.queue.requestNotification(false);
    end.message(4);
    assertThat(end.events()).isZero();
    end.message(5);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aPeriodThatRanOutIsOverForTheNextArming() {
    end.queue.moderate(2, 50);
    end.queue.requestNotification(false);
    messages(1, 0);
    end.channel.awaitEvent();
    assertThat(end.fabric.nanoTime()).isEqualTo(60_000);
    end.queue.requestNotification(false);
    end.passNanos(40_000);
    messages(1, 0);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(100_000 + Pair.LATENCY_NANOS + 50_000);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aPolledCompletionStillCountsAndItsEventComesWithNothingToPoll() {
    end.queue.moderate(0, 50);
    end.queue.requestNotification(false);
    messages(1, 0);
    assertThat(end.ids()).containsExactly(1L);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(60_000);
    assertThat(end.ids()).isEmpty();
  }

  @Test
  @Checks("CQ-MODERATION")
  void moderationThatEndsLetsGoWhatItHeldBack() {
    end.queue.moderate(5, 0);
    end.queue.requestNotification(false);
    messages(2, 0);
    end.queue.moderate(0, 0);

    assertThat(end.channel.pollEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aSmallerCountThatIsFullAlreadyLetsGoAtOnce() {
    end.queue.moderate(5, 0);
    end.queue.requestNotification(false);
    messages(2, 0);
    end.queue.moderate(3, 0);
    assertThat(end.events()).isZero();
    end.queue.moderate(2, 0);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aPeriodThatIsSetLaterRunsFromTheFirstCompletion() {
    end.queue.moderate(5, 0);
    end.queue.requestNotification(false);
    messages(1, 0);
    end.passNanos(10_000);
    end.queue.moderate(5, 30);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS + 30_000);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aPeriodThatIsOverWhenItIsSetLetsGoAtOnce() {
    end.queue.moderate(5, 0);
    end.queue.requestNotification(false);
    messages(1, 0);
    end.passNanos(100_000);
    end.queue.moderate(5, 30);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS + 100_000);
  }

  @Test
  @Checks("CQ-MODERATION")
  void aQueueThatIsClosedMeanwhileTellsNothing() {
    end.queue.moderate(0, 50);
    end.queue.requestNotification(false);
    messages(1, 0);
    end.queuePair.close();
    end.queue.close();

    assertThat(end.events()).isZero();
    end.channel.close();
    assertThat(end.channel.isOpen()).isFalse();
  }

  @ParameterizedTest
  @CsvSource({"-1, 0", "65536, 0", "0, -1", "0, 65536"})
  void outOfRangeIsRefusedAndChangesNothing(int count, int periodMicros) {
    end.queue.moderate(2, 0);
    assertThatThrownBy(() -> end.queue.moderate(count, periodMicros))
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining("is not in 0..65535")
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EINVAL);
    end.queue.requestNotification(false);
    end.message(1);
    assertThat(end.events()).isZero();
    end.message(2);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  void theLargestCountAndPeriodAreLegal() {
    end.queue.moderate(CompletionQueue.MODERATION_MAX, CompletionQueue.MODERATION_MAX);
    end.queue.requestNotification(false);
    messages(1, 0);

    end.channel.awaitEvent();
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS + 65_535_000L);
  }
}

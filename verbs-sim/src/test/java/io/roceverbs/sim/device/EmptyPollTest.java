package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side.Memory;
import org.junit.jupiter.api.Test;

/** An empty poll lets time pass, but not while a completion lies ready at the other end. */
class EmptyPollTest {
  @Test
  void anEmptyPollLetsTheNextEventHappenWhenNothingLiesReady() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));

      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
    }
  }

  @Test
  void timeStandsStillWhileTheOtherEndHasACompletionToLookAt() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));
      pair.a.pollSends();

      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
      assertThat(pair.b.pollReceives()).hasSize(1);
      assertThat(pair.a.pollSends()).hasSize(1);
      assertThat(pair.fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
    }
  }

  @Test
  void aUlpThatNeverLooksAtTheOtherQueueGoesOnAtItsSecondEmptyPoll() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));
      pair.a.pollSends();

      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.a.pollSends()).hasSize(1);
      assertThat(pair.fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
    }
  }

  @Test
  void aPurgedCompletionHoldsNobodyUp() {
    try (Pair pair = Pair.connected()) {
      Memory target = pair.b.memory(64, 0);
      pair.b.postReceive(1, target);
      pair.a.postSend(2, pair.a.memory(64, 1));
      pair.a.pollSends();
      pair.b.queuePair.close();

      assertThat(pair.a.pollSends()).hasSize(1);
    }
  }

  @Test
  void anEmptyLookForEventsLeavesTimeAloneAsWell() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));
      pair.a.pollSends();

      assertThat(pair.a.context.pollAsyncEvent()).isNull();
      assertThat(pair.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
      assertThat(pair.a.context.pollAsyncEvent()).isNull();
      assertThat(pair.fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
    }
  }

  @Test
  void armingBeforeEachPollIsNoReasonToLetTimeStandStill() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));
      pair.a.pollSends();
      pair.a.sendQueue.requestNotification(false);
      assertThat(pair.a.pollSends()).isEmpty();
      pair.a.sendQueue.requestNotification(false);

      assertThat(pair.a.pollSends()).hasSize(1);
      assertThat(pair.fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
    }
  }

  @Test
  void anInterruptedThreadThatPollsForNothingIsToldSo() {
    try (Pair pair = Pair.connected()) {
      Thread.currentThread().interrupt();
      assertThatThrownBy(pair.a::pollSends)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("nothing is left to happen");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(pair.a.pollSends()).isEmpty();
    }
  }

  @Test
  void anInterruptDoesNotStopWhatStillHappens() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(64, 0));
      pair.a.postSend(2, pair.a.memory(64, 1));
      Thread.currentThread().interrupt();

      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.b.pollReceives()).hasSize(1);
      assertThat(pair.a.pollSends()).hasSize(1);
      assertThat(Thread.interrupted()).isTrue();
    }
  }
}

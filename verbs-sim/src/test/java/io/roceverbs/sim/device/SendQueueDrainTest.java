package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The SQD state: what was begun is finished, what was not begun waits, and the drain is told when
 * asked for.
 */
class SendQueueDrainTest {
  private static final long LATENCY = Pair.LATENCY_NANOS;
  private static final long TIMEOUT = Pair.ACK_TIMEOUT_NANOS;

  private final Pair pair = Pair.connected();
  private final Side.Memory data = pair.a.memory(4096, 7);
  private final Side.Memory landing = pair.b.memory(4096, 0);

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private void modify(QueuePairAttributes.Builder attributes) {
    pair.a.queuePair.modify(attributes.build());
  }

  private static QueuePairAttributes.Builder toSqd() {
    return QueuePairAttributes.to(QueuePairState.SQD);
  }

  private static QueuePairAttributes.Builder toRts() {
    return QueuePairAttributes.to(QueuePairState.RTS);
  }

  private void postWrite(long id) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(landing.address(), landing.rkey())
            .segment(data.region(), 0, 4096)
            .signaled());
  }

  private void postRead(long id) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaRead(landing.address(), landing.rkey())
            .segment(data.region(), 0, 4096)
            .signaled());
  }

  private static List<Long> ids(List<WorkCompletion> completions) {
    return completions.stream().map(WorkCompletion::id).toList();
  }

  private boolean isDraining() {
    return pair.a.queuePair.query().sendQueueDraining();
  }

  // ---- draining ------------------------------------------------------------------------------

  @Test
  @Checks("S48")
  void whatWasBegunFinishesAndWhatIsPostedLaterWaits() {
    postWrite(1);
    modify(toSqd().enableSqdNotification(true));
    postWrite(2);
    assertThat(isDraining()).isTrue();
    pair.run();
    assertThat(isDraining()).isFalse();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L);
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    assertThat(pair.journal.from("a")).hasSize(4);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.SQD);

    modify(toRts());
    pair.run();
    assertThat(ids(pair.a.pollSends())).containsExactly(2L);
    assertThat(pair.journal.from("a")).hasSize(8);
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void aDrainSendsAgainWhatWasLost() {
    pair.impair("drop:a>b/WRITE#2");
    pair.impair("drop:b>a/ACK#1");
    postWrite(1);
    modify(toSqd().enableSqdNotification(true));
    pair.run();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L);
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    assertThat(pair.fabric.nanoTime()).isGreaterThan(TIMEOUT);
  }

  @Test
  void aDrainWaitsForReadResponses() {
    postRead(1);
    postRead(2);
    modify(toSqd().enableSqdNotification(true));
    pair.runFor(2 * LATENCY - 1);
    assertThat(isDraining()).isTrue();
    assertThat(pair.a.pollEvents()).isEmpty();
    pair.run();
    assertThat(isDraining()).isFalse();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L, 2L);
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
  }

  @Test
  void localOperationsWaitToo() {
    Side.FastMemory fast = pair.a.fastMemory(64, 0);
    modify(toSqd());
    pair.a.postRegister(1, fast);
    pair.run();
    assertThat(pair.a.pollSends()).isEmpty();
    modify(toRts());
    pair.run();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L);
  }

  @Test
  @Checks("S48")
  void theEventComesOnlyWhenAskedFor() {
    postWrite(1);
    modify(toSqd());
    pair.run();
    assertThat(isDraining()).isFalse();
    assertThat(pair.a.pollEvents()).isEmpty();

    modify(toRts());
    modify(toSqd().enableSqdNotification(false));
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void anIdleQueueIsDrainedAtOnce() {
    modify(toSqd().enableSqdNotification(true));
    assertThat(isDraining()).isFalse();
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    assertThat(pair.fabric.nanoTime()).isZero();
  }

  @Test
  void askingOnceDoesNotAskForTheNextDrain() {
    modify(toSqd().enableSqdNotification(true));
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    modify(toRts());
    modify(toSqd());
    pair.run();
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void onlyErrAndResetLeadOutOfADrain() {
    postWrite(1);
    modify(toSqd());
    QueuePairAttributes before = pair.a.queuePair.query();
    for (QueuePairAttributes.Builder refused :
        List.of(toRts(), toSqd(), QueuePairAttributes.builder().timeout(3))) {
      assertThatThrownBy(() -> modify(refused))
          .isInstanceOf(VerbsException.class)
          .hasMessageContaining("still drains");
    }
    assertThat(pair.a.queuePair.query()).isEqualTo(before);
    modify(QueuePairAttributes.to(QueuePairState.ERR));
    assertThat(pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
  }

  @Test
  void aDrainThatEndsInErrorIsNotReportedAsDrained() {
    pair.impair("drop:a>b/ANY");
    postWrite(1);
    modify(toSqd().enableSqdNotification(true));
    postWrite(2);
    pair.run();
    List<WorkCompletion> completions = pair.a.pollSends();
    assertThat(completions.get(0).status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
    assertThat(completions.get(1).status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void resetDuringADrainForgetsTheDrain() {
    postWrite(1);
    modify(toSqd().enableSqdNotification(true));
    modify(QueuePairAttributes.to(QueuePairState.RESET));
    pair.run();
    assertThat(pair.a.pollSends()).isEmpty();
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void receivesAndAnswersGoOnInSqd() {
    modify(toSqd());
    Side.Memory inbox = pair.a.memory(4096, 0);
    Side.Memory message = pair.b.memory(4096, 3);
    pair.a.postReceive(5, inbox);
    pair.b.postSend(6, message);
    pair.run();
    assertThat(ids(pair.b.pollSends())).containsExactly(6L);
    assertThat(ids(pair.a.pollReceives())).containsExactly(5L);
  }

  // ---- what can be changed at rest -----------------------------------------------------------

  @Test
  void aTimeoutChangedInSqdCounts() {
    modify(toSqd());
    modify(toSqd().timeout(10));
    modify(toRts());
    pair.impair("drop:a>b/ANY#1-4");
    postWrite(1);
    pair.run();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L);
    assertThat(pair.fabric.nanoTime()).isEqualTo(TIMEOUT / 16 + 2 * LATENCY);
  }

  @Test
  void aRetryCountChangedInSqdCountsForTheNextRequest() {
    modify(toSqd());
    modify(toSqd().retryCount(1));
    modify(toRts());
    pair.impair("drop:a>b/ANY");
    postWrite(1);
    pair.run();
    assertThat(pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
    assertThat(pair.journal.psns("a"))
        .containsExactly(0x100, 0x101, 0x102, 0x103, 0x100, 0x101, 0x102, 0x103);
    assertThat(pair.fabric.nanoTime()).isEqualTo(2 * TIMEOUT);
  }

  @Test
  void anRnrRetryChangedInSqdCountsForTheNextRequest() {
    modify(toSqd());
    modify(toSqd().rnrRetry(0));
    modify(toRts());
    pair.a.postSend(1, data);
    pair.run();
    assertThat(pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.RNR_RETRY_EXC_ERR);
    assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x102, 0x103);
  }

  @Test
  @Checks("C31")
  void anAddressChangedInSqdCounts() {
    AddressVector elsewhere = AddressVector.to(pair.a.node.gid());
    modify(toSqd());
    modify(toSqd().addressVector(elsewhere));
    modify(toRts());
    postWrite(1);
    pair.runFor(TIMEOUT / 2);
    assertThat(pair.journal.from("a").get(0).destination()).isEqualTo("a");
    assertThat(pair.b.node.counters().framesReceived()).isZero();
    assertThat(pair.a.queuePair.query().addressVector()).isEqualTo(elsewhere);
  }

  @Test
  void aReadDepthChangedInSqdCounts() {
    modify(toSqd());
    modify(toSqd().maxReadAtomic(1));
    modify(toRts());
    postRead(1);
    postRead(2);
    assertThat(pair.journal.words("a")).containsExactly("READ_REQUEST 000100");
    pair.run();
    assertThat(ids(pair.a.pollSends())).containsExactly(1L, 2L);
  }

  @Test
  void theRespondersReadDepthChangedInSqdCounts() {
    pair.b.queuePair.modify(toSqd().build());
    pair.b.queuePair.modify(toSqd().maxDestinationReadAtomic(0).build());
    pair.b.queuePair.modify(toRts().build());
    assertThat(pair.b.queuePair.query().maxDestinationReadAtomic()).isZero();
    postRead(1);
    pair.run();
    assertThat(pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void aDeeperResponderTakesAsManyReadsAsItSays() {
    modify(toSqd());
    modify(toSqd().maxReadAtomic(16));
    modify(toRts());
    pair.b.queuePair.modify(toSqd().build());
    pair.b.queuePair.modify(toSqd().maxDestinationReadAtomic(16).build());
    pair.b.queuePair.modify(toRts().build());
    pair.impair("drop:b>a/READ_RESPONSE#1-60");
    for (int id = 1; id <= 15; id++) {
      postRead(id);
    }
    pair.run();
    assertThat(pair.a.pollSends())
        .hasSize(15)
        .allSatisfy(read -> assertThat(read.status()).isEqualTo(CompletionStatus.SUCCESS));
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }
}

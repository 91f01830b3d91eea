package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two mechanisms of the requester at the same time. */
class RequesterCombinationTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  /** What min_rnr_timer code 12 of the defaults stands for. */
  private static final long RNR_WAIT_NANOS = 640_000;

  private static void send(Pair pair, long id) {
    pair.a.queuePair.post(pair.a.request.reset(id).send().signaled());
  }

  // ---- receiver not ready, and something else ------------------------------------------------

  @Test
  @Checks({"RNR-WAIT", "NAK-IMPLIED", "FENCE-READ"})
  void aReceiverNotReadyBehindALostReadResponseAsksForTheReadFirstAndWaitsThen() {
    try (Pair pair = Pair.connected()) {
      Side.Memory remote = pair.b.memory(2048, 7);
      Side.Memory local = pair.a.memory(2048, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      send(pair, 2);
      pair.a.queuePair.post(pair.a.request.reset(3).send().fenced().signaled());
      pair.runFor(100_000);
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "SEND_ONLY 000102",
              "READ_REQUEST 000101",
              "SEND_ONLY 000102",
              "SEND_ONLY 000103",
              "SEND_ONLY 000102",
              "SEND_ONLY 000103");
      // The rest of the READ comes just before the second RNR NAK and opens the fence.
      long again = 40_000 + RNR_WAIT_NANOS;
      assertThat(pair.journal.times("a"))
          .containsExactly(0L, 0L, 20_000L, 20_000L, 40_000L, again, again);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @40000",
              "SEND 2 SUCCESS @" + (again + 20_000),
              "SEND 3 SUCCESS @" + (again + 20_000));
      assertThat(local.slice(0, 2048)).containsOnly(7);
    }
  }

  @Test
  @Checks({"RNR-WAIT", "RETRY-COUNT"})
  void withoutRetriesAReceiverNotReadyIsStillWaitedFor() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 1))) {
      send(pair, 1);
      send(pair, 2);
      pair.runFor(100_000);
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.run();

      long done = 20_000 + RNR_WAIT_NANOS + 20_000;
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @" + done, "SEND 2 SUCCESS @" + done);
    }
  }

  @Test
  @Checks("RNR-WAIT")
  void aRepeatedReceiverNotReadyDuringTheWaitCostsNothingAndChangesNothing() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(3, 1))) {
      pair.impair("duplicate=3+200us:b>a/RNR_NAK#1");
      send(pair, 1);
      pair.runFor(100_000);
      pair.b.postEmptyReceive(10);
      pair.run();

      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000 + RNR_WAIT_NANOS);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @" + (40_000 + RNR_WAIT_NANOS));
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks("RNR-WAIT")
  void errorOrResetDuringTheWaitEndsIt(boolean reset) {
    try (Pair pair = Pair.connected()) {
      send(pair, 1);
      pair.runFor(100_000);
      QueuePairState target = reset ? QueuePairState.RESET : QueuePairState.ERR;
      pair.a.queuePair.modify(QueuePairAttributes.to(target).build());
      pair.run();

      assertThat(pair.fabric.nanoTime()).isEqualTo(100_000);
      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100");
      List<String> flushed = reset ? List.of() : List.of("SEND 1 WR_FLUSH_ERR @100000");
      assertThat(pair.completions("a")).isEqualTo(flushed);
    }
  }

  @Test
  @Checks({"RNR-WAIT", "GO-BACK-N", "LOCAL-ONCE"})
  void aReceiverNotReadyGoesBackOverALocalOperationWithoutRepeatingIt() {
    try (Pair pair = Pair.connected()) {
      Side.FastMemory region = pair.a.fastMemory(8, 5);
      Side.Memory target = pair.b.memory(8, 0);
      send(pair, 1);
      pair.a.postRegister(2, region);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(3)
              .rdmaWrite(target.address(), target.rkey())
              .segment(region.address(), 8, region.key())
              .signaled());
      pair.runFor(100_000);
      pair.b.postEmptyReceive(10);
      pair.run();

      long done = 40_000 + RNR_WAIT_NANOS;
      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @" + done,
              "REG_MR 2 SUCCESS @" + done,
              "RDMA_WRITE 3 SUCCESS @" + done);
      assertThat(target.slice(0, 8)).containsOnly(5);
    }
  }

  @Test
  @Checks({"RNR-WAIT", "ACK-TIMER"})
  void theTimerRunsFromTheTransmissionBehindTheWait() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/SEND#2");
      send(pair, 1);
      pair.runFor(100_000);
      pair.b.postEmptyReceive(10);
      pair.run();

      long second = 20_000 + RNR_WAIT_NANOS;
      assertThat(pair.journal.times("a")).containsExactly(0L, second, second + T);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + (second + T + 20_000));
    }
  }

  // ---- drain ---------------------------------------------------------------------------------

  @Test
  @Checks({"GO-BACK-N", "RNR-WAIT"})
  void aDrainOutlastsALossAndAReceiverNotReadyAndIsToldOnce() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/SEND#1");
      send(pair, 1);
      pair.runFor(5_000);
      pair.a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
      send(pair, 2);
      pair.runFor(T + 100_000);
      assertThat(pair.a.queuePair.query().sendQueueDraining()).isTrue();
      assertThat(pair.a.pollEvents()).isEmpty();
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100", "SEND_ONLY 000100");
      long done = T + 20_000 + RNR_WAIT_NANOS + 20_000;
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + done);
      assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
      assertThat(pair.a.queuePair.query().sendQueueDraining()).isFalse();

      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).build());
      pair.run();
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @" + done, "SEND 2 SUCCESS @" + (done + 20_000));
      assertThat(pair.a.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks("FAULT-IN-ORDER")
  void aFaultFoundBeforeTheDrainEndsItWithoutTheEvent() {
    try (Pair pair = Pair.connected()) {
      Side.Memory target = pair.b.memory(8, 0);
      pair.a.queuePair.post(pair.a.write(1, pair.a.memory(8, 1), target));
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(target.address(), target.rkey()).segment(0, 8, 0x7777));
      pair.runFor(5_000);
      pair.a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "RDMA_WRITE 2 LOC_PROT_ERR @20000");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents()).isEmpty();
    }
  }

  // ---- a request that can't be sent again -----------------------------------------------------

  @Test
  @Checks({"FAULT-IN-ORDER", "PAYLOAD-REREAD", "ACK-IMPLIED"})
  void aLateAckDoesNotSaveARequestThatCouldNotBeSentAgain() {
    try (Pair pair = Pair.connected()) {
      Side.Memory target = pair.b.memory(8, 0);
      Side.Memory doomed = pair.a.memory(8, 2);
      pair.impair("drop:b>a/ACK#1");
      pair.impair("delay=" + (T - 15_000) + "ns:b>a/ACK#2");
      pair.impair("drop:b>a/ACK#3");
      pair.a.queuePair.post(pair.a.write(1, pair.a.memory(8, 1), target));
      pair.a.queuePair.post(pair.a.write(2, doomed, target));
      pair.a.queuePair.post(pair.a.write(3, pair.a.memory(8, 3), target));
      pair.runFor(50_000);
      doomed.region().close();
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_ONLY 000100", "WRITE_ONLY 000101", "WRITE_ONLY 000102", "WRITE_ONLY 000100");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_WRITE 1 SUCCESS @" + (T + 5_000),
              "RDMA_WRITE 2 LOC_PROT_ERR @" + (T + 5_000),
              "RDMA_WRITE 3 WR_FLUSH_ERR @" + (T + 5_000));
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "NAK-IMPLIED", "READ-RESUME"})
  void aReadBeforeADoomedRequestIsStillAskedForAgain() {
    try (Pair pair = Pair.connected()) {
      Side.Memory remote = pair.b.memory(3072, 7);
      Side.Memory local = pair.a.memory(3072, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(remote.address(), remote.rkey()).segment(0, 8, 0x7777));
      send(pair, 3);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000101");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @40000",
              "RDMA_WRITE 2 LOC_PROT_ERR @40000",
              "SEND 3 WR_FLUSH_ERR @40000");
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "RNR-WAIT"})
  void aRequestThatIsRefusedForNowAndDoomedFailsAtOnce() {
    try (Pair pair = Pair.connected()) {
      Side.Memory target = pair.b.memory(8, 0);
      Side.Memory first = pair.a.memory(1024, 1);
      pair.a.queuePair.post(pair.a.write(1, pair.a.memory(8, 1), target));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .send()
              .segment(first.region(), 0, 1024)
              .segment(0, 8, 0x7777)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("WRITE_ONLY 000100", "SEND_FIRST 000101");
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "SEND 2 LOC_PROT_ERR @20000");
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "RESET-SILENT"})
  void resetForgetsADoomedRequest() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/SEND#1");
      send(pair, 1);
      pair.a.queuePair.post(pair.a.request.reset(2).send().segment(0, 8, 0x7777).signaled());
      pair.runFor(5_000);
      QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
      pair.a.queuePair.modify(reset);
      pair.b.queuePair.modify(reset);
      pair.connect(Pair.setup(), Pair.setup());
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      send(pair, 3);
      send(pair, 4);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("SEND 3 SUCCESS @25000", "SEND 4 SUCCESS @25000");
      assertThat(pair.a.pollSends()).hasSize(2);
    }
  }

  // ---- limits of the counters and timers -----------------------------------------------------

  @Test
  @Checks({"RETRY-COUNT", "NAK-IMPLIED"})
  void withoutRetriesTheFirstHintAtALossIsTheLast() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 3))) {
      Side.Memory remote = pair.b.memory(2048, 7);
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.a.queuePair.post(pair.a.read(1, remote, pair.a.memory(2048, 0)));
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("READ_REQUEST 000100");
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 RETRY_EXC_ERR @20000");
    }
  }

  @Test
  @Checks({"RETRY-COUNT", "FLUSH-IN-ORDER"})
  void withoutRetriesASequenceNakEndsTheConnectionAtTheLostRequest() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 3))) {
      Side.Memory target = pair.b.memory(8, 0);
      pair.impair("drop:a>b/WRITE@0x101");
      for (int i = 1; i <= 3; i++) {
        pair.a.queuePair.post(pair.a.write(i, pair.a.memory(8, i), target));
      }
      pair.a.postEmptyReceive(20);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_WRITE 1 SUCCESS @20000",
              "RDMA_WRITE 2 RETRY_EXC_ERR @20000",
              "RDMA_WRITE 3 WR_FLUSH_ERR @20000",
              "RECV 20 WR_FLUSH_ERR @20000");
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"ACK-TIMER", "NAK-IMPLIED"})
  void withoutATimerHintsAloneHealALoss() {
    try (Pair pair = Pair.connected(Pair.setup().withTimeout(0))) {
      Side.Memory remote = pair.b.memory(2048, 7);
      Side.Memory local = pair.a.memory(2048, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101#1");
      pair.impair("drop:a>b/WRITE@0x102#1");
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(pair.a.write(2, pair.a.memory(8, 1), remote));
      pair.a.queuePair.post(pair.a.write(3, pair.a.memory(8, 2), remote));
      pair.run();

      // The NAK for the lost WRITE names 102 and so shows that the answer to the READ was lost.
      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "WRITE_ONLY 000102",
              "WRITE_ONLY 000103",
              "READ_REQUEST 000101",
              "WRITE_ONLY 000102",
              "WRITE_ONLY 000103");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @40000",
              "RDMA_WRITE 2 SUCCESS @40000",
              "RDMA_WRITE 3 SUCCESS @40000");
      assertThat(pair.fabric.nanoTime()).isEqualTo(40_000);
    }
  }
}

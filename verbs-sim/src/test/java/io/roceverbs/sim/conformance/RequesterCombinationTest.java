package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Two mechanisms of the requester at the same time. */
class RequesterCombinationTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  /** What min_rnr_timer code 12 of the defaults stands for. */
  private static final long RNR_WAIT_NANOS = 640_000;

  private static SendRequest read(Pair pair, long id, Side.Memory from, Side.Memory to) {
    return pair.a
        .request
        .reset(id)
        .rdmaRead(from.address(), from.rkey())
        .segment(to.region(), 0, to.bytes().capacity())
        .signaled();
  }

  private static SendRequest write(Pair pair, long id, Side.Memory from, Side.Memory to) {
    return pair.a
        .request
        .reset(id)
        .rdmaWrite(to.address(), to.rkey())
        .segment(from.region(), 0, from.bytes().capacity())
        .signaled();
  }

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
      pair.a.queuePair.post(read(pair, 1, remote, local));
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
      pair.a.queuePair.post(write(pair, 1, pair.a.memory(8, 1), target));
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
      pair.a.queuePair.post(write(pair, 1, pair.a.memory(8, 1), target));
      pair.a.queuePair.post(write(pair, 2, doomed, target));
      pair.a.queuePair.post(write(pair, 3, pair.a.memory(8, 3), target));
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
      pair.a.queuePair.post(read(pair, 1, remote, local));
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
      pair.a.queuePair.post(write(pair, 1, pair.a.memory(8, 1), target));
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
      pair.a.queuePair.post(read(pair, 1, remote, pair.a.memory(2048, 0)));
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
        pair.a.queuePair.post(write(pair, i, pair.a.memory(8, i), target));
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
      pair.a.queuePair.post(read(pair, 1, remote, local));
      pair.a.queuePair.post(write(pair, 2, pair.a.memory(8, 1), remote));
      pair.a.queuePair.post(write(pair, 3, pair.a.memory(8, 2), remote));
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

  // ---- READs of special lengths --------------------------------------------------------------

  @Test
  @Checks({"KEY-ZERO-LENGTH", "RETRY-COUNT"})
  void aReadOfNothingIsAskedForAgainWhenItsAnswerIsLost() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.a.queuePair.post(pair.a.request.reset(1).rdmaRead(-1L, 0).signaled());
      pair.a.queuePair.post(pair.a.request.reset(2).rdmaRead(0L, 0).fenced().signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000100", "READ_REQUEST 000101");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @" + (T + 20_000), "RDMA_READ 2 SUCCESS @" + (T + 40_000));
      assertThat(pair.b.node.transport().duplicateRequests()).isEqualTo(1);
      assertThat(pair.a.pollSends().get(0).byteLength()).isZero();
    }
  }

  @ParameterizedTest
  @CsvSource({"1, 0", "2, 0", "2, 1", "3, 0", "3, 1", "3, 2"})
  @Checks({"READ-RESUME", "READ-REPLAY-OPCODE"})
  void aReadOfWholePacketsSurvivesTheLossOfEachOfThem(int packets, int lost) {
    try (Pair pair = Pair.connected()) {
      Side.Memory remote = pair.b.memory(packets * 1024, 7);
      Side.Memory local = pair.a.memory(packets * 1024, 0);
      pair.impair(String.format("drop:b>a/READ_RESPONSE@0x%x~1", 0x100 + lost));
      pair.a.queuePair.post(read(pair, 1, remote, local));
      send(pair, 2);
      pair.b.postEmptyReceive(10);
      pair.run();

      List<String> answers = new ArrayList<>();
      for (int i = 0; i < packets; i++) {
        answers.add(response(i, packets));
      }
      answers.add(String.format("ACK %06x", 0x100 + packets));
      List<String> all = new ArrayList<>(answers);
      all.addAll(answers.subList(lost, answers.size()));
      assertThat(pair.journal.words("b")).isEqualTo(all);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @40000", "SEND 2 SUCCESS @40000");
      assertThat(local.bytes()).isEqualTo(remote.bytes());
      assertThat(pair.a.pollSends().get(0).byteLength()).isEqualTo(packets * 1024);
    }
  }

  private static String response(int index, int packets) {
    String place;
    if (packets == 1) {
      place = "ONLY";
    } else if (index == 0) {
      place = "FIRST";
    } else {
      place = index == packets - 1 ? "LAST" : "MIDDLE";
    }
    return String.format("READ_RESPONSE_%s %06x", place, 0x100 + index);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE_ONLY", "READ_REQUEST"})
  @Checks({"ACK-REQUEST", "READ-DEPTH"})
  void aReadLargerThanTheWindowHoldsBackWhatIsBehindItUntilTheWindowOpens(String next) {
    ConnectionSetup setup = Pair.setup().withPathMtu(PathMtu.MTU_256);
    try (RawPeer raw = RawPeer.connected(setup)) {
      Side.Memory local = raw.b.memory(200 * 256, 0);
      raw.b.queuePair.post(
          raw.b.request.reset(1).rdmaRead(0x1000, 5).segment(local.region(), 0, 200 * 256));
      raw.b.request.reset(2);
      if (next.equals("READ_REQUEST")) {
        raw.b.request.rdmaRead(0x1000, 5);
      } else {
        raw.b.request.rdmaWrite(0x1000, 5);
      }
      raw.b.queuePair.post(raw.b.request.segment(local.region(), 0, 256));
      raw.runRoundTrip();
      assertThat(raw.received())
          .containsExactly("READ_REQUEST psn=0x000100 ackreq va=0x1000 rkey=0x00000005 len=51200");
      for (int i = 0; i < 72; i++) {
        raw.send(
            i == 0 ? Opcode.RC_READ_RESPONSE_FIRST : Opcode.RC_READ_RESPONSE_MIDDLE,
            0x100 + i,
            256,
            9);
      }
      raw.runRoundTrip();
      // 128 are still in flight: no room.
      assertThat(raw.received()).hasSize(1);
      raw.send(Opcode.RC_READ_RESPONSE_MIDDLE, 0x100 + 72, 256, 9);
      raw.runRoundTrip();
      assertThat(raw.received()).hasSize(2);
      assertThat(raw.received().get(1)).startsWith(next + " psn=0x0001c8");
    }
  }

  @Test
  @Checks({"READ-DEPTH", "RESPONSE-GHOST"})
  void moreThanHalfThePsnSpaceIsNeverInFlight() {
    ConnectionSetup setup = Pair.setup().withPathMtu(PathMtu.MTU_256).withFirstPsn(0xFFFFFE);
    try (RawPeer raw = RawPeer.connected(setup)) {
      Side.Memory local = raw.b.memory(256, 0);
      raw.b.queuePair.post(raw.b.request.reset(0).send());
      int huge = Integer.MAX_VALUE;
      raw.b.queuePair.post(
          raw.b
              .request
              .reset(1)
              .rdmaRead(0x1000, 5)
              .segment(local.address(), huge, local.lkey())
              .segment(local.address(), 1, local.lkey())
              .signaled());
      raw.b.queuePair.post(raw.b.request.reset(2).rdmaRead(0x1000, 5).signaled());
      raw.runRoundTrip();
      // The READ alone takes half of all PSNs, so not even one SEND may be unanswered before it.
      assertThat(raw.received()).hasSize(1);
      assertThat(raw.received().get(0)).startsWith("SEND_ONLY psn=0xfffffe");
      raw.clear();
      raw.acknowledge(0xFFFFFE, 0x1F);
      raw.runRoundTrip();
      assertThat(raw.received()).hasSize(1);
      assertThat(raw.received().get(0))
          .startsWith("READ_REQUEST psn=0xffffff")
          .endsWith("len=2147483648");

      // The last PSN of the answer and the one behind it: a loss, and a ghost.
      raw.clear();
      raw.acknowledge(0x7FFFFF, 0x1F);
      raw.runRoundTrip();
      assertThat(raw.received()).isEmpty();
      raw.send(Opcode.RC_READ_RESPONSE_LAST, 0x7FFFFE, 256, 9);
      raw.runRoundTrip();
      assertThat(raw.received()).hasSize(1);
      assertThat(raw.received().get(0)).startsWith("READ_REQUEST psn=0xffffff");
      raw.send(Opcode.RC_READ_RESPONSE_FIRST, 0xFFFFFF, 256, 9);
      raw.runRoundTrip();
      assertThat(local.slice(0, 256)).containsOnly(9);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.completions()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0xFFFFFD, 0xFFFFFE, 0xFFFFFF, 0x000000})
  @Checks({"C66", "RNR-WAIT", "NAK-ACKNOWLEDGES"})
  void receiverNotReadyAndFatalNaksWorkAcrossTheEndOfThePsns(int psn) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withFirstPsn(psn))) {
      for (int i = 1; i <= 4; i++) {
        raw.b.queuePair.post(raw.b.request.reset(i).send().signaled());
      }
      raw.runRoundTrip();
      raw.clear();
      raw.acknowledge((psn + 2) & 0xFFFFFF, Syndrome.rnrSyndrome(12));
      raw.fabric.runFor(Duration.ofMillis(1));
      assertThat(raw.completions()).containsExactly("SEND 1 SUCCESS", "SEND 2 SUCCESS");
      assertThat(raw.received()).hasSize(2);
      assertThat(raw.received().get(0))
          .startsWith(String.format("SEND_ONLY psn=0x%06x", (psn + 2) & 0xFFFFFF));
      raw.acknowledge((psn + 3) & 0xFFFFFF, Syndrome.nakSyndrome(NakCode.INVALID_REQUEST));
      raw.run();
      assertThat(raw.completions())
          .containsExactly(
              "SEND 1 SUCCESS", "SEND 2 SUCCESS", "SEND 3 SUCCESS", "SEND 4 REM_INV_REQ_ERR");
    }
  }

  @Test
  @Checks({"ACK-REQUEST", "GO-BACK-N"})
  void aMessageOfManyWindowsSurvivesTheLossOfEveryTenthPacketOnce() {
    try (Pair pair = Pair.connected(Pair.setup().withPathMtu(PathMtu.MTU_256).withRetries(7, 7))) {
      int packets = 1000;
      Side.Memory source = pair.a.memory(packets * 256, 0);
      for (int i = 0; i < packets * 256; i++) {
        source.bytes().put(i, (byte) ((i * 31) >>> 3));
      }
      Side.Memory target = pair.b.memory(packets * 256, 0);
      for (int i = 5; i < packets; i += 10) {
        pair.impair(String.format("drop:a>b/WRITE@0x%x~1", 0x100 + i));
      }
      pair.a.queuePair.post(write(pair, 1, source, target));
      pair.run();

      assertThat(pair.completions("a")).hasSize(1).allMatch(text -> text.contains("SUCCESS"));
      assertThat(target.bytes()).isEqualTo(source.bytes());
      assertThat(Collections.max(pair.journal.psns("a"))).isEqualTo(0x100 + packets - 1);
      assertThat(pair.a.node.transport().ackTimeouts()).isZero();
    }
  }

  @Test
  @Checks({"GO-BACK-N", "RETRY-ONCE-PER-GAP"})
  void aFullWindowWhoseFirstPacketWasLostIsSentAgainAtOnce() {
    try (Pair pair = Pair.connected(Pair.setup().withPathMtu(PathMtu.MTU_256))) {
      Side.Memory source = pair.a.memory(200 * 256, 3);
      Side.Memory target = pair.b.memory(200 * 256, 0);
      pair.impair("drop:a>b/WRITE@0x100~1");
      pair.a.queuePair.post(write(pair, 1, source, target));
      pair.run();

      List<Integer> psns = pair.journal.psns("a");
      assertThat(psns.subList(0, 128)).startsWith(0x100).endsWith(0x17f);
      assertThat(psns.subList(128, 256)).startsWith(0x100).endsWith(0x17f);
      assertThat(psns).hasSize(128 + 200);
      assertThat(pair.journal.times("a").get(128)).isEqualTo(20_000L);
      assertThat(pair.a.node.transport().ackTimeouts()).isZero();
      assertThat(target.bytes()).isEqualTo(source.bytes());
    }
  }

  // ---- what must not count as progress, and what must be forgotten ----------------------------

  @Test
  @Checks({"RETRY-RELOAD", "RNR-NAK", "C36"})
  void aLastPacketThatIsRefusedAgainAndAgainIsNoProgress() {
    try (Pair pair = Pair.connected()) {
      Side.Memory target = pair.b.memory(2048, 0);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWriteWithImmediate(target.address(), target.rkey(), 7)
              .segment(pair.a.memory(2048, 1).region(), 0, 2048)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST 000100",
              "WRITE_LAST_WITH_IMMEDIATE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000101");
      long failed = 4 * 20_000 + 3 * RNR_WAIT_NANOS;
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE_WITH_IMM 1 RNR_RETRY_EXC_ERR @" + failed);
    }
  }

  @Test
  @Checks({"RETRY-ONCE-PER-GAP", "RETRY-RELOAD"})
  void aSecondNakForTheSamePacketInTheMiddleOfAMessageIsIgnored() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withRetries(1, 1))) {
      raw.b.postSend(1, raw.b.memory(3000, 1));
      raw.runRoundTrip();
      raw.clear();
      for (int i = 0; i < 3; i++) {
        raw.acknowledge(0x101, Syndrome.nakSyndrome(NakCode.PSN_SEQUENCE_ERROR));
        raw.runRoundTrip();
      }
      assertThat(raw.received()).hasSize(2);
      raw.run();
      assertThat(raw.completions()).containsExactly("SEND 1 RETRY_EXC_ERR");
      assertThat(raw.received()).hasSize(2);
    }
  }

  @Test
  @Checks({"RESET-SILENT", "READ-DEPTH", "FENCE-READ"})
  void resetForgetsTheReadsThatWereInFlight() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(2))) {
      Side.Memory remote = pair.b.memory(8, 7);
      Side.Memory local = pair.a.memory(8, 0);
      pair.impair("drop:b>a/READ_RESPONSE#1-2");
      pair.a.queuePair.post(read(pair, 1, remote, local));
      pair.a.queuePair.post(read(pair, 2, remote, local));
      pair.runFor(50_000);
      QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
      pair.a.queuePair.modify(reset);
      pair.b.queuePair.modify(reset);
      pair.connect(Pair.setup().withReadDepth(2), Pair.setup().withReadDepth(2));
      pair.b.postEmptyReceive(10);
      pair.a.queuePair.post(pair.a.request.reset(3).send().fenced().signaled());
      pair.a.queuePair.post(read(pair, 4, remote, local));
      pair.a.queuePair.post(read(pair, 5, remote, local));
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 3 SUCCESS @70000", "RDMA_READ 4 SUCCESS @70000", "RDMA_READ 5 SUCCESS @70000");
    }
  }

  @Test
  @Checks({"RESET-SILENT", "RETRY-ONCE-PER-GAP"})
  void resetForgetsThatPacketsWereBeingSentAgain() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/WRITE#1-3");
      Side.Memory target = pair.b.memory(4096, 0);
      Side.Memory source = pair.a.memory(4096, 1);
      pair.a.queuePair.post(write(pair, 1, pair.a.memory(8, 1), target));
      // The timeout has come, and what it sent again was lost too.
      pair.runFor(T + 50_000);
      QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
      pair.a.queuePair.modify(reset);
      pair.b.queuePair.modify(reset);
      pair.connect(Pair.setup(), Pair.setup());
      pair.a.queuePair.post(write(pair, 2, source, target));
      pair.run();

      // The first packet of the new life is lost, and the NAK for it is not taken for an old one.
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 2 SUCCESS @" + (T + 50_000 + 40_000));
      assertThat(target.bytes()).isEqualTo(source.bytes());
    }
  }
}

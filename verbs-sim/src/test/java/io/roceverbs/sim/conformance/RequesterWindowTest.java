package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What a requester has in flight: READs of special lengths, full windows, wrap-around, a reset. */
class RequesterWindowTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  /** What min_rnr_timer code 12 of the defaults stands for. */
  private static final long RNR_WAIT_NANOS = 640_000;

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
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(pair.a.request.reset(2).send().signaled());
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
      pair.a.queuePair.post(pair.a.write(1, source, target));
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
      pair.a.queuePair.post(pair.a.write(1, source, target));
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
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(pair.a.read(2, remote, local));
      pair.runFor(50_000);
      QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
      pair.a.queuePair.modify(reset);
      pair.b.queuePair.modify(reset);
      pair.connect(Pair.setup().withReadDepth(2), Pair.setup().withReadDepth(2));
      pair.b.postEmptyReceive(10);
      pair.a.queuePair.post(pair.a.request.reset(3).send().fenced().signaled());
      pair.a.queuePair.post(pair.a.read(4, remote, local));
      pair.a.queuePair.post(pair.a.read(5, remote, local));
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
      pair.a.queuePair.post(pair.a.write(1, pair.a.memory(8, 1), target));
      // The timeout has come, and what it sent again was lost too.
      pair.runFor(T + 50_000);
      QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
      pair.a.queuePair.modify(reset);
      pair.b.queuePair.modify(reset);
      pair.connect(Pair.setup(), Pair.setup());
      pair.a.queuePair.post(pair.a.write(2, source, target));
      pair.run();

      // The first packet of the new life is lost, and the NAK for it is not taken for an old one.
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 2 SUCCESS @" + (T + 50_000 + 40_000));
      assertThat(target.bytes()).isEqualTo(source.bytes());
    }
  }
}

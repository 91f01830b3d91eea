package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Two things at once at the responder. */
class ResponderCombinationTest {
  private static final LinkConfiguration SLOW =
      LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L);

  /** The request takes 10.7 us to arrive, and each packet of the answer 8.7 us to leave. */
  private static final Duration AFTER_TWO_RESPONSES = Duration.ofNanos(25_000);

  private static void read(RawPeer raw, int psn, Side.Memory source, long offset, long length) {
    raw.send(Opcode.RC_READ_REQUEST, psn & 0xFFFFFF, RawPeer.reth(source, offset, length));
  }

  @Test
  @Checks({"RESET-SILENT", "RESPONSE-ORDER"})
  void resetInTheMiddleOfAnAnswerForgetsTheRestOfIt() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory source = raw.b.memory(4096, 7);
      read(raw, 0x000100, source, 0, 4096);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      raw.reconnect(Pair.setup());
      read(raw, 0x000100, source, 0, 8);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=8");
    }
  }

  @Test
  @Checks("RESPONSE-ORDER")
  void closingInTheMiddleOfAnAnswerEndsIt() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      read(raw, 0x000100, raw.b.memory(4096, 7), 0, 4096);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      raw.b.queuePair.close();
      raw.send(Opcode.RC_SEND_ONLY, 0x000104, 8, 1);
      raw.run();
      assertThat(raw.received()).hasSize(2);
      assertThat(raw.b.node.transport().droppedUnknownQueuePair()).isEqualTo(1);
    }
  }

  @Test
  @Checks("RESPONSE-ORDER")
  void aQueuePairWhoseOwnRequestFailsSendsNoFurtherAnswer() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      raw.b.queuePair.post(raw.b.request.reset(1).send());
      read(raw, 0x000100, raw.b.memory(4096, 7), 0, 4096);
      raw.fabric.runFor(Duration.ofNanos(15_000));
      raw.acknowledge(0x000100, Syndrome.nakSyndrome(NakCode.INVALID_REQUEST));
      raw.run();

      assertThat(raw.completions()).containsExactly("SEND 1 REM_INV_REQ_ERR");
      assertThat(raw.received())
          .containsExactly(
              "SEND_ONLY psn=0x000100 ackreq len=0",
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024");
    }
  }

  @Test
  @Checks({"READ-CUT-OFF", "READ-DEPTH-EXCEEDED", "FAULT-REPORT"})
  void aQueuePairThatHasFailedReportsNoSecondFault() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withReadDepth(1), SLOW)) {
      Side.Memory source = raw.b.memory(4096, 7);
      read(raw, 0x000100, source, 0, 4096);
      read(raw, 0x000104, source, 0, 8);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      source.region().close();
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000102 msn=1");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
    }
  }

  @Test
  @Checks({"DUPLICATE-READ", "FAULT-REPORT"})
  void aRepeatedReadThatFailsInTheMiddleOfASendFlushesTheReceive() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = raw.b.memory(8, 7);
      raw.b.postReceive(1, raw.b.memory(2048, 0));
      raw.b.postReceive(2, raw.b.memory(2048, 0));
      read(raw, 0x000100, source, 0, 8);
      raw.send(Opcode.RC_SEND_FIRST, 0x000101, 1024, 1, packet -> packet.ackRequest(false));
      raw.run();
      source.region().close();
      read(raw, 0x000100, source, 0, 8);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=8",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR", "RECV 2 WR_FLUSH_ERR");
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"READ-CUT-OFF", "FAULT-REPORT"})
  void aReadThatIsCutOffInTheMiddleOfASendFlushesTheReceiveAndRaisesTheEvent() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory source = raw.b.memory(4096, 7);
      raw.b.postReceive(1, raw.b.memory(2048, 0));
      read(raw, 0x000100, source, 0, 4096);
      raw.send(Opcode.RC_SEND_FIRST, 0x000104, 1024, 1);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      source.region().close();
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000102 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    }
  }

  @Test
  @Checks({"NAK-ONCE-PER-GAP", "RNR-NAK"})
  void aGapBehindARefusedSendIsSilentUntilTheSendIsTakenAndThenNakedAgain() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000102, 8, 1);
      raw.run();
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000102, 8, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000103, 8, 1);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "RNR_NAK(12) psn=0x000100 msn=0",
              "ACK psn=0x000100 msn=1",
              "NAK(PSN_SEQUENCE_ERROR) psn=0x000101 msn=1");
    }
  }

  @Test
  @Checks({"NAK-ONCE-PER-GAP", "DUPLICATE-READ", "ATOMIC-ONCE"})
  void whileAGapIsOpenEverythingRepeatedIsStillAnswered() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory word = raw.b.memory(8, 0);
      read(raw, 0x000100, word, 0, 8);
      raw.send(Opcode.RC_FETCH_ADD, 0x000101, RawPeer.fetchAdd(word, 0, 3));
      raw.send(Opcode.RC_SEND_ONLY, 0x000103, 8, 1);
      raw.run();
      raw.clear();
      read(raw, 0x000100, word, 0, 8);
      raw.send(Opcode.RC_FETCH_ADD, 0x000101, RawPeer.fetchAdd(word, 0, 3));
      raw.send(Opcode.RC_SEND_ONLY, 0x000103, 8, 1);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=8",
              "ATOMIC_ACKNOWLEDGE psn=0x000101 msn=2 original=0x0");
      assertThat(raw.payload(0)).containsExactly(3, 0, 0, 0, 0, 0, 0, 0);
      assertThat(word.slice(0, 8)).containsExactly(3, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  @Checks({"C46", "FAULT-REPORT", "S37"})
  void everyFreshAttemptWithABadKeyIsAnsweredAndReported() {
    try (RawPeer raw = RawPeer.connected()) {
      for (int attempt = 0; attempt < 3; attempt++) {
        raw.send(Opcode.RC_WRITE_ONLY, 0x000100, 8, 1, RawPeer.reth(0, 0x7777, 8));
        raw.run();
        assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
        assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
        assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
        raw.reconnect(Pair.setup());
        raw.clear();
      }
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0xFFFFFC, 0xFFFFFD, 0xFFFFFE, 0xFFFFFF, 0x000000})
  @Checks({"READ-REPLAY-INSIDE", "ATOMIC-ONCE", "DUPLICATE-ACK"})
  void repeatedRequestsAreFoundAcrossTheEndOfThePsns(int psn) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withFirstPsn(psn))) {
      Side.Memory word = raw.b.memory(2048, 0);
      for (int round = 0; round < 2; round++) {
        raw.clear();
        read(raw, psn, word, 0, 2048);
        raw.send(Opcode.RC_FETCH_ADD, (psn + 2) & 0xFFFFFF, RawPeer.fetchAdd(word, 0, 1));
        raw.send(
            Opcode.RC_WRITE_ONLY, (psn + 3) & 0xFFFFFF, 8, round + 1, RawPeer.reth(word, 8, 8));
        raw.run();
        assertThat(raw.received())
            .containsExactly(
                String.format("READ_RESPONSE_FIRST psn=0x%06x msn=1 len=1024", psn),
                String.format("READ_RESPONSE_LAST psn=0x%06x msn=1 len=1024", (psn + 1) & 0xFFFFFF),
                String.format(
                    "ATOMIC_ACKNOWLEDGE psn=0x%06x msn=2 original=0x0", (psn + 2) & 0xFFFFFF),
                String.format("ACK psn=0x%06x msn=3", (psn + 3) & 0xFFFFFF));
      }
      assertThat(word.slice(0, 16)).startsWith(1, 0, 0, 0, 0, 0, 0, 0, 1, 1);
      assertThat(raw.b.node.transport().duplicateRequests()).isEqualTo(3);
    }
  }

  @Test
  @Checks({"KEY-ZERO-LENGTH", "READ-REPLAY-INSIDE"})
  void aRepeatedReadOfNothingMustBeTheSame() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(8, 5, 0));
      raw.run();
      raw.clear();
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(8, 6, 0));
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(9, 5, 0));
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(8, 5, 1));
      raw.run();
      assertThat(raw.received()).isEmpty();
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks("READ-DEPTH-EXCEEDED")
  void aDepthMadeSmallerInSqdKeepsTheNewestAnswers() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = raw.b.memory(64, 7);
      for (int i = 0; i < 6; i++) {
        read(raw, 0x000100 + i, source, 8L * i, 8);
      }
      raw.run();
      raw.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).build());
      raw.b.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).maxDestinationReadAtomic(2).build());
      raw.clear();
      for (int i = 0; i < 6; i++) {
        read(raw, 0x000100 + i, source, 8L * i, 8);
      }
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000104 msn=5 len=8",
              "READ_RESPONSE_ONLY psn=0x000105 msn=6 len=8");
      // The next one takes the place of the oldest.
      raw.clear();
      read(raw, 0x000106, source, 0, 8);
      read(raw, 0x000104, source, 32, 8);
      read(raw, 0x000105, source, 40, 8);
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000106 msn=7 len=8",
              "READ_RESPONSE_ONLY psn=0x000105 msn=6 len=8");
    }
  }

  @Test
  @Checks({"INVALIDATE-REFUSED", "RESPONSE-ORDER"})
  void aRefusedInvalidationIsAcknowledgedBehindTheAnswersBeforeIt() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory source = raw.b.memory(2048, 7);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.b.postReceive(2, raw.b.memory(8, 0));
      read(raw, 0x000100, source, 0, 2048);
      raw.send(
          Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
          0x000102,
          8,
          1,
          packet -> packet.invalidateRkey(source.rkey()));
      raw.send(Opcode.RC_SEND_ONLY, 0x000103, 8, 1);
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_LAST psn=0x000101 msn=1 len=1024",
              "ACK psn=0x000102 msn=1");
      assertThat(raw.completions())
          .containsExactly("RECV 1 REM_INV_REQ_ERR", "RECV 2 WR_FLUSH_ERR");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks({"DUPLICATE-READ", "S23"})
  void aRepeatedReadOfARegionThatWasInvalidatedIsRefusedAlsoWhenItIsRegisteredAgain(boolean again) {
    try (RawPeer raw = RawPeer.connected()) {
      Side.FastMemory region = raw.b.fastMemory(64, 7);
      raw.b.postRegister(90, region);
      int key = region.key();
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(region.address(), key, 64));
      raw.run();
      raw.b.queuePair.post(raw.b.request.reset(91).localInvalidate(key));
      if (again) {
        raw.b.postRegister(92, region);
      }
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(region.address(), key, 64));
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=64",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=1");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"FLUSH-IN-ORDER", "RECEIVE-FILTER", "S56"})
  void aPacketInFlightWhenItsQueuePairEntersErrCompletesNothing() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory receive = raw.b.memory(8, 0);
      for (int i = 1; i <= 3; i++) {
        raw.b.postReceive(i, receive);
      }
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000101, 8, 1);
      raw.fabric.runFor(Duration.ofNanos(5_000));
      raw.b.modifyToError();
      raw.run();

      assertThat(raw.completions())
          .containsExactly("RECV 1 WR_FLUSH_ERR", "RECV 2 WR_FLUSH_ERR", "RECV 3 WR_FLUSH_ERR");
      assertThat(receive.slice(0, 8)).containsOnly(0);
      assertThat(raw.received()).isEmpty();
      assertThat(raw.b.node.transport().droppedWrongState()).isEqualTo(2);
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The PSN of a request: expected, repeated or ahead, and what a responder does about each. */
class ResponderPsnTest {
  private static final int HALF = 1 << 23;

  @ParameterizedTest
  @ValueSource(ints = {0x000100, 0xFFFFFE, 0x7FFFFF})
  @Checks("PSN-FIRST")
  void theLargestDistanceAheadIsAGap(int expected) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withFirstPsn(expected))) {
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_SEND_ONLY, expected + HALF - 1, 1, 0x41);
      raw.run();

      assertThat(raw.received())
          .containsExactly(String.format("NAK(PSN_SEQUENCE_ERROR) psn=0x%06x msn=0", expected));
      assertThat(raw.completions()).isEmpty();
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {HALF, HALF + 1, -1})
  @Checks("PSN-FIRST")
  void fromHalfTheSpaceOnARequestCountsAsRepeated(int distance) {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory memory = raw.b.memory(8, 0);
      raw.b.postReceive(1, memory);
      raw.send(Opcode.RC_SEND_ONLY, RawPeer.PSN + distance, 1, 0x41);
      raw.run();

      assertThat(raw.received()).containsExactly("ACK psn=0x0000ff msn=0");
      assertThat(raw.completions()).isEmpty();
      assertThat(memory.slice(0, 1)).containsExactly(0);
      assertThat(raw.b.node.transport().duplicateRequests()).isEqualTo(1);
    }
  }

  @Test
  @Checks("PSN-FIRST")
  void aRepeatedRequestWithEveryOtherFaultIsOnlyARepeatedRequest() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_WRITE_ONLY, RawPeer.PSN - 1, 2000, 1, RawPeer.reth(0, 0xDEADBEEF, 7));
      raw.send(Opcode.RC_SEND_LAST, RawPeer.PSN - 1, 0, 0);
      raw.send(Opcode.RC_SEND_ONLY_WITH_INVALIDATE, RawPeer.PSN - 1, 0, 0);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x0000ff msn=0", "ACK psn=0x0000ff msn=0", "ACK psn=0x0000ff msn=0");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks("PSN-FIRST")
  void aRequestAheadWithEveryOtherFaultIsOnlyAGap() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_WRITE_ONLY, RawPeer.PSN + 1, 2000, 1, RawPeer.reth(0, 0xDEADBEEF, 7));
      raw.send(Opcode.RC_SEND_LAST, RawPeer.PSN + 2, 0, 0);
      raw.run();

      assertThat(raw.received()).containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"NAK-ONCE-PER-GAP", "S20"})
  void aGapDrawsOneNakUntilTheMissingPacketArrives() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.b.postReceive(2, raw.b.memory(8, 0));
      raw.send(Opcode.RC_SEND_ONLY, 0x000101, 1, 0x42);
      raw.send(Opcode.RC_SEND_ONLY, 0x000102, 1, 0x43);
      raw.send(Opcode.RC_SEND_ONLY, 0x000101, 1, 0x42);
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0");
      assertThat(raw.completions()).isEmpty();

      raw.clear();
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 1, 0x41);
      raw.send(Opcode.RC_SEND_ONLY, 0x000102, 1, 0x43);
      raw.send(Opcode.RC_SEND_ONLY, 0x000103, 1, 0x44);
      raw.run();
      assertThat(raw.received())
          .containsExactly("ACK psn=0x000100 msn=1", "NAK(PSN_SEQUENCE_ERROR) psn=0x000101 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS");
      assertThat(raw.b.node.transport().sequenceNaksSent()).isEqualTo(2);
    }
  }

  @Test
  @Checks({"NAK-ONCE-PER-GAP", "DUPLICATE-ACK"})
  void aRepeatedRequestIsAnsweredWhileAGapIsOpenAndDoesNotCloseIt() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_SEND_ONLY, 0x000101, 1, 0x42);
      raw.send(Opcode.RC_SEND_ONLY, 0x0000FF, 1, 0x40);
      raw.send(Opcode.RC_SEND_ONLY, 0x000102, 1, 0x43);
      raw.run();

      assertThat(raw.received())
          .containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0", "ACK psn=0x0000ff msn=0");
    }
  }

  @Test
  @Checks({"NAK-ONCE-PER-GAP", "RNR-THEN-SILENCE"})
  void whatFollowsARefusedSendIsDroppedInSilence() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory target = raw.b.memory(8, 0);
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 1, 0x41);
      raw.send(Opcode.RC_WRITE_ONLY, 0x000101, 1, 0x42, RawPeer.reth(target, 0, 1));
      raw.run();
      assertThat(raw.received()).containsExactly("RNR_NAK(12) psn=0x000100 msn=0");
      assertThat(target.slice(0, 1)).containsExactly(0);

      raw.clear();
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 1, 0x41);
      raw.send(Opcode.RC_WRITE_ONLY, 0x000101, 1, 0x42, RawPeer.reth(target, 0, 1));
      raw.run();
      assertThat(raw.received())
          .containsExactly("ACK psn=0x000100 msn=1", "ACK psn=0x000101 msn=2");
      assertThat(target.slice(0, 1)).containsExactly(0x42);
    }
  }

  @Test
  @Checks({"C66", "NAK-ONCE-PER-GAP"})
  void thePsnWrapsAndOneGapDrawsOneNakAndEverythingBehindItComesAgain() {
    try (Pair pair = Pair.connected(Pair.setup().withFirstPsn(0xFFFFFE))) {
      Side.Memory source = pair.a.memory(5120, 0);
      for (int i = 0; i < 5120; i++) {
        source.bytes().put(i, (byte) (i * 7));
      }
      Side.Memory target = pair.b.memory(5120, 0);
      pair.impair("drop:a>b/WRITE@0x000000#1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(source.region(), 0, 5120)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST fffffe",
              "WRITE_MIDDLE ffffff",
              "WRITE_MIDDLE 000000",
              "WRITE_MIDDLE 000001",
              "WRITE_LAST 000002",
              "WRITE_MIDDLE 000000",
              "WRITE_MIDDLE 000001",
              "WRITE_LAST 000002");
      assertThat(pair.journal.from("b"))
          .extracting("summary")
          .containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000000 msn=0", "ACK psn=0x000002 msn=1");
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 1 SUCCESS @40000");
      assertThat(target.slice(0, 5120)).isEqualTo(source.slice(0, 5120));
    }
  }
}

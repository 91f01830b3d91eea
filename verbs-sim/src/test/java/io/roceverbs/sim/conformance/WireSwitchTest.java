package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Each point in which devices differ on the wire, on both of its sides. */
class WireSwitchTest {
  // ---- requester -----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"YES,4", "NO,5"})
  void aSequenceNakCostsARetryOrNot(WireSwitch.SequenceNakCostsRetry value, int transmissions) {
    RawPeer peer =
        RawPeer.connected(Pair.setup().withRetries(3, 3), DeviceProfile.strict().with(value));
    try (peer) {
      peer.b.postSend(1, peer.b.memory(8, 1));
      peer.runRoundTrip();
      for (int i = 0; i < 5; i++) {
        peer.acknowledge(RawPeer.PSN, 0x60);
        peer.runRoundTrip();
      }
      // While packets go again and nothing moves, a second NAK is ignored; the timer ends that.
      peer.run();
      assertThat(peer.received().stream().filter(text -> text.startsWith("SEND_ONLY")))
          .hasSize(transmissions);
      assertThat(peer.completions()).containsExactly("SEND 1 RETRY_EXC_ERR");
    }
  }

  @ParameterizedTest
  @CsvSource({"SEVEN,8", "INFINITE,51"})
  void aRetryCountOfSevenIsSevenOrEndless(WireSwitch.RetryCountSeven value, int transmissions) {
    try (Pair pair =
        Switched.pair(DeviceProfile.strict().with(value), Pair.setup().withRetries(7, 7))) {
      pair.impair("drop:a>b/SEND");
      pair.a.postSend(1, pair.a.memory(8, 1));
      pair.runFor(50 * Pair.ACK_TIMEOUT_NANOS);
      assertThat(pair.journal.psns("a")).hasSize(transmissions);
    }
  }

  @ParameterizedTest
  @CsvSource({"EXACT,67108864", "TICKS,68000000"})
  void theAckTimerRunsExactlyOrInTicks(WireSwitch.AckTimer value, long againAtNanos) {
    try (Pair pair = Switched.pair(value)) {
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.impair("drop:a>b/SEND#1");
      pair.a.postSend(1, pair.a.memory(8, 1));
      pair.run();
      assertThat(pair.journal.times("a")).containsExactly(0L, againAtNanos);
    }
  }

  @ParameterizedTest
  @CsvSource({"ASK_AGAIN,20000", "WAIT,67128864"})
  void aGapInsideAReadIsAskedForAtOnceOrWaitsForTheTimer(
      WireSwitch.ResponseGap value, long againAtNanos) {
    try (Pair pair = Switched.pair(value)) {
      Side.Memory remote = pair.b.memory(4096, 9);
      pair.impair("drop:b>a/RC_READ_RESPONSE_MIDDLE#1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(pair.a.memory(4096, 0).region(), 0, 4096)
              .signaled());
      pair.run();
      assertThat(pair.journal.times("a")).containsExactly(0L, againAtNanos);
    }
  }

  @Test
  @Checks("CREDIT-LIMIT")
  void withCreditsOneProbeGoesAheadOfTheReceivesThatThePeerHas() {
    try (Pair pair = Switched.pair(WireSwitch.Credits.ON)) {
      for (int i = 0; i < 3; i++) {
        pair.b.postReceive(11 + i, pair.b.memory(8, 0));
      }
      Side.Memory memory = pair.a.memory(8, 1);
      for (int i = 1; i <= 5; i++) {
        pair.a.postSend(i, memory);
      }
      pair.runFor(1_000);
      assertThat(pair.journal.psns("a")).containsExactly(0x100);
      pair.runFor(25_000);
      // The first ACK says two receives: messages 2 and 3, and message 4 as a probe.
      assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x102, 0x103);
      pair.runFor(25_000);
      assertThat(pair.journal.from("b").stream().map(packet -> packet.summary()))
          .containsExactly(
              "ACK psn=0x000100 msn=1",
              "ACK psn=0x000101 msn=2",
              "ACK psn=0x000102 msn=3",
              "RNR_NAK(12) psn=0x000103 msn=3");
      for (int i = 3; i < 5; i++) {
        pair.b.postReceive(11 + i, pair.b.memory(8, 0));
      }
      pair.run();
      assertThat(pair.completions("a")).hasSize(5).allMatch(text -> text.contains("SUCCESS"));
      assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x102, 0x103, 0x103, 0x104);
    }
  }

  @Test
  @Checks("CREDIT-LIMIT")
  void anAckBearsTheNumberOfReceivesOrNothingAboutThem() {
    for (WireSwitch.Credits value : WireSwitch.Credits.values()) {
      try (RawPeer peer = Switched.peer(value)) {
        for (int i = 0; i < 6; i++) {
          peer.b.postReceive(i, peer.b.memory(8, 0));
        }
        peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 8, 1);
        peer.run();
        // Five receives are left: code 4 stands for four, the next code for six.
        assertThat(peer.syndromes()).containsExactly(value == WireSwitch.Credits.ON ? 4 : 31);
      }
    }
  }

  // ---- responder -----------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  @Checks("RNR-THEN-SILENCE")
  void whatIsSentBehindAnRnrNakIsSilentlyDroppedOrDrawsASequenceNak(WireSwitch.NakBehindRnr value) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 8, 1);
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN + 1, 8, 1);
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN + 2, 8, 1);
      peer.run();
      String rnr = "RNR_NAK(12) psn=0x000100 msn=0";
      assertThat(peer.received())
          .isEqualTo(
              value == WireSwitch.NakBehindRnr.NO
                  ? List.of(rnr)
                  : List.of(rnr, "NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0"));
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedSendThatDoesNotAskIsAcknowledgedOrNot(WireSwitch.DuplicateAck value) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.b.postReceive(1, peer.b.memory(8, 0));
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 8, 1);
      peer.run();
      peer.clear();
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 8, 1, packet -> packet.ackRequest(false));
      peer.run();
      assertThat(peer.received()).hasSize(value == WireSwitch.DuplicateAck.ALWAYS ? 1 : 0);
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 8, 1);
      peer.run();
      assertThat(peer.received())
          .hasSize(value == WireSwitch.DuplicateAck.ALWAYS ? 2 : 1)
          .containsOnly("ACK psn=0x000100 msn=1");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedSendBeforeTheFirstIsAcknowledgedWithThePsnBeforeOrWithOnes(
      WireSwitch.DuplicateBeforeFirst value) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN - 5, 8, 1);
      peer.run();
      assertThat(peer.received())
          .containsExactly(
              value == WireSwitch.DuplicateBeforeFirst.PREVIOUS
                  ? "ACK psn=0x0000ff msn=0"
                  : "ACK psn=0xffffff msn=0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aRepeatedReadWhoseKeyDiedIsRefusedOrDropped(WireSwitch.DuplicateReadDeadKey value) {
    try (RawPeer peer = Switched.peer(value)) {
      Side.Memory memory = peer.b.memory(64, 7);
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN, RawPeer.reth(memory, 0, 64));
      peer.run();
      peer.clear();
      memory.region().close();
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN, RawPeer.reth(memory, 0, 64));
      peer.run();
      boolean refuses = value == WireSwitch.DuplicateReadDeadKey.NAK;
      assertThat(peer.received())
          .isEqualTo(refuses ? List.of("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=1") : List.of());
      assertThat(peer.b.state()).isEqualTo(refuses ? QueuePairState.ERR : QueuePairState.RTS);
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRestOfAReadIsAnsweredAsBeforeOrAsANewRead(WireSwitch.PartialReadReplay value) {
    try (RawPeer peer = Switched.peer(value)) {
      Side.Memory memory = peer.b.memory(4096, 7);
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN, RawPeer.reth(memory, 0, 4096));
      peer.run();
      peer.clear();
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN + 2, RawPeer.reth(memory, 2048, 2048));
      peer.run();
      String first = value == WireSwitch.PartialReadReplay.CONTINUE ? "MIDDLE" : "FIRST";
      assertThat(peer.received().stream().map(text -> text.substring(0, text.indexOf(" psn"))))
          .containsExactly("READ_RESPONSE_" + first, "READ_RESPONSE_LAST");
    }
  }

  @ParameterizedTest
  @EnumSource
  void theRequesterTakesTheRestOfAReadEitherWay(WireSwitch.PartialReadReplay value) {
    try (Pair pair = Switched.pair(value)) {
      Side.Memory remote = pair.b.memory(4096, 9);
      Side.Memory local = pair.a.memory(4096, 0);
      pair.impair("drop:b>a/RC_READ_RESPONSE_MIDDLE#2");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(local.region(), 0, 4096)
              .signaled());
      pair.run();
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @40000");
      assertThat(local.slice(0, 4096)).containsOnly(9);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReadBeyondTheDepthIsRefusedOrTakesThePlaceOfTheOldest(WireSwitch.ReadDepthExceeded value) {
    LinkConfiguration slow = LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000);
    RawPeer peer =
        RawPeer.connected(Pair.setup().withReadDepth(1), DeviceProfile.strict().with(value), slow);
    try (peer) {
      Side.Memory memory = peer.b.memory(4096, 7);
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN, RawPeer.reth(memory, 0, 4096));
      peer.send(Opcode.RC_READ_REQUEST, RawPeer.PSN + 4, RawPeer.reth(memory, 0, 64));
      peer.run();
      boolean refuses = value == WireSwitch.ReadDepthExceeded.NAK;
      assertThat(peer.received().get(peer.received().size() - 1))
          .startsWith(refuses ? "NAK(INVALID_REQUEST) psn=0x000104" : "READ_RESPONSE_ONLY");
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReservedOpcodeIsRefusedOrDropped(WireSwitch.ReservedOpcode value) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.send(Opcode.RC_RESERVED, RawPeer.PSN, 0, 0, packet -> packet.opcodeValue(0x1F));
      peer.run();
      assertThat(peer.received())
          .isEqualTo(
              value == WireSwitch.ReservedOpcode.NAK
                  ? List.of("NAK(INVALID_REQUEST) psn=0x000100 msn=0")
                  : List.of());
    }
  }

  @ParameterizedTest
  @EnumSource
  void aShortFirstPacketIsRefusedOrTaken(WireSwitch.ShortFirst value) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.b.postReceive(1, peer.b.memory(2048, 0));
      peer.send(Opcode.RC_SEND_FIRST, RawPeer.PSN, 8, 1);
      peer.run();
      assertThat(peer.received())
          .containsExactly(
              value == WireSwitch.ShortFirst.NAK
                  ? "NAK(INVALID_REQUEST) psn=0x000100 msn=0"
                  : "ACK psn=0x000100 msn=0");
    }
  }

  @ParameterizedTest
  @EnumSource
  void communicationEstablishedIsRaisedInRtrOrNever(WireSwitch.CommunicationEstablished value) {
    try (Pair pair =
        Pair.unconnected(
            Fabric.builder().profile(DeviceProfile.strict().with(value)).build(), i -> i)) {
      ConnectionSetup setup = Pair.setup();
      setup.initialize(pair.a.queuePair);
      setup.initialize(pair.b.queuePair);
      setup.readyToReceive(pair.a.queuePair, pair.b.node.gid(), pair.b.queuePair.number());
      setup.readyToReceive(pair.b.queuePair, pair.a.node.gid(), pair.a.queuePair.number());
      setup.readyToSend(pair.a.queuePair);
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.a.postSend(1, pair.a.memory(8, 1));
      pair.run();
      assertThat(pair.b.pollEvents())
          .isEqualTo(
              value == WireSwitch.CommunicationEstablished.NEVER
                  ? List.of()
                  : List.of(AsyncEventType.COMM_EST));
    }
  }

  @Test
  @Checks("ACK-COALESCED")
  void fourRequestsShareAnAcknowledgementAndTheRestWaitsEightMicroseconds() {
    try (Pair pair = Switched.pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
      for (int i = 0; i < 6; i++) {
        pair.b.postReceive(11 + i, pair.b.memory(8, 0));
        pair.a.postSend(i, pair.a.memory(8, 1));
      }
      pair.run();
      assertThat(pair.journal.from("b").stream().map(packet -> packet.summary()))
          .containsExactly("ACK psn=0x000103 msn=4", "ACK psn=0x000105 msn=6");
      assertThat(pair.journal.times("b")).containsExactly(10_000L, 18_000L);
      assertThat(pair.completions("a")).hasSize(6);
    }
  }

  @Test
  @Checks("ACK-COALESCED")
  void aReadBehindRequestsThatWaitForTheirAckComesBehindIt() {
    try (Pair pair = Switched.pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
      Side.Memory remote = pair.b.memory(8, 9);
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.a.postSend(1, pair.a.memory(8, 1));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(pair.a.memory(8, 0).region(), 0, 8)
              .signaled());
      pair.run();
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "READ_RESPONSE_ONLY 000101");
      assertThat(pair.journal.times("b")).containsExactly(10_000L, 10_000L);
    }
  }

  @Test
  void whileAnAckWaitsNoLossOfItsHoldsUpTheExchange() {
    for (int lost = 1; lost <= 2; lost++) {
      try (Pair pair = Switched.pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
        pair.impair("drop:b>a/ACK#" + lost);
        for (int i = 0; i < 6; i++) {
          pair.b.postReceive(11 + i, pair.b.memory(8, 0));
          pair.a.postSend(i, pair.a.memory(8, 1));
        }
        pair.run();
        assertThat(pair.completions("a")).hasSize(6).allMatch(text -> text.contains("SUCCESS"));
        assertThat(pair.completions("b")).hasSize(6);
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"MIGRATED,true", "ZERO,false"})
  void theMigrationBitIsSetOrNot(WireSwitch.MigrationRequest value, boolean set) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.b.postSend(1, peer.b.memory(8, 1));
      peer.runRoundTrip();
      assertThat(peer.migrationBits()).containsExactly(set);
    }
  }
}

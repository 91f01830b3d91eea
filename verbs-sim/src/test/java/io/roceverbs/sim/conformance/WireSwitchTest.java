package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each point in which devices differ on the wire and at the post, on both of its sides. */
class WireSwitchTest {
  private static DeviceProfile strictWith(ProfileSwitch... values) {
    return DeviceProfile.strict().with(values);
  }

  private static Pair pair(DeviceProfile profile, ConnectionSetup setup) {
    Pair pair =
        Pair.unconnected(Fabric.builder().profile(profile).build(), init -> init.withInline(64));
    pair.connect(setup, setup);
    return pair;
  }

  private static Pair pair(ProfileSwitch... values) {
    return pair(strictWith(values), Pair.setup());
  }

  private static RawPeer peer(ProfileSwitch... values) {
    return RawPeer.connected(Pair.setup(), strictWith(values));
  }

  // ---- requester -----------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"YES,4", "NO,5"})
  void aSequenceNakCostsARetryOrNot(WireSwitch.SequenceNakCostsRetry value, int transmissions) {
    RawPeer peer = RawPeer.connected(Pair.setup().withRetries(3, 3), strictWith(value));
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
    try (Pair pair = pair(strictWith(value), Pair.setup().withRetries(7, 7))) {
      pair.impair("drop:a>b/SEND");
      pair.a.postSend(1, pair.a.memory(8, 1));
      pair.runFor(50 * Pair.ACK_TIMEOUT_NANOS);
      assertThat(pair.journal.psns("a")).hasSize(transmissions);
    }
  }

  @ParameterizedTest
  @CsvSource({"EXACT,67108864", "TICKS,68000000"})
  void theAckTimerRunsExactlyOrInTicks(WireSwitch.AckTimer value, long againAtNanos) {
    try (Pair pair = pair(value)) {
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
    try (Pair pair = pair(value)) {
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
    try (Pair pair = pair(WireSwitch.Credits.ON)) {
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
      try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
    try (Pair pair = pair(value)) {
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
    RawPeer peer = RawPeer.connected(Pair.setup().withReadDepth(1), strictWith(value), slow);
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
    try (RawPeer peer = peer(value)) {
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
    try (RawPeer peer = peer(value)) {
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
        Pair.unconnected(Fabric.builder().profile(strictWith(value)).build(), i -> i)) {
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
    try (Pair pair = pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
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
    try (Pair pair = pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
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
      try (Pair pair = pair(WireSwitch.AckCoalescing.EVERY_FOURTH)) {
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
    try (RawPeer peer = peer(value)) {
      peer.b.postSend(1, peer.b.memory(8, 1));
      peer.runRoundTrip();
      assertThat(peer.migrationBits()).containsExactly(set);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "LOC_LEN_ERR,NAK(INVALID_REQUEST),LOC_LEN_ERR",
    "REMOTE_OPERATION,NAK(REMOTE_OPERATIONAL_ERROR),LOC_QP_OP_ERR",
    "LOC_QP_OP_ERR,NAK(INVALID_REQUEST),LOC_QP_OP_ERR"
  })
  void aMessageLongerThanItsReceiveIsReportedInThreeWays(
      ErrorSwitch.ReceiveTooShort value, String nak, String status) {
    try (RawPeer peer = peer(value)) {
      peer.b.postReceive(1, peer.b.memory(8, 0));
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 9, 1);
      peer.run();
      assertThat(peer.received()).containsExactly(nak + " psn=0x000100 msn=0");
      assertThat(peer.completions()).containsExactly("RECV 1 " + status);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLocalFaultHasItsStatusAndPerhapsAnEvent(ErrorSwitch.LocalFaultStatus value) {
    try (Pair pair = pair(value)) {
      pair.a.queuePair.post(pair.a.request.reset(1).send().segment(0x1000, 8, 0xBAD00).signaled());
      String status =
          switch (value) {
            case LOC_PROT_ERR, LOC_PROT_ERR_AND_EVENT -> "LOC_PROT_ERR";
            case RXE_6_1 -> "LOC_QP_OP_ERR";
            case RXE_6_12 -> "WR_FLUSH_ERR";
          };
      assertThat(pair.completions("a")).containsExactly("SEND 1 " + status + " @0");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents().contains(AsyncEventType.QP_ACCESS_ERR))
          .isEqualTo(value == ErrorSwitch.LocalFaultStatus.LOC_PROT_ERR_AND_EVENT);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETE_FIRST,SEND 1 SUCCESS;SEND 2 LOC_PROT_ERR;SEND 3 WR_FLUSH_ERR",
    "NEVER_COMPLETED,''",
    "FLUSHED,SEND 1 WR_FLUSH_ERR;SEND 2 WR_FLUSH_ERR;SEND 3 WR_FLUSH_ERR"
  })
  void whatIsBeforeALocalFaultEndsInThreeWays(ErrorSwitch.BeforeLocalFault value, String ends) {
    try (Pair pair = pair(value)) {
      pair.b.postReceive(11, pair.b.memory(8, 0));
      Side.Memory good = pair.a.memory(8, 1);
      pair.a.postSend(1, good);
      pair.a.queuePair.post(pair.a.request.reset(2).send().segment(0x1000, 8, 0xBAD00).signaled());
      pair.a.postSend(3, good);
      pair.run();
      assertThat(
              String.join(
                  ";", pair.completions("a").stream().map(t -> t.replaceAll(" @.*", "")).toList()))
          .isEqualTo(ends);
    }
  }

  // ---- posting -------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"EINVAL,EINVAL", "ENOMEM_AT_SEND,ENOMEM"})
  void aSendBeforeRtsOrWithTooManySegmentsHasItsErrno(PostingSwitch.PostErrno value, Errno errno) {
    Fabric fabric = Fabric.builder().profile(strictWith(value)).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      SendRequest send = new SendRequest().reset(1).send();
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
      PostException receive =
          catchThrowableOfType(PostException.class, () -> pair.a.postEmptyReceive(1));
      assertThat(receive.errno()).isEqualTo(Errno.EINVAL);
      pair.connect(Pair.setup(), Pair.setup());
      for (int i = 0; i < 5; i++) {
        send.segment(0, 1, 1);
      }
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
    }
  }

  @ParameterizedTest
  @CsvSource({"EINVAL,EINVAL", "ENOSPC_AT_COMPLETE,EINVAL", "ENOMEM,ENOMEM"})
  void tooMuchInlineDataHasItsErrno(PostingSwitch.InlineTooLong value, Errno errno) {
    try (Pair pair = pair(value)) {
      SendRequest send = new SendRequest().reset(1).send().inlineData(ByteBuffer.allocate(65));
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReadWithoutDepthIsRefusedOrWaits(PostingSwitch.ZeroReadDepth value) {
    try (Pair pair = pair(strictWith(value), Pair.setup().withReadDepth(0))) {
      Side.Memory remote = pair.b.memory(8, 0);
      SendRequest read =
          new SendRequest()
              .reset(1)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(pair.a.memory(8, 0).region(), 0, 8);
      if (value == PostingSwitch.ZeroReadDepth.EINVAL_AT_POST) {
        assertThat(
                catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(read))
                    .errno())
            .isEqualTo(Errno.EINVAL);
      } else {
        pair.a.queuePair.post(read);
        pair.run();
        assertThat(pair.journal.all()).isEmpty();
        assertThat(pair.completions("a")).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"NONE,5,8,3,9", "UP_TO_POWER_LESS_ONE,7,15,4,15", "UP_TO_POWER,8,8,3,16"})
  @Checks("CAPACITY-EXACT")
  void capacitiesAreExactOrRoundedUp(
      PostingSwitch.CapacityRounding value, int sends, int receives, int depth, int shared) {
    Fabric fabric = Fabric.builder().profile(strictWith(value)).build();
    try (Pair pair =
        Pair.unconnected(
            fabric, init -> init.withCapacities(new QueuePairCapacities(5, 8, 3, 3, 0)))) {
      QueuePairCapacities given = pair.a.queuePair.init().capacities();
      assertThat(given).isEqualTo(new QueuePairCapacities(sends, receives, 3, 3, 0));
      pair.connect(Pair.setup().withReadDepth(3), Pair.setup().withReadDepth(3));
      assertThat(pair.a.queuePair.query().maxReadAtomic()).isEqualTo(depth);
      assertThat(pair.a.queuePair.query().maxDestinationReadAtomic()).isEqualTo(depth);
      for (int i = 0; i < receives; i++) {
        pair.a.postEmptyReceive(i);
      }
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.postEmptyReceive(9)).errno())
          .isEqualTo(Errno.ENOMEM);
      assertThat(pair.a.domain.createSharedReceiveQueue(9, 1).query().maxRequests())
          .isEqualTo(shared);
      try (CompletionQueue queue = pair.a.context.createCompletionQueue(5)) {
        assertThat(queue.capacity()).isEqualTo(sends);
        queue.resize(9);
        assertThat(queue.capacity()).isEqualTo(shared);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks("SQ-DRAINED")
  void aDrainedSendQueueIsToldIfAskedOrAlways(PostingSwitch.SendQueueDrainedEvent value) {
    try (Pair pair = pair(value)) {
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).build());
      assertThat(pair.a.pollEvents())
          .isEqualTo(
              value == PostingSwitch.SendQueueDrainedEvent.ALWAYS
                  ? List.of(AsyncEventType.SQ_DRAINED)
                  : List.of());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks({"C30", "RESET-OF-RESET"})
  void aResetOfAFreshQueuePairIsHarmlessOrSpoilsTheNextInit(boolean spoils) {
    Quirk.ResetSpoilsInit value = spoils ? Quirk.ResetSpoilsInit.YES : Quirk.ResetSpoilsInit.NO;
    Fabric fabric = Fabric.builder().profile(strictWith(value)).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      if (spoils) {
        assertThat(
                catchThrowableOfType(
                        VerbsException.class, () -> Pair.setup().initialize(pair.a.queuePair))
                    .errno())
            .isEqualTo(Errno.EINVAL);
        assertThat(pair.a.state()).isEqualTo(QueuePairState.RESET);
      }
      pair.connect(Pair.setup(), Pair.setup());
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }
}

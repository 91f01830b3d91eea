package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * READs at the responder: repeated ones, the order of answers, and more of them than were agreed.
 */
class ResponderReadTest {
  /** A link on which the answers of a READ wait for each other. */
  private static final LinkConfiguration SLOW =
      LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L);

  /** The request takes 10.7 us to arrive, and each packet of the answer 8.7 us to leave. */
  private static final Duration AFTER_TWO_RESPONSES = Duration.ofNanos(25_000);

  private static Side.Memory counted(Side side, int bytes) {
    Side.Memory memory = side.memory(bytes, 0);
    for (int i = 0; i < bytes; i++) {
      memory.bytes().put(i, (byte) (i / 1024 + 1));
    }
    return memory;
  }

  private static void read(RawPeer raw, int psn, Side.Memory source, long offset, long length) {
    raw.send(Opcode.RC_READ_REQUEST, psn, RawPeer.reth(source, offset, length));
  }

  @Test
  @Checks("DUPLICATE-READ")
  void aRepeatedReadGivesTheMemoryAsItIsNow() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 2000);
      read(raw, 0x000100, source, 0, 2000);
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_LAST psn=0x000101 msn=1 len=976");
      assertThat(raw.payload(0)).containsOnly(1);
      assertThat(raw.payload(1)).containsOnly(2);

      raw.clear();
      source.fill(0x77);
      read(raw, 0x000100, source, 0, 2000);
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_LAST psn=0x000101 msn=1 len=976");
      assertThat(raw.payload(0)).containsOnly(0x77);
      assertThat(raw.payload(1)).containsOnly(0x77);
    }
  }

  @Test
  @Checks({"DUPLICATE-READ", "FAULT-REPORT"})
  void aRepeatedReadWithADeadKeyIsRefusedWithoutAnEvent() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 2000);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      read(raw, 0x000100, source, 0, 2000);
      raw.run();
      raw.clear();
      source.region().close();
      read(raw, 0x000101, source, 1024, 976);
      raw.run();

      assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000101 msn=1");
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  @Test
  @Checks({"READ-REPLAY-OPCODE", "READ-REPLAY-INSIDE"})
  void theRestOfAReadKeepsItsPsnsItsPlacesAndItsOpcodes() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 4000);
      read(raw, 0x000100, source, 0, 4000);
      raw.run();
      raw.clear();
      read(raw, 0x000102, source, 2048, 1952);
      read(raw, 0x000103, source, 3072, 928);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_MIDDLE psn=0x000102 len=1024",
              "READ_RESPONSE_LAST psn=0x000103 msn=1 len=928",
              "READ_RESPONSE_LAST psn=0x000103 msn=1 len=928");
      assertThat(raw.payload(0)).containsOnly(3);
      assertThat(raw.payload(1)).containsOnly(4);
      assertThat(raw.b.node.transport().duplicateRequests()).isEqualTo(2);
    }
  }

  @Test
  @Checks("READ-REPLAY-INSIDE")
  void theRestOfAReadIsFoundAcrossTheEndOfThePsns() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withFirstPsn(0xFFFFFE))) {
      Side.Memory source = counted(raw.b, 4000);
      read(raw, 0xFFFFFE, source, 0, 4000);
      raw.run();
      raw.clear();
      read(raw, 0x000001, source, 3072, 928);
      raw.run();
      assertThat(raw.received()).containsExactly("READ_RESPONSE_LAST psn=0x000001 msn=1 len=928");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0x000100, 0, 4001",
    "0x000100, 1, 3999",
    "0x000100, 1024, 2976",
    "0x000101, 0, 4000",
    "0x000101, 1023, 2977",
    "0x000101, 1024, 2977",
    "0x000103, 3072, 929",
    "0x000103, 3072, 0",
    "0x000103, -1024, 928",
    "0x000102, 2048, 4294967295",
    "0x0000FF, 0, 4000"
  })
  @Checks({"C45", "READ-REPLAY-INSIDE"})
  void aRepeatedReadOutsideTheFirstOneIsDroppedInSilence(String psn, long offset, long length) {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 8192);
      read(raw, 0x000100, source, 0, 4000);
      raw.run();
      raw.clear();
      read(raw, Integer.decode(psn), source, offset, length);
      raw.run();

      assertThat(raw.received()).isEmpty();
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(raw.b.node.transport().duplicateRequests()).isEqualTo(1);
    }
  }

  @Test
  @Checks({"C45", "READ-REPLAY-INSIDE"})
  void aRepeatedReadWithAnotherKeyOrAnotherOperationIsDroppedInSilence() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 1024);
      Side.Memory other = counted(raw.b, 1024);
      read(raw, 0x000100, source, 0, 1024);
      raw.run();
      raw.clear();
      raw.send(
          Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(source.address(), other.rkey(), 1024));
      raw.send(Opcode.RC_FETCH_ADD, 0x000100, RawPeer.reth(source, 0, 0));
      raw.run();
      assertThat(raw.received()).isEmpty();
      assertThat(source.slice(0, 8)).containsOnly(1);
    }
  }

  @Test
  @Checks("READ-REPLAY-INSIDE")
  void aReadThatWasForgottenForLaterOnesIsDroppedInSilence() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory source = counted(raw.b, 1024);
      for (int i = 0; i < 5; i++) {
        read(raw, 0x000100 + i, source, 0, 8);
      }
      raw.run();
      raw.clear();
      read(raw, 0x000100, source, 0, 8);
      read(raw, 0x000101, source, 0, 8);
      raw.run();
      assertThat(raw.received()).containsExactly("READ_RESPONSE_ONLY psn=0x000101 msn=2 len=8");
    }
  }

  @Test
  @Checks("RESPONSE-ORDER")
  void answersLeaveInTheOrderOfTheirRequestsThoughAReadTakesItsTime() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory source = counted(raw.b, 4096);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      read(raw, 0x000100, source, 0, 4096);
      raw.send(Opcode.RC_SEND_ONLY, 0x000104, 8, 9);
      raw.send(Opcode.RC_FETCH_ADD, 0x000105, RawPeer.fetchAdd(source, 0, 1));
      raw.send(Opcode.RC_SEND_ONLY, 0x000104, 8, 9);
      read(raw, 0x000106, source, 8, 8);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000102 len=1024",
              "READ_RESPONSE_LAST psn=0x000103 msn=1 len=1024",
              "ACK psn=0x000104 msn=2",
              "ATOMIC_ACKNOWLEDGE psn=0x000105 msn=3 original=0x101010101010101",
              "ACK psn=0x000105 msn=3",
              "READ_RESPONSE_ONLY psn=0x000106 msn=4 len=8");
    }
  }

  @Test
  @Checks({"READ-DEPTH-EXCEEDED", "RESPONSE-ORDER", "FAULT-REPORT"})
  void oneReadMoreThanAgreedIsRefusedAfterTheAnswersBeforeIt() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withReadDepth(1), SLOW)) {
      Side.Memory source = counted(raw.b, 4096);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      read(raw, 0x000100, source, 0, 4096);
      read(raw, 0x000104, source, 0, 8);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000102 len=1024",
              "READ_RESPONSE_LAST psn=0x000103 msn=1 len=1024",
              "NAK(INVALID_REQUEST) psn=0x000104 msn=1");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
    }
  }

  @Test
  @Checks("RESPONSE-ORDER")
  void aRequesterThatReadsDeeperThanAgreedFailsAtTheReadTooMany() {
    ConnectionSetup setup = Pair.setup();
    try (Pair pair = Pair.unconnected(Fabric.builder().link(SLOW).build(), init -> init)) {
      pair.connect(setup.withReadDepth(4), setup.withReadDepth(1));
      Side.Memory source = counted(pair.b, 4096);
      Side.Memory target = pair.a.memory(4096, 0);
      for (int i = 1; i <= 3; i++) {
        pair.a.queuePair.post(
            pair.a
                .request
                .reset(i)
                .rdmaRead(source.address(), source.rkey())
                .segment(target.region(), 0, 4096)
                .signaled());
      }
      pair.run();

      assertThat(pair.a.pollSends())
          .extracting(completion -> completion.id() + " " + completion.status())
          .containsExactly("1 SUCCESS", "2 REM_INV_REQ_ERR", "3 WR_FLUSH_ERR");
      assertThat(target.slice(0, 4096)).isEqualTo(source.slice(0, 4096));
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(pair.journal.startingWith("NAK(INVALID_REQUEST) psn=0x000104")).hasSize(1);
    }
  }

  @Test
  @Checks({"READ-CUT-OFF", "FAULT-REPORT"})
  void aReadWhoseKeyDiesWhileItIsAnsweredStopsAtThatPacket() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory source = counted(raw.b, 4096);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      read(raw, 0x000100, source, 0, 4096);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      source.region().close();
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000102 msn=1");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  @Test
  @Checks("RESPONSE-ORDER")
  void aQueuePairThatIsMovedToErrorSendsNoFurtherAnswer() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      read(raw, 0x000100, counted(raw.b, 4096), 0, 4096);
      raw.fabric.runFor(AFTER_TWO_RESPONSES);
      raw.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000101 len=1024");
    }
  }

  @ParameterizedTest
  @CsvSource({"RC_READ_REQUEST", "RC_FETCH_ADD", "RC_COMPARE_SWAP"})
  @Checks({"READ-DEPTH-EXCEEDED", "FAULT-REPORT", "S38"})
  void atDepthZeroNoReadAndNoAtomicIsTaken(Opcode opcode) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withReadDepth(0))) {
      Side.Memory source = counted(raw.b, 1024);
      raw.send(opcode, 0x000100, RawPeer.reth(source, 0, 8));
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(source.slice(0, 8)).containsOnly(1);
    }
  }

  @Test
  @Checks("KEY-ZERO-LENGTH")
  void aReadOfNothingLooksAtNoKeyAndIsAnsweredAgainWhenRepeated() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(-1L, 0xDEADBEEF, 0));
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(-1L, 0xDEADBEEF, 0));
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=0",
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=0");
    }
  }
}

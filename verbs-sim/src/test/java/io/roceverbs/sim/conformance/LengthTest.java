package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Lengths of packets and messages that do not fit: the path MTU, the receive, the RETH. */
class LengthTest {
  /** Packets of a length that no right requester sends. */
  @Nested
  class OfHandMadePackets {
    private static final long TWO_GIB = 1L << 31;

    private final RawPeer raw = RawPeer.connected();
    private final Side.Memory target = raw.b.memory(8192, 0);

    @AfterEach
    void close() {
      raw.close();
    }

    private void postReceives() {
      raw.b.postReceive(1, raw.b.memory(8192, 0));
      raw.b.postReceive(2, raw.b.memory(8192, 0));
    }

    private void assertReceiveFailed(String... answers) {
      assertThat(raw.received()).containsExactly(answers);
      assertThat(raw.completions()).containsExactly("RECV 1 LOC_LEN_ERR", "RECV 2 WR_FLUSH_ERR");
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }

    private void assertEventRaised(String... answers) {
      assertThat(raw.received()).containsExactly(answers);
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR", "RECV 2 WR_FLUSH_ERR");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }

    @ParameterizedTest
    @CsvSource({
      "RC_SEND_FIRST, 0",
      "RC_SEND_FIRST, 1023",
      "RC_SEND_FIRST, 1025",
      "RC_SEND_ONLY, 1025",
      "RC_SEND_ONLY_WITH_IMMEDIATE, 1028",
      "RC_SEND_ONLY_WITH_INVALIDATE, 2048"
    })
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aSendThatBeginsWithAWrongLengthFailsItsReceive(Opcode opcode, int length) {
      postReceives();
      raw.send(opcode, 0x000100, length, 1);
      raw.run();
      assertReceiveFailed("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
    }

    @ParameterizedTest
    @CsvSource({
      "RC_SEND_MIDDLE, 0",
      "RC_SEND_MIDDLE, 1020",
      "RC_SEND_MIDDLE, 1028",
      "RC_SEND_LAST, 0",
      "RC_SEND_LAST, 1025",
      "RC_SEND_LAST_WITH_IMMEDIATE, 0",
      "RC_SEND_LAST_WITH_INVALIDATE, 0"
    })
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aSendThatGoesOnWithAWrongLengthFailsItsReceive(Opcode opcode, int length) {
      postReceives();
      raw.send(Opcode.RC_SEND_FIRST, 0x000100, RawPeer.MTU, 1);
      raw.send(opcode, 0x000101, length, 1);
      raw.run();
      assertReceiveFailed("ACK psn=0x000100 msn=0", "NAK(INVALID_REQUEST) psn=0x000101 msn=0");
    }

    @ParameterizedTest
    @CsvSource({
      "RC_WRITE_FIRST, 1023, 2048",
      "RC_WRITE_FIRST, 1025, 2048",
      "RC_WRITE_FIRST, 1024, 1024",
      "RC_WRITE_FIRST, 1024, 0",
      "RC_WRITE_ONLY, 1025, 1025",
      "RC_WRITE_ONLY, 0, 1",
      "RC_WRITE_ONLY, 4, 5",
      "RC_WRITE_ONLY, 5, 4",
      "RC_WRITE_ONLY, 1, 0"
    })
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aWriteThatBeginsWithAWrongLengthRaisesAnEvent(Opcode opcode, int length, int dmaLength) {
      postReceives();
      raw.send(opcode, 0x000100, length, 1, RawPeer.reth(target, 0, dmaLength));
      raw.run();
      assertEventRaised("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(target.slice(0, 8192)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({
      "RC_WRITE_MIDDLE, 1023",
      "RC_WRITE_MIDDLE, 1025",
      "RC_WRITE_MIDDLE, 1024",
      "RC_WRITE_LAST, 0",
      "RC_WRITE_LAST, 99",
      "RC_WRITE_LAST, 101",
      "RC_WRITE_LAST, 1025"
    })
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aWriteThatGoesOnWithAWrongLengthRaisesAnEvent(Opcode opcode, int length) {
      postReceives();
      raw.send(Opcode.RC_WRITE_FIRST, 0x000100, RawPeer.MTU, 1, RawPeer.reth(target, 0, 1124));
      raw.send(opcode, 0x000101, length, 1);
      raw.run();
      assertEventRaised("ACK psn=0x000100 msn=0", "NAK(INVALID_REQUEST) psn=0x000101 msn=0");
      assertThat(target.slice(1024, 8192)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"RC_WRITE_ONLY_WITH_IMMEDIATE, 5, 4", "RC_WRITE_ONLY_WITH_IMMEDIATE, 1025, 1025"})
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aWriteWithImmediateOfAWrongLengthFailsItsReceive(
        Opcode opcode, int length, int dmaLength) {
      postReceives();
      raw.send(opcode, 0x000100, length, 1, RawPeer.reth(target, 0, dmaLength));
      raw.run();
      assertReceiveFailed("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(target.slice(0, 8192)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"RC_WRITE_FIRST, 1024", "RC_READ_REQUEST, 0"})
    @Checks({"C45", "PACKET-LENGTH", "FAULT-REPORT"})
    void aMessageAboveTwoGibibytesIsAnInvalidRequestAndNoQuestionOfTheKey(
        Opcode opcode, int length) {
      postReceives();
      raw.send(opcode, 0x000100, length, 1, RawPeer.reth(target, 0, TWO_GIB + 1));
      raw.run();
      assertEventRaised("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(target.slice(0, 8192)).containsOnly(0);
    }

    @ParameterizedTest
    @CsvSource({"RC_WRITE_FIRST, 1024", "RC_READ_REQUEST, 0"})
    @Checks({"PACKET-LENGTH", "FAULT-REPORT"})
    void aMessageOfTwoGibibytesIsLegalAndFailsByItsKey(Opcode opcode, int length) {
      postReceives();
      raw.send(opcode, 0x000100, length, 1, RawPeer.reth(target, 0, TWO_GIB));
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    }
  }

  /** C43 and its neighbours, with both sides ours. */
  @Nested
  class OfAReceive {
    private final Pair pair = Pair.connected();

    @AfterEach
    void close() {
      pair.close();
    }

    private void send(int length, int fill) {
      Side.Memory source = pair.a.memory(Math.max(1, length), fill);
      pair.a.queuePair.post(
          pair.a.request.reset(1).send().segment(source.region(), 0, length).signaled());
    }

    private void assertBothFailed(String... answers) {
      assertThat(pair.completions("a")).containsExactly("SEND 1 REM_INV_REQ_ERR @20000");
      assertThat(pair.completions("b"))
          .containsExactly("RECV 11 LOC_LEN_ERR @10000", "RECV 12 WR_FLUSH_ERR @10000");
      assertThat(pair.journal.from("b")).extracting("summary").containsExactly((Object[]) answers);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents()).isEmpty();
      assertThat(pair.b.pollEvents()).isEmpty();
    }

    @Test
    @Checks({"C43", "PACKET-LENGTH", "FAULT-REPORT", "S35"})
    void aMessageThatIsOneByteTooLongFailsOnBothSides() {
      Side.Memory receive = pair.b.memory(101, 0);
      pair.b.queuePair.post(new ReceiveRequest().reset(11).segment(receive.region(), 0, 100));
      pair.b.postReceive(12, pair.b.memory(200, 0));
      send(101, 0x41);
      pair.run();

      assertBothFailed("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(receive.slice(0, 101)).containsOnly(0);
    }

    @Test
    @Checks("C43")
    void aLongMessageFailsAtThePacketThatNoLongerFits() {
      Side.Memory receive = pair.b.memory(2000, 0);
      pair.b.postReceive(11, receive);
      pair.b.postReceive(12, pair.b.memory(200, 0));
      send(2001, 0x41);
      pair.run();

      assertBothFailed("NAK(INVALID_REQUEST) psn=0x000101 msn=0");
      assertThat(pair.journal.words("a")).containsExactly("SEND_FIRST 000100", "SEND_LAST 000101");
      assertThat(receive.slice(1024, 2000)).containsOnly(0);
    }

    @Test
    @Checks("C43")
    void aMessageFillsTheSegmentsOfItsReceiveInTurn() {
      Side.Memory first = pair.b.memory(60, 0);
      Side.Memory second = pair.b.memory(60, 0);
      pair.b.queuePair.post(
          new ReceiveRequest()
              .reset(11)
              .segment(first.region(), 0, 60)
              .segment(second.region(), 0, 60));
      Side.Memory source = pair.a.memory(120, 0);
      for (int i = 0; i < 120; i++) {
        source.bytes().put(i, (byte) i);
      }
      pair.a.postSend(1, source);
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @20000");
      assertThat(pair.b.pollReceives())
          .singleElement()
          .satisfies(completion -> assertThat(completion.byteLength()).isEqualTo(120));
      assertThat(first.slice(0, 60)).isEqualTo(source.slice(0, 60));
      assertThat(second.slice(0, 60)).isEqualTo(source.slice(60, 120));
    }

    @Test
    @Checks("C43")
    void anEmptyMessageTakesAReceiveWithoutASegment() {
      pair.b.postEmptyReceive(11);
      pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @20000");
      List<WorkCompletion> received = pair.b.pollReceives();
      assertThat(received).hasSize(1);
      assertThat(received.get(0).isSuccess()).isTrue();
      assertThat(received.get(0).byteLength()).isZero();
    }
  }
}

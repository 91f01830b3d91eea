package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Responses that no right responder sends, and what a requester makes of them. */
@Checks("RESPONSE-WRONG")
class RequesterResponseTest {
  private static final int ACK = 0x1F;
  private static final long REMOTE_ADDRESS = 0x10000;
  private static final int REMOTE_KEY = 0x2300;

  private final RawPeer raw = RawPeer.connected();
  private final Side b = raw.b;
  private final Side.Memory local = b.memory(4096, 0);

  @BeforeEach
  void postReceive() {
    b.postReceive(90, b.memory(8, 0));
  }

  @AfterEach
  void close() {
    raw.close();
  }

  private void postSend(long id) {
    b.queuePair.post(b.request.reset(id).send().segment(local.region(), 0, 4).signaled());
  }

  private void postWrite(long id) {
    b.queuePair.post(
        b.request
            .reset(id)
            .rdmaWrite(REMOTE_ADDRESS, REMOTE_KEY)
            .segment(local.region(), 0, 4)
            .signaled());
  }

  private void postRead(long id, int length) {
    b.queuePair.post(
        b.request
            .reset(id)
            .rdmaRead(REMOTE_ADDRESS, REMOTE_KEY)
            .segment(local.region(), 0, length)
            .signaled());
  }

  private void postAtomic(long id) {
    b.queuePair.post(
        b.request
            .reset(id)
            .fetchAndAdd(REMOTE_ADDRESS, REMOTE_KEY, 1)
            .segment(local.region(), 0, 8)
            .signaled());
  }

  private void respond(Opcode opcode, int psn, int length, int fill) {
    raw.send(opcode, psn, length, fill, packet -> packet.aeth().syndrome(ACK));
  }

  /**
   * The request at the head has a bad response, what follows is flushed, and nothing more is sent.
   */
  private void assertBadResponse(Runnable posts, Runnable responses, String operation) {
    posts.run();
    postSend(2);
    raw.runRoundTrip();
    raw.clear();
    responses.run();
    raw.run();

    assertThat(raw.completions())
        .containsExactly(
            operation + " 1 BAD_RESP_ERR", "SEND 2 WR_FLUSH_ERR", "RECV 90 WR_FLUSH_ERR");
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(b.pollEvents()).isEmpty();
    assertThat(raw.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x40, 0x5F, 0x80, 0x9F, 0xA0, 0xE1, 0xFF, 0x64, 0x65, 0x7F})
  void aReservedSyndromeOrNakCodeIsABadResponse(int syndrome) {
    assertBadResponse(() -> postSend(1), () -> raw.acknowledge(RawPeer.PSN, syndrome), "SEND");
  }

  @Test
  void aReadResponseToASendIsABadResponse() {
    assertBadResponse(
        () -> postSend(1), () -> respond(Opcode.RC_READ_RESPONSE_ONLY, RawPeer.PSN, 4, 1), "SEND");
  }

  @Test
  void anAtomicResponseToAWriteIsABadResponse() {
    assertBadResponse(
        () -> postWrite(1),
        () -> respond(Opcode.RC_ATOMIC_ACKNOWLEDGE, RawPeer.PSN, 0, 0),
        "RDMA_WRITE");
  }

  @Test
  void anAtomicResponseToAReadIsABadResponse() {
    assertBadResponse(
        () -> postRead(1, 8),
        () -> respond(Opcode.RC_ATOMIC_ACKNOWLEDGE, RawPeer.PSN, 0, 0),
        "RDMA_READ");
    assertThat(local.slice(0, 8)).containsOnly(0);
  }

  @Test
  void aReadResponseToAnAtomicIsABadResponse() {
    assertBadResponse(
        () -> postAtomic(1),
        () -> respond(Opcode.RC_READ_RESPONSE_ONLY, RawPeer.PSN, 8, 1),
        "ATOMIC_FETCH_AND_ADD");
    assertThat(local.slice(0, 8)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "8, RC_READ_RESPONSE_ONLY, 7",
    "8, RC_READ_RESPONSE_ONLY, 9",
    "8, RC_READ_RESPONSE_ONLY, 0",
    "8, RC_READ_RESPONSE_LAST, 8",
    "8, RC_READ_RESPONSE_FIRST, 8",
    "8, RC_READ_RESPONSE_MIDDLE, 8",
    "8, RC_READ_RESPONSE_FIRST, 1024",
    "0, RC_READ_RESPONSE_ONLY, 1",
    "2000, RC_READ_RESPONSE_ONLY, 1024",
    "2000, RC_READ_RESPONSE_ONLY, 976",
    "2000, RC_READ_RESPONSE_MIDDLE, 1024",
    "2000, RC_READ_RESPONSE_LAST, 976",
    "2000, RC_READ_RESPONSE_FIRST, 1023",
    "2000, RC_READ_RESPONSE_FIRST, 1025"
  })
  void aReadThatIsAnsweredWronglyFromTheStartIsABadResponse(int asked, Opcode opcode, int length) {
    assertBadResponse(
        () -> postRead(1, asked), () -> respond(opcode, RawPeer.PSN, length, 1), "RDMA_READ");
    assertThat(local.slice(0, 4096)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "RC_READ_RESPONSE_FIRST, 1024",
    "RC_READ_RESPONSE_LAST, 1024",
    "RC_READ_RESPONSE_ONLY, 1024",
    "RC_READ_RESPONSE_MIDDLE, 1023",
    "RC_READ_RESPONSE_LAST, 952"
  })
  @Checks("READ-REPLAY-OPCODE")
  void aReadThatIsAnsweredWronglyInTheMiddleIsABadResponse(Opcode opcode, int length) {
    assertBadResponse(
        () -> postRead(1, 3000),
        () -> {
          respond(Opcode.RC_READ_RESPONSE_FIRST, 0x000100, 1024, 1);
          respond(opcode, 0x000101, length, 2);
        },
        "RDMA_READ");
    assertThat(local.slice(0, 1024)).containsOnly(1);
    assertThat(local.slice(1024, 4096)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({
    "RC_READ_RESPONSE_MIDDLE, 952",
    "RC_READ_RESPONSE_FIRST, 952",
    "RC_READ_RESPONSE_LAST, 951",
    "RC_READ_RESPONSE_LAST, 953",
    "RC_READ_RESPONSE_ONLY, 952"
  })
  void aReadThatIsAnsweredWronglyAtTheEndIsABadResponse(Opcode opcode, int length) {
    assertBadResponse(
        () -> postRead(1, 3000),
        () -> {
          respond(Opcode.RC_READ_RESPONSE_FIRST, 0x000100, 1024, 1);
          respond(Opcode.RC_READ_RESPONSE_MIDDLE, 0x000101, 1024, 2);
          respond(opcode, 0x000102, length, 3);
        },
        "RDMA_READ");
    assertThat(local.slice(2048, 4096)).containsOnly(0);
  }

  @ParameterizedTest
  @CsvSource({"0x61, REM_INV_REQ_ERR", "0x62, REM_ACCESS_ERR", "0x63, REM_OP_ERR"})
  void aFatalNakCompletesWhatIsBeforeItAndFailsWhatItNames(String syndrome, String status) {
    postSend(1);
    postWrite(2);
    postSend(3);
    raw.runRoundTrip();
    raw.clear();
    raw.acknowledge(0x000101, Integer.decode(syndrome));
    raw.run();
    assertThat(raw.completions())
        .containsExactly(
            "SEND 1 SUCCESS",
            "RDMA_WRITE 2 " + status,
            "SEND 3 WR_FLUSH_ERR",
            "RECV 90 WR_FLUSH_ERR");
    assertThat(raw.received()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x0000FF, 0x000101, 0x000100 + (1 << 23) - 1, 0x000100 + (1 << 23)})
  @Checks("RESPONSE-GHOST")
  void aResponseForAPsnThatIsNotOutstandingIsIgnored(int psn) {
    postSend(1);
    raw.runRoundTrip();
    raw.clear();
    raw.acknowledge(psn, ACK);
    raw.acknowledge(psn, 0x60);
    raw.acknowledge(psn, 0x62);
    raw.acknowledge(psn, 0x2C);
    raw.acknowledge(psn, 0x40);
    respond(Opcode.RC_READ_RESPONSE_ONLY, psn, 4, 1);
    respond(Opcode.RC_ATOMIC_ACKNOWLEDGE, psn, 0, 0);
    raw.runRoundTrip();

    assertThat(raw.completions()).isEmpty();
    assertThat(raw.received()).isEmpty();
    assertThat(b.state()).isEqualTo(QueuePairState.RTS);
    assertThat(b.node.transport().staleResponses()).isEqualTo(7);

    raw.acknowledge(RawPeer.PSN, ACK);
    raw.run();
    assertThat(raw.completions()).containsExactly("SEND 1 SUCCESS");
  }

  @Test
  @Checks("RESPONSE-GHOST")
  void aResponseWithNothingOutstandingIsIgnored() {
    for (int psn : new int[] {0x0000FF, 0x000100, 0x000101}) {
      raw.acknowledge(psn, 0x62);
    }
    raw.run();
    assertThat(raw.completions()).isEmpty();
    assertThat(b.state()).isEqualTo(QueuePairState.RTS);
    assertThat(b.node.transport().staleResponses()).isEqualTo(3);
  }

  @Test
  @Checks("RESPONSE-GHOST")
  void aSecondAnswerToAReadChangesNothing() {
    postRead(1, 8);
    postRead(2, 8);
    raw.runRoundTrip();
    respond(Opcode.RC_READ_RESPONSE_ONLY, 0x000100, 8, 1);
    respond(Opcode.RC_READ_RESPONSE_ONLY, 0x000100, 8, 2);
    raw.runRoundTrip();
    assertThat(raw.completions()).containsExactly("RDMA_READ 1 SUCCESS");
    assertThat(local.slice(0, 8)).containsOnly(1);
    assertThat(b.node.transport().staleResponses()).isEqualTo(1);

    respond(Opcode.RC_READ_RESPONSE_ONLY, 0x000101, 8, 3);
    raw.run();
    assertThat(raw.completions()).containsExactly("RDMA_READ 1 SUCCESS", "RDMA_READ 2 SUCCESS");
  }

  @ParameterizedTest
  @CsvSource({"RC_READ_RESPONSE_MIDDLE", "RC_READ_RESPONSE_FIRST"})
  @Checks("READ-REPLAY-OPCODE")
  void theRestOfAReadIsTakenWhetherItsAnswerGoesOnOrBeginsAnew(Opcode opcode) {
    postRead(1, 3000);
    raw.runRoundTrip();
    respond(Opcode.RC_READ_RESPONSE_FIRST, 0x000100, 1024, 1);
    raw.fabric.runFor(Duration.ofNanos(Pair.ACK_TIMEOUT_NANOS + 20_000));
    assertThat(raw.received())
        .containsExactly(
            "READ_REQUEST psn=0x000100 ackreq va=0x10000 rkey=0x00002300 len=3000",
            "READ_REQUEST psn=0x000101 ackreq va=0x10400 rkey=0x00002300 len=1976");

    respond(opcode, 0x000101, 1024, 2);
    respond(Opcode.RC_READ_RESPONSE_LAST, 0x000102, 952, 3);
    raw.run();
    assertThat(raw.completions()).containsExactly("RDMA_READ 1 SUCCESS");
    assertThat(local.slice(0, 1024)).containsOnly(1);
    assertThat(local.slice(1024, 2048)).containsOnly(2);
    assertThat(local.slice(2048, 3000)).containsOnly(3);
    assertThat(local.slice(3000, 4096)).containsOnly(0);
  }

  @Test
  @Checks("READ-REPLAY-OPCODE")
  void theLastPacketOfAReadIsTakenAsAnAnswerOfItsOwn() {
    postRead(1, 2000);
    raw.runRoundTrip();
    respond(Opcode.RC_READ_RESPONSE_FIRST, 0x000100, 1024, 1);
    raw.fabric.runFor(Duration.ofNanos(Pair.ACK_TIMEOUT_NANOS + 20_000));
    respond(Opcode.RC_READ_RESPONSE_ONLY, 0x000101, 976, 2);
    raw.run();
    assertThat(raw.completions()).containsExactly("RDMA_READ 1 SUCCESS");
    assertThat(local.slice(1024, 2000)).containsOnly(2);
  }

  @Test
  @Checks("NAK-IMPLIED")
  void anAcknowledgementInPlaceOfAReadsDataAsksForTheDataAgain() {
    postRead(1, 8);
    raw.runRoundTrip();
    raw.acknowledge(0x000100, ACK);
    raw.runRoundTrip();
    assertThat(raw.completions()).isEmpty();
    assertThat(raw.received())
        .containsExactly(
            "READ_REQUEST psn=0x000100 ackreq va=0x10000 rkey=0x00002300 len=8",
            "READ_REQUEST psn=0x000100 ackreq va=0x10000 rkey=0x00002300 len=8");
  }

  @Test
  @Checks({"NAK-IMPLIED", "RETRY-COUNT"})
  void aFatalNakBehindAnUnansweredReadCannotBeTheAnswerToTheRead() {
    postRead(1, 8);
    postSend(2);
    raw.runRoundTrip();
    raw.clear();
    raw.acknowledge(0x000101, 0x62);
    raw.runRoundTrip();
    assertThat(raw.completions()).isEmpty();
    assertThat(raw.received())
        .containsExactly(
            "READ_REQUEST psn=0x000100 ackreq va=0x10000 rkey=0x00002300 len=8",
            "SEND_ONLY psn=0x000101 ackreq len=4");

    raw.run();
    assertThat(raw.completions())
        .containsExactly(
            "RDMA_READ 1 RETRY_EXC_ERR", "SEND 2 WR_FLUSH_ERR", "RECV 90 WR_FLUSH_ERR");
    assertThat(raw.received()).hasSize(6);
  }

  @Test
  @Checks("KEY-LAZY")
  void aReadIntoMemoryWithoutLocalWriteFailsWhenItsDataArrives() {
    Side.Memory readOnly = b.memory(8, 0, AccessFlag.REMOTE_READ);
    b.queuePair.post(
        b.request
            .reset(1)
            .rdmaRead(REMOTE_ADDRESS, REMOTE_KEY)
            .segment(readOnly.region(), 0, 8)
            .signaled());
    raw.runRoundTrip();
    assertThat(raw.received()).hasSize(1);
    assertThat(raw.completions()).isEmpty();

    respond(Opcode.RC_READ_RESPONSE_ONLY, 0x000100, 8, 1);
    raw.run();
    assertThat(raw.completions())
        .containsExactly("RDMA_READ 1 LOC_PROT_ERR", "RECV 90 WR_FLUSH_ERR");
    assertThat(readOnly.slice(0, 8)).containsOnly(0);
    assertThat(raw.received()).hasSize(1);
  }

  @Test
  @Checks({"KEY-LAZY", "DEREGISTER-AT-ONCE"})
  void aReadIntoMemoryThatIsDeregisteredMeanwhileStopsAtTheNextPacket() {
    postRead(1, 2000);
    raw.runRoundTrip();
    respond(Opcode.RC_READ_RESPONSE_FIRST, 0x000100, 1024, 1);
    raw.runRoundTrip();
    local.region().close();
    respond(Opcode.RC_READ_RESPONSE_LAST, 0x000101, 976, 2);
    raw.run();
    assertThat(raw.completions())
        .containsExactly("RDMA_READ 1 LOC_PROT_ERR", "RECV 90 WR_FLUSH_ERR");
    assertThat(local.slice(0, 1024)).containsOnly(1);
    assertThat(local.slice(1024, 4096)).containsOnly(0);
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a second transmission takes from memory, and what it does to the peer. */
class RetransmissionTest {
  private static final int BEFORE = 0x11;
  private static final int AFTER = 0x22;

  @Test
  @Checks({"C01", "DUPLICATE-ACK"})
  void aReplyProvesNothingAboutTheOwnSend() {
    try (Pair pair = Pair.connected()) {
      Memory command = pair.a.memory(500, BEFORE);
      exchangeWithLostAck(pair, command);
      assertThat(pair.completions("a")).containsExactly("RECV 11 SUCCESS @20000");

      pair.runFor(Pair.ACK_TIMEOUT_NANOS - 20_000 - 1);
      assertThat(pair.completions("a")).hasSize(1);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("RECV 11 SUCCESS @20000", "SEND 1 SUCCESS @67128864");
      assertThat(pair.completions("b"))
          .containsExactly("RECV 10 SUCCESS @10000", "SEND 2 SUCCESS @30000");
      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY 000100", "ACK 000100", "SEND_ONLY 000100");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L, Pair.ACK_TIMEOUT_NANOS);
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "SEND_ONLY 000100", "ACK 000100");
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status, WorkCompletion::opcode)
          .containsExactly(tuple(1L, CompletionStatus.SUCCESS, CompletionOpcode.SEND));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"C01", "PAYLOAD-REREAD", "DEREGISTER-AT-ONCE", "FLUSH-IN-ORDER"})
  void aBufferDeregisteredAfterTheReplyBreaksTheRetransmission() {
    try (Pair pair = Pair.connected()) {
      Memory command = pair.a.memory(500, BEFORE);
      exchangeWithLostAck(pair, command);
      pair.a.postEmptyReceive(12);
      pair.a.postEmptyReceive(13);

      command.region().close();
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "RECV 11 SUCCESS @20000",
              "SEND 1 LOC_PROT_ERR @67108864",
              "RECV 12 WR_FLUSH_ERR @67108864",
              "RECV 13 WR_FLUSH_ERR @67108864");
      List<WorkCompletion> sends = pair.a.pollSends();
      assertThat(sends).hasSize(1);
      assertThat(sends.get(0).detail()).startsWith("retransmission of psn 0x000100");
      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "ACK 000100");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.completions("b"))
          .containsExactly("RECV 10 SUCCESS @10000", "SEND 2 SUCCESS @30000");
      assertThat(pair.a.pollEvents()).isEmpty();
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  /** A sends 1, whose ACK is lost; B answers with 2 at once; A polls until it has the answer. */
  private static void exchangeWithLostAck(Pair pair, Memory command) {
    pair.impair("drop:b>a/ACK#1");
    pair.b.postReceive(10, pair.b.memory(500, 0));
    Memory answer = pair.b.memory(40, 0x33);
    pair.a.postReceive(11, pair.a.memory(40, 0));
    pair.a.postSend(1, command);
    while (pair.b.pollReceives().isEmpty()) {
      assertThat(pair.fabric.nanoTime()).isLessThanOrEqualTo(10_000);
    }
    pair.b.postSend(2, answer);
    List<WorkCompletion> received = pair.a.pollReceives();
    while (received.isEmpty()) {
      received = pair.a.pollReceives();
    }
    assertThat(received)
        .extracting(WorkCompletion::id, WorkCompletion::status)
        .containsExactly(tuple(11L, CompletionStatus.SUCCESS));
    assertThat(pair.fabric.nanoTime()).isEqualTo(20_000);
  }

  @Test
  @Checks("PAYLOAD-REREAD")
  void aBufferChangedBeforeTheRetransmissionOfALostSendReachesThePeerChanged() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(500, BEFORE);
      Memory received = pair.b.memory(500, 0);
      pair.impair("drop:a>b/SEND#1");
      pair.b.postReceive(10, received);
      pair.a.postSend(1, sent);
      pair.runFor(1);
      sent.fill(AFTER);
      pair.run();

      assertThat(received.slice(0, 500)).containsOnly(AFTER);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @67128864");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @67118864");
    }
  }

  @Test
  @Checks({"PAYLOAD-REREAD", "DUPLICATE-ACK"})
  void aBufferChangedAfterTheDeliveryChangesNothingAtThePeer() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(500, BEFORE);
      Memory received = pair.b.memory(500, 0);
      Memory spare = pair.b.memory(500, 0x55);
      pair.impair("drop:b>a/ACK#1");
      pair.b.postReceive(10, received);
      pair.b.postReceive(11, spare);
      pair.a.postSend(1, sent);
      pair.runFor(10_000);
      sent.fill(AFTER);
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100");
      assertThat(pair.journal.words("b")).containsExactly("ACK 000100", "ACK 000100");
      assertThat(received.slice(0, 500)).containsOnly(BEFORE);
      assertThat(spare.slice(0, 500)).containsOnly(0x55);
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @67128864");
    }
  }

  @Test
  @Checks("PAYLOAD-REREAD")
  void aMessageThatIsSentAgainFromItsMiddleArrivesTorn() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(3072, BEFORE);
      Memory received = pair.b.memory(3072, 0);
      pair.impair("drop:a>b/SEND@0x101~1");
      pair.b.postReceive(10, received);
      pair.a.postSend(1, sent);
      pair.runFor(10_000);
      sent.fill(AFTER);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "SEND_FIRST 000100",
              "SEND_MIDDLE 000101",
              "SEND_LAST 000102",
              "SEND_MIDDLE 000101",
              "SEND_LAST 000102");
      assertThat(pair.journal.words("b"))
          .containsExactly("NAK(PSN_SEQUENCE_ERROR) 000101", "ACK 000102");
      assertThat(received.slice(0, 1024)).containsOnly(BEFORE);
      assertThat(received.slice(1024, 3072)).containsOnly(AFTER);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @40000");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @30000");
    }
  }

  @Test
  @Checks({"PAYLOAD-REREAD", "DUPLICATE-ACK"})
  void aRepeatedWriteDoesNotWriteAgain() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.a.memory(100, BEFORE);
      Memory target = pair.b.memory(100, 0);
      pair.impair("drop:b>a/ACK#1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(source.region(), 0, 100)
              .signaled());
      pair.runFor(10_000);
      assertThat(target.slice(0, 100)).containsOnly(BEFORE);
      source.fill(AFTER);
      target.fill(0x55);
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("WRITE_ONLY 000100", "WRITE_ONLY 000100");
      assertThat(target.slice(0, 100)).containsOnly(0x55);
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 1 SUCCESS @67128864");
    }
  }

  @Test
  @Checks("PAYLOAD-INLINE")
  void inlineDataIsSentAgainAsItWasAtPost() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(64, BEFORE);
      Memory received = pair.b.memory(64, 0);
      pair.impair("drop:a>b/SEND#1-2");
      pair.b.postReceive(10, received);
      pair.a.queuePair.post(pair.a.request.reset(1).send().inlineData(sent.bytes()).signaled());
      sent.fill(AFTER);
      pair.runFor(Pair.ACK_TIMEOUT_NANOS);
      sent.fill(0x55);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100", "SEND_ONLY 000100");
      assertThat(received.slice(0, 64)).containsOnly(BEFORE);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @134237728");
    }
  }

  @Test
  @Checks({"PAYLOAD-INLINE", "DEREGISTER-AT-ONCE"})
  void inlineDataNeedsNoKeyWhenItIsSentAgain() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(64, BEFORE);
      Memory received = pair.b.memory(64, 0);
      pair.impair("drop:a>b/SEND#1");
      pair.b.postReceive(10, received);
      pair.a.queuePair.post(pair.a.request.reset(1).send().inlineData(sent.bytes()).signaled());
      sent.region().close();
      pair.run();

      assertThat(received.slice(0, 64)).containsOnly(BEFORE);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @67128864");
    }
  }

  @Test
  @Checks({"GO-BACK-N", "ACK-IMPLIED"})
  void aLaterAckHealsTheLossOfTheEarlierOnes() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(10, BEFORE);
      pair.impair("drop:b>a/ACK#1-2");
      for (int i = 0; i < 3; i++) {
        pair.b.postReceive(10 + i, pair.b.memory(10, 0));
        pair.a.postSend(1 + i, sent);
      }
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY 000100", "SEND_ONLY 000101", "SEND_ONLY 000102");
      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @20000", "SEND 2 SUCCESS @20000", "SEND 3 SUCCESS @20000");
      assertThat(pair.fabric.nanoTime()).isEqualTo(20_000);
    }
  }

  @Test
  @Checks("ACK-IMPLIED")
  void aReadResponseAcknowledgesTheWriteBeforeIt() {
    try (Pair pair = Pair.connected()) {
      Memory local = pair.a.memory(100, BEFORE);
      Memory remote = pair.b.memory(100, 0);
      pair.impair("drop:b>a/ACK");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(remote.address(), remote.rkey())
              .segment(local.region(), 0, 50)
              .signaled());
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(local.region(), 50, 50)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("WRITE_ONLY 000100", "READ_REQUEST 000101");
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "RDMA_READ 2 SUCCESS @20000");
      assertThat(remote.slice(0, 50)).containsOnly(BEFORE);
      assertThat(remote.slice(50, 100)).containsOnly(0);
      assertThat(local.slice(50, 100)).containsOnly(BEFORE);
    }
  }

  @Test
  @Checks({"ACK-IMPLIED", "NAK-ACKNOWLEDGES"})
  void aFatalNakAcknowledgesTheSendsBeforeIt() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(10, BEFORE);
      pair.impair("drop:b>a/ACK");
      pair.b.postReceive(10, pair.b.memory(10, 0));
      pair.a.postSend(1, sent);
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(0, 0x7777).segment(sent.region(), 0, 10).signaled());
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @20000", "RDMA_WRITE 2 REM_ACCESS_ERR @20000");
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "NAK(REMOTE_ACCESS_ERROR) 000101");
    }
  }
}

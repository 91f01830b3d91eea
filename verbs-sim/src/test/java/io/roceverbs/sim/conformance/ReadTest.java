package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import org.junit.jupiter.api.Test;

/** READs whose responses are lost, and how many of them may be under way. */
class ReadTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  @Test
  @Checks({"READ-RESUME", "NAK-IMPLIED", "READ-REPLAY-OPCODE"})
  void aGapInTheAnswerIsAskedForAtOnceFromWhereItBegins() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.b.memory(2500, 0x33);
      Memory sink = pair.a.memory(2500, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(pair.a.read(1, source, sink));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L);
      assertAsksFor(pair, 0, source.address(), 2500);
      assertAsksFor(pair, 1, source.address() + 1024, 1476);
      assertThat(pair.journal.words("b"))
          .containsExactly(
              "READ_RESPONSE_FIRST 000100",
              "READ_RESPONSE_MIDDLE 000101",
              "READ_RESPONSE_LAST 000102",
              "READ_RESPONSE_MIDDLE 000101",
              "READ_RESPONSE_LAST 000102");
      assertThat(sink.slice(0, 2500)).containsOnly(0x33);
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @40000");
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::opcode, WorkCompletion::byteLength)
          .containsExactly(tuple(CompletionOpcode.RDMA_READ, 2500));
    }
  }

  @Test
  @Checks({"READ-RESUME", "ACK-TIMER", "READ-REPLAY-OPCODE"})
  void aLostLastResponseIsAskedForAfterTheTimeout() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.b.memory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x103~1");
      pair.a.queuePair.post(pair.a.read(1, source, sink));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000103");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000 + T);
      assertAsksFor(pair, 1, source.address() + 3072, 1024);
      assertThat(pair.journal.words("b")).hasSize(5).endsWith("READ_RESPONSE_LAST 000103");
      assertThat(sink.slice(0, 4096)).containsOnly(0x33);
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @" + (40_000 + T));
    }
  }

  @Test
  @Checks({"READ-RESUME", "RETRY-RELOAD"})
  void eachGapIsResumedFromWhereItBegins() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 0))) {
      Memory source = pair.b.memory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.impair("drop:b>a/READ_RESPONSE@0x102~2");
      pair.a.queuePair.post(pair.a.read(1, source, sink));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000101", "READ_REQUEST 000102");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L, 40_000L);
      assertAsksFor(pair, 2, source.address() + 2048, 2048);
      assertThat(sink.slice(0, 4096)).containsOnly(0x33);
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @60000");
    }
  }

  @Test
  @Checks({"READ-RESUME", "DUPLICATE-READ"})
  void theRestOfAReadIsReadFromMemoryAsItIsByThen() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.b.memory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x102~1");
      pair.a.queuePair.post(pair.a.read(1, source, sink));
      pair.runFor(15_000);
      source.fill(0x44);
      pair.run();

      assertThat(sink.slice(0, 2048)).containsOnly(0x33);
      assertThat(sink.slice(2048, 4096)).containsOnly(0x44);
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @40000");
    }
  }

  @Test
  @Checks({"NAK-IMPLIED", "GO-BACK-N", "DUPLICATE-ACK", "S10"})
  void theAckOfALaterSendShowsThatAReadResponseWasLost() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.b.memory(100, 0x33);
      Memory sink = pair.a.memory(100, 0);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.a.queuePair.post(pair.a.read(1, source, sink));
      pair.a.postSend(2, pair.a.memory(8, 0x44));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100", "SEND_ONLY 000101", "READ_REQUEST 000100", "SEND_ONLY 000101");
      assertThat(pair.journal.words("b"))
          .containsExactly(
              "READ_RESPONSE_ONLY 000100", "ACK 000101", "READ_RESPONSE_ONLY 000100", "ACK 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @40000", "SEND 2 SUCCESS @40000");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
    }
  }

  @Test
  @Checks({"NAK-IMPLIED", "ATOMIC-ONCE"})
  void aReadResponseShowsThatAnAtomicsAnswerWasLost() {
    try (Pair pair = Pair.connected()) {
      Memory word = pair.b.memory(8, 0);
      ByteBuffer original = ByteBuffer.allocate(8).order(ByteOrder.LITTLE_ENDIAN);
      Memory result = pair.a.memory(8, 0x55);
      Memory source = pair.b.memory(100, 0x33);
      pair.impair("drop:b>a/ATOMIC_RESPONSE#1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .fetchAndAdd(word.address(), word.rkey(), 5)
              .segment(result.region(), 0, 8)
              .signaled());
      pair.a.queuePair.post(pair.a.read(2, source, pair.a.memory(100, 0)));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "FETCH_ADD 000100", "READ_REQUEST 000101", "FETCH_ADD 000100", "READ_REQUEST 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L);
      assertThat(pair.completions("a"))
          .containsExactly("ATOMIC_FETCH_AND_ADD 1 SUCCESS @40000", "RDMA_READ 2 SUCCESS @40000");
      assertThat(original.put(result.slice(0, 8)).getLong(0)).isZero();
      assertThat(original.put(0, word.slice(0, 8)).getLong(0)).isEqualTo(5);
    }
  }

  @Test
  @Checks({"NAK-IMPLIED", "RETRY-COUNT"})
  void aFatalNakBehindALostReadResponseIsNeverSeen() {
    try (Pair pair = Pair.connected()) {
      Memory local = pair.a.memory(100, 0);
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.a.queuePair.post(pair.a.read(1, pair.b.memory(100, 0x33), local));
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(0, 0x7777).segment(local.region(), 0, 8));
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly("READ_RESPONSE_ONLY 000100", "NAK(REMOTE_ACCESS_ERROR) 000101");
      assertThat(pair.journal.startingWith("READ_REQUEST")).hasSize(4);
      assertThat(pair.journal.times("a"))
          .containsExactly(
              0L, 0L, 20_000L, 20_000L, 20_000 + T, 20_000 + T, 20_000 + 2 * T, 20_000 + 2 * T);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 RETRY_EXC_ERR @" + (20_000 + 3 * T),
              "RDMA_WRITE 2 WR_FLUSH_ERR @" + (20_000 + 3 * T));
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    }
  }

  @Test
  @Checks("READ-DEPTH")
  void theReadTooManyWaitsAndEverythingBehindIt() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(2))) {
      Memory source = pair.b.memory(100, 0x33);
      Memory sink = pair.a.memory(100, 0);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.impair("delay=30us:b>a/READ_RESPONSE@0x101#1");
      for (int i = 1; i <= 4; i++) {
        pair.a.queuePair.post(pair.a.read(i, source, sink));
      }
      pair.a.postSend(5, pair.a.memory(8, 0x44));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "READ_REQUEST 000101",
              "READ_REQUEST 000102",
              "READ_REQUEST 000101",
              "READ_REQUEST 000102",
              "READ_REQUEST 000103",
              "SEND_ONLY 000104");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @20000",
              "RDMA_READ 2 SUCCESS @50000",
              "RDMA_READ 3 SUCCESS @60000",
              "RDMA_READ 4 SUCCESS @70000",
              "SEND 5 SUCCESS @70000");
    }
  }

  @Test
  @Checks({"READ-DEPTH", "S38"})
  void withADepthOfOneReadsAndAtomicsGoOneByOne() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(1))) {
      Memory source = pair.b.memory(4096, 0x33);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.queuePair.post(pair.a.read(1, source, pair.a.memory(4096, 0)));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .fetchAndAdd(source.address(), source.rkey(), 1)
              .segment(pair.a.memory(8, 0).region(), 0, 8)
              .signaled());
      pair.a.postSend(3, pair.a.memory(8, 0x44));
      pair.a.queuePair.post(pair.a.read(4, source, pair.a.memory(4096, 0)));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100", "FETCH_ADD 000104", "SEND_ONLY 000105", "READ_REQUEST 000106");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L, 20_000L, 40_000L);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @20000",
              "ATOMIC_FETCH_AND_ADD 2 SUCCESS @40000",
              "SEND 3 SUCCESS @40000",
              "RDMA_READ 4 SUCCESS @60000");
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks("READ-DEPTH")
  void withADepthOfZeroAReadIsRefusedAtPost() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(0))) {
      SendRequest request = pair.a.read(1, pair.b.memory(8, 0), pair.a.memory(8, 0));
      assertThatExceptionOfType(PostException.class)
          .isThrownBy(() -> pair.a.queuePair.post(request))
          .extracting(PostException::errno)
          .isEqualTo(Errno.EINVAL);
      pair.run();
      assertThat(pair.journal.all()).isEmpty();
      assertThat(pair.completions("a")).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"READ-DEPTH", "FAULT-REPORT"})
  void aPeerThatKeepsNoReadsRefusesOne() {
    try (Pair pair = Pair.connected(Pair.setup(), Pair.setup().withReadDepth(0))) {
      pair.b.postEmptyReceive(10);
      pair.a.queuePair.post(pair.a.read(1, pair.b.memory(8, 0x33), pair.a.memory(8, 0)));
      pair.run();

      assertThat(pair.journal.words("b")).containsExactly("NAK(INVALID_REQUEST) 000100");
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(tuple(1L, CompletionStatus.REM_INV_REQ_ERR));
      assertThat(pair.completions("b")).containsExactly("RECV 10 WR_FLUSH_ERR @10000");
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  private static void assertAsksFor(Pair pair, int packet, long address, int length) {
    assertThat(pair.journal.from("a").get(packet).summary())
        .startsWith("READ_REQUEST ")
        .contains(String.format(" va=0x%x ", address))
        .endsWith(" len=" + length);
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePairState;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How often and when a request is sent again before its queue pair gives up. */
class RetryTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;
  private static final long HOUR_NANOS = 3_600_000_000_000L;

  /** Ways in which a peer can be gone. */
  private enum Death {
    DESTROYED(pair -> pair.b.queuePair.close()),
    IN_ERR(pair -> pair.b.modifyToError()),
    CUT_OFF(pair -> pair.impair("drop:a>b/ANY"));

    private final Consumer<Pair> blow;

    Death(Consumer<Pair> blow) {
      this.blow = blow;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"C39", "RETRY-COUNT", "ACK-TIMER", "FLUSH-IN-ORDER"})
  void aDeadPeerGivesRetryExceededAfterFourTimeouts(Death death) {
    try (Pair pair = Pair.connected()) {
      death.blow.accept(pair);
      pair.a.postEmptyReceive(20);
      postTwoSends(pair);
      pair.run();

      assertGivenUpAfterFourTimeouts(pair);
      assertThat(pair.journal.from("b")).isEmpty();
    }
  }

  @Test
  @Checks({"C39", "RETRY-COUNT"})
  void anAddressThatNobodyHasGivesRetryExceededToo() {
    try (Pair pair = Pair.unconnected(init -> init)) {
      ConnectionSetup setup = Pair.setup();
      byte[] address = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, -1, -1, 10, 9, 9, 9};
      Gid nobody = Gid.of(address);
      setup.initialize(pair.a.queuePair);
      setup.readyToReceive(pair.a.queuePair, nobody, pair.b.queuePair.number());
      setup.readyToSend(pair.a.queuePair);
      pair.a.postEmptyReceive(20);
      postTwoSends(pair);
      pair.run();

      assertGivenUpAfterFourTimeouts(pair);
      assertThat(pair.a.node.counters().droppedNoRoute()).isEqualTo(8);
      assertThat(pair.b.node.counters().framesReceived()).isZero();
    }
  }

  private static void assertGivenUpAfterFourTimeouts(Pair pair) {
    assertThat(pair.journal.words("a"))
        .containsExactly(
            "SEND_ONLY 000100",
            "SEND_ONLY 000101",
            "SEND_ONLY 000100",
            "SEND_ONLY 000101",
            "SEND_ONLY 000100",
            "SEND_ONLY 000101",
            "SEND_ONLY 000100",
            "SEND_ONLY 000101");
    assertThat(pair.journal.times("a")).containsExactly(0L, 0L, T, T, 2 * T, 2 * T, 3 * T, 3 * T);
    assertThat(pair.completions("a"))
        .containsExactly(
            "SEND 1 RETRY_EXC_ERR @268435456",
            "SEND 2 WR_FLUSH_ERR @268435456",
            "RECV 20 WR_FLUSH_ERR @268435456");
    assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 7})
  @Checks("RETRY-COUNT")
  void nRetriesAreOneTransmissionAndNMore(int retries) {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(retries, 3))) {
      pair.impair("drop:a>b/ANY");
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.run();

      assertThat(pair.journal.words("a")).hasSize(1 + retries).containsOnly("SEND_ONLY 000100");
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 RETRY_EXC_ERR @" + (1 + retries) * T);
    }
  }

  @Test
  @Checks("ACK-TIMER")
  void aLaterSendDoesNotPutOffTheTimerOfAnEarlierOne() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/ANY");
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(T / 2);
      pair.a.postSend(2, pair.a.memory(8, 0x44));
      pair.run();

      assertThat(pair.journal.times("a"))
          .containsExactly(0L, T / 2, T, T, 2 * T, 2 * T, 3 * T, 3 * T);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 RETRY_EXC_ERR @268435456", "SEND 2 WR_FLUSH_ERR @268435456");
    }
  }

  @Test
  @Checks({"C39", "ACK-TIMER", "S19"})
  void timeoutCodeZeroWaitsForEver() {
    try (Pair pair = Pair.connected(Pair.setup().withTimeout(0))) {
      pair.impair("drop:a>b/ANY");
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(HOUR_NANOS);

      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100");
      assertThat(pair.completions("a")).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"RETRY-COUNT", "NAK-ONCE-PER-GAP"})
  void aSequenceNakCostsARetry() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 3))) {
      pair.impair("drop:a>b/SEND@0x100");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      postTwoSends(pair);
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000101");
      assertThat(pair.journal.words("b")).containsExactly("NAK(PSN_SEQUENCE_ERROR) 000100");
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 RETRY_EXC_ERR @20000", "SEND 2 WR_FLUSH_ERR @20000");
    }
  }

  @Test
  @Checks({"RETRY-COUNT", "NAK-IMPLIED"})
  void aLostReadResponseCostsARetry() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 3))) {
      Memory source = pair.b.memory(2048, 0x33);
      pair.impair("drop:b>a/READ_RESPONSE@0x100");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(source.address(), source.rkey())
              .segment(pair.a.memory(2048, 0).region(), 0, 2048));
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("READ_REQUEST 000100");
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 RETRY_EXC_ERR @20000");
    }
  }

  @Test
  @Checks({"RETRY-RELOAD", "GO-BACK-N"})
  void progressOfAnotherRequestReloadsTheCounter() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 3))) {
      pair.impair("drop:a>b/SEND@0x100~1");
      pair.impair("drop:a>b/SEND@0x101~2");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.b.postReceive(11, pair.b.memory(8, 0));
      postTwoSends(pair);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "SEND_ONLY 000100",
              "SEND_ONLY 000101",
              "SEND_ONLY 000100",
              "SEND_ONLY 000101",
              "SEND_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L, 40_000 + T);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @40000", "SEND 2 SUCCESS @" + (60_000 + T));
    }
  }

  @Test
  @Checks({"RETRY-RELOAD", "ACK-TIMER"})
  void aSequenceNakThatAcknowledgesSomethingReloadsFirstThenCostsOne() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 3))) {
      pair.impair("drop:a>b/WRITE@0x100~1");
      pair.impair("drop:a>b/WRITE@0x101~2");
      Memory target = pair.b.memory(3072, 0);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(pair.a.memory(3072, 0x33).region(), 0, 3072)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly(
              "NAK(PSN_SEQUENCE_ERROR) 000100", "NAK(PSN_SEQUENCE_ERROR) 000101", "ACK 000102");
      assertThat(pair.journal.psns("a"))
          .containsExactly(0x100, 0x101, 0x102, 0x100, 0x101, 0x102, 0x101, 0x102);
      assertThat(pair.journal.times("a"))
          .containsExactly(0L, 0L, 0L, 20_000L, 20_000L, 20_000L, 40_000L, 40_000L);
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 1 SUCCESS @60000");
    }
  }

  @Test
  @Checks({"RESPONSE-GHOST", "RETRY-RELOAD", "ACK-TIMER"})
  void anAckForSomethingAcknowledgedNeitherReloadsNorRestartsTheTimer() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 3))) {
      pair.impair("duplicate=1+100ms:b>a/ACK#1");
      pair.impair("drop:a>b/SEND@0x101");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      postTwoSends(pair);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @20000", "SEND 2 RETRY_EXC_ERR @" + (20_000 + 2 * T));
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000 + T);
    }
  }

  @Test
  @Checks({"RETRY-ONCE-PER-GAP", "NAK-IMPLIED", "READ-RESUME"})
  void oneLostReadResponseCostsOneRetryHoweverManyResponsesHintAtIt() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 3))) {
      Memory source = pair.b.memory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x100~1");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(source.address(), source.rkey())
              .segment(sink.region(), 0, 4096)
              .signaled());
      pair.a.postSend(2, pair.a.memory(8, 0x44));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100", "SEND_ONLY 000104", "READ_REQUEST 000100", "SEND_ONLY 000104");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @40000", "SEND 2 SUCCESS @40000");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
      assertThat(sink.slice(0, 4096)).containsOnly(0x33);
    }
  }

  @Test
  @Checks({"RETRY-ONCE-PER-GAP", "RETRY-COUNT"})
  void aSequenceNakThatComesAfterTheTimeoutCostsNoSecondRetry() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(1, 3))) {
      pair.impair("drop:a>b/SEND@0x100~1");
      pair.impair("delay=" + (T - 15_000) + "ns:b>a/NAK#1");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.b.postReceive(11, pair.b.memory(8, 0));
      postTwoSends(pair);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "SEND_ONLY 000100", "SEND_ONLY 000101", "SEND_ONLY 000100", "SEND_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, T, T);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @" + (T + 20_000), "SEND 2 SUCCESS @" + (T + 20_000));
    }
  }

  @Test
  @Checks({"RETRY-COUNT", "GO-BACK-N"})
  void everyRepeatedPacketIsMarkedAsOne() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:b>a/ACK#1-2");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.run();

      assertThat(pair.journal.from("a"))
          .extracting(TraceEvent.PacketSent::again)
          .containsExactly(false, true, true);
      assertThat(pair.journal.words("b")).hasSize(3).containsOnly("ACK 000100");
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + (2 * T + 20_000));
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
    }
  }

  /** Posts the signalled SENDs 1 and 2 of 8 bytes. */
  private static void postTwoSends(Pair pair) {
    Memory sent = pair.a.memory(8, 0x33);
    pair.a.postSend(1, sent);
    pair.a.postSend(2, sent);
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What follows when a message finds no receive. The default timer code, 12, asks for 640 us. */
class RetryReceiverNotReadyTest {
  private static final long CYCLE_NANOS = 640_000 + 2 * Pair.LATENCY_NANOS;

  @ParameterizedTest
  @CsvSource({"0, 655360000", "13, 960000", "12, 640000", "31, 491520000"})
  @Checks({"C35", "RNR-WAIT", "RNR-NAK", "S18"})
  void theSendComesAgainAfterTheCodedTime(int code, long waitNanos) {
    try (Pair pair = Pair.connected(Pair.setup().withMinRnrTimer(code))) {
      Memory received = pair.b.memory(8, 0);
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(50_000);
      pair.b.postReceive(10, received);
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly("RNR_NAK(" + code + ") 000100", "ACK 000100");
      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000 + waitNanos);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + (40_000 + waitNanos));
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @" + (30_000 + waitNanos));
      assertThat(received.slice(0, 8)).containsOnly(0x33);
    }
  }

  @Test
  @Checks({"C35", "RNR-WAIT"})
  void timerCodeOneMeansTenMicroseconds() {
    try (Pair pair = Pair.connected(Pair.setup().withMinRnrTimer(1))) {
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(50_000);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly("RNR_NAK(1) 000100", "RNR_NAK(1) 000100", "ACK 000100");
      assertThat(pair.journal.times("a")).containsExactly(0L, 30_000L, 60_000L);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @80000");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 3, 6})
  @Checks({"C36", "RNR-NAK", "FLUSH-IN-ORDER", "S17"})
  void nRetriesAreOneTransmissionAndNMore(int retries) {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(3, retries))) {
      pair.a.postEmptyReceive(20);
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.run();

      long end = 20_000 + retries * CYCLE_NANOS;
      assertThat(pair.journal.words("a")).hasSize(1 + retries).containsOnly("SEND_ONLY 000100");
      assertThat(pair.journal.words("b")).hasSize(1 + retries).containsOnly("RNR_NAK(12) 000100");
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 RNR_RETRY_EXC_ERR @" + end, "RECV 20 WR_FLUSH_ERR @" + end);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"C36", "RNR-SEVEN", "S17"})
  void sevenRetriesAreWithoutEnd() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(3, 7))) {
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(1_000 * CYCLE_NANOS);

      assertThat(pair.journal.words("a")).hasSize(1_001).containsOnly("SEND_ONLY 000100");
      assertThat(pair.journal.times("a")).endsWith(1_000 * CYCLE_NANOS);
      assertThat(pair.completions("a")).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);

      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.run();
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @" + (1_000 * CYCLE_NANOS + 20_000));
    }
  }

  @Test
  @Checks({"C36", "RETRY-RELOAD", "NAK-ONCE-PER-GAP"})
  void progressReloadsTheCounter() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(3, 1))) {
      Memory sent = pair.a.memory(8, 0x33);
      for (int i = 1; i <= 3; i++) {
        pair.a.postSend(i, sent);
      }
      for (int i = 1; i <= 3; i++) {
        int naks = i;
        assertThat(
                pair.fabric.runUntil(
                    () -> pair.journal.startingWith("RNR_NAK").size() == naks,
                    Duration.ofSeconds(1)))
            .isTrue();
        pair.b.postReceive(10 + i, pair.b.memory(8, 0));
      }
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly(
              "RNR_NAK(12) 000100",
              "ACK 000100",
              "RNR_NAK(12) 000101",
              "ACK 000101",
              "RNR_NAK(12) 000102",
              "ACK 000102");
      assertThat(pair.journal.psns("a"))
          .containsExactly(0x100, 0x101, 0x102, 0x100, 0x101, 0x102, 0x101, 0x102, 0x102);
      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @680000", "SEND 2 SUCCESS @1340000", "SEND 3 SUCCESS @2000000");
      assertThat(pair.completions("b"))
          .containsExactly(
              "RECV 11 SUCCESS @670000", "RECV 12 SUCCESS @1330000", "RECV 13 SUCCESS @1990000");
    }
  }

  @Test
  @Checks({"RNR-WAIT", "ACK-TIMER", "S15", "S16"})
  void aWaitLongerThanTheAckTimeoutSpendsNoRetry() {
    try (Pair pair = Pair.connected(Pair.setup().withMinRnrTimer(0).withRetries(0, 1))) {
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(50_000);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.run();

      assertThat(pair.journal.times("a")).containsExactly(0L, 655_380_000L);
      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @655400000");
    }
  }

  @Test
  @Checks("RNR-WAIT")
  void nothingIsSentDuringTheWaitNotEvenWhatIsPostedMeanwhile() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(8, 0x33);
      pair.a.postSend(1, sent);
      pair.runFor(100_000);
      pair.a.postSend(2, sent);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100", "SEND_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 660_000L, 660_000L);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @680000", "SEND 2 SUCCESS @680000");
    }
  }

  @Test
  @Checks({"RNR-WAIT", "RETRY-COUNT"})
  void aSequenceNakNeitherCutsTheWaitShortNorCostsARetry() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(0, 1))) {
      pair.impair("behind:a>b/SEND#1");
      pair.impair("delay=100us:b>a/NAK#1");
      Memory sent = pair.a.memory(8, 0x33);
      pair.a.postSend(1, sent);
      pair.a.postSend(2, sent);
      pair.runFor(50_000);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.b.postReceive(11, pair.b.memory(8, 0));
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly(
              "NAK(PSN_SEQUENCE_ERROR) 000100", "RNR_NAK(12) 000100", "ACK 000100", "ACK 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 660_000L, 660_000L);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @680000", "SEND 2 SUCCESS @680000");
    }
  }

  @Test
  @Checks({"C38", "RNR-NAK"})
  void onlyTheLastPacketOfAWriteWithImmediateNeedsAReceive() {
    try (Pair pair = Pair.connected(Pair.setup().withRetries(3, 0))) {
      Memory remote = pair.b.memory(2048, 0);
      Memory local = pair.a.memory(2048, 0x33);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(remote.address() + 1900, remote.rkey())
              .segment(local.region(), 0, 100)
              .signaled());
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaRead(remote.address() + 1900, remote.rkey())
              .segment(local.region(), 0, 100)
              .signaled());
      pair.run();
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "RDMA_READ 2 SUCCESS @20000");
      remote.fill(0);

      pair.a.queuePair.post(
          pair.a
              .request
              .reset(3)
              .rdmaWriteWithImmediate(remote.address(), remote.rkey(), 7)
              .segment(local.region(), 0, 2048)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_ONLY 000100",
              "READ_REQUEST 000101",
              "WRITE_FIRST 000102",
              "WRITE_LAST_WITH_IMMEDIATE 000103");
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "READ_RESPONSE_ONLY 000101", "RNR_NAK(12) 000103");
      assertThat(pair.completions("a")).endsWith("RDMA_WRITE_WITH_IMM 3 RNR_RETRY_EXC_ERR @40000");
      assertThat(remote.slice(0, 1024)).containsOnly(0x33);
      assertThat(remote.slice(1024, 2048)).containsOnly(0);
      assertThat(pair.completions("b")).isEmpty();
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"C38", "RNR-WAIT", "NAK-ACKNOWLEDGES", "S15"})
  void afterTheWaitTheRefusedPacketIsSentAndNoneBeforeIt() {
    try (Pair pair = Pair.connected()) {
      Memory remote = pair.b.memory(2048, 0);
      Memory local = pair.a.memory(2048, 0x33);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWriteWithImmediate(remote.address(), remote.rkey(), 7)
              .segment(local.region(), 0, 2048)
              .signaled());
      pair.runFor(50_000);
      local.fill(0x44);
      pair.b.postEmptyReceive(10);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST 000100",
              "WRITE_LAST_WITH_IMMEDIATE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 660_000L);
      assertThat(remote.slice(0, 1024)).containsOnly(0x33);
      assertThat(remote.slice(1024, 2048)).containsOnly(0x44);
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE_WITH_IMM 1 SUCCESS @680000");
      assertThat(pair.completions("b")).containsExactly("RECV_RDMA_WITH_IMM 10 SUCCESS @670000");
    }
  }
}

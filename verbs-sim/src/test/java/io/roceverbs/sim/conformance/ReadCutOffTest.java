package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * A key that dies while a READ is being answered.
 *
 * <p>The links have 1 Gbit/s here, so that an answer takes time: 8688 ns for its first packet, 8656
 * ns for each in the middle.
 */
@Checks("READ-CUT-OFF")
class ReadCutOffTest {
  private static final long BITS_PER_SECOND = 1_000_000_000;

  @Test
  void deregisteringTheSourceTurnsTheNextPacketIntoANak() {
    try (Pair pair = slowPair()) {
      Memory source = pair.b.memory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.a.postEmptyReceive(20);
      pair.b.postEmptyReceive(10);
      postRead(pair, source.address(), source.rkey(), sink);
      runUntilAnswered(pair, 2);
      source.region().close();
      pair.run();

      assertCutOffBehindTwoPackets(pair, sink);
      assertThat(pair.completions("b")).containsExactly("RECV 10 WR_FLUSH_ERR @28528");
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 REM_ACCESS_ERR @47712", "RECV 20 WR_FLUSH_ERR @47712");
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
      assertThat(pair.a.pollEvents()).isEmpty();
    }
  }

  @Test
  void invalidatingTheSourceTurnsTheNextPacketIntoANak() {
    try (Pair pair = slowPair()) {
      FastMemory source = pair.b.fastMemory(4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.b.postRegister(1, source);
      postRead(pair, source.address(), source.key(), sink);
      runUntilAnswered(pair, 2);
      pair.b.queuePair.post(pair.b.request.reset(2).localInvalidate(source.key()).signaled());
      pair.run();

      assertCutOffBehindTwoPackets(pair, sink);
      assertThat(pair.completions("b"))
          .containsExactly("REG_MR 1 SUCCESS @0", "LOCAL_INV 2 SUCCESS @19872");
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    }
  }

  @Test
  @Checks("DUPLICATE-READ")
  void aSecondAnswerThatIsCutOffRaisesNoEvent() {
    try (Pair pair = slowPair()) {
      Memory source = pair.b.memory(2048, 0x33);
      Memory sink = pair.a.memory(2048, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x100~1");
      postRead(pair, source.address(), source.rkey(), sink);
      runUntilAnswered(pair, 3);
      source.region().close();
      pair.run();

      assertThat(pair.journal.words("b"))
          .containsExactly(
              "READ_RESPONSE_FIRST 000100",
              "READ_RESPONSE_LAST 000101",
              "READ_RESPONSE_FIRST 000100",
              "NAK(REMOTE_ACCESS_ERROR) 000101");
      assertThat(pair.b.pollEvents()).isEmpty();
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(tuple(1L, CompletionStatus.REM_ACCESS_ERR));
      assertThat(sink.slice(0, 1024)).containsOnly(0x33);
      assertThat(sink.slice(1024, 2048)).containsOnly(0);
    }
  }

  private static void assertCutOffBehindTwoPackets(Pair pair, Memory sink) {
    assertThat(pair.journal.words("b"))
        .containsExactly(
            "READ_RESPONSE_FIRST 000100",
            "READ_RESPONSE_MIDDLE 000101",
            "NAK(REMOTE_ACCESS_ERROR) 000102");
    assertThat(pair.journal.times("b")).containsExactly(11_184L, 19_872L, 28_528L);
    assertThat(pair.journal.words("a")).containsExactly("READ_REQUEST 000100");
    assertThat(sink.slice(0, 2048)).containsOnly(0x33);
    assertThat(sink.slice(2048, 4096)).containsOnly(0);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    List<WorkCompletion> sends = pair.a.pollSends();
    assertThat(sends).hasSize(1);
    assertThat(sends.get(0).detail()).contains("psn 0x000102");
  }

  private static Pair slowPair() {
    LinkConfiguration link = LinkConfiguration.DEFAULT.withBandwidth(BITS_PER_SECOND);
    Pair pair = Pair.unconnected(Fabric.builder().link(link).build(), init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static void postRead(Pair pair, long address, int rkey, Memory sink) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaRead(address, rkey)
            .segment(sink.region(), 0, sink.bytes().capacity())
            .signaled());
  }

  /** Lets time pass until B has sent a number of packets. */
  private static void runUntilAnswered(Pair pair, int packets) {
    assertThat(
            pair.fabric.runUntil(
                () -> pair.journal.from("b").size() == packets, Duration.ofSeconds(1)))
        .isTrue();
  }
}

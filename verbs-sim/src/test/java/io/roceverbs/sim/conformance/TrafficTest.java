package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Messages go to and fro, as in rdma-core's {@code traffic()}: each byte of each is looked at. */
class TrafficTest {
  private static final int ROUNDS = 10;

  @ParameterizedTest
  @CsvSource({
    "0, MTU_256",
    "1, MTU_256",
    "1023, MTU_256",
    "1024, MTU_256",
    "1025, MTU_256",
    "4096, MTU_256",
    "1048576, MTU_256",
    "0, MTU_1024",
    "1, MTU_1024",
    "1023, MTU_1024",
    "1024, MTU_1024",
    "1025, MTU_1024",
    "4096, MTU_1024",
    "1048576, MTU_1024"
  })
  @Checks("Additional.message_sizes")
  void messagesOfAnySizeArriveWhole(int bytes, PathMtu mtu) {
    try (Pair pair = Pair.connected(Pair.setup().withPathMtu(mtu))) {
      exchange(pair, bytes);
      int packets = Math.max(1, (bytes + mtu.bytes() - 1) / mtu.bytes());
      assertThat(pair.a.node.transport().requestPackets()).isEqualTo((long) ROUNDS * packets);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0xFFFFFE",
    "1024, 0xFFFFFE",
    "1025, 0xFFFFFE",
    "4096, 0xFFFFFE",
    "1048576, 0xFFFF00"
  })
  @Checks("Additional.psn_near_wrap")
  void messagesArriveWholeAcrossTheEndOfThePsns(int bytes, int firstPsn) {
    try (Pair pair = Pair.connected(Pair.setup().withFirstPsn(firstPsn))) {
      exchange(pair, bytes);
      assertThat(pair.journal.psns("a")).contains(firstPsn, 0xFFFFFF, 0);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {16, 32, 48, 60, 61, 64, 80, 96, 124, 128, 140})
  @Checks("Additional.small_payloads")
  void smallMessagesCarryTheRightContent(int bytes) {
    try (Pair pair = Pair.connected()) {
      exchange(pair, bytes);
    }
  }

  private static void exchange(Pair pair, int bytes) {
    Memory ofA = pair.a.memory(Math.max(1, bytes), 0);
    Memory ofB = pair.b.memory(Math.max(1, bytes), 0);
    for (int round = 0; round < ROUNDS; round++) {
      pass(pair, pair.a, ofA, pair.b, ofB, bytes, 2 * round);
      pass(pair, pair.b, ofB, pair.a, ofA, bytes, 2 * round + 1);
    }
  }

  private static void pass(
      Pair pair, Side from, Memory source, Side to, Memory sink, int bytes, int seed) {
    for (int i = 0; i < bytes; i++) {
      source.bytes().put(i, (byte) (31 * i + seed));
      sink.bytes().put(i, (byte) 0xFF);
    }
    to.postReceive(seed, sink);
    from.queuePair.post(
        from.request.reset(seed).send().segment(source.region(), 0, bytes).signaled());
    pair.run();
    assertCompleted(from.pollSends(), seed);
    List<WorkCompletion> received = to.pollReceives();
    assertCompleted(received, seed);
    assertThat(received.get(0).byteLength()).isEqualTo(bytes);
    assertThat(ByteBuffer.wrap(sink.slice(0, bytes)))
        .isEqualTo(ByteBuffer.wrap(source.slice(0, bytes)));
  }

  private static void assertCompleted(List<WorkCompletion> completions, long id) {
    assertThat(completions).hasSize(1);
    assertThat(completions.get(0).requireSuccess().id()).isEqualTo(id);
  }
}

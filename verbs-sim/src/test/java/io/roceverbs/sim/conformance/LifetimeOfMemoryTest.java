package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Deregistration at each packet boundary of a message of four packets. The packets leave one by
 * one, on a link that is slow enough.
 */
@Checks("DEREGISTER-AT-ONCE")
class LifetimeOfMemoryTest {
  private static final int MTU = 1024;
  private static final int BYTES = 4 * MTU;
  private static final int FIRST_PSN = 0x100;

  private final Pair pair =
      Pair.unconnected(
          Fabric.builder().link(LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L)).build(),
          init -> init);
  private final Side.Memory local = pair.a.memory(BYTES, 7);
  private final Side.Memory remote = pair.b.memory(BYTES, 3);

  LifetimeOfMemoryTest() {
    pair.connect(Pair.setup(), Pair.setup());
  }

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private void stepUntil(BooleanSupplier condition) {
    while (!condition.getAsBoolean()) {
      assertThat(pair.fabric.step()).isTrue();
    }
  }

  private void postWrite() {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaWrite(remote.address(), remote.rkey())
            .segment(local.region(), 0, BYTES)
            .signaled());
  }

  private void postRead() {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaRead(remote.address(), remote.rkey())
            .segment(local.region(), 0, BYTES)
            .signaled());
  }

  private void assertFilledUpTo(Side.Memory memory, int packets, int filled, int before) {
    for (int i = 0; i < BYTES; i++) {
      int expected = i < packets * MTU ? filled : before;
      assertThat(memory.bytes().get(i)).as("byte %d", i).isEqualTo((byte) expected);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @Checks("KEY-EACH-PACKET")
  void aWriteEndsAtThePacketBehindTheDeregistration(int packets) {
    postWrite();
    stepUntil(() -> pair.b.node.transport().receivedPackets() == packets);
    remote.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertFilledUpTo(remote, packets, 7, 3);
    assertThat(pair.journal.words("b"))
        .containsExactly(String.format("NAK(REMOTE_ACCESS_ERROR) %06x", FIRST_PSN + packets));
    assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @Checks("READ-CUT-OFF")
  void anAnswerToAReadEndsAtThePacketBehindTheDeregistration(int packets) {
    postRead();
    stepUntil(() -> pair.journal.from("b").size() == packets);
    remote.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertFilledUpTo(local, packets, 3, 7);
    assertThat(pair.journal.words("b"))
        .hasSize(packets + 1)
        .last()
        .isEqualTo(String.format("NAK(REMOTE_ACCESS_ERROR) %06x", FIRST_PSN + packets));
    assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3})
  @Checks({"PAYLOAD-REREAD", "KEY-LAZY"})
  void aWriteWhoseSourceIsDeregisteredFailsAtTheNextPacket(int packets) {
    postWrite();
    stepUntil(() -> pair.journal.from("a").size() == packets);
    local.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
    assertThat(pair.journal.from("a")).hasSize(packets);
    assertFilledUpTo(remote, packets, 7, 3);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  void aReadWhoseSinkIsDeregisteredFailsAtTheNextPacket(int packets) {
    postRead();
    stepUntil(() -> pair.a.node.transport().receivedPackets() == packets);
    local.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
    assertFilledUpTo(local, packets, 3, 7);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3})
  @Checks("RECEIVE-FAULT")
  void aReceiveWhoseBufferIsDeregisteredFailsAtTheNextPacket(int packets) {
    pair.b.postReceive(5, remote);
    pair.b.postEmptyReceive(6);
    pair.a.postSend(1, local);
    stepUntil(() -> pair.b.node.transport().receivedPackets() == packets);
    remote.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_OP_ERR");
    assertThat(words(pair.b.pollReceives())).containsExactly("5 LOC_PROT_ERR", "6 WR_FLUSH_ERR");
    assertFilledUpTo(remote, packets, 7, 3);
    assertThat(pair.b.pollEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void deregistrationBehindTheLastPacketHarmsNobody(boolean write) {
    if (write) {
      postWrite();
      stepUntil(() -> pair.b.node.transport().receivedPackets() == 4);
    } else {
      postRead();
      stepUntil(() -> pair.journal.from("b").size() == 4);
    }
    remote.region().close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertFilledUpTo(write ? remote : local, 4, write ? 7 : 3, 0);
    assertThat(pair.b.pollEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 2, 3, 4})
  @Checks("DUPLICATE-ACK")
  void aRepeatedWriteAfterTheDeregistrationIsAcknowledgedAndNotExecuted(int lateBy) {
    pair.impair("drop:b>a/ACK#1");
    postWrite();
    stepUntil(() -> pair.b.node.transport().receivedPackets() == 4 + lateBy);
    remote.region().close();
    remote.fill(9);
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertFilledUpTo(remote, 4, 9, 9);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }
}

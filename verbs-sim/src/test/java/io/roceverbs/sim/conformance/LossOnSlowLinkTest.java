package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.verbs.QueuePairState;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What only happens where a packet takes time to leave: responses that arrive while packets are
 * being sent again.
 */
class LossOnSlowLinkTest {
  private final Pair pair =
      Pair.unconnected(
          Fabric.builder().link(LinkConfiguration.DEFAULT.withBandwidth(1_000_000L)).build(),
          init -> init);

  LossOnSlowLinkTest() {
    pair.connect(Pair.setup(), Pair.setup());
  }

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private void postWrite(long id, Side.Memory from, Side.Memory to, int length) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(to.address(), to.rkey())
            .segment(from.region(), 0, length)
            .signaled());
  }

  /**
   * A packet of 1024 bytes takes 8.7 ms here, and the timeout is 67.1 ms. The two acknowledgements
   * come when the first packet is on the wire for the second time, and everything is acknowledged
   * by the second one.
   */
  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks({"ACK-IMPLIED", "LOCAL-ONCE"})
  void anAcknowledgementEndsAGoBackAlsoOverALocalOperation(boolean withLocal) {
    Side.Memory from = pair.a.memory(1024, 7);
    Side.Memory to = pair.b.memory(1024, 0);
    Side.FastMemory fast = pair.a.fastMemory(64, 0);
    pair.impair("drop:b>a/ACK#1");
    pair.impair("delay=45ms:b>a/ACK#2");
    postWrite(1, from, to, 1024);
    if (withLocal) {
      pair.a.postRegister(2, fast);
    }
    postWrite(3, from, to, 1024);
    pair.runFor(71_000_000);
    assertThat(pair.a.node.transport().ackTimeouts()).isEqualTo(1);
    pair.run();
    assertThat(words(pair.a.pollSends()))
        .containsExactlyElementsOf(
            withLocal
                ? List.of("1 SUCCESS", "2 SUCCESS", "3 SUCCESS")
                : List.of("1 SUCCESS", "3 SUCCESS"));
    assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x100);
  }

  @Test
  @Checks({"ACK-IMPLIED", "LOCAL-ONCE"})
  void aReadResponseThatComesDuringAGoBackIsTakenBehindALocalOperation() {
    Side.Memory from = pair.a.memory(1024, 7);
    Side.Memory to = pair.b.memory(1024, 3);
    Side.Memory sink = pair.a.memory(1024, 0);
    pair.impair("drop:b>a/ACK#1");
    pair.impair("delay=35ms:b>a/READ_RESPONSE#1");
    postWrite(1, from, to, 1024);
    pair.a.postRegister(2, pair.a.fastMemory(64, 0));
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(3)
            .rdmaRead(to.address(), to.rkey())
            .segment(sink.region(), 0, 1024)
            .signaled());
    pair.runFor(70_000_000);
    assertThat(pair.a.node.transport().ackTimeouts()).isEqualTo(1);
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(sink.slice(0, 1024)).containsOnly(7);
    assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x100);
  }

  @Test
  @Checks("PAYLOAD-REREAD")
  void aGoBackInTheMiddleOfALongMessageBeginsAtTheLostPacket() {
    Side.Memory from = pair.a.memory(6 * 1024, 7);
    Side.Memory to = pair.b.memory(6 * 1024, 0);
    pair.impair("drop:a>b/WRITE#2");
    postWrite(1, from, to, 6 * 1024);
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(to.slice(0, 6 * 1024)).containsOnly(7);
    assertThat(pair.journal.psns("a").subList(0, 5))
        .containsExactly(0x100, 0x101, 0x102, 0x103, 0x104);
    assertThat(pair.journal.psns("a").subList(5, 10))
        .containsExactly(0x101, 0x102, 0x103, 0x104, 0x105);
    assertThat(pair.journal.from("a")).hasSize(10);
  }

  @Test
  void aReadWhoseAnswerIsUnderWayWhenItIsRepeatedEndsWell() {
    Side.Memory sink = pair.a.memory(12 * 1024, 0);
    Side.Memory source = pair.b.memory(12 * 1024, 5);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaRead(source.address(), source.rkey())
            .segment(sink.region(), 0, 12 * 1024)
            .signaled());
    pair.impair("drop:b>a/READ_RESPONSE#1-2");
    pair.impair("drop:b>a/READ_RESPONSE#7");
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(sink.slice(0, 12 * 1024)).containsOnly(5);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }
}

package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.fabric.FakeClient.Arrival;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.wire.DecodeStatus;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class ImpairmentHandlerTest {
  private final TestNetwork network = new TestNetwork();
  private FakeClient alice;
  private FakeClient bob;

  @BeforeEach
  void addNodes() {
    alice = network.node("alice");
    bob = network.node("bob");
  }

  @AfterEach
  void allFramesComeBack() {
    network.close();
  }

  private void sendAndRun(int... psns) {
    for (int psn : psns) {
      alice.send(bob, psn, 100);
    }
    network.run();
  }

  @Test
  void aDroppedPacketNeverArrives() {
    ActiveRule rule = network.rule("drop:alice>bob/SEND#2");

    sendAndRun(1, 2, 3);

    assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 1), new Arrival(10_000, 3));
    assertThat(rule.seen()).isEqualTo(3);
    assertThat(rule.hits()).isEqualTo(1);
    assertThat(network.statistics(alice).get(PortCounter.DROPPED_BY_RULE)).isEqualTo(1);
  }

  @Test
  void aDelayedPacketIsOvertaken() {
    network.rule("delay=1ms:alice>bob/RC_SEND_ONLY@1");

    sendAndRun(1, 2);

    assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 2), new Arrival(1_010_000, 1));
    assertThat(network.statistics(alice).get(PortCounter.DELAYED)).isEqualTo(1);
  }

  @Test
  void aPacketBehindTheNextArrivesJustAfterIt() {
    network.rule("behind:alice>bob/SEND#1");

    sendAndRun(1, 2, 3);

    assertThat(bob.arrivals)
        .containsExactly(new Arrival(10_000, 2), new Arrival(10_000, 1), new Arrival(10_000, 3));
    assertThat(network.statistics(alice).get(PortCounter.HELD)).isEqualTo(1);
    assertThat(network.core.nanoTime()).isEqualTo(10_000);
  }

  @Test
  void aPacketOfAnotherDirectionDoesNotRelease() {
    FakeClient carol = network.node("carol");
    network.rule("behind:alice>bob/SEND#1");

    alice.send(bob, 1, 100);
    alice.send(carol, 2, 100);
    bob.send(alice, 3, 100);
    alice.send(bob, 4, 100);
    network.run();

    assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 4), new Arrival(10_000, 1));
  }

  @Test
  void aPacketBehindTheNextGoesAnywayAfterAMillisecond() {
    network.rule("behind:alice>bob/SEND#1");

    sendAndRun(1);

    assertThat(bob.arrivals).containsExactly(new Arrival(1_005_000 + 5_000, 1));
  }

  @Test
  void aDuplicateComesRightAfterItsPacket() {
    network.rule("duplicate=2:alice>bob/SEND#1");

    sendAndRun(1, 2);

    assertThat(bob.arrivals)
        .containsExactly(
            new Arrival(10_000, 1),
            new Arrival(10_000, 1),
            new Arrival(10_000, 1),
            new Arrival(10_000, 2));
    assertThat(network.statistics(alice).get(PortCounter.DUPLICATED)).isEqualTo(2);
    assertThat(network.statistics(alice).framesSent()).isEqualTo(2);
  }

  @Test
  void copiesMayComeLaterOneAfterTheOther() {
    network.rule("duplicate=2+1us:alice>bob/SEND#1");

    sendAndRun(1, 2);

    assertThat(bob.arrivals)
        .containsExactly(
            new Arrival(10_000, 1),
            new Arrival(10_000, 2),
            new Arrival(11_000, 1),
            new Arrival(12_000, 1));
  }

  @Test
  void aCopyMayComeBehindFurtherPackets() {
    network.rule("duplicate=1+2packets:alice>bob/SEND#1");

    sendAndRun(1, 2, 3, 4);

    assertThat(bob.arrivals).extracting(Arrival::psn).containsExactly(1, 2, 3, 1, 4);
  }

  @Test
  void aCorruptedPacketFailsItsIcrc() {
    network.rule("corrupt:alice>bob/SEND#1");
    network.rule("corrupt=95:alice>bob/SEND#2");
    network.rule("corrupt=33023:alice>bob/SEND#3");

    sendAndRun(1, 2, 3, 4);

    assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 4));
    assertThat(network.statistics(bob).undecodable(DecodeStatus.BAD_ICRC)).isEqualTo(3);
    assertThat(network.statistics(alice).get(PortCounter.CORRUPTED)).isEqualTo(3);
  }

  @Test
  void theFirstRuleThatHitsWinsAndAllCount() {
    ActiveRule first = network.rule("drop:alice>bob/SEND#1");
    ActiveRule second = network.rule("duplicate:*>bob/ANY#1-2");

    sendAndRun(1, 2);

    assertThat(bob.arrivals).extracting(Arrival::psn).containsExactly(2, 2);
    assertThat(first.hits()).isEqualTo(1);
    assertThat(second.seen()).isEqualTo(2);
    assertThat(second.hits()).isEqualTo(1);
  }

  @Test
  void aRuleMayMeanOneTransmissionOfAPacket() {
    ActiveRule rule = network.rule("drop:alice>bob/SEND~2");

    sendAndRun(1, 2, 1, 1, 2);

    assertThat(bob.arrivals).extracting(Arrival::psn).containsExactly(1, 2, 1);
    assertThat(rule.seen()).isEqualTo(2);
  }

  @Test
  void aClosedRuleHitsNoMore() {
    ActiveRule rule = network.rule("drop:*>*/ANY");
    sendAndRun(1);

    rule.close();
    rule.close();
    sendAndRun(2);

    assertThat(bob.arrivals).extracting(Arrival::psn).containsExactly(2);
    assertThat(rule.hits()).isEqualTo(1);
  }

  @Test
  void aRuleThatCouldNeverMatchIsRefused() {
    assertThatThrownBy(() -> network.rule("drop:alice>dave/ACK"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "rule \"drop:alice>dave/ACK\" can never match: there is no node \"dave\"; the nodes"
                + " are alice, bob");
    assertThatThrownBy(() -> network.rule("drop:alice>bob/RC_RESERVED"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("no device sends RC_RESERVED");
  }

  @Test
  void framesStillHeldOrInFlightAtTheEndAreGivenBack() {
    network.rule("behind:alice>bob/SEND#1");

    alice.send(bob, 1, 100);
    alice.send(alice, 2, 100);

    assertThat(network.core.pool().inUse()).isEqualTo(2);
    network.close();
    assertThat(network.core.pool().inUse()).isZero();
  }

  @Test
  void lossByChanceIsTheSameForTheSameSeed() {
    List<Integer> first = survivors(7);

    assertThat(survivors(7)).isEqualTo(first);
    assertThat(survivors(8)).isNotEqualTo(first);
    assertThat(first).hasSize(748);
  }

  private static List<Integer> survivors(long seed) {
    try (TestNetwork lossy = new TestNetwork(seed, null)) {
      FakeClient from = lossy.node("from");
      FakeClient to = lossy.node("to");
      lossy.core.impair(Impairment.loss(0.25));
      for (int psn = 0; psn < 1_000; psn++) {
        from.send(to, psn, 10);
      }
      lossy.run();
      assertThat(lossy.statistics(from).get(PortCounter.DROPPED_BY_LOSS))
          .isEqualTo(1_000 - to.arrivals.size());
      return to.arrivals.stream().map(Arrival::psn).toList();
    }
  }

  @Test
  void eachDirectionMayHaveChancesOfItsOwn() {
    network.core.impair(network.port(alice), network.port(bob), Impairment.loss(1));

    alice.send(bob, 1, 10);
    bob.send(alice, 2, 10);
    network.run();

    assertThat(bob.arrivals).isEmpty();
    assertThat(alice.arrivals).containsExactly(new Arrival(10_000, 2));
  }

  @Test
  void everyKindOfChanceHappensWhenItIsCertain() {
    network.core.impair(Impairment.NONE.withDelay(1, 1));
    sendAndRun(1);
    network.core.impair(Impairment.NONE.withDuplicate(1));
    sendAndRun(2);
    network.core.impair(Impairment.NONE.withBehindNext(1));
    sendAndRun(3);
    network.core.impair(Impairment.NONE.withCorrupt(1));
    sendAndRun(4);

    assertThat(bob.arrivals)
        .containsExactly(
            new Arrival(10_001, 1),
            new Arrival(20_001, 2),
            new Arrival(20_001, 2),
            new Arrival(1_030_001, 3));
    assertThat(network.statistics(bob).undecodable(DecodeStatus.BAD_ICRC)).isEqualTo(1);
  }

  @Test
  void aRuleComesBeforeChance() {
    network.core.impair(Impairment.loss(1));
    network.core.add(Rule.parse("delay=1us:alice>bob/SEND#1"));

    sendAndRun(1, 2);

    assertThat(bob.arrivals).containsExactly(new Arrival(11_000, 1));
  }
}

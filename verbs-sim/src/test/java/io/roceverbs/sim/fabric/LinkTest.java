package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.fabric.FakeClient.Arrival;
import io.roceverbs.sim.fabric.impair.EcnMarking;
import io.roceverbs.sim.wire.Opcode;
import org.junit.jupiter.api.Test;

/** Frames of 1000 bytes of payload are 1058 bytes long: 14 + 20 + 8 + 12 + 1000 + 4. */
class LinkTest {
  private static final long ONE_BYTE_PER_NANO = 8_000_000_000L;

  @Test
  void aFrameTakesTheLatencyOfBothLinksAndOneEvent() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");

      alice.send(bob, 1, 1_000);
      alice.send(bob, 2, 1_000);
      alice.send(bob, 3, 0);

      assertThat(network.run()).isEqualTo(3);
      assertThat(bob.arrivals)
          .containsExactly(new Arrival(10_000, 1), new Arrival(10_000, 2), new Arrival(10_000, 3));
      assertThat(network.statistics(alice).framesSent()).isEqualTo(3);
      assertThat(network.statistics(alice).bytesSent()).isEqualTo(1_058 + 1_058 + 58);
      assertThat(network.statistics(bob).framesReceived()).isEqualTo(3);
      assertThat(network.statistics(bob).bytesReceived()).isEqualTo(1_058 + 1_058 + 58);
    }
  }

  @Test
  void finiteBandwidthSpacesFramesOnBothLinks() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice", ONE_BYTE_PER_NANO, 4_200, 1 << 20);
      FakeClient bob = network.node("bob", ONE_BYTE_PER_NANO, 4_200, 1 << 20);

      alice.send(bob, 1, 1_000);
      alice.send(bob, 2, 1_000);
      alice.send(bob, 3, 0);
      network.run();

      assertThat(alice.sendTimes).containsExactly(0L, 1_058L, 2_116L);
      assertThat(bob.arrivals)
          .containsExactly(
              new Arrival(1_058 + 5_000 + 1_058 + 5_000, 1),
              new Arrival(2 * 1_058 + 5_000 + 1_058 + 5_000, 2),
              new Arrival(3 * 1_058 + 5_000 + 58 + 5_000, 3));
    }
  }

  @Test
  void theTimeOnTheWireIsRoundedUp() {
    Link link = new Link(0, 3_000_000_000L, 4_200, 1, new EcnMarker(EcnMarking.NONE, 1));

    assertThat(link.serialisationNanos(1_058)).isEqualTo(2_822);
  }

  @Test
  void theSwitchDropsWhatItsQueueCannotHold() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob", ONE_BYTE_PER_NANO, 4_200, 3 * 1_058);

      for (int psn = 1; psn <= 5; psn++) {
        alice.send(bob, psn, 1_000);
      }
      network.run();

      assertThat(bob.arrivals)
          .containsExactly(
              new Arrival(5_000 + 1_058 + 5_000, 1),
              new Arrival(5_000 + 2 * 1_058 + 5_000, 2),
              new Arrival(5_000 + 3 * 1_058 + 5_000, 3));
      assertThat(network.statistics(bob).get(PortCounter.DROPPED_QUEUE_FULL)).isEqualTo(2);
      assertThat(network.statistics(alice).get(PortCounter.DROPPED_QUEUE_FULL)).isZero();
    }
  }

  @Test
  void theQueueHasRoomAgainOnceABitOfEachFrameHasLeft() {
    EgressQueue queue = new EgressQueue(100);

    assertThat(queue.offer(60, 60, 0)).isEqualTo(60);
    assertThat(queue.offer(60, 60, 59)).isEqualTo(EgressQueue.FULL);
    assertThat(queue.offer(60, 60, 60)).isEqualTo(120);
    assertThat(queue.offer(40, 40, 61)).isEqualTo(160);
    assertThat(queue.offer(1, 1, 61)).isEqualTo(EgressQueue.FULL);
    assertThat(queue.offer(101, 101, 1_000)).isEqualTo(EgressQueue.FULL);
  }

  @Test
  void theQueueKeepsItsOrderWhenItGrows() {
    EgressQueue queue = new EgressQueue(1_000);
    for (int i = 0; i < 10; i++) {
      queue.offer(1, 1, i * 100L);
    }
    for (int i = 0; i < 100; i++) {
      assertThat(queue.offer(10, 10, 2_000)).isEqualTo(2_000 + (i + 1) * 10L);
    }
    assertThat(queue.offer(10, 10, 2_000)).isEqualTo(EgressQueue.FULL);
    assertThat(queue.offer(10, 10, 2_010)).isEqualTo(3_010);
  }

  @Test
  void aFrameLongerThanTheMtuOfEitherLinkIsDroppedAndCounted() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob", Link.UNLIMITED, 1_044, 1 << 20);

      alice.send(bob, 1, 1_000);
      alice.send(bob, 2, 1_004);
      bob.send(alice, 3, 1_004);
      network.run();

      assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 1));
      assertThat(alice.arrivals).isEmpty();
      assertThat(network.statistics(alice).get(PortCounter.DROPPED_TOO_LONG)).isEqualTo(1);
      assertThat(network.statistics(bob).get(PortCounter.DROPPED_TOO_LONG)).isEqualTo(1);
    }
  }

  @Test
  void aFrameToAnAddressThatNobodyHasIsDroppedAndCounted() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");

      alice.send(0xFFFF_0A00_00FFL, Opcode.RC_SEND_ONLY, 1, 10);

      assertThat(network.run()).isZero();
      assertThat(network.statistics(alice).get(PortCounter.DROPPED_NO_ROUTE)).isEqualTo(1);
    }
  }

  @Test
  void aNodeReachesItselfThroughTheSwitch() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");

      alice.send(alice, 7, 10);
      network.run();

      assertThat(alice.arrivals).containsExactly(new Arrival(10_000, 7));
    }
  }

  @Test
  void framesThatArriveAtOneTimeComeInTheOrderInWhichTheyWereSent() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      FakeClient carol = network.node("carol");

      network.core.enter();
      bob.send(carol, 1, 10);
      alice.send(carol, 2, 10);
      bob.send(carol, 3, 10);
      network.core.exit();
      network.run();

      assertThat(carol.arrivals)
          .containsExactly(new Arrival(10_000, 1), new Arrival(10_000, 3), new Arrival(10_000, 2));
    }
  }

  @Test
  void anAnswerSentWhileAPacketIsHandledIsAnEventOfItsOwn() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      bob.onPacket = packet -> bob.send(alice, packet.psn() + 100, 0);

      alice.send(bob, 1, 10);

      assertThat(network.run()).isEqualTo(2);
      assertThat(alice.arrivals).containsExactly(new Arrival(20_000, 101));
    }
  }
}

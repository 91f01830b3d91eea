package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.fabric.impair.EcnMarking;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.CaptureReader;
import io.roceverbs.sim.wire.CapturedFrame;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/**
 * Which frames are marked, by a rule or in a queue. Frames of 1000 bytes of payload are 1058 bytes
 * long; the link to the receiver is half as fast as that from the sender, so every second frame is
 * added to the queue.
 */
class CongestionMarkTest {
  private static final long ONE_BYTE_PER_NANO = 8_000_000_000L;
  private static final int ECT_1 = 1;
  private static final int ECT_0 = 2;
  private static final int EXPERIENCED = 3;

  /** The two bits of ten packets on arrival. */
  private static List<Integer> marks(EcnMarking marking, int sent, int frames, long seed) {
    try (TestNetwork network = new TestNetwork(seed, null)) {
      FakeClient alice = network.node("alice", ONE_BYTE_PER_NANO, marking);
      FakeClient bob = network.node("bob", ONE_BYTE_PER_NANO / 2, marking);
      List<Integer> codes = new ArrayList<>();
      bob.onPacket = packet -> codes.add(packet.network().trafficClass());
      alice.trafficClass = sent;
      for (int psn = 0; psn < frames; psn++) {
        alice.send(bob, psn, 1_000);
      }
      network.run();
      assertThat(network.statistics(bob).get(PortCounter.MARKED_IN_QUEUE))
          .isEqualTo(codes.stream().filter(code -> code == EXPERIENCED && sent != code).count());
      assertThat(bob.arrivals).hasSize(frames);
      return codes;
    }
  }

  @Test
  @Checks("ECN-MARK")
  void aFrameIsMarkedThatFindsMoreThanTheThresholdWaiting() {
    // The n-th frame finds n/2 rounded up, with the one that leaves: 0, 1, 1, 2, 2, 3, 3, 4, ...
    assertThat(marks(EcnMarking.above(2 * 1_058), ECT_0, 8, 1))
        .containsExactly(2, 2, 2, 2, 2, 3, 3, 3);
    assertThat(marks(EcnMarking.above(2 * 1_058 - 1), ECT_1, 8, 1))
        .containsExactly(1, 1, 1, 3, 3, 3, 3, 3);
    assertThat(marks(EcnMarking.above(0), ECT_0, 3, 1)).containsExactly(2, 3, 3);
    assertThat(marks(EcnMarking.NONE, ECT_0, 8, 1)).containsOnly(ECT_0);
  }

  @Test
  @Checks("ECN-CAPABLE")
  void aFrameThatDoesNotSayItCanBeMarkedIsNot() {
    assertThat(marks(EcnMarking.above(0), 0, 8, 1)).containsOnly(0);
    assertThat(marks(EcnMarking.above(0), EXPERIENCED, 8, 1)).containsOnly(EXPERIENCED);
  }

  @Test
  @Checks("ECN-MARK")
  void betweenTwoThresholdsChanceDecidesTheSameInEachRunOfASeed() {
    EcnMarking marking = new EcnMarking(0, 100 * 1_058, 0.5);
    List<Integer> marks = marks(marking, ECT_0, 100, 7);
    assertThat(marks).contains(ECT_0, EXPERIENCED).isEqualTo(marks(marking, ECT_0, 100, 7));
    assertThat(marks).isNotEqualTo(marks(marking, ECT_0, 100, 8));
  }

  @Test
  @Checks("ECN-MARK")
  void theChanceRisesBetweenTheThresholds() {
    EcnMarking marking = new EcnMarking(1_000, 3_000, 0.5);
    assertThat(marking.probability(1_000)).isZero();
    assertThat(marking.probability(2_000)).isEqualTo(0.25);
    assertThat(marking.probability(3_000)).isEqualTo(0.5);
    assertThat(marking.probability(3_001)).isEqualTo(1);
    assertThat(EcnMarking.NONE.probability(Integer.MAX_VALUE)).isZero();
  }

  /** Three frames, of which the second and the third meet the one before them in the queue. */
  private static void sendThree(TestNetwork network) {
    FakeClient alice = network.node("alice", ONE_BYTE_PER_NANO, EcnMarking.NONE);
    FakeClient bob = network.node("bob", ONE_BYTE_PER_NANO / 2, EcnMarking.above(0));
    alice.trafficClass = ECT_0;
    for (int psn = 1; psn <= 3; psn++) {
      alice.send(bob, psn, 1_000);
    }
    network.run();
  }

  @Test
  @Checks("ECN-MARK")
  void aMarkInTheQueueIsAnEvent() {
    List<TraceEvent> marks = new ArrayList<>();
    try (TestNetwork network = new TestNetwork()) {
      network.trace.addListener(
          event -> {
            if (event instanceof TraceEvent.PacketMarked) {
              marks.add(event);
            }
          });
      sendThree(network);
    }
    // The last bit of the n-th frame is at the switch after n times 1058 ns and the latency.
    assertThat(marks)
        .containsExactly(
            new TraceEvent.PacketMarked(7_116, "bob", 2),
            new TraceEvent.PacketMarked(8_174, "bob", 3));
  }

  @Test
  @Checks("ECN-MARK")
  void aFrameMarkedInTheQueueIsCapturedThereOnceMoreWithItsMark() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    try (TestNetwork network = new TestNetwork(1, new PcapngWriter(file))) {
      sendThree(network);
    }
    List<String> frames = new ArrayList<>();
    try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file.toByteArray()))) {
      for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
        Packet packet = new Packet();
        assertThat(new PacketCodec().decode(frame.bytes(), 0, frame.bytes().length, packet))
            .isEqualTo(DecodeStatus.OK);
        frames.add(
            frame.timestampNanos() + " " + packet.psn() + " " + packet.network().trafficClass());
      }
    }
    assertThat(frames).containsExactly("0 1 2", "1058 2 2", "2116 3 2", "7116 2 3", "8174 3 3");
    assertThat(file.toString(StandardCharsets.ISO_8859_1))
        .containsSubsequence(
            "switch",
            "frame 2 marked as congested in the queue to bob",
            "frame 3 marked as congested in the queue to bob");
  }

  @Test
  void aListenerThatThrowsAtAMarkLeavesNoFrameBehind() {
    try (TestNetwork network = new TestNetwork()) {
      network.trace.addListener(
          event -> {
            if (event instanceof TraceEvent.PacketMarked) {
              throw new IllegalStateException("no more");
            }
          });
      assertThatThrownBy(() -> sendThree(network)).hasMessage("no more");
      assertThat(network.core.pool().inUse()).isEqualTo(2);
    }
  }

  @Test
  void thresholdsThatMakeNoSenseAreRefused() {
    assertThatThrownBy(() -> new EcnMarking(-1, 5, 1))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("from -1 to 5 bytes");
    assertThatThrownBy(() -> new EcnMarking(6, 5, 1)).hasMessageContaining("from 6 to 5 bytes");
    assertThatThrownBy(() -> new EcnMarking(0, 5, 1.5))
        .hasMessageContaining("1.5 is not in 0 to 1");
    assertThatThrownBy(() -> new EcnMarking(0, 5, Double.NaN)).hasMessageContaining("NaN");
  }

  @Test
  void aRuleMarksTheFrameThatItMeansWhateverThatSays() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      List<Integer> codes = new ArrayList<>();
      bob.onPacket = packet -> codes.add(packet.network().trafficClass());
      network.rule("mark:alice>bob/SEND#2");
      alice.trafficClass = 0xB8;
      for (int psn = 0; psn < 3; psn++) {
        alice.send(bob, psn, 100);
      }
      network.run();
      assertThat(codes).containsExactly(0xB8, 0xBB, 0xB8);
      assertThat(network.statistics(alice).get(PortCounter.MARKED_BY_RULE)).isEqualTo(1);
      assertThat(network.statistics(bob).get(PortCounter.MARKED_IN_QUEUE)).isZero();
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which request packets ask for an acknowledgement. */
class LengthAckRequestTest {
  @Test
  @Checks("ACK-REQUEST")
  void aLongMessageAsksAtEach64thPacketAndAtItsLast() {
    try (Pair pair = Pair.connected()) {
      Memory target = pair.b.memory(130 * 1024, 0);
      pair.b.postReceive(1, target);
      pair.a.postSend(2, pair.a.memory(130 * 1024, 5));
      pair.run();

      List<Integer> asking =
          pair.journal.from("a").stream()
              .filter(packet -> packet.summary().contains(" ackreq "))
              .map(PacketSent::packetSequenceNumber)
              .toList();
      assertThat(asking).containsExactly(0x100 + 63, 0x100 + 127, 0x100 + 129);
      assertThat(pair.journal.psns("b")).containsExactly(0x100 + 63, 0x100 + 127, 0x100 + 129);
      assertThat(target.slice(0, 130 * 1024)).containsOnly(5);
    }
  }

  @Test
  @Checks("ACK-REQUEST")
  void eachShortMessageAsksAtItsLastPacketOnly() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(3000, 0));
      pair.a.postSend(2, pair.a.memory(3000, 5));
      pair.run();

      assertThat(pair.journal.from("a"))
          .extracting(packet -> packet.summary().contains(" ackreq "))
          .containsExactly(false, false, true);
    }
  }
}

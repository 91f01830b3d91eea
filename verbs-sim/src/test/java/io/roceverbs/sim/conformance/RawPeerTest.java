package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/**
 * Shows that the fixture speaks as a real peer does, so that what other tests send wrong is wrong
 * on purpose.
 */
class RawPeerTest {
  @Test
  void aHandMadeSendIsTakenAndAcknowledged() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory memory = raw.b.memory(16, 0);
      raw.b.postReceive(1, memory);
      raw.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 5, 0x41);
      raw.run();

      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
      assertThat(raw.b.pollReceives())
          .singleElement()
          .satisfies(
              completion -> {
                assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
                assertThat(completion.byteLength()).isEqualTo(5);
              });
      assertThat(memory.slice(0, 6)).containsExactly(0x41, 0x41, 0x41, 0x41, 0x41, 0);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  void aHandMadeAcknowledgementCompletesASend() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.b.postSend(7, raw.b.memory(3, 0x42));
      raw.runRoundTrip();
      assertThat(raw.received()).containsExactly("SEND_ONLY psn=0x000100 ackreq len=3");
      assertThat(raw.payload(0)).containsExactly(0x42, 0x42, 0x42);

      raw.acknowledge(RawPeer.PSN, 0x1F);
      raw.run();
      assertThat(raw.b.pollSends())
          .singleElement()
          .satisfies(completion -> assertThat(completion.id()).isEqualTo(7));
      assertThat(raw.received()).hasSize(1);
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The AETH of a response with data says ACK, and nothing else. */
class ResponseSyndromeTest {
  private static final int READ_BYTES = 8;

  @ParameterizedTest
  @CsvSource({
    "RC_READ_RESPONSE_ONLY, 0x62",
    "RC_READ_RESPONSE_ONLY, 0x2C",
    "RC_READ_RESPONSE_ONLY, 0x40",
    "RC_READ_RESPONSE_ONLY, 0x60",
    "RC_ATOMIC_ACKNOWLEDGE, 0x62",
    "RC_ATOMIC_ACKNOWLEDGE, 0x2C",
    "RC_ATOMIC_ACKNOWLEDGE, 0x40"
  })
  @Checks("RESPONSE-WRONG")
  void dataThatComesWithAnythingButAnAckIsABadResponse(Opcode opcode, String syndrome) {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory local = raw.b.memory(READ_BYTES, 0x55);
      raw.b.request.reset(1);
      if (opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE) {
        raw.b.request.fetchAndAdd(0x1000, 5, 1);
      } else {
        raw.b.request.rdmaRead(0x1000, 5);
      }
      raw.b.queuePair.post(raw.b.request.segment(local.region(), 0, READ_BYTES));
      raw.runRoundTrip();
      int length = opcode == Opcode.RC_ATOMIC_ACKNOWLEDGE ? 0 : READ_BYTES;
      raw.send(
          opcode, 0x000100, length, 9, packet -> packet.aeth().syndrome(Integer.decode(syndrome)));
      raw.run();

      assertThat(raw.completions()).hasSize(1).allMatch(text -> text.endsWith(" BAD_RESP_ERR"));
      assertThat(local.slice(0, READ_BYTES)).containsOnly(0x55);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }
}

package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class PacketViewTest {
  private static final int OFFSET = 7;

  @ParameterizedTest
  @EnumSource
  void theViewAgreesWithTheDecodedPacket(Vectors vector) {
    byte[] frame = vector.frame();
    byte[] buffer = new byte[OFFSET + frame.length];
    System.arraycopy(frame, 0, buffer, OFFSET, frame.length);
    Packet packet = vector.packet();

    assertThat(PacketView.isRoce(buffer, OFFSET, frame.length)).isTrue();
    assertThat(PacketView.isIpv6(buffer, OFFSET)).isEqualTo(packet.network().ipv6());
    assertThat(PacketView.opcode(buffer, OFFSET)).isEqualTo(packet.opcode());
    assertThat(PacketView.opcodeValue(buffer, OFFSET)).isEqualTo(packet.opcodeValue());
    assertThat(PacketView.psn(buffer, OFFSET)).isEqualTo(packet.psn());
    assertThat(PacketView.destinationQueuePair(buffer, OFFSET))
        .isEqualTo(packet.destinationQueuePair());
    assertThat(PacketView.ackRequest(buffer, OFFSET)).isEqualTo(packet.ackRequest());
    assertThat(PacketView.solicited(buffer, OFFSET)).isEqualTo(packet.solicited());
    assertThat(PacketView.partitionKey(buffer, OFFSET)).isEqualTo(packet.partitionKey());
    if (packet.opcode().hasAeth()) {
      assertThat(PacketView.syndrome(buffer, OFFSET)).isEqualTo(packet.aeth().syndrome());
      assertThat(PacketView.messageSequenceNumber(buffer, OFFSET))
          .isEqualTo(packet.aeth().messageSequenceNumber());
    }
  }

  @Test
  void theSolicitedBitIsSeen() {
    byte[] frame =
        new PacketCodec().toFrame(new Packet().opcode(Opcode.RC_SEND_ONLY).solicited(true));

    assertThat(PacketView.solicited(frame, 0)).isTrue();
  }

  @ParameterizedTest
  @EnumSource
  void aFrameTooShortForTheHeadersIsNotRoce(Vectors vector) {
    byte[] frame = vector.frame();
    int least = (vector.packet().network().ipv6() ? 54 : 34) + 8 + 12 + 4;

    for (int length = 0; length < least; length++) {
      assertThat(PacketView.isRoce(frame, 0, length)).as("%d bytes", length).isFalse();
    }
    assertThat(PacketView.isRoce(frame, 0, least)).isTrue();
  }

  @Test
  void otherProtocolsAreNotRoce() {
    assertThat(PacketView.isRoce(changed(13, 0x06), 0, 62)).as("ARP").isFalse();
    assertThat(PacketView.isRoce(changed(23, 6), 0, 62)).as("TCP").isFalse();
    assertThat(PacketView.isRoce(changed(37, 0xB8), 0, 62)).as("another port").isFalse();
  }

  private static byte[] changed(int offset, int value) {
    byte[] frame = Vectors.ACKNOWLEDGE.frame();
    frame[offset] = (byte) value;
    return frame;
  }
}

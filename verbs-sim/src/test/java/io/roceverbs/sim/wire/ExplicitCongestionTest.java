package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class ExplicitCongestionTest {
  private final PacketCodec codec = new PacketCodec();

  private byte[] frame(boolean ipv6, int trafficClass) {
    Packet packet = new Packet().opcode(Opcode.RC_SEND_ONLY).payload(new byte[] {1, 2, 3}, 0, 3);
    packet
        .network()
        .ipv6(ipv6)
        .sourceLow(0xFFFF_0A00_0001L)
        .destinationLow(0xFFFF_0A00_0002L)
        .trafficClass(trafficClass);
    return codec.toFrame(packet);
  }

  @ParameterizedTest
  @CsvSource({
    "false,0xBA,0xBB,true", "false,0x01,0x03,true", "false,0xC0,0xC3,false", "false,0x03,0x03,true",
    "true,0xBA,0xBB,true", "true,0x01,0x03,true", "true,0xF0,0xF3,false", "true,0xFF,0xFF,true"
  })
  void aMarkSetsTwoBitsAndSpoilsNoChecksum(
      boolean ipv6, int trafficClass, int marked, boolean isCapable) {
    byte[] frame = frame(ipv6, trafficClass);
    assertThat(ExplicitCongestion.isCapable(frame, 0)).isEqualTo(isCapable);
    assertThat(ExplicitCongestion.mark(frame, 0)).isEqualTo(trafficClass != marked);
    assertThat(ExplicitCongestion.mark(frame, 0)).isFalse();

    Packet packet = new Packet();
    assertThat(codec.decode(frame, 0, frame.length, packet)).isEqualTo(DecodeStatus.OK);
    assertThat(packet.network().trafficClass()).isEqualTo(marked);
    assertThat(ExplicitCongestion.of(packet.network().trafficClass()))
        .isEqualTo(ExplicitCongestion.EXPERIENCED);
    assertThat(ipv6 || InternetChecksum.isIpv4HeaderRight(frame, FrameLayout.ETHERNET_BYTES))
        .isTrue();
    byte[] sameAsSent = frame(ipv6, marked);
    assertThat(frame).isEqualTo(sameAsSent);
  }

  @ParameterizedTest
  @CsvSource({"0xB8,2,0xBA", "0xBB,0,0xB8", "0x03,1,0x01"})
  void theOtherSixBitsStay(int trafficClass, int code, int expected) {
    assertThat(ExplicitCongestion.with(trafficClass, code)).isEqualTo(expected);
  }
}

package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.UnknownHostException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GidTest {
  @Test
  void anIpv4AddressIsMapped() throws UnknownHostException {
    InetAddress address = InetAddress.getByAddress(new byte[] {(byte) 192, 0, 2, (byte) 200});

    Gid gid = Gid.of(address);

    assertThat(gid).isEqualTo(new Gid(0, 0x0000_ffff_c000_02c8L));
    assertThat(gid.isIpv4Mapped()).isTrue();
    assertThat(gid.toInetAddress()).isInstanceOf(Inet4Address.class).isEqualTo(address);
    assertThat(gid).hasToString("::ffff:192.0.2.200");
  }

  @Test
  void anIpv6AddressIsTakenAsItIs() throws UnknownHostException {
    Gid gid = Gid.of(InetAddress.getByName("2001:db8::1:2"));

    assertThat(gid).isEqualTo(new Gid(0x2001_0db8_0000_0000L, 0x0000_0000_0001_0002L));
    assertThat(gid.isIpv4Mapped()).isFalse();
    assertThat(gid.toInetAddress()).isEqualTo(InetAddress.getByName("2001:db8::1:2"));
  }

  @Test
  void bytesAreInTheOrderOfTheWire() {
    Gid gid = new Gid(0xfe80_0000_0000_0001L, 0x0203_0405_0607_0809L);

    assertThat(gid.bytes()).containsExactly(0xfe, 0x80, 0, 0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    assertThat(Gid.of(gid.bytes())).isEqualTo(gid);
  }

  @Test
  void anythingButSixteenBytesIsRefused() {
    assertThatThrownBy(() -> Gid.of(new byte[4]))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("a GID has 16 bytes, not 4");
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, ::",
    "0, 1, ::1",
    "fe80000000000000, 1, fe80::1",
    "fe80000000000000, 0, fe80::",
    "20010db800000001, 0000000100010001, 2001:db8:0:1:0:1:1:1",
    "20010db800000000, 0001000000000001, 2001:db8::1:0:0:1",
    "0000000000000001, 0000ffffc0000201, ::1:0:ffff:c000:201",
    "0001000200030004, 0005000600070000, 1:2:3:4:5:6:7:0",
  })
  void theTextIsCanonical(String high, String low, String text) {
    Gid gid = new Gid(Long.parseUnsignedLong(high, 16), Long.parseUnsignedLong(low, 16));

    assertThat(gid).hasToString(text);
  }
}

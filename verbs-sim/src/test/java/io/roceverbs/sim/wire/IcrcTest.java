package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;

class IcrcTest {
  private static final int IP_OFFSET = 14;

  @Test
  void theResultIsTheOneOnTheWire() {
    byte[] frame = Vectors.SEND_ONLY_WITH_INVALIDATE.frame();

    int icrc = new Icrc().compute(frame, IP_OFFSET, frame.length - IP_OFFSET - Icrc.BYTES);

    assertThat(icrc).isEqualTo(0x421006FD);
    assertThat(Icrc.read(frame, frame.length - Icrc.BYTES)).isEqualTo(0x421006FD);
  }

  @Test
  void theRegisterHasTheKnownValueAfterEachHeader() {
    byte[] frame = Vectors.SEND_ONLY_WITH_INVALIDATE.frame();

    assertThat(registerAfter(frame, 20 + 8 + 12)).isEqualTo(0x0CC1F4E3);
    assertThat(registerAfter(frame, 20 + 8 + 12 + 4)).isEqualTo(0xF4101B98);
    assertThat(registerAfter(frame, 20 + 8 + 12 + 4 + 8)).isEqualTo(0xBDEFF902);
  }

  /** Few lengths and few values make the remembered corrections hit, many make them collide. */
  @Test
  void rememberedCorrectionsNeverChangeTheResult() {
    SplittableRandom random = new SplittableRandom(7);
    Icrc icrc = new Icrc();
    byte[] packet = new byte[200];
    int wrong = 0;
    for (int i = 0; i < 50_000; i++) {
      random.nextBytes(packet);
      packet[0] = (byte) (random.nextBoolean() ? 0x45 : 0x60);
      if (i % 4 != 0) {
        repeatMaskedFields(packet, random.nextInt(4));
      }
      int length = 60 + 4 * random.nextInt(i % 8 == 0 ? 35 : 3);

      if (icrc.compute(packet, 0, length) != reference(packet, length)) {
        wrong++;
      }
    }
    assertThat(wrong).isZero();
  }

  @Test
  void theFrameIsNotChanged() {
    byte[] frame = Vectors.IPV6_SEND_ONLY.frame();

    new Icrc().compute(frame, IP_OFFSET, frame.length - IP_OFFSET - Icrc.BYTES);

    assertThat(frame).isEqualTo(Vectors.IPV6_SEND_ONLY.frame());
  }

  @Test
  void theLeastSignificantByteComesFirst() {
    byte[] buffer = new byte[4];

    Icrc.write(buffer, 0, 0x0102_0304);

    assertThat(buffer).containsExactly(4, 3, 2, 1);
  }

  private static void repeatMaskedFields(byte[] packet, int value) {
    int udp = packet[0] == 0x45 ? 20 : 40;
    int[] masked = packet[0] == 0x45 ? new int[] {1, 8, 10, 11} : new int[] {1, 2, 3, 7};
    for (int at : masked) {
      packet[at] = (byte) value;
    }
    packet[udp + 6] = 0;
    packet[udp + 7] = (byte) value;
    packet[udp + 8 + 4] = 0;
  }

  /** The definition, followed literally. */
  private static int reference(byte[] packet, int length) {
    byte[] masked = Arrays.copyOf(packet, length);
    int udp = packet[0] == 0x45 ? 20 : 40;
    if (udp == 20) {
      Arrays.fill(masked, 1, 2, (byte) 0xFF);
      Arrays.fill(masked, 8, 9, (byte) 0xFF);
      Arrays.fill(masked, 10, 12, (byte) 0xFF);
    } else {
      masked[0] |= 0x0F;
      Arrays.fill(masked, 1, 4, (byte) 0xFF);
      Arrays.fill(masked, 7, 8, (byte) 0xFF);
    }
    Arrays.fill(masked, udp + 6, udp + 8, (byte) 0xFF);
    masked[udp + 8 + 4] = (byte) 0xFF;
    CRC32 crc = new CRC32();
    crc.update(new byte[] {-1, -1, -1, -1, -1, -1, -1, -1});
    crc.update(masked);
    return (int) crc.getValue();
  }

  /** The CRC register is the result before its final inversion. */
  private static int registerAfter(byte[] frame, int bytes) {
    return ~new Icrc().compute(frame, IP_OFFSET, bytes);
  }
}

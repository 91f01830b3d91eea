package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** A million damaged packets: none throws, each gets its status, and what is OK is lossless. */
class PacketCodecFuzzTest {
  private static final int PACKETS = 1_000_000;
  private static final long SEED = 0x4791;

  /** Longer frames say nothing more, but cost most of the time. */
  private static final int SEED_FRAME_BYTES_MAX = 200;

  /** Text is built for some packets only, as it takes longer than all the rest. */
  private static final int TEXT_EVERY = 16;

  private static final int FRAME_BYTES_MAX = 256;
  private static final int HEADERS_END = 90;

  private final SplittableRandom random = new SplittableRandom(SEED);
  private final PacketCodec codec = new PacketCodec();
  private final Icrc icrc = new Icrc();
  private final FrameLayout layout = new FrameLayout();
  private final Packet packet = new Packet();
  private final byte[] frame = new byte[FRAME_BYTES_MAX];
  private final byte[] encoded =
      new byte[PacketCodec.HEADROOM + FRAME_BYTES_MAX + PacketCodec.TAILROOM];

  @Test
  void aMillionDamagedPacketsAreEachToldForWhatTheyAre() throws IOException {
    List<byte[]> seeds = seeds();
    Map<DecodeStatus, Integer> counts = new EnumMap<>(DecodeStatus.class);

    for (int i = 0; i < PACKETS; i++) {
      int length = mutate(seeds);
      DecodeStatus status = codec.decode(frame, 0, length, packet);
      counts.merge(status, 1, Integer::sum);
      if (status == DecodeStatus.OK) {
        assertLossless(i);
      }
      if (i % TEXT_EVERY == 0 && packet.toString().isEmpty()) {
        throw new AssertionError("packet %d has no text".formatted(i));
      }
    }

    assertThat(counts)
        .containsExactly(
            entry(DecodeStatus.OK, 266_264),
            entry(DecodeStatus.NOT_ROCE, 36_499),
            entry(DecodeStatus.TRUNCATED, 180_980),
            entry(DecodeStatus.BAD_IP_HEADER, 205_853),
            entry(DecodeStatus.FRAGMENT, 4_869),
            entry(DecodeStatus.BAD_UDP_LENGTH, 66_854),
            entry(DecodeStatus.BAD_ICRC, 139_016),
            entry(DecodeStatus.BAD_UDP_CHECKSUM, 6_721),
            entry(DecodeStatus.WRONG_TRANSPORT_VERSION, 1_345),
            entry(DecodeStatus.UNKNOWN_OPCODE, 56_891),
            entry(DecodeStatus.BAD_LENGTH, 18_595),
            entry(DecodeStatus.BAD_PAD, 16_113));
  }

  private void assertLossless(int index) {
    int length = packet.payloadLength();
    System.arraycopy(frame, packet.payloadOffset(), encoded, PacketCodec.HEADROOM, length);
    int start = codec.encode(packet, encoded, PacketCodec.HEADROOM);
    int end = start + PacketCodec.frameLength(packet);
    if (!Arrays.equals(encoded, start, end, frame, 0, end - start)) {
      throw new AssertionError("packet %d changed: %s".formatted(index, packet));
    }
  }

  /** Makes a damaged frame out of a good one, and returns its length. */
  private int mutate(List<byte[]> seeds) {
    byte[] seed = seeds.get(random.nextInt(seeds.size()));
    System.arraycopy(seed, 0, frame, 0, seed.length);
    int length = seed.length;
    for (int steps = 1 + random.nextInt(3); steps > 0; steps--) {
      switch (random.nextInt(8)) {
        case 0 -> length = random.nextInt(length + 1);
        case 1 -> length = extend(length);
        case 2, 3 -> splice(seeds, length);
        case 4 -> resize(length);
        case 5 -> changeOpcode(length);
        default -> flipBit(length);
      }
    }
    if (random.nextBoolean()) {
      repair(length);
    }
    return length;
  }

  private int extend(int length) {
    int extended = length + random.nextInt(FRAME_BYTES_MAX + 1 - length);
    for (int at = length; at < extended; at++) {
      frame[at] = (byte) random.nextInt();
    }
    return extended;
  }

  /** Replaces a few bytes by those that another frame has in the same place. */
  private void splice(List<byte[]> seeds, int length) {
    byte[] other = seeds.get(random.nextInt(seeds.size()));
    int limit = Math.min(Math.min(length, other.length), HEADERS_END);
    if (limit > 0) {
      int at = random.nextInt(limit);
      System.arraycopy(other, at, frame, at, Math.min(1 + random.nextInt(8), limit - at));
    }
  }

  /** Makes the lengths of IP and UDP agree on another value, over IPv4. */
  private void resize(int length) {
    if (length >= 42) {
      int udpLength = random.nextInt(length - 34 + 1);
      BigEndian.put16(frame, 16, 20 + udpLength);
      BigEndian.put16(frame, 38, udpLength);
    }
  }

  private void changeOpcode(int length) {
    if (PacketView.isRoce(frame, 0, length)) {
      frame[PacketView.bthOffset(frame, 0)] = (byte) random.nextInt();
    }
  }

  private void flipBit(int length) {
    if (length > 0) {
      int at = random.nextInt(length);
      frame[at] ^= (byte) (1 << random.nextInt(8));
    }
  }

  /** Makes header checksum and ICRC right, so that the checks behind them are reached. */
  private void repair(int length) {
    if (length >= 34 && BigEndian.get16(frame, 12) == 0x0800) {
      BigEndian.put16(frame, 24, 0);
      int checksum =
          InternetChecksum.ofIpv4Header(
              BigEndian.get64(frame, 14), BigEndian.get64(frame, 22), BigEndian.get32(frame, 30));
      BigEndian.put16(frame, 24, checksum);
    }
    if (layout.locate(frame, 0, length) == DecodeStatus.OK) {
      int ipOffset = layout.ipOffset();
      int icrcOffset = layout.icrcOffset();
      Icrc.write(frame, icrcOffset, icrc.compute(frame, ipOffset, icrcOffset - ipOffset));
    }
  }

  private static List<byte[]> seeds() throws IOException {
    List<byte[]> seeds = new ArrayList<>();
    for (Vectors vector : Vectors.values()) {
      seeds.add(vector.frame());
    }
    for (Path file : Captures.files()) {
      for (CapturedFrame captured : CaptureReader.readAll(file)) {
        byte[] bytes = captured.bytes();
        if (bytes.length <= SEED_FRAME_BYTES_MAX && PacketView.isRoce(bytes, 0, bytes.length)) {
          seeds.add(bytes);
        }
      }
    }
    return seeds;
  }
}

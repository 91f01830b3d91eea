package io.roceverbs.sim.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import java.io.IOException;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class CaptureReaderTest {
  private static final int MICROS = 0xA1B2_C3D4;
  private static final int NANOS = 0xA1B2_3C4D;
  private static final int ETHERNET = 1;
  private static final byte[] FRAME = {1, 2, 3, 4, 5};
  private static final byte[] NO_OPTIONS = {};

  static Stream<ByteOrder> byteOrders() {
    return Stream.of(ByteOrder.BIG_ENDIAN, ByteOrder.LITTLE_ENDIAN);
  }

  @ParameterizedTest
  @MethodSource("byteOrders")
  void aPcapFileIsReadInMicrosecondsAndNanoseconds(ByteOrder order) throws IOException {
    for (int magic : new int[] {MICROS, NANOS}) {
      List<CapturedFrame> frames =
          new CaptureBuilder(order)
              .pcap(magic, ETHERNET)
              .pcapFrame(7, 123, FRAME, 5)
              .pcapFrame(-1, 999, FRAME, 1_500)
              .read();

      long unit = magic == NANOS ? 1 : 1_000;
      assertThat(frames)
          .extracting(
              CapturedFrame::number,
              CapturedFrame::timestampNanos,
              CapturedFrame::originalLength,
              CapturedFrame::isCutOff)
          .containsExactly(
              tuple(1L, 7_000_000_000L + 123 * unit, 5L, false),
              tuple(2L, 4_294_967_295_000_000_000L + 999 * unit, 1_500L, true));
      assertThat(frames).extracting(CapturedFrame::bytes).containsExactly(FRAME, FRAME);
    }
  }

  @ParameterizedTest
  @MethodSource("byteOrders")
  void aPcapngFileIsReadWithAllItsBlocksAndSections(ByteOrder order) throws IOException {
    ByteOrder other =
        order == ByteOrder.BIG_ENDIAN ? ByteOrder.LITTLE_ENDIAN : ByteOrder.BIG_ENDIAN;
    CaptureBuilder first =
        new CaptureBuilder(order)
            .section()
            .description(ETHERNET, 3, NO_OPTIONS)
            .description(ETHERNET, 0, NO_OPTIONS)
            .enhancedPacket(1, 1_700_000_000_000_001L, FRAME, 60)
            .block(0x0BAD, new CaptureBuilder(order).ints(1, 2, 3))
            .simplePacket(new byte[] {9, 8, 7}, 100);
    CaptureBuilder second =
        new CaptureBuilder(other)
            .section()
            .description(ETHERNET, 0, NO_OPTIONS)
            .simplePacket(FRAME, 5);

    List<CapturedFrame> frames = first.bytes(second.toBytes()).read();

    assertThat(frames)
        .extracting(
            CapturedFrame::number, CapturedFrame::timestampNanos, CapturedFrame::originalLength)
        .containsExactly(
            tuple(1L, 1_700_000_000_000_001_000L, 60L), tuple(2L, 0L, 100L), tuple(3L, 0L, 5L));
    assertThat(frames)
        .extracting(CapturedFrame::bytes)
        .containsExactly(FRAME, new byte[] {9, 8, 7}, FRAME);
  }

  @ParameterizedTest
  @CsvSource({
    "0x00, 7, 7000000000",
    "0x03, 7001, 7001000000",
    "0x06, 7000001, 7000001000",
    "0x09, 7000000001, 7000000001",
    "0x0C, 7000000001999, 7000000001",
    "0x80, 7, 7000000000",
    "0x81, 15, 7500000000",
    "0x8A, 7169, 7000976562",
    "0xA0, 32212254720, 7500000000",
  })
  void theTimestampResolutionOfTheInterfaceIsUsed(int resolution, long timestamp, long nanos)
      throws IOException {
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).section();
    byte[] comment = builder.option(1, "seven".getBytes(StandardCharsets.US_ASCII));
    byte[] option = builder.option(9, (byte) resolution);

    List<CapturedFrame> frames =
        builder
            .description(ETHERNET, 0, builder.body().bytes(comment).bytes(option).toBytes())
            .enhancedPacket(0, timestamp, FRAME, 5)
            .read();

    assertThat(frames).extracting(CapturedFrame::timestampNanos).containsExactly(nanos);
  }

  @Test
  void theTimestampOffsetOfTheInterfaceIsAdded() throws IOException {
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.BIG_ENDIAN).section();
    byte[] offset = builder.option(14, new byte[] {0, 0, 0, 0, 0, 0, 0, 100});

    List<CapturedFrame> frames =
        builder.description(ETHERNET, 0, offset).enhancedPacket(0, 5, FRAME, 5).read();

    assertThat(frames).extracting(CapturedFrame::timestampNanos).containsExactly(100_000_005_000L);
  }

  @Test
  void aRealCaptureHasItsFramesAndTimes() throws IOException {
    List<CapturedFrame> frames = CaptureReader.readAll(Captures.file("loss_rc_ack.pcap"));

    assertThat(frames).hasSize(32);
    CapturedFrame last = frames.get(31);
    assertThat(last.number()).isEqualTo(32);
    assertThat(last.isCutOff()).isFalse();
    assertThat(frames.get(19).timestampNanos() - frames.get(0).timestampNanos())
        .isBetween(0L, 1_000_000_000L);
  }

  @Test
  void aFileThatIsNoCaptureIsRefused() {
    assertRefused(
        "GIF89a".getBytes(StandardCharsets.US_ASCII),
        "not a capture: the file starts with 0x47494638, which is neither pcap nor pcapng");
    assertRefused(
        new byte[] {1, 2}, "not a capture: the file has 2 bytes, a capture starts with four");
    assertRefused(new byte[0], "not a capture: the file has 0 bytes, a capture starts with four");
  }

  @Test
  void anotherLinkTypeIsRefused() {
    String message = "link type 113 is not Ethernet (1), the only one that is read";
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN);

    assertRefused(builder.body().pcap(MICROS, 113).toBytes(), message);
    assertRefused(builder.body().section().description(113, 0, NO_OPTIONS).toBytes(), message);
  }

  @Test
  void aPcapFileMayEndOnlyBehindAFrame() throws IOException {
    byte[] file =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .pcap(MICROS, ETHERNET)
            .pcapFrame(0, 0, FRAME, 5)
            .pcapFrame(0, 0, FRAME, 5)
            .toBytes();

    assertEndsOnlyAt(file, List.of(24, 24 + 21, 24 + 42));
    assertRefused(
        Arrays.copyOf(file, 24 + 21 + 18),
        "the capture is truncated at frame 2: 5 bytes expected, 2 left");
    assertRefused(
        Arrays.copyOf(file, 24 + 21 + 3),
        "the capture is truncated at frame 2: 16 bytes expected, 3 left");
  }

  @Test
  void aPcapngFileMayEndOnlyBehindABlock() throws IOException {
    byte[] file =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .section()
            .description(ETHERNET, 0, NO_OPTIONS)
            .enhancedPacket(0, 0, FRAME, 5)
            .toBytes();

    assertEndsOnlyAt(file, List.of(28, 28 + 20, 28 + 20 + 40));
  }

  @Test
  void aDamagedPcapngFileIsRefused() {
    CaptureBuilder valid =
        new CaptureBuilder(ByteOrder.LITTLE_ENDIAN)
            .section()
            .description(ETHERNET, 0, NO_OPTIONS)
            .enhancedPacket(0, 0, FRAME, 5);
    int packet = 28 + 20;

    assertDamaged(valid, 8, 0, "section header with byte order 0x003c2b1a, which is not");
    assertDamaged(valid, 12, 9, "pcapng version 9 is not 1");
    assertDamaged(valid, packet + 4, 41, "a block length of 41 is not a multiple of four");
    assertDamaged(valid, packet + 4, 8, "a block length of 8 is not a multiple of four in 12");
    assertDamaged(valid, packet + 7, 0x7F, "in 12 to 16777216");
    assertDamaged(valid, packet + 36, 44, "a block of length 40 ends with length 44");
    assertDamaged(valid, packet + 8, 1, "interface 1 is used, but the section describes 1");
    assertDamaged(valid, packet + 20, 9, "the frame claims 9 bytes, its block has 8");
    assertDamaged(valid, packet + 23, 0x40, "frame 1 claims 1073741829 bytes, more than the 262");
    assertRefused(
        valid.body().section().block(1, valid.body().ints(1)).toBytes(),
        "the capture is damaged at frame 1:"
            + " the body of an interface description block has 4 bytes, it needs 8");
    byte[] resolution = valid.option(9, (byte) 0x13);
    assertRefused(
        valid.body().section().description(ETHERNET, 0, resolution).toBytes(),
        "timestamp resolution 0x13: the exponent is more than 18");
  }

  @Test
  void aDamagedPcapFileIsRefused() {
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.BIG_ENDIAN);

    assertRefused(
        builder.body().pcap(MICROS, ETHERNET).ints(0, 0, 262_145, 262_145).toBytes(),
        "frame 1 claims 262145 bytes, more than the 262144 that are accepted");
    assertRefused(
        builder.body().ints(MICROS).shorts(3, 0).ints(0, 0, 0, 1).toBytes(),
        "pcap version 3 is not 2");
  }

  @Test
  void aSectionHasALimitedNumberOfInterfaces() throws IOException {
    CaptureBuilder builder = new CaptureBuilder(ByteOrder.LITTLE_ENDIAN).section();
    for (int i = 0; i < CaptureReader.INTERFACES_MAX; i++) {
      builder.description(ETHERNET, 0, NO_OPTIONS);
    }
    assertThat(builder.read()).isEmpty();

    assertRefused(
        builder.description(ETHERNET, 0, NO_OPTIONS).toBytes(),
        "the capture is damaged at frame 1: a section has more than 1024 interfaces");
  }

  private static void assertEndsOnlyAt(byte[] file, List<Integer> ends) throws IOException {
    for (int length = 0; length <= file.length; length++) {
      byte[] part = Arrays.copyOf(file, length);
      if (ends.contains(length)) {
        assertThat(CaptureBuilder.read(part)).hasSize(Math.max(0, framesAt(ends, length)));
      } else {
        assertThatThrownBy(() -> CaptureBuilder.read(part))
            .as("%d bytes", length)
            .isInstanceOf(CaptureFormatException.class);
      }
    }
  }

  /** Of three possible ends, pcap has a frame before the second, pcapng before the third. */
  private static int framesAt(List<Integer> ends, int length) {
    int index = ends.indexOf(length);
    return ends.get(0) == 24 ? index : index - 1;
  }

  private static void assertDamaged(CaptureBuilder valid, int offset, int value, String message) {
    byte[] file = valid.toBytes();
    file[offset] = (byte) value;
    assertThatThrownBy(() -> CaptureBuilder.read(file))
        .isInstanceOf(CaptureFormatException.class)
        .hasMessageContaining(message);
  }

  private static void assertRefused(byte[] file, String message) {
    assertThatThrownBy(() -> CaptureBuilder.read(file))
        .isInstanceOf(CaptureFormatException.class)
        .hasMessage(message);
  }
}

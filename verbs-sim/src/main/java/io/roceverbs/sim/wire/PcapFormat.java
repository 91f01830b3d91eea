package io.roceverbs.sim.wire;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** The classic capture format: a file header, then a header of 16 bytes in front of each frame. */
final class PcapFormat implements CaptureReader.Format {
  private static final int MAGIC_MICROS = 0xA1B2_C3D4;
  private static final int MAGIC_NANOS = 0xA1B2_3C4D;

  /** What follows the magic number: version, two unused words, snap length, link type. */
  private static final int FILE_HEADER_REST = 20;

  private static final int LINK_TYPE = 16;

  /** Above the link type is the length of a captured FCS, which is not supported. */
  private static final int LINK_TYPE_MASK = 0xFFFF;

  private static final int VERSION_MAJOR = 2;
  private static final int FRAME_HEADER_BYTES = 16;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final CaptureInput input;
  private final long nanosPerFraction;

  PcapFormat(CaptureInput input, int magic) throws IOException {
    this.input = input;
    boolean bigEndian = magic == MAGIC_MICROS || magic == MAGIC_NANOS;
    input.littleEndian(!bigEndian);
    int ordered = bigEndian ? magic : Integer.reverseBytes(magic);
    nanosPerFraction = ordered == MAGIC_NANOS ? 1 : 1_000;
    byte[] header = input.read(FILE_HEADER_REST);
    int version = input.get16(header, 0);
    if (version != VERSION_MAJOR) {
      throw new CaptureFormatException("pcap version " + version + " is not 2");
    }
    CaptureReader.checkLinkType((int) input.get32(header, LINK_TYPE) & LINK_TYPE_MASK);
  }

  static boolean isMagic(int magic) {
    int swapped = Integer.reverseBytes(magic);
    return magic == MAGIC_MICROS
        || magic == MAGIC_NANOS
        || swapped == MAGIC_MICROS
        || swapped == MAGIC_NANOS;
  }

  @Override
  public @Nullable CapturedFrame next() throws IOException {
    byte[] header = input.readOrEnd(FRAME_HEADER_BYTES);
    if (header.length == 0) {
      return null;
    }
    long seconds = input.get32(header, 0);
    long fraction = input.get32(header, 4);
    int length = CaptureReader.checkFrameLength(input.frames() + 1, input.get32(header, 8));
    long originalLength = input.get32(header, 12);
    byte[] bytes = input.read(length);
    return new CapturedFrame(
        input.nextFrameNumber(),
        seconds * NANOS_PER_SECOND + fraction * nanosPerFraction,
        bytes,
        originalLength);
  }
}

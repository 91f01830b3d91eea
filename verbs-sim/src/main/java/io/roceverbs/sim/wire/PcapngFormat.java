package io.roceverbs.sim.wire;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** The block-structured capture format. Blocks of types that are not needed are skipped. */
final class PcapngFormat implements CaptureReader.Format {
  /** The type of the section header block; it reads the same in both byte orders. */
  static final int MAGIC = 0x0A0D_0D0A;

  private static final int BYTE_ORDER_MAGIC = 0x1A2B_3C4D;
  private static final int INTERFACE_DESCRIPTION = 1;
  private static final int SIMPLE_PACKET = 3;
  private static final int ENHANCED_PACKET = 6;

  private static final int VERSION_MAJOR = 1;

  /** Type and length in front of a block's body, and the length once more behind it. */
  private static final int BLOCK_OVERHEAD = 12;

  private static final int SECTION_BODY_MIN = 16;
  private static final int INTERFACE_BODY_MIN = 8;
  private static final int ENHANCED_BODY_MIN = 20;
  private static final int SIMPLE_BODY_MIN = 4;

  private final CaptureInput input;
  private final List<CaptureInterface> interfaces = new ArrayList<>();

  /** Reads the first section header block, whose type was read already. */
  PcapngFormat(CaptureInput input) throws IOException {
    this.input = input;
    readSection();
  }

  @Override
  public @Nullable CapturedFrame next() throws IOException {
    for (byte[] word = input.readOrEnd(4); word.length != 0; word = input.readOrEnd(4)) {
      if (BigEndian.get32(word, 0) == MAGIC) {
        readSection();
        continue;
      }
      int type = (int) input.get32(word, 0);
      byte[] body = readBody(input.get32(input.read(4), 0));
      if (type == INTERFACE_DESCRIPTION) {
        readInterface(body);
      } else if (type == ENHANCED_PACKET) {
        return enhancedPacket(body);
      } else if (type == SIMPLE_PACKET) {
        return simplePacket(body);
      }
    }
    return null;
  }

  private void readSection() throws IOException {
    byte[] lengthAndOrder = input.read(8);
    int order = BigEndian.get32(lengthAndOrder, 4);
    if (order != BYTE_ORDER_MAGIC && Integer.reverseBytes(order) != BYTE_ORDER_MAGIC) {
      throw new CaptureFormatException(
          String.format(
              Locale.ROOT,
              "section header with byte order 0x%08x, which is not 0x1a2b3c4d in either order",
              order));
    }
    input.littleEndian(order != BYTE_ORDER_MAGIC);
    long length = input.get32(lengthAndOrder, 0);
    checkBlockLength(length, BLOCK_OVERHEAD + SECTION_BODY_MIN);
    byte[] rest = input.read((int) length - BLOCK_OVERHEAD);
    checkTrailer(length, rest, rest.length - 4);
    int version = input.get16(rest, 0);
    if (version != VERSION_MAJOR) {
      throw new CaptureFormatException("pcapng version " + version + " is not 1");
    }
    interfaces.clear();
  }

  /** Reads what follows a block's type and length, and returns it without the second length. */
  private byte[] readBody(long length) throws IOException {
    checkBlockLength(length, BLOCK_OVERHEAD);
    byte[] rest = input.read((int) length - 8);
    checkTrailer(length, rest, rest.length - 4);
    return Arrays.copyOf(rest, rest.length - 4);
  }

  private void checkBlockLength(long length, int least) throws CaptureFormatException {
    if (length < least || length > CaptureReader.BLOCK_BYTES_MAX || (length & 3) != 0) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "a block length of %d is not a multiple of four in %d to %d",
              length,
              least,
              CaptureReader.BLOCK_BYTES_MAX));
    }
  }

  private void checkTrailer(long length, byte[] bytes, int offset) throws CaptureFormatException {
    long repeated = input.get32(bytes, offset);
    if (repeated != length) {
      throw damaged(
          String.format(Locale.ROOT, "a block of length %d ends with length %d", length, repeated));
    }
  }

  private void readInterface(byte[] body) throws CaptureFormatException {
    checkBody("interface description", body, INTERFACE_BODY_MIN);
    if (interfaces.size() == CaptureReader.INTERFACES_MAX) {
      throw damaged("a section has more than " + CaptureReader.INTERFACES_MAX + " interfaces");
    }
    CaptureReader.checkLinkType(input.get16(body, 0));
    interfaces.add(CaptureInterface.read(input, body, INTERFACE_BODY_MIN));
  }

  private CapturedFrame enhancedPacket(byte[] body) throws CaptureFormatException {
    checkBody("enhanced packet", body, ENHANCED_BODY_MIN);
    CaptureInterface source = interfaceAt(input.get32(body, 0));
    long timestamp = (input.get32(body, 4) << 32) | input.get32(body, 8);
    long originalLength = input.get32(body, 16);
    byte[] bytes = frameBytes(body, ENHANCED_BODY_MIN, input.get32(body, 12));
    return new CapturedFrame(
        input.nextFrameNumber(), source.toNanos(timestamp), bytes, originalLength);
  }

  /**
   * A simple packet has no timestamp, and its length is that of the wire cut to the snap length.
   */
  private CapturedFrame simplePacket(byte[] body) throws CaptureFormatException {
    checkBody("simple packet", body, SIMPLE_BODY_MIN);
    CaptureInterface source = interfaceAt(0);
    long originalLength = input.get32(body, 0);
    long length = originalLength;
    if (source.snapLength() != 0) {
      length = Math.min(length, source.snapLength());
    }
    byte[] bytes = frameBytes(body, SIMPLE_BODY_MIN, length);
    return new CapturedFrame(input.nextFrameNumber(), 0, bytes, originalLength);
  }

  private CaptureInterface interfaceAt(long index) throws CaptureFormatException {
    if (index >= interfaces.size()) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "interface %d is used, but the section describes %d",
              index,
              interfaces.size()));
    }
    return interfaces.get((int) index);
  }

  private byte[] frameBytes(byte[] body, int offset, long length) throws CaptureFormatException {
    int checked = CaptureReader.checkFrameLength(input.frames() + 1, length);
    if (checked > body.length - offset) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "the frame claims %d bytes, its block has %d",
              length,
              body.length - offset));
    }
    return Arrays.copyOfRange(body, offset, offset + checked);
  }

  private void checkBody(String block, byte[] body, int least) throws CaptureFormatException {
    if (body.length < least) {
      throw damaged(
          String.format(
              Locale.ROOT,
              "the body of an %s block has %d bytes, it needs %d",
              block,
              body.length,
              least));
    }
  }

  private CaptureFormatException damaged(String what) {
    return new CaptureFormatException(
        String.format(
            Locale.ROOT, "the capture is damaged at frame %d: %s", input.frames() + 1, what));
  }
}

package io.roceverbs.sim.wire;

import java.io.IOException;
import java.io.InputStream;
import java.util.Locale;

/** The bytes of a capture file, in the byte order of the machine that wrote it. */
final class CaptureInput {
  private final InputStream in;
  private boolean littleEndian;
  private long frames;

  CaptureInput(InputStream in) {
    this.in = in;
  }

  void littleEndian(boolean value) {
    littleEndian = value;
  }

  /** Reads exactly {@code length} bytes, or throws that the file ends in the next frame. */
  byte[] read(int length) throws IOException {
    byte[] bytes = readOrEnd(length);
    if (bytes.length < length) {
      throw truncated(length, 0);
    }
    return bytes;
  }

  /** Reads {@code length} bytes, or returns an empty array if the file ends here. */
  byte[] readOrEnd(int length) throws IOException {
    byte[] bytes = in.readNBytes(length);
    if (bytes.length != 0 && bytes.length < length) {
      throw truncated(length, bytes.length);
    }
    return bytes;
  }

  private CaptureFormatException truncated(int expected, int left) {
    return new CaptureFormatException(
        String.format(
            Locale.ROOT,
            "the capture is truncated at frame %d: %d bytes expected, %d left",
            frames + 1,
            expected,
            left));
  }

  /** Counts one more frame and returns its number. */
  long nextFrameNumber() {
    frames++;
    return frames;
  }

  /** The number of the last frame that was counted. */
  long frames() {
    return frames;
  }

  int get16(byte[] bytes, int offset) {
    int value = BigEndian.get16(bytes, offset);
    return littleEndian ? Short.toUnsignedInt(Short.reverseBytes((short) value)) : value;
  }

  long get32(byte[] bytes, int offset) {
    int value = BigEndian.get32(bytes, offset);
    return Integer.toUnsignedLong(littleEndian ? Integer.reverseBytes(value) : value);
  }

  long get64(byte[] bytes, int offset) {
    long value = BigEndian.get64(bytes, offset);
    return littleEndian ? Long.reverseBytes(value) : value;
  }
}

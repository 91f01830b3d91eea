package io.roceverbs.sim.wire;

import java.util.Locale;

/** What a pcapng interface description says about the frames of that interface. */
final class CaptureInterface {
  private static final int OPTION_END = 0;
  private static final int OPTION_TIMESTAMP_RESOLUTION = 9;
  private static final int OPTION_TIMESTAMP_OFFSET = 14;
  private static final int OPTION_HEADER_BYTES = 4;

  private static final int SNAP_LENGTH = 4;

  /** The resolution is 2 to the power of minus n if this bit is set, else 10 to it. */
  private static final int RESOLUTION_IS_BINARY = 0x80;

  private static final int RESOLUTION_DEFAULT = 6;
  private static final int NANOS_EXPONENT = 9;
  private static final int DECIMAL_EXPONENT_MAX = 18;
  private static final int BINARY_EXPONENT_MAX = 62;
  private static final long NANOS_PER_SECOND = 1_000_000_000L;

  private final long snapLength;
  private final int resolution;
  private final long offsetSeconds;

  private CaptureInterface(long snapLength, int resolution, long offsetSeconds) {
    this.snapLength = snapLength;
    this.resolution = resolution;
    this.offsetSeconds = offsetSeconds;
  }

  /** Reads an interface description whose options start at {@code optionsOffset}. */
  static CaptureInterface read(CaptureInput input, byte[] body, int optionsOffset)
      throws CaptureFormatException {
    int resolution = RESOLUTION_DEFAULT;
    long offsetSeconds = 0;
    int at = optionsOffset;
    while (at + OPTION_HEADER_BYTES <= body.length) {
      int code = input.get16(body, at);
      int length = input.get16(body, at + 2);
      at += OPTION_HEADER_BYTES;
      if (code == OPTION_END || length > body.length - at) {
        break;
      }
      if (code == OPTION_TIMESTAMP_RESOLUTION && length == 1) {
        resolution = checkResolution(BigEndian.get8(body, at));
      } else if (code == OPTION_TIMESTAMP_OFFSET && length == 8) {
        offsetSeconds = input.get64(body, at);
      }
      at += (length + 3) & ~3;
    }
    return new CaptureInterface(input.get32(body, SNAP_LENGTH), resolution, offsetSeconds);
  }

  /** The most bytes of a frame that were kept; 0 for no limit. */
  long snapLength() {
    return snapLength;
  }

  /** Converts a timestamp of this interface to nanoseconds since 1970. */
  long toNanos(long timestamp) {
    long nanos = isBinary(resolution) ? fromBinary(timestamp) : fromDecimal(timestamp);
    return nanos + offsetSeconds * NANOS_PER_SECOND;
  }

  private long fromDecimal(long timestamp) {
    return resolution <= NANOS_EXPONENT
        ? timestamp * powerOfTen(NANOS_EXPONENT - resolution)
        : Long.divideUnsigned(timestamp, powerOfTen(resolution - NANOS_EXPONENT));
  }

  private long fromBinary(long timestamp) {
    int exponent = resolution & ~RESOLUTION_IS_BINARY;
    long seconds = timestamp >>> exponent;
    long fraction = timestamp & ((1L << exponent) - 1);
    long high = Math.multiplyHigh(fraction, NANOS_PER_SECOND);
    long low = fraction * NANOS_PER_SECOND;
    long nanos = exponent == 0 ? 0 : (high << (Long.SIZE - exponent)) | (low >>> exponent);
    return seconds * NANOS_PER_SECOND + nanos;
  }

  private static int checkResolution(int resolution) throws CaptureFormatException {
    int exponent = resolution & ~RESOLUTION_IS_BINARY;
    int largest = isBinary(resolution) ? BINARY_EXPONENT_MAX : DECIMAL_EXPONENT_MAX;
    if (exponent > largest) {
      throw new CaptureFormatException(
          String.format(
              Locale.ROOT,
              "timestamp resolution 0x%02x: the exponent is more than %d",
              resolution,
              largest));
    }
    return resolution;
  }

  private static boolean isBinary(int resolution) {
    return (resolution & RESOLUTION_IS_BINARY) != 0;
  }

  private static long powerOfTen(int exponent) {
    long power = 1;
    for (int i = 0; i < exponent; i++) {
      power *= 10;
    }
    return power;
  }
}

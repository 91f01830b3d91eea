package io.roceverbs.examples.pingpong;

import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * The bytes of a message: a function of its number, its sender and the position, so that a byte
 * that is old, of the other side, or in the wrong place is a wrong byte.
 */
final class Pattern {
  private static final int ROUND_STEP = 0x9E37_79B9;
  private static final int POSITION_STEP = 0x85EB_CA6B;
  private static final int NONE = -1;

  private Pattern() {}

  static void fill(ByteBuffer message, int round, PingPongEnd.Role sender) {
    int start = start(round, sender);
    for (int i = 0; i < message.capacity(); i++) {
      message.put(i, at(start, i));
    }
  }

  /** What is wrong with a message, in words, or empty if nothing is. */
  static String mismatch(ByteBuffer message, int bytes, int round, PingPongEnd.Role sender) {
    if (message.limit() != bytes) {
      return "it has " + message.limit() + " bytes instead of " + bytes;
    }
    int position = firstDifference(message, start(round, sender));
    if (position == NONE) {
      return "";
    }
    return String.format(
        Locale.ROOT,
        "byte %d is 0x%02x instead of 0x%02x",
        position,
        message.get(position),
        at(start(round, sender), position));
  }

  private static int firstDifference(ByteBuffer message, int start) {
    for (int i = 0; i < message.limit(); i++) {
      if (message.get(i) != at(start, i)) {
        return i;
      }
    }
    return NONE;
  }

  private static int start(int round, PingPongEnd.Role sender) {
    int turn = sender == PingPongEnd.Role.CLIENT ? 2 * round : 2 * round + 1;
    return turn * ROUND_STEP;
  }

  private static byte at(int start, int position) {
    int mixed = (start ^ position) * POSITION_STEP;
    return (byte) (mixed >>> 24);
  }
}

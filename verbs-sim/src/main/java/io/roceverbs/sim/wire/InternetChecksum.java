package io.roceverbs.sim.wire;

/** The ones' complement checksum of IPv4 and UDP (RFC 1071). */
final class InternetChecksum {
  private static final int PROTOCOL_UDP = 17;
  private static final int ALL_ONES = 0xFFFF;

  private InternetChecksum() {}

  /** Whether the checksum of an IPv4 header without options is right. */
  static boolean isIpv4HeaderRight(byte[] buffer, int ipOffset) {
    long sum =
        halves(BigEndian.get64(buffer, ipOffset))
            + halves(BigEndian.get64(buffer, ipOffset + 8))
            + BigEndian.getUnsigned32(buffer, ipOffset + 16);
    return fold(sum) == ALL_ONES;
  }

  /**
   * The checksum of an IPv4 header without options, given as words whose checksum field is zero.
   *
   * @param word0 bytes 0 to 7
   * @param word1 bytes 8 to 15
   * @param destination bytes 16 to 19
   */
  static int ofIpv4Header(long word0, long word1, int destination) {
    long sum = halves(word0) + halves(word1) + (destination & 0xFFFF_FFFFL);
    return ~fold(sum) & ALL_ONES;
  }

  /** Whether the UDP checksum of a packet is right; it must not be zero. */
  static boolean isUdpRight(byte[] buffer, FrameLayout layout) {
    int udpLength = layout.icrcOffset() + Icrc.BYTES - layout.udpOffset();
    int addressBytes = layout.ipv6() ? 32 : 8;
    long pseudoHeader =
        sum(buffer, layout.udpOffset() - addressBytes, addressBytes) + PROTOCOL_UDP + udpLength;
    return fold(pseudoHeader + sum(buffer, layout.udpOffset(), udpLength)) == ALL_ONES;
  }

  /** Adds up 32 bits at a time; {@link #fold} makes 16 of them. An odd last byte counts as high. */
  private static long sum(byte[] buffer, int offset, int length) {
    long sum = 0;
    int end = offset + (length & ~3);
    for (int at = offset; at < end; at += Integer.BYTES) {
      sum += BigEndian.getUnsigned32(buffer, at);
    }
    int shift = Integer.SIZE;
    for (int at = end; at < offset + length; at++) {
      shift -= Byte.SIZE;
      sum += (long) BigEndian.get8(buffer, at) << shift;
    }
    return sum;
  }

  private static long halves(long word) {
    return (word >>> 32) + (word & 0xFFFF_FFFFL);
  }

  private static int fold(long sum) {
    long folded = (sum & 0xFFFF_FFFFL) + (sum >>> 32);
    folded = (folded & ALL_ONES) + (folded >>> 16);
    folded = (folded & ALL_ONES) + (folded >>> 16);
    folded = (folded & ALL_ONES) + (folded >>> 16);
    return (int) folded;
  }
}

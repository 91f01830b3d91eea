package io.roceverbs.sim.wire;

/**
 * Explicit congestion notification: the two low bits of the traffic class, in which a sender says
 * that its packets can be marked, and a switch marks them instead of dropping them. The ICRC does
 * not cover them.
 *
 * <p>C counterpart: {@code INET_ECN_set_ce()} in {@code include/net/inet_ecn.h} of the Linux
 * kernel.
 *
 * <p>Source: RFC 3168, section 5; InfiniBand Architecture vol 1, annex A17.
 */
public final class ExplicitCongestion {
  /** Not capable: a switch that has no room drops the packet. */
  public static final int NOT_CAPABLE = 0;

  /** Capable, in the less usual of the two codes. */
  public static final int CAPABLE_1 = 1;

  /** Capable, in the code that adapters send. */
  public static final int CAPABLE_0 = 2;

  /** Capable, and marked: it met congestion. */
  public static final int EXPERIENCED = 3;

  private static final int MASK = 3;
  private static final int IPV6_SHIFT = 4;
  private static final int IPV4_CHECKSUM = 10;
  private static final int HALF = 0xFFFF;

  private ExplicitCongestion() {}

  /**
   * The two bits of a traffic class.
   *
   * @param trafficClass 8 bits
   * @return one of the four codes
   */
  public static int of(int trafficClass) {
    return trafficClass & MASK;
  }

  /**
   * A traffic class with other two bits.
   *
   * @param trafficClass 8 bits
   * @param code one of the four codes
   * @return the traffic class with this code
   */
  public static int with(int trafficClass, int code) {
    return (trafficClass & ~MASK) | code;
  }

  /**
   * Whether a frame says that it can be marked, or is marked.
   *
   * @param frame holds the frame
   * @param start where its Ethernet header starts
   * @return whether its two bits are not zero
   */
  public static boolean isCapable(byte[] frame, int start) {
    return codeAt(frame, start) != NOT_CAPABLE;
  }

  /**
   * Marks a frame; the checksum of its IPv4 header stays right.
   *
   * @param frame holds the frame
   * @param start where its Ethernet header starts
   * @return whether it was not marked before
   */
  public static boolean mark(byte[] frame, int start) {
    if (codeAt(frame, start) == EXPERIENCED) {
      return false;
    }
    int at = start + FrameLayout.ETHERNET_BYTES;
    int before = BigEndian.get16(frame, at);
    int after = before | (isIpv4(frame, at) ? MASK : MASK << IPV6_SHIFT);
    BigEndian.put16(frame, at, after);
    if (isIpv4(frame, at)) {
      int checksum = BigEndian.get16(frame, at + IPV4_CHECKSUM);
      BigEndian.put16(frame, at + IPV4_CHECKSUM, changed(checksum, before, after));
    }
    return true;
  }

  /** A checksum after one of the halves that it covers has changed (RFC 1624). */
  private static int changed(int checksum, int before, int after) {
    int sum = (~checksum & HALF) + (~before & HALF) + after;
    sum = (sum & HALF) + (sum >>> Short.SIZE);
    sum = (sum & HALF) + (sum >>> Short.SIZE);
    return ~sum & HALF;
  }

  private static int codeAt(byte[] frame, int start) {
    int at = start + FrameLayout.ETHERNET_BYTES;
    int half = BigEndian.get16(frame, at);
    return (isIpv4(frame, at) ? half : half >>> IPV6_SHIFT) & MASK;
  }

  private static boolean isIpv4(byte[] frame, int ipOffset) {
    return BigEndian.get8(frame, ipOffset) == FrameLayout.IPV4_VERSION_AND_LENGTH;
  }
}

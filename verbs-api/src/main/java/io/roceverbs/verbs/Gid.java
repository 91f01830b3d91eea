package io.roceverbs.verbs;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.ByteBuffer;

/**
 * Address of a port: {@code union ibv_gid}, kernel {@code union ib_gid}. On RoCEv2 it is an IPv6
 * address, or an IPv4 address in the form {@code ::ffff:a.b.c.d}.
 *
 * <p>Source: ibv_query_gid(3).
 *
 * @param high the first eight bytes, most significant first: the {@code subnet_prefix}
 * @param low the last eight bytes, most significant first: the {@code interface_id}
 */
public record Gid(long high, long low) {
  /** Length of an address in bytes. */
  public static final int BYTES = 16;

  private static final int IPV4_MULTICAST_NIBBLE = 0xE;
  private static final int IPV6_MULTICAST_BYTE = 0xFF;
  private static final int IPV4_BYTES = 4;
  private static final int GROUPS = 8;
  private static final long IPV4_MAPPED_PREFIX = 0xffffL;

  /**
   * Makes the GID of an IP address.
   *
   * @param address an IPv6 address, or an IPv4 address, which is mapped to {@code ::ffff:a.b.c.d}
   * @return the GID
   */
  public static Gid of(InetAddress address) {
    byte[] bytes = address.getAddress();
    if (bytes.length == IPV4_BYTES) {
      long ipv4 = Integer.toUnsignedLong(ByteBuffer.wrap(bytes).getInt());
      return new Gid(0, IPV4_MAPPED_PREFIX << Integer.SIZE | ipv4);
    }
    return of(bytes);
  }

  /**
   * Makes a GID from its bytes.
   *
   * @param bytes 16 bytes, in the order of the wire
   * @return the GID
   * @throws IllegalArgumentException if there are not 16 bytes
   */
  public static Gid of(byte[] bytes) {
    if (bytes.length != BYTES) {
      throw new IllegalArgumentException("a GID has " + BYTES + " bytes, not " + bytes.length);
    }
    ByteBuffer buffer = ByteBuffer.wrap(bytes);
    return new Gid(buffer.getLong(), buffer.getLong());
  }

  /** {@return the address as a new array of 16 bytes, in the order of the wire} */
  public byte[] bytes() {
    return ByteBuffer.allocate(BYTES).putLong(high).putLong(low).array();
  }

  /** {@return true if the address begins with {@code ::ffff:0:0/96}} */
  public boolean isIpv4Mapped() {
    return high == 0 && low >>> Integer.SIZE == IPV4_MAPPED_PREFIX;
  }

  /** {@return true if it is the address of a group: {@code ff00::/8} or 224.0.0.0/4} */
  public boolean isMulticast() {
    return isIpv4Mapped()
        ? (low >>> 28 & 0xF) == IPV4_MULTICAST_NIBBLE
        : high >>> 56 == IPV6_MULTICAST_BYTE;
  }

  /**
   * {@return an {@link java.net.Inet4Address} if {@link #isIpv4Mapped()}, else an {@link
   * java.net.Inet6Address}}
   */
  public InetAddress toInetAddress() {
    try {
      return InetAddress.getByAddress(bytes());
    } catch (UnknownHostException e) {
      throw new AssertionError("16 bytes are always an address", e);
    }
  }

  /**
   * Returns the address as IPv6 text in the canonical form of RFC 5952, such as {@code
   * ::ffff:192.0.2.1} or {@code fe80::1}.
   */
  @Override
  public String toString() {
    if (isIpv4Mapped()) {
      return "::ffff:" + toInetAddress().getHostAddress();
    }
    int zerosFrom = longestZeroRun();
    StringBuilder text = new StringBuilder();
    for (int i = 0; i < GROUPS; i++) {
      if (i == zerosFrom) {
        text.append("::");
        i += zeroRunAt(i) - 1;
      } else {
        String separator = text.isEmpty() || text.charAt(text.length() - 1) == ':' ? "" : ":";
        text.append(separator).append(Integer.toHexString(group(i)));
      }
    }
    return text.toString();
  }

  /** Returns the index of the first of the longest runs of two or more zero groups, or -1. */
  private int longestZeroRun() {
    int best = -1;
    int bestLength = 1;
    for (int i = 0; i < GROUPS; i++) {
      int length = zeroRunAt(i);
      if (length > bestLength) {
        best = i;
        bestLength = length;
      }
    }
    return best;
  }

  private int zeroRunAt(int from) {
    int end = from;
    while (end < GROUPS && group(end) == 0) {
      end++;
    }
    return end - from;
  }

  private int group(int index) {
    long half = index < GROUPS / 2 ? high : low;
    int shift = Short.SIZE * (GROUPS / 2 - 1 - index % (GROUPS / 2));
    return (int) (half >>> shift) & 0xffff;
  }
}

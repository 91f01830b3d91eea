package io.roceverbs.sim.wire;

import java.util.Arrays;
import java.util.zip.CRC32;

/**
 * The invariant CRC of RoCEv2: a checksum over all that does not change on the way through routers
 * and switches.
 *
 * <p>It is the CRC-32 of Ethernet and zlib, over this sequence of bytes:
 *
 * <ol>
 *   <li>eight bytes 0xFF, which stand for the local route header of native InfiniBand;
 *   <li>the IP header, in which these fields are replaced by ones: TOS, TTL and header checksum of
 *       IPv4, or traffic class, flow label and hop limit of IPv6;
 *   <li>the UDP header, its checksum replaced by ones;
 *   <li>the BTH, its byte 4 (FECN, BECN and six reserved bits) replaced by ones;
 *   <li>the extended headers, the payload and the pad, as they are.
 * </ol>
 *
 * <p>The four bytes of the result follow the pad with the least significant one first; it is the
 * only little-endian field of a packet. The Ethernet header is not covered. Source: InfiniBand
 * architecture specification, volume 1, annex A17 (RoCEv2) with chapter 7; the C counterpart is
 * {@code rxe_icrc.c} of the Linux kernel.
 *
 * <p>One instance serves one thread.
 */
public final class Icrc {
  /** The length of an ICRC. */
  public static final int BYTES = 4;

  /** The length of what stands for the local route header. */
  private static final int PSEUDO_HEADER_BYTES = 8;

  /** Where in the BTH are FECN, BECN and the reserved bits. */
  private static final int BTH_CONGESTION = 4;

  private static final int IPV4_MASKED_BYTES =
      FrameLayout.IPV4_BYTES + FrameLayout.UDP_BYTES + FrameLayout.BTH_BYTES;
  private static final int IPV6_MASKED_BYTES =
      FrameLayout.IPV6_BYTES + FrameLayout.UDP_BYTES + FrameLayout.BTH_BYTES;

  /** How many corrections are kept; a power of two. */
  private static final int CORRECTIONS = 256;

  private static final int SLOT_SHIFT = Long.SIZE - Integer.numberOfTrailingZeros(CORRECTIONS);
  private static final long HASH_FACTOR = 0x9E37_79B9_7F4A_7C15L;

  private final CRC32 crc = new CRC32();
  private final byte[] head = new byte[PSEUDO_HEADER_BYTES + IPV6_MASKED_BYTES];
  private final long[] maskedFields = new long[CORRECTIONS];
  private final int[] lengths = new int[CORRECTIONS];
  private final boolean[] isKnown = new boolean[CORRECTIONS];
  private final int[] corrections = new int[CORRECTIONS];

  /** Creates the scratch space for one thread. */
  public Icrc() {
    Arrays.fill(head, 0, PSEUDO_HEADER_BYTES, (byte) 0xFF);
  }

  /**
   * Computes the ICRC of a packet.
   *
   * <p>Masking takes a copy of the headers and a second pass of the CRC for them, which costs as
   * much as a kilobyte of payload. But a CRC is linear: what masking changes in the result depends
   * only on the length and on the values of the masked fields, and these are the same for most
   * packets of a connection. So that difference is remembered once it was needed twice, and the CRC
   * of the packet as it is needs no more than to be corrected by it.
   *
   * @param buffer holds the packet; it is not changed
   * @param ipOffset where its IP header starts; the version there decides which fields are masked
   * @param length the number of bytes from the IP header to the last byte of pad, so without the
   *     ICRC itself: at least an IP header without options, a UDP header and a BTH
   * @return the ICRC; its least significant byte comes first on the wire
   */
  public int compute(byte[] buffer, int ipOffset, int length) {
    long fields = maskedFields(buffer, ipOffset);
    int slot = (int) (((fields ^ length) * HASH_FACTOR) >>> SLOT_SHIFT);
    if (maskedFields[slot] != fields || lengths[slot] != length) {
      maskedFields[slot] = fields;
      lengths[slot] = length;
      isKnown[slot] = false;
      return computeMasked(buffer, ipOffset, length);
    }
    int unmasked = crcOf(buffer, ipOffset, length);
    if (!isKnown[slot]) {
      corrections[slot] = unmasked ^ computeMasked(buffer, ipOffset, length);
      isKnown[slot] = true;
    }
    return unmasked ^ corrections[slot];
  }

  /** Reads the ICRC that a packet bears. */
  static int read(byte[] buffer, int icrcOffset) {
    return Integer.reverseBytes(BigEndian.get32(buffer, icrcOffset));
  }

  /** Writes an ICRC behind the pad. */
  static void write(byte[] buffer, int icrcOffset, int icrc) {
    BigEndian.put32(buffer, icrcOffset, Integer.reverseBytes(icrc));
  }

  private int crcOf(byte[] buffer, int offset, int length) {
    crc.reset();
    crc.update(buffer, offset, length);
    return (int) crc.getValue();
  }

  private int computeMasked(byte[] buffer, int ipOffset, int length) {
    int masked = isIpv6(buffer, ipOffset) ? IPV6_MASKED_BYTES : IPV4_MASKED_BYTES;
    if (masked == IPV6_MASKED_BYTES) {
      maskIpv6(buffer, ipOffset);
    } else {
      maskIpv4(buffer, ipOffset);
    }
    crc.reset();
    crc.update(head, 0, PSEUDO_HEADER_BYTES + masked);
    crc.update(buffer, ipOffset + masked, length - masked);
    return (int) crc.getValue();
  }

  private static boolean isIpv6(byte[] buffer, int ipOffset) {
    return BigEndian.get8(buffer, ipOffset) >> 4 == 6;
  }

  /** The values of all masked fields and the version of IP, packed into 64 bits. */
  private static long maskedFields(byte[] buffer, int ipOffset) {
    long word = BigEndian.get64(buffer, ipOffset);
    if (word >>> 60 == 6) {
      long classAndFlowLabel = word >>> 32;
      long hopLimit = word & 0xFF;
      return (classAndFlowLabel << 32)
          | (hopLimit << 24)
          | maskedTransportFields(buffer, ipOffset + FrameLayout.IPV6_BYTES);
    }
    long typeOfService = (word >>> 48) & 0xFF;
    long timeToLive = BigEndian.get8(buffer, ipOffset + FrameLayout.IPV4_TIME_TO_LIVE);
    long checksum = BigEndian.get16(buffer, ipOffset + FrameLayout.IPV4_CHECKSUM);
    return (4L << 60)
        | (typeOfService << 48)
        | (timeToLive << 40)
        | (checksum << 24)
        | maskedTransportFields(buffer, ipOffset + FrameLayout.IPV4_BYTES);
  }

  /** The UDP checksum and byte 4 of the BTH: 24 bits. */
  private static long maskedTransportFields(byte[] buffer, int udpOffset) {
    int udpChecksum = BigEndian.get16(buffer, udpOffset + FrameLayout.UDP_CHECKSUM);
    int congestion = BigEndian.get8(buffer, udpOffset + FrameLayout.UDP_BYTES + BTH_CONGESTION);
    return ((long) udpChecksum << 8) | congestion;
  }

  private void maskIpv4(byte[] buffer, int at) {
    put(0, BigEndian.get64(buffer, at) | 0x00FF_0000_0000_0000L);
    put(8, BigEndian.get64(buffer, at + 8) | 0xFF00_FFFF_0000_0000L);
    put(16, BigEndian.get64(buffer, at + 16));
    put(24, BigEndian.get64(buffer, at + 24) | 0x0000_FFFF_0000_0000L);
    put(32, BigEndian.get64(buffer, at + 32) | 0xFF00_0000_0000_0000L);
  }

  private void maskIpv6(byte[] buffer, int at) {
    put(0, BigEndian.get64(buffer, at) | 0x0FFF_FFFF_0000_00FFL);
    put(8, BigEndian.get64(buffer, at + 8));
    put(16, BigEndian.get64(buffer, at + 16));
    put(24, BigEndian.get64(buffer, at + 24));
    put(32, BigEndian.get64(buffer, at + 32));
    put(40, BigEndian.get64(buffer, at + 40) | 0x0000_0000_0000_FFFFL);
    put(48, BigEndian.get64(buffer, at + 48) | 0x0000_0000_FF00_0000L);
    BigEndian.put32(head, PSEUDO_HEADER_BYTES + 56, BigEndian.get32(buffer, at + 56));
  }

  private void put(int offset, long word) {
    BigEndian.put64(head, PSEUDO_HEADER_BYTES + offset, word);
  }
}

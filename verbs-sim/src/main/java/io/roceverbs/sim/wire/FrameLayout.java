package io.roceverbs.sim.wire;

/** Finds out whether a frame is RoCEv2 and where its parts are; reused for every frame. */
final class FrameLayout {
  static final int ETHERNET_BYTES = 14;
  static final int IPV4_BYTES = 20;
  static final int IPV6_BYTES = 40;
  static final int UDP_BYTES = 8;
  static final int BTH_BYTES = 12;

  static final int ETHER_TYPE = 12;
  static final int ETHER_TYPE_IPV4 = 0x0800;
  static final int ETHER_TYPE_IPV6 = 0x86DD;

  static final int IPV4_TOTAL_LENGTH = 2;
  static final int IPV4_FLAGS = 6;
  static final int IPV4_TIME_TO_LIVE = 8;
  static final int IPV4_PROTOCOL = 9;
  static final int IPV4_CHECKSUM = 10;
  static final int IPV6_PAYLOAD_LENGTH = 4;
  static final int IPV6_NEXT_HEADER = 6;
  static final int UDP_DESTINATION_PORT = 2;
  static final int UDP_LENGTH = 4;
  static final int UDP_CHECKSUM = 6;
  static final int PROTOCOL_UDP = 17;

  static final int IPV4_VERSION_AND_LENGTH = 0x45;
  static final int IPV4_FLAG_RESERVED = 0x8000;
  static final int IPV4_FLAG_DONT_FRAGMENT = 0x4000;
  static final int IPV4_FRAGMENT_BITS = 0x3FFF;

  private boolean ipv6;
  private int ipOffset;
  private int udpOffset;
  private int icrcOffset;

  boolean ipv6() {
    return ipv6;
  }

  int ipOffset() {
    return ipOffset;
  }

  int udpOffset() {
    return udpOffset;
  }

  int bthOffset() {
    return udpOffset + UDP_BYTES;
  }

  int icrcOffset() {
    return icrcOffset;
  }

  /** Makes all checks that come before the ICRC; the offsets are valid only if the answer is OK. */
  DecodeStatus locate(byte[] buffer, int offset, int length) {
    if (length < ETHERNET_BYTES) {
      return DecodeStatus.TRUNCATED;
    }
    ipOffset = offset + ETHERNET_BYTES;
    int end = offset + length;
    return switch (BigEndian.get16(buffer, offset + ETHER_TYPE)) {
      case ETHER_TYPE_IPV4 -> locateInIpv4(buffer, end);
      case ETHER_TYPE_IPV6 -> locateInIpv6(buffer, end);
      default -> DecodeStatus.NOT_ROCE;
    };
  }

  private DecodeStatus locateInIpv4(byte[] buffer, int end) {
    if (end - ipOffset < IPV4_BYTES) {
      return DecodeStatus.TRUNCATED;
    }
    if (BigEndian.get8(buffer, ipOffset + IPV4_PROTOCOL) != PROTOCOL_UDP) {
      return DecodeStatus.NOT_ROCE;
    }
    int totalLength = BigEndian.get16(buffer, ipOffset + IPV4_TOTAL_LENGTH);
    int flags = BigEndian.get16(buffer, ipOffset + IPV4_FLAGS);
    if (BigEndian.get8(buffer, ipOffset) != IPV4_VERSION_AND_LENGTH
        || totalLength < IPV4_BYTES + UDP_BYTES
        || (flags & IPV4_FLAG_RESERVED) != 0
        || !InternetChecksum.isIpv4HeaderRight(buffer, ipOffset)) {
      return DecodeStatus.BAD_IP_HEADER;
    }
    if ((flags & IPV4_FRAGMENT_BITS) != 0) {
      return DecodeStatus.FRAGMENT;
    }
    ipv6 = false;
    return locateInUdp(buffer, ipOffset + IPV4_BYTES, totalLength - IPV4_BYTES, end);
  }

  private DecodeStatus locateInIpv6(byte[] buffer, int end) {
    if (end - ipOffset < IPV6_BYTES) {
      return DecodeStatus.TRUNCATED;
    }
    if (BigEndian.get8(buffer, ipOffset + IPV6_NEXT_HEADER) != PROTOCOL_UDP) {
      return DecodeStatus.NOT_ROCE;
    }
    int payloadLength = BigEndian.get16(buffer, ipOffset + IPV6_PAYLOAD_LENGTH);
    if (BigEndian.get8(buffer, ipOffset) >> 4 != 6 || payloadLength < UDP_BYTES) {
      return DecodeStatus.BAD_IP_HEADER;
    }
    ipv6 = true;
    return locateInUdp(buffer, ipOffset + IPV6_BYTES, payloadLength, end);
  }

  private DecodeStatus locateInUdp(byte[] buffer, int offset, int ipPayloadLength, int end) {
    if (end - offset < UDP_BYTES) {
      return DecodeStatus.TRUNCATED;
    }
    if (BigEndian.get16(buffer, offset + UDP_DESTINATION_PORT) != Packet.UDP_PORT) {
      return DecodeStatus.NOT_ROCE;
    }
    if (end - offset < ipPayloadLength) {
      return DecodeStatus.TRUNCATED;
    }
    if (BigEndian.get16(buffer, offset + UDP_LENGTH) != ipPayloadLength
        || ipPayloadLength < UDP_BYTES + BTH_BYTES + Icrc.BYTES) {
      return DecodeStatus.BAD_UDP_LENGTH;
    }
    udpOffset = offset;
    icrcOffset = offset + ipPayloadLength - Icrc.BYTES;
    return DecodeStatus.OK;
  }
}

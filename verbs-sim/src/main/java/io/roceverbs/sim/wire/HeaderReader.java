package io.roceverbs.sim.wire;

/** Takes the fields of a packet out of a frame. */
final class HeaderReader {
  /** The upper 96 bits of an IPv4 address written as an IPv6 address, ::ffff:a.b.c.d. */
  private static final long IPV4_MAPPED = 0x0000_FFFF_0000_0000L;

  private HeaderReader() {}

  static void readEthernet(byte[] buffer, int at, NetworkHeaders into) {
    long word = BigEndian.get64(buffer, at);
    into.destinationMac(word >>> 16);
    into.sourceMac((word << 32) | BigEndian.getUnsigned32(buffer, at + 8));
  }

  static void readIpv4(byte[] buffer, int at, NetworkHeaders into) {
    long word0 = BigEndian.get64(buffer, at);
    long word1 = BigEndian.get64(buffer, at + 8);
    into.ipv6(false);
    into.trafficClass((int) (word0 >>> 48));
    into.identification((int) (word0 >>> 16));
    into.dontFragment((word0 & FrameLayout.IPV4_FLAG_DONT_FRAGMENT) != 0);
    into.flowLabel(0);
    into.hopLimit((int) (word1 >>> 56));
    into.sourceHigh(0);
    into.sourceLow(IPV4_MAPPED | (word1 & 0xFFFF_FFFFL));
    into.destinationHigh(0);
    into.destinationLow(IPV4_MAPPED | BigEndian.getUnsigned32(buffer, at + 16));
  }

  static void readIpv6(byte[] buffer, int at, NetworkHeaders into) {
    long word0 = BigEndian.get64(buffer, at);
    into.ipv6(true);
    into.trafficClass((int) (word0 >>> 52));
    into.identification(0);
    into.dontFragment(true);
    into.flowLabel((int) (word0 >>> 32));
    into.hopLimit((int) word0);
    into.sourceHigh(BigEndian.get64(buffer, at + 8));
    into.sourceLow(BigEndian.get64(buffer, at + 16));
    into.destinationHigh(BigEndian.get64(buffer, at + 24));
    into.destinationLow(BigEndian.get64(buffer, at + 32));
  }

  static void readUdp(byte[] buffer, int at, NetworkHeaders into) {
    long word = BigEndian.get64(buffer, at);
    into.sourcePort((int) (word >>> 48));
    into.udpChecksum((int) word);
  }

  /** Reads the BTH and returns the pad count that it states. */
  static int readBth(byte[] buffer, int at, Packet into) {
    long word = BigEndian.get64(buffer, at);
    int last = BigEndian.get32(buffer, at + 8);
    int flags = (int) (word >>> 48);
    int congestion = (int) (word >>> 24);
    into.opcodeValue((int) (word >>> 56));
    into.solicited((flags & 0x80) != 0);
    into.migrated((flags & 0x40) != 0);
    into.transportVersion(flags);
    into.partitionKey((int) (word >>> 32));
    into.fecn((congestion & 0x80) != 0);
    into.becn((congestion & 0x40) != 0);
    into.reserved6(congestion);
    into.destinationQueuePair((int) word);
    into.ackRequest(last < 0);
    into.reserved7(last >>> 24);
    into.psn(last);
    return (flags >> 4) & 3;
  }

  /** Reads the headers between BTH and payload, in the order of {@link ExtendedHeader}. */
  static void readExtended(byte[] buffer, int offset, Opcode opcode, Packet into) {
    int at = offset;
    if (opcode.hasXrceth()) {
      into.xrceth().read(buffer, at);
      at += ExtendedHeader.XRCETH.bytes();
    }
    if (opcode.hasDeth()) {
      into.deth().read(buffer, at);
      at += ExtendedHeader.DETH.bytes();
    }
    if (opcode.hasFeth()) {
      into.feth().read(buffer, at);
      at += ExtendedHeader.FETH.bytes();
    }
    if (opcode.hasReth()) {
      into.reth().read(buffer, at);
      at += ExtendedHeader.RETH.bytes();
    }
    if (opcode.hasAtomicEth()) {
      into.atomicEth().read(buffer, at);
      at += ExtendedHeader.ATOMIC_ETH.bytes();
    }
    if (opcode.hasAeth()) {
      into.aeth().read(buffer, at);
      at += ExtendedHeader.AETH.bytes();
    }
    if (opcode.hasAtomicAckEth()) {
      into.originalData(BigEndian.get64(buffer, at));
      at += ExtendedHeader.ATOMIC_ACK_ETH.bytes();
    }
    if (opcode.hasImmediate()) {
      into.immediate(BigEndian.get32(buffer, at));
    }
    if (opcode.hasInvalidate()) {
      into.invalidateRkey(BigEndian.get32(buffer, at));
    }
  }

  /** Reads {@code count} bytes of pad, which end at {@code end}. */
  static int readPad(byte[] buffer, int end, int count) {
    int bytes = 0;
    for (int at = end - count; at < end; at++) {
      bytes = (bytes << Byte.SIZE) | BigEndian.get8(buffer, at);
    }
    return bytes;
  }
}

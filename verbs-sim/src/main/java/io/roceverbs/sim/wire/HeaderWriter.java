package io.roceverbs.sim.wire;

/** Puts the fields of a packet into their places in a frame. */
final class HeaderWriter {
  private HeaderWriter() {}

  static void writeEthernet(NetworkHeaders network, byte[] buffer, int at) {
    BigEndian.put64(buffer, at, (network.destinationMac() << 16) | (network.sourceMac() >>> 32));
    int etherType = network.ipv6() ? FrameLayout.ETHER_TYPE_IPV6 : FrameLayout.ETHER_TYPE_IPV4;
    BigEndian.put32(buffer, at + 8, (int) network.sourceMac());
    BigEndian.put16(buffer, at + FrameLayout.ETHER_TYPE, etherType);
  }

  static void writeIpv4(NetworkHeaders network, byte[] buffer, int at, int totalLength) {
    long flags = network.dontFragment() ? FrameLayout.IPV4_FLAG_DONT_FRAGMENT : 0;
    long word0 =
        ((long) FrameLayout.IPV4_VERSION_AND_LENGTH << 56)
            | ((long) network.trafficClass() << 48)
            | ((long) totalLength << 32)
            | ((long) network.identification() << 16)
            | flags;
    long word1 =
        ((long) network.hopLimit() << 56)
            | ((long) FrameLayout.PROTOCOL_UDP << 48)
            | (network.sourceLow() & 0xFFFF_FFFFL);
    int destination = (int) network.destinationLow();
    long checksum = InternetChecksum.ofIpv4Header(word0, word1, destination);
    BigEndian.put64(buffer, at, word0);
    BigEndian.put64(buffer, at + 8, word1 | (checksum << 32));
    BigEndian.put32(buffer, at + 16, destination);
  }

  static void writeIpv6(NetworkHeaders network, byte[] buffer, int at, int payloadLength) {
    BigEndian.put64(
        buffer,
        at,
        (6L << 60)
            | ((long) network.trafficClass() << 52)
            | ((long) network.flowLabel() << 32)
            | ((long) payloadLength << 16)
            | ((long) FrameLayout.PROTOCOL_UDP << 8)
            | network.hopLimit());
    BigEndian.put64(buffer, at + 8, network.sourceHigh());
    BigEndian.put64(buffer, at + 16, network.sourceLow());
    BigEndian.put64(buffer, at + 24, network.destinationHigh());
    BigEndian.put64(buffer, at + 32, network.destinationLow());
  }

  static void writeUdp(NetworkHeaders network, byte[] buffer, int at, int length) {
    BigEndian.put64(
        buffer,
        at,
        ((long) network.sourcePort() << 48)
            | ((long) Packet.UDP_PORT << 32)
            | ((long) length << 16)
            | network.udpChecksum());
  }

  static void writeBth(Packet packet, byte[] buffer, int at) {
    int flags =
        (packet.solicited() ? 0x80 : 0)
            | (packet.migrated() ? 0x40 : 0)
            | (packet.padCount() << 4)
            | packet.transportVersion();
    int congestion = (packet.fecn() ? 0x80 : 0) | (packet.becn() ? 0x40 : 0) | packet.reserved6();
    BigEndian.put64(
        buffer,
        at,
        ((long) packet.opcodeValue() << 56)
            | ((long) flags << 48)
            | ((long) packet.partitionKey() << 32)
            | ((long) congestion << 24)
            | packet.destinationQueuePair());
    int acknowledge = (packet.ackRequest() ? 0x80 : 0) | packet.reserved7();
    BigEndian.put32(buffer, at + 8, (acknowledge << 24) | packet.psn());
  }

  /** Writes the headers between BTH and payload, in the order of {@link ExtendedHeader}. */
  static void writeExtended(Packet packet, Opcode opcode, byte[] buffer, int offset) {
    int at = offset;
    if (opcode.hasXrceth()) {
      packet.xrceth().write(buffer, at);
      at += ExtendedHeader.XRCETH.bytes();
    }
    if (opcode.hasDeth()) {
      packet.deth().write(buffer, at);
      at += ExtendedHeader.DETH.bytes();
    }
    if (opcode.hasFeth()) {
      packet.feth().write(buffer, at);
      at += ExtendedHeader.FETH.bytes();
    }
    if (opcode.hasReth()) {
      packet.reth().write(buffer, at);
      at += ExtendedHeader.RETH.bytes();
    }
    if (opcode.hasAtomicEth()) {
      packet.atomicEth().write(buffer, at);
      at += ExtendedHeader.ATOMIC_ETH.bytes();
    }
    if (opcode.hasAeth()) {
      packet.aeth().write(buffer, at);
      at += ExtendedHeader.AETH.bytes();
    }
    if (opcode.hasAtomicAckEth()) {
      BigEndian.put64(buffer, at, packet.originalData());
      at += ExtendedHeader.ATOMIC_ACK_ETH.bytes();
    }
    if (opcode.hasImmediate()) {
      BigEndian.put32(buffer, at, packet.immediate());
    }
    if (opcode.hasInvalidate()) {
      BigEndian.put32(buffer, at, packet.invalidateRkey());
    }
  }

  /** Writes the pad, whose bytes are zero in all packets that this library makes itself. */
  static void writePad(Packet packet, byte[] buffer, int offset) {
    int shift = packet.padCount() * Byte.SIZE;
    for (int at = offset; shift > 0; at++) {
      shift -= Byte.SIZE;
      buffer[at] = (byte) (packet.padBytes() >>> shift);
    }
  }
}

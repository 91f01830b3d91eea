package io.roceverbs.sim.wire;

/** Puts the fields of a packet into their places in a frame. */
final class HeaderWriter {
  private HeaderWriter() {}

  static void writeEthernet(Packet packet, byte[] buffer, int at) {
    BigEndian.put64(buffer, at, (packet.destinationMac() << 16) | (packet.sourceMac() >>> 32));
    int etherType = packet.ipv6() ? FrameLayout.ETHER_TYPE_IPV6 : FrameLayout.ETHER_TYPE_IPV4;
    BigEndian.put32(buffer, at + 8, (int) packet.sourceMac());
    BigEndian.put16(buffer, at + FrameLayout.ETHER_TYPE, etherType);
  }

  static void writeIpv4(Packet packet, byte[] buffer, int at, int totalLength) {
    long flags = packet.dontFragment() ? FrameLayout.IPV4_FLAG_DONT_FRAGMENT : 0;
    long word0 =
        ((long) FrameLayout.IPV4_VERSION_AND_LENGTH << 56)
            | ((long) packet.trafficClass() << 48)
            | ((long) totalLength << 32)
            | ((long) packet.identification() << 16)
            | flags;
    long word1 =
        ((long) packet.hopLimit() << 56)
            | ((long) FrameLayout.PROTOCOL_UDP << 48)
            | (packet.sourceLow() & 0xFFFF_FFFFL);
    int destination = (int) packet.destinationLow();
    long checksum = InternetChecksum.ofIpv4Header(word0, word1, destination);
    BigEndian.put64(buffer, at, word0);
    BigEndian.put64(buffer, at + 8, word1 | (checksum << 32));
    BigEndian.put32(buffer, at + 16, destination);
  }

  static void writeIpv6(Packet packet, byte[] buffer, int at, int payloadLength) {
    BigEndian.put64(
        buffer,
        at,
        (6L << 60)
            | ((long) packet.trafficClass() << 52)
            | ((long) packet.flowLabel() << 32)
            | ((long) payloadLength << 16)
            | ((long) FrameLayout.PROTOCOL_UDP << 8)
            | packet.hopLimit());
    BigEndian.put64(buffer, at + 8, packet.sourceHigh());
    BigEndian.put64(buffer, at + 16, packet.sourceLow());
    BigEndian.put64(buffer, at + 24, packet.destinationHigh());
    BigEndian.put64(buffer, at + 32, packet.destinationLow());
  }

  static void writeUdp(Packet packet, byte[] buffer, int at, int length) {
    BigEndian.put64(
        buffer,
        at,
        ((long) packet.sourcePort() << 48)
            | ((long) Packet.UDP_PORT << 32)
            | ((long) length << 16)
            | packet.udpChecksum());
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
      int word = (packet.sharedReceiveReserved() << 24) | packet.sharedReceiveQueue();
      BigEndian.put32(buffer, at, word);
      at += ExtendedHeader.XRCETH.bytes();
    }
    if (opcode.hasDeth()) {
      BigEndian.put32(buffer, at, packet.queueKey());
      int source = (packet.datagramReserved() << 24) | packet.sourceQueuePair();
      BigEndian.put32(buffer, at + 4, source);
      at += ExtendedHeader.DETH.bytes();
    }
    if (opcode.hasFeth()) {
      int selectivity = (packet.flushReserved() << 6) | (packet.flushSelectivity() << 4);
      BigEndian.put32(buffer, at, selectivity | packet.flushPlacement());
      at += ExtendedHeader.FETH.bytes();
    }
    if (opcode.hasReth()) {
      BigEndian.put64(buffer, at, packet.remoteAddress());
      BigEndian.put32(buffer, at + 8, packet.rkey());
      BigEndian.put32(buffer, at + 12, packet.dmaLength());
      at += ExtendedHeader.RETH.bytes();
    }
    if (opcode.hasAtomicEth()) {
      BigEndian.put64(buffer, at, packet.remoteAddress());
      BigEndian.put32(buffer, at + 8, packet.rkey());
      BigEndian.put64(buffer, at + 12, packet.swapOrAdd());
      BigEndian.put64(buffer, at + 20, packet.compare());
      at += ExtendedHeader.ATOMIC_ETH.bytes();
    }
    if (opcode.hasAeth()) {
      BigEndian.put32(buffer, at, (packet.syndrome() << 24) | packet.messageSequenceNumber());
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

package io.roceverbs.sim.wire;

/** Writes a packet as one line of text. */
final class PacketText {
  private static final String RC_PREFIX = "RC_";

  private PacketText() {}

  /** The line, with or without the number of the queue pair that the packet goes to. */
  static String of(Packet packet, boolean withQueuePair) {
    String queuePair = withQueuePair ? " qp=0x%06x".formatted(packet.destinationQueuePair()) : "";
    if (!packet.hasOpcode()) {
      return "UNKNOWN(0x%02x)%s psn=0x%06x"
          .formatted(packet.opcodeValue(), queuePair, packet.psn());
    }
    if (packet.opcode() == Opcode.RC_ACKNOWLEDGE) {
      return "%s psn=0x%06x msn=%d"
          .formatted(answer(packet.syndrome()), packet.psn(), packet.messageSequenceNumber());
    }
    StringBuilder line = new StringBuilder(128);
    line.append(name(packet)).append(queuePair);
    line.append(" psn=0x%06x".formatted(packet.psn()));
    if (packet.solicited()) {
      line.append(" solicited");
    }
    if (packet.ackRequest()) {
      line.append(" ackreq");
    }
    appendHeaders(line, packet);
    if (packet.opcode().carriesPayload()) {
      line.append(" len=").append(packet.payloadLength());
    }
    return line.toString();
  }

  private static String name(Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode == Opcode.RC_RESERVED) {
      return "RESERVED(0x%02x)".formatted(packet.opcodeValue());
    }
    String name = opcode.name();
    return name.startsWith(RC_PREFIX) ? name.substring(RC_PREFIX.length()) : name;
  }

  private static String answer(int syndrome) {
    return switch (Syndrome.kind(syndrome)) {
      case ACK -> "ACK";
      case RNR_NAK -> "RNR_NAK(" + Syndrome.code(syndrome) + ")";
      case NAK -> {
        NakCode code = Syndrome.nakCode(syndrome);
        yield "NAK(" + (code == null ? "reserved " + Syndrome.code(syndrome) : code) + ")";
      }
      case RESERVED -> "ACKNOWLEDGE(reserved syndrome 0x%02x)".formatted(syndrome);
    };
  }

  private static void appendHeaders(StringBuilder line, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.hasDeth()) {
      line.append(
          " srcqp=0x%06x qkey=0x%08x".formatted(packet.sourceQueuePair(), packet.queueKey()));
    }
    if (opcode.hasFeth()) {
      line.append(" sel=").append(packet.flushSelectivity());
      line.append(" plt=").append(packet.flushPlacement());
    }
    if (opcode.hasReth()) {
      appendReth(line, packet);
    }
    if (opcode.hasAtomicEth()) {
      line.append(" va=0x%x rkey=0x%08x".formatted(packet.remoteAddress(), packet.rkey()));
      line.append(
          opcode == Opcode.RC_COMPARE_SWAP
              ? " compare=0x%x swap=0x%x".formatted(packet.compare(), packet.swapOrAdd())
              : " add=0x%x".formatted(packet.swapOrAdd()));
    }
    if (opcode.hasAeth()) {
      line.append(" msn=").append(packet.messageSequenceNumber());
    }
    if (opcode.hasAtomicAckEth()) {
      line.append(" original=0x%x".formatted(packet.originalData()));
    }
    if (opcode.hasImmediate()) {
      line.append(" imm=0x%08x".formatted(packet.immediate()));
    }
    if (opcode.hasInvalidate()) {
      line.append(" inv=0x%08x".formatted(packet.invalidateRkey()));
    }
  }

  /** A request without payload shows the RETH's length as its own. */
  private static void appendReth(StringBuilder line, Packet packet) {
    line.append(" va=0x%x rkey=0x%08x".formatted(packet.remoteAddress(), packet.rkey()));
    line.append(packet.opcode().carriesPayload() ? " dma=" : " len=");
    line.append(Integer.toUnsignedString(packet.dmaLength()));
  }
}

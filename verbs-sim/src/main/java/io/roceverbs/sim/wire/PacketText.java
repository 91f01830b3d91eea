package io.roceverbs.sim.wire;

import java.util.Locale;

/** Writes a packet as one line of text. */
final class PacketText {
  private static final String RC_PREFIX = "RC_";

  private PacketText() {}

  /** The line, with or without the number of the queue pair that the packet goes to. */
  static String of(Packet packet, boolean withQueuePair) {
    String queuePair =
        withQueuePair
            ? String.format(Locale.ROOT, " qp=0x%06x", packet.destinationQueuePair())
            : "";
    if (!packet.hasOpcode()) {
      return String.format(
          Locale.ROOT,
          "UNKNOWN(0x%02x)%s psn=0x%06x",
          packet.opcodeValue(),
          queuePair,
          packet.psn());
    }
    if (packet.opcode().isAcknowledge()) {
      return String.format(
          Locale.ROOT,
          "%s psn=0x%06x msn=%d",
          answer(packet.aeth().syndrome()),
          packet.psn(),
          packet.aeth().messageSequenceNumber());
    }
    StringBuilder line = new StringBuilder(128);
    line.append(name(packet)).append(queuePair);
    line.append(String.format(Locale.ROOT, " psn=0x%06x", packet.psn()));
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
      return String.format(Locale.ROOT, "RESERVED(0x%02x)", packet.opcodeValue());
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
      case RESERVED ->
          String.format(Locale.ROOT, "ACKNOWLEDGE(reserved syndrome 0x%02x)", syndrome);
    };
  }

  private static void appendHeaders(StringBuilder line, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.hasXrceth()) {
      line.append(String.format(Locale.ROOT, " srq=0x%06x", packet.xrceth().sharedReceiveQueue()));
    }
    if (opcode.hasDeth()) {
      line.append(
          String.format(
              Locale.ROOT,
              " srcqp=0x%06x qkey=0x%08x",
              packet.deth().sourceQueuePair(),
              packet.deth().queueKey()));
    }
    if (opcode.hasFeth()) {
      line.append(" sel=").append(packet.feth().selectivity());
      line.append(" plt=").append(packet.feth().placement());
    }
    if (opcode.hasReth()) {
      appendReth(line, packet);
    }
    if (opcode.hasAtomicEth()) {
      line.append(
          String.format(
              Locale.ROOT,
              " va=0x%x rkey=0x%08x",
              packet.atomicEth().remoteAddress(),
              packet.atomicEth().rkey()));
      line.append(
          opcode.isCompareSwap()
              ? String.format(
                  Locale.ROOT,
                  " compare=0x%x swap=0x%x",
                  packet.atomicEth().compare(),
                  packet.atomicEth().swapOrAdd())
              : String.format(Locale.ROOT, " add=0x%x", packet.atomicEth().swapOrAdd()));
    }
    if (opcode.hasAeth()) {
      line.append(" msn=").append(packet.aeth().messageSequenceNumber());
    }
    if (opcode.hasAtomicAckEth()) {
      line.append(String.format(Locale.ROOT, " original=0x%x", packet.originalData()));
    }
    if (opcode.hasImmediate()) {
      line.append(String.format(Locale.ROOT, " imm=0x%08x", packet.immediate()));
    }
    if (opcode.hasInvalidate()) {
      line.append(String.format(Locale.ROOT, " inv=0x%08x", packet.invalidateRkey()));
    }
  }

  /** A request without payload shows the RETH's length as its own. */
  private static void appendReth(StringBuilder line, Packet packet) {
    line.append(
        String.format(
            Locale.ROOT,
            " va=0x%x rkey=0x%08x",
            packet.reth().remoteAddress(),
            packet.reth().rkey()));
    line.append(packet.opcode().carriesPayload() ? " dma=" : " len=");
    line.append(Integer.toUnsignedString(packet.reth().dmaLength()));
  }
}

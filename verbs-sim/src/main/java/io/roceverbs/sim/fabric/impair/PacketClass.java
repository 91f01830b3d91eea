package io.roceverbs.sim.fabric.impair;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.sim.wire.SyndromeKind;

/** Kinds of packet that a {@link Match} can name besides an exact opcode. */
public enum PacketClass {
  /** Every packet. */
  ANY,
  /** Every packet from requester to responder. */
  REQUEST,
  /** Every packet of a SEND. */
  SEND,
  /** Every packet of an RDMA WRITE. */
  WRITE,
  /** An RDMA READ request. */
  READ_REQUEST,
  /** An atomic request. */
  ATOMIC,
  /** Every packet from responder to requester. */
  RESPONSE,
  /** A positive acknowledgement in a packet of its own. */
  ACK,
  /** A negative acknowledgement other than receiver not ready. */
  NAK,
  /** A receiver-not-ready NAK. */
  RNR_NAK,
  /** Every packet of an RDMA READ response. */
  READ_RESPONSE,
  /** The answer to an atomic request. */
  ATOMIC_RESPONSE,
  /** A congestion notification packet. */
  CNP;

  /**
   * Tells whether a packet is of this kind.
   *
   * @param packet a packet with an opcode
   * @return whether it is
   */
  public boolean matches(Packet packet) {
    Opcode opcode = packet.opcode();
    return switch (this) {
      case ANY -> true;
      case REQUEST -> opcode.isRequest();
      case SEND -> opcode.isSend();
      case WRITE -> opcode.isWrite();
      case READ_REQUEST -> opcode.isReadRequest();
      case ATOMIC -> opcode.isAtomicRequest();
      case RESPONSE -> opcode.isResponse();
      case ACK -> isAcknowledge(packet, SyndromeKind.ACK);
      case NAK -> isAcknowledge(packet, SyndromeKind.NAK);
      case RNR_NAK -> isAcknowledge(packet, SyndromeKind.RNR_NAK);
      case READ_RESPONSE -> opcode.isReadResponse();
      case ATOMIC_RESPONSE -> opcode.isAtomicResponse();
      case CNP -> opcode == Opcode.CNP;
    };
  }

  private static boolean isAcknowledge(Packet packet, SyndromeKind kind) {
    return packet.opcode().isAcknowledge() && Syndrome.kind(packet.aeth().syndrome()) == kind;
  }
}

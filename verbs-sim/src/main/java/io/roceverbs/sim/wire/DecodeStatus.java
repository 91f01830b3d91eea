package io.roceverbs.sim.wire;

/**
 * What {@link PacketCodec#decode} found.
 *
 * <p>If several faults are present, the one that comes first in this list is reported. The faults
 * before {@link #BAD_ICRC} make it impossible to say where the ICRC is; those after it are looked
 * for only in a packet whose ICRC is right.
 */
public enum DecodeStatus {
  /** A well-formed packet. */
  OK("The packet is well formed."),
  /** Not RoCEv2 at all. */
  NOT_ROCE("The frame is not IPv4 or IPv6 with UDP to port 4791."),
  /** The frame ends too early. */
  TRUNCATED(
      "The frame ends before its headers do, or before the end that its IP header announces."),
  /** The IP header cannot be trusted. */
  BAD_IP_HEADER(
      "The IP header has a wrong version, options, the reserved flag set, a length that leaves no"
          + " room for UDP, or a wrong checksum."),
  /** RoCEv2 packets are never fragmented. */
  FRAGMENT("The IPv4 packet is a fragment; RoCEv2 packets must not be fragmented."),
  /** UDP and IP disagree. */
  BAD_UDP_LENGTH(
      "The UDP length differs from the length that the IP header leaves for it, or has no room for"
          + " a BTH and an ICRC."),
  /** The invariant CRC does not match. */
  BAD_ICRC("The ICRC does not match the packet."),
  /** The UDP checksum is present and wrong. */
  BAD_UDP_CHECKSUM("The UDP checksum is not zero and does not match the packet."),
  /** The BTH is of another version. */
  WRONG_TRANSPORT_VERSION("The transport header version in the BTH is not 0."),
  /** The opcode has no meaning. */
  UNKNOWN_OPCODE("The BTH opcode is of an unknown transport class or has no meaning in its class."),
  /** The length does not fit the opcode. */
  BAD_LENGTH(
      "The packet is too short for the headers of its opcode, or has payload although its opcode"
          + " takes none, or is a CNP whose reserved part is not 16 bytes long."),
  /** The pad count cannot be right. */
  BAD_PAD(
      "The pad count is larger than what follows the headers, or does not round the payload up to a"
          + " multiple of four, or is not 0 although the opcode takes no payload.");

  private final String text;

  DecodeStatus(String text) {
    this.text = text;
  }

  /** {@return the meaning in one sentence} */
  public String text() {
    return text;
  }
}

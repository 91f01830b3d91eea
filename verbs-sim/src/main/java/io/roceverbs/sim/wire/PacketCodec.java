package io.roceverbs.sim.wire;

import java.util.Arrays;
import java.util.Locale;
import java.util.Objects;

/**
 * Turns packets into Ethernet frames and frames into packets, ICRC included.
 *
 * <p>The payload is neither copied nor moved: {@link #encode} builds the headers in front of it and
 * the ICRC behind it, {@link #decode} leaves it in the frame and points to it. No method but {@link
 * #toFrame} allocates.
 *
 * <p>C counterpart: {@code rxe_prepare()} for the way out and {@code rxe_rcv()} for the way in, in
 * the Linux kernel's rdma_rxe.
 *
 * <p>One instance serves one thread, as it has scratch space.
 */
public final class PacketCodec {
  /**
   * How many bytes must be free in front of the payload: enough for Ethernet, IPv6, UDP, BTH and
   * the longest extended headers.
   */
  public static final int HEADROOM = 128;

  /** How many bytes must be free behind the payload: enough for three bytes of pad and the ICRC. */
  public static final int TAILROOM = 8;

  /** The largest length that IPv4 (header included) and IPv6 (header excluded) can state. */
  private static final int IP_LENGTH_MAX = 0xFFFF;

  private final Icrc icrc = new Icrc();
  private final FrameLayout layout = new FrameLayout();

  /** Creates the scratch space for one thread. */
  public PacketCodec() {}

  /**
   * The length of the frame that {@link #encode} would build.
   *
   * @param packet a packet with an opcode
   * @return bytes from the Ethernet header to the ICRC
   */
  public static int frameLength(Packet packet) {
    int ipBytes = packet.network().ipv6() ? FrameLayout.IPV6_BYTES : FrameLayout.IPV4_BYTES;
    return FrameLayout.ETHERNET_BYTES + ipBytes + udpLength(packet);
  }

  /**
   * Builds a frame around a payload that is in place already.
   *
   * @param packet the fields; of its payload only the length is used
   * @param buffer holds the payload, with {@link #HEADROOM} bytes to spare in front of it and
   *     {@link #TAILROOM} behind it
   * @param payloadOffset where the payload starts
   * @return where the frame starts; its length is {@link #frameLength}
   * @throws IllegalArgumentException if there is not enough room, or the packet has payload
   *     although its opcode takes none, or is longer than IP can say
   * @throws IllegalStateException if the packet has no opcode
   */
  public int encode(Packet packet, byte[] buffer, int payloadOffset) {
    Opcode opcode = packet.opcode();
    checkEncodable(packet, opcode, buffer, payloadOffset);
    int udpLength = udpLength(packet);
    int extendedOffset = payloadOffset - opcode.extendedHeaderBytes();
    int bthOffset = extendedOffset - FrameLayout.BTH_BYTES;
    int udpOffset = bthOffset - FrameLayout.UDP_BYTES;
    int icrcOffset = udpOffset + udpLength - Icrc.BYTES;

    HeaderWriter.writePad(packet, buffer, payloadOffset + packet.payloadLength());
    HeaderWriter.writeExtended(packet, opcode, buffer, extendedOffset);
    HeaderWriter.writeBth(packet, buffer, bthOffset);
    HeaderWriter.writeUdp(packet.network(), buffer, udpOffset, udpLength);
    int ipOffset = writeIp(packet, buffer, udpOffset, udpLength);
    Icrc.write(buffer, icrcOffset, icrc.compute(buffer, ipOffset, icrcOffset - ipOffset));
    int frameOffset = ipOffset - FrameLayout.ETHERNET_BYTES;
    HeaderWriter.writeEthernet(packet.network(), buffer, frameOffset);
    return frameOffset;
  }

  /**
   * Builds a frame in a new array, with a copy of the payload.
   *
   * @param packet the fields and the payload
   * @return the frame, from the Ethernet header to the ICRC
   * @throws IllegalArgumentException as {@link #encode}
   * @throws IllegalStateException as {@link #encode}
   */
  public byte[] toFrame(Packet packet) {
    int length = packet.payloadLength();
    byte[] buffer = new byte[HEADROOM + length + TAILROOM];
    System.arraycopy(packet.payloadBuffer(), packet.payloadOffset(), buffer, HEADROOM, length);
    int start = encode(packet, buffer, HEADROOM);
    return Arrays.copyOfRange(buffer, start, start + frameLength(packet));
  }

  /**
   * Takes a frame apart.
   *
   * <p>No bytes whatever make this method throw. Ethernet pad behind the IP packet is ignored. The
   * packet's payload is a range of {@code buffer}, which is not changed.
   *
   * @param buffer holds the frame
   * @param offset where it starts
   * @param length its length in bytes, without FCS
   * @param into is filled as far as the frame's structure is known: completely if the answer is
   *     {@link DecodeStatus#OK}; with the headers that fit if it is {@link DecodeStatus#BAD_ICRC}
   *     or one of the faults listed after it, so that a damaged packet can be shown; cleared
   *     otherwise
   * @return what was found
   * @throws IndexOutOfBoundsException if the range does not lie in the array
   */
  public DecodeStatus decode(byte[] buffer, int offset, int length, Packet into) {
    Objects.checkFromIndexSize(offset, length, buffer.length);
    DecodeStatus located = layout.locate(buffer, offset, length);
    if (located != DecodeStatus.OK) {
      into.clear();
      return located;
    }
    NetworkHeaders network = into.network();
    HeaderReader.readEthernet(buffer, offset, network);
    if (layout.ipv6()) {
      HeaderReader.readIpv6(buffer, layout.ipOffset(), network);
    } else {
      HeaderReader.readIpv4(buffer, layout.ipOffset(), network);
    }
    HeaderReader.readUdp(buffer, layout.udpOffset(), network);
    DecodeStatus transport = decodeTransport(buffer, into);
    int ipOffset = layout.ipOffset();
    int icrcOffset = layout.icrcOffset();
    if (icrc.compute(buffer, ipOffset, icrcOffset - ipOffset) != Icrc.read(buffer, icrcOffset)) {
      return DecodeStatus.BAD_ICRC;
    }
    if (network.udpChecksum() != 0 && !InternetChecksum.isUdpRight(buffer, layout)) {
      return DecodeStatus.BAD_UDP_CHECKSUM;
    }
    return into.transportVersion() == 0 ? transport : DecodeStatus.WRONG_TRANSPORT_VERSION;
  }

  private DecodeStatus decodeTransport(byte[] buffer, Packet into) {
    int padCount = HeaderReader.readBth(buffer, layout.bthOffset(), into);
    into.clearExtendedHeaders();
    into.payload(buffer, layout.icrcOffset(), 0);
    into.padBytes(0);
    if (!into.hasOpcode()) {
      return DecodeStatus.UNKNOWN_OPCODE;
    }
    Opcode opcode = into.opcode();
    int extendedOffset = layout.bthOffset() + FrameLayout.BTH_BYTES;
    int payloadOffset = extendedOffset + opcode.extendedHeaderBytes();
    int rest = layout.icrcOffset() - payloadOffset;
    if (rest < 0) {
      return DecodeStatus.BAD_LENGTH;
    }
    HeaderReader.readExtended(buffer, extendedOffset, opcode, into);
    into.payload(buffer, payloadOffset, Math.max(0, rest - padCount));
    if (rest != 0 && !opcode.carriesPayload()) {
      return DecodeStatus.BAD_LENGTH;
    }
    if (opcode == Opcode.CNP && rest != Opcode.CNP_PAYLOAD_BYTES) {
      return DecodeStatus.BAD_LENGTH;
    }
    if (padCount > rest || (rest & 3) != 0 || (opcode == Opcode.CNP && padCount != 0)) {
      return DecodeStatus.BAD_PAD;
    }
    if (padCount != 0) {
      into.padBytes(HeaderReader.readPad(buffer, layout.icrcOffset(), padCount));
    }
    return DecodeStatus.OK;
  }

  private static int writeIp(Packet packet, byte[] buffer, int udpOffset, int udpLength) {
    if (packet.network().ipv6()) {
      int ipOffset = udpOffset - FrameLayout.IPV6_BYTES;
      HeaderWriter.writeIpv6(packet.network(), buffer, ipOffset, udpLength);
      return ipOffset;
    }
    int ipOffset = udpOffset - FrameLayout.IPV4_BYTES;
    HeaderWriter.writeIpv4(packet.network(), buffer, ipOffset, FrameLayout.IPV4_BYTES + udpLength);
    return ipOffset;
  }

  private static int udpLength(Packet packet) {
    return FrameLayout.UDP_BYTES
        + FrameLayout.BTH_BYTES
        + packet.opcode().extendedHeaderBytes()
        + packet.payloadLength()
        + packet.padCount()
        + Icrc.BYTES;
  }

  private static void checkEncodable(
      Packet packet, Opcode opcode, byte[] buffer, int payloadOffset) {
    int length = packet.payloadLength();
    if (length != 0 && !opcode.carriesPayload()) {
      throw new IllegalArgumentException(
          opcode + " takes no payload, but the packet has " + length + " bytes of it");
    }
    int ipLength = udpLength(packet) + (packet.network().ipv6() ? 0 : FrameLayout.IPV4_BYTES);
    if (ipLength > IP_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "a payload of " + length + " bytes makes the packet longer than the 65535 bytes of IP");
    }
    if (payloadOffset < HEADROOM || buffer.length - TAILROOM - length < payloadOffset) {
      throw new IllegalArgumentException(
          String.format(
              Locale.ROOT,
              "a payload of %d bytes at offset %d needs %d bytes in front of it and %d behind it,"
                  + " but the buffer has %d bytes",
              length,
              payloadOffset,
              HEADROOM,
              TAILROOM,
              buffer.length));
    }
  }
}

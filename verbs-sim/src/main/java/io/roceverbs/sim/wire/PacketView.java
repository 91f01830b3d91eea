package io.roceverbs.sim.wire;

import org.jspecify.annotations.Nullable;

/**
 * Reads single fields of a frame without decoding it, for code that only wants to recognise
 * packets, such as impairment rules. C counterpart: {@code bth_opcode()}, {@code bth_psn()} and the
 * like in {@code rxe_hdr.h} of the Linux kernel.
 *
 * <p>Ask {@link #isRoce} first: all other methods take it for granted, and that the frame has
 * neither VLAN tags nor IP options. Nothing is verified, least of all the ICRC.
 */
public final class PacketView {
  private static final int IPV4_UDP = FrameLayout.ETHERNET_BYTES + FrameLayout.IPV4_BYTES;
  private static final int IPV6_UDP = FrameLayout.ETHERNET_BYTES + FrameLayout.IPV6_BYTES;

  private PacketView() {}

  /**
   * {@return whether a frame is RoCEv2 and long enough for a BTH and an ICRC}
   *
   * @param frame holds the frame
   * @param offset where it starts
   * @param length its length in bytes
   */
  public static boolean isRoce(byte[] frame, int offset, int length) {
    if (length < IPV4_UDP) {
      return false;
    }
    int udp;
    int protocol;
    switch (BigEndian.get16(frame, offset + FrameLayout.ETHER_TYPE)) {
      case FrameLayout.ETHER_TYPE_IPV4 -> {
        udp = IPV4_UDP;
        protocol = FrameLayout.ETHERNET_BYTES + FrameLayout.IPV4_PROTOCOL;
      }
      case FrameLayout.ETHER_TYPE_IPV6 -> {
        udp = IPV6_UDP;
        protocol = FrameLayout.ETHERNET_BYTES + FrameLayout.IPV6_NEXT_HEADER;
      }
      default -> {
        return false;
      }
    }
    return length >= udp + FrameLayout.UDP_BYTES + FrameLayout.BTH_BYTES + Icrc.BYTES
        && BigEndian.get8(frame, offset + protocol) == FrameLayout.PROTOCOL_UDP
        && BigEndian.get16(frame, offset + udp + FrameLayout.UDP_DESTINATION_PORT)
            == Packet.UDP_PORT;
  }

  /**
   * {@return whether the frame travels over IPv6}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static boolean isIpv6(byte[] frame, int offset) {
    return BigEndian.get16(frame, offset + FrameLayout.ETHER_TYPE) == FrameLayout.ETHER_TYPE_IPV6;
  }

  /**
   * {@return where in the array the BTH starts}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int bthOffset(byte[] frame, int offset) {
    return offset + (isIpv6(frame, offset) ? IPV6_UDP : IPV4_UDP) + FrameLayout.UDP_BYTES;
  }

  /**
   * {@return the first byte of the BTH, 0 to 255}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int opcodeValue(byte[] frame, int offset) {
    return BigEndian.get8(frame, bthOffset(frame, offset));
  }

  /**
   * {@return the opcode, or null as {@link Opcode#of} answers}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static @Nullable Opcode opcode(byte[] frame, int offset) {
    return Opcode.of(opcodeValue(frame, offset));
  }

  /**
   * {@return the solicited event bit}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static boolean solicited(byte[] frame, int offset) {
    return (frame[bthOffset(frame, offset) + 1] & 0x80) != 0;
  }

  /**
   * {@return the P_Key, 16 bits}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int partitionKey(byte[] frame, int offset) {
    return BigEndian.get16(frame, bthOffset(frame, offset) + 2);
  }

  /**
   * {@return the number of the queue pair that the packet is for, 24 bits}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int destinationQueuePair(byte[] frame, int offset) {
    return BigEndian.get32(frame, bthOffset(frame, offset) + 4) & 0xFF_FFFF;
  }

  /**
   * {@return the acknowledge request bit}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static boolean ackRequest(byte[] frame, int offset) {
    return frame[bthOffset(frame, offset) + 8] < 0;
  }

  /**
   * {@return the packet sequence number, 24 bits}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int psn(byte[] frame, int offset) {
    return BigEndian.get32(frame, bthOffset(frame, offset) + 8) & PacketSequenceNumbers.MASK;
  }

  /**
   * {@return the syndrome of an RC answer; meaningful only if its opcode has an AETH}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int syndrome(byte[] frame, int offset) {
    return aeth(frame, offset) >>> 24;
  }

  /**
   * {@return the message sequence number of an RC answer; meaningful only if its opcode has an
   * AETH}
   *
   * @param frame holds the frame
   * @param offset where it starts
   */
  public static int messageSequenceNumber(byte[] frame, int offset) {
    return aeth(frame, offset) & 0xFF_FFFF;
  }

  /**
   * The AETH follows the BTH in every opcode that has one. Where it is missing the ICRC is there,
   * so these four bytes always exist.
   */
  private static int aeth(byte[] frame, int offset) {
    return BigEndian.get32(frame, bthOffset(frame, offset) + FrameLayout.BTH_BYTES);
  }
}

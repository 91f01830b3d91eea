package io.roceverbs.sim.wire;

/**
 * The network header of a packet in the form in which a datagram's receiver finds it in memory: the
 * 40 bytes of a global route header.
 */
public final class NetworkHeader {
  /** The length of the area in front of each received datagram. */
  public static final int AREA_BYTES = 40;

  /** Where an IPv4 header stands in the area; the bytes before it are not defined. */
  public static final int IPV4_OFFSET = 20;

  private static final int ETHERNET_BYTES = 14;

  private NetworkHeader() {}

  /**
   * Writes the IPv6 header over the whole area, or the IPv4 header into its second half.
   *
   * @param packet as it was received
   * @param area {@link #AREA_BYTES} bytes
   */
  public static void write(Packet packet, byte[] area) {
    NetworkHeaders network = packet.network();
    int networkBytes = PacketCodec.frameLength(packet) - ETHERNET_BYTES;
    if (network.ipv6()) {
      HeaderWriter.writeIpv6(network, area, 0, networkBytes - AREA_BYTES);
    } else {
      HeaderWriter.writeIpv4(network, area, IPV4_OFFSET, networkBytes);
    }
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.NetworkHeaders;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Gid;

/**
 * The way to a port of the network, with all that its packets bear of it.
 *
 * @param vector where to
 * @param source the GID that the vector's source index names
 * @param udpSourcePort the same for all packets of a queue pair, so that they keep their order
 */
public record Path(AddressVector vector, Gid source, int udpSourcePort) {
  /**
   * The flow label's upper bits folded in make the UDP source port, as the Linux core computes it.
   */
  private static final int DYNAMIC_PORT_BASE = 0xC000;

  private static final int DYNAMIC_PORT_MASK = 0x3FFF;
  private static final int FLOW_LABEL_MASK = 0xF_FFFF;

  /** The way between two queue pairs; both sides come to the same port if no label is given. */
  static Path between(AddressVector vector, Gid source, int ownNumber, int peerNumber) {
    int label = vector.flowLabel() & FLOW_LABEL_MASK;
    if (label == 0) {
      long product = (long) ownNumber * peerNumber;
      product ^= product >>> 20;
      product ^= product >>> 40;
      label = (int) product & FLOW_LABEL_MASK;
    }
    return new Path(vector, source, portOf(label));
  }

  /** The way of datagrams to wherever an address handle leads. */
  public static Path of(AddressVector vector, Gid source) {
    return new Path(vector, source, portOf(vector.flowLabel() & FLOW_LABEL_MASK));
  }

  private static int portOf(int label) {
    return DYNAMIC_PORT_BASE | ((label & DYNAMIC_PORT_MASK) ^ (label >>> 14));
  }

  /** Writes the addresses into a packet. */
  void address(Packet packet) {
    Gid destination = vector.destination();
    packet
        .network()
        .ipv6(!destination.isIpv4Mapped())
        .sourceHigh(source.high())
        .sourceLow(source.low())
        .destinationHigh(destination.high())
        .destinationLow(destination.low())
        .trafficClass(vector.trafficClass())
        .hopLimit(vector.hopLimit())
        .sourcePort(udpSourcePort);
  }

  /**
   * Whether a packet comes from the other end: there is no source number in a BTH (rule
   * PEER-ADDRESS).
   */
  boolean leadsToSourceOf(Packet packet) {
    Gid destination = vector.destination();
    NetworkHeaders network = packet.network();
    return network.sourceHigh() == destination.high() && network.sourceLow() == destination.low();
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.wire.NetworkHeader;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.StaticRate;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;

/** The way back to where a datagram came from, out of the header in front of it. */
final class ReceivedHeader {
  private static final String CALL = "ProtectionDomain.createAddressHandle";
  private static final int VERSION_SHIFT = 4;
  private static final int IPV4 = 4;
  private static final int IPV6 = 6;
  private static final long IPV4_MAPPED = 0xFFFF_0000_0000L;
  private static final int HOP_LIMIT = 64;

  private ReceivedHeader() {}

  /** Reads the header that begins at the buffer's position, which stays where it is. */
  static AddressVector wayBack(ByteBuffer area, GidTable ownGids, int port) {
    if (area.remaining() < NetworkHeader.AREA_BYTES) {
      throw refused("a global route header has 40 bytes, and the buffer has " + area.remaining());
    }
    int at = area.position();
    int ipv4At = at + NetworkHeader.IPV4_OFFSET;
    if ((area.get(ipv4At) & 0xFF) >>> VERSION_SHIFT == IPV4
        && leadsHere(ipv4(area, ipv4At + 16), ownGids)) {
      return back(
          ipv4(area, ipv4At + 12), ipv4(area, ipv4At + 16), area.get(ipv4At + 1), ownGids, port);
    }
    if ((area.get(at) & 0xFF) >>> VERSION_SHIFT == IPV6) {
      Gid destination = new Gid(area.getLong(at + 24), area.getLong(at + 32));
      Gid source = new Gid(area.getLong(at + 8), area.getLong(at + 16));
      if (leadsHere(destination, ownGids)) {
        int trafficClass = area.getShort(at) >>> VERSION_SHIFT;
        return back(source, destination, (byte) trafficClass, ownGids, port);
      }
    }
    throw refused("the bytes hold neither an IPv6 nor an IPv4 header to an address of this port");
  }

  private static Gid ipv4(ByteBuffer area, int at) {
    return new Gid(0, IPV4_MAPPED | Integer.toUnsignedLong(area.getInt(at)));
  }

  private static boolean leadsHere(Gid destination, GidTable ownGids) {
    return destination.isMulticast() || ownGids.indexOf(destination) >= 0;
  }

  private static AddressVector back(
      Gid source, Gid destination, byte trafficClass, GidTable ownGids, int port) {
    int index = ownGids.indexOf(destination);
    if (index < 0) {
      // It came to a multicast group: the answer leaves from the first address of that version.
      index = ownGids.indexOfVersion(source.isIpv4Mapped());
      if (index < 0) {
        throw refused("the port has no address of the IP version of " + source);
      }
    }
    return new AddressVector(
        source, index, 0, HOP_LIMIT, trafficClass & 0xFF, 0, StaticRate.MAX, port);
  }

  private static VerbsException refused(String detail) {
    return new VerbsException(Errno.EINVAL, CALL, detail);
  }
}

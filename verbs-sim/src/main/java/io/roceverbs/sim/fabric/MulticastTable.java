package io.roceverbs.sim.fabric;

import io.roceverbs.verbs.Gid;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Which ports the switch sends the frames of each multicast group to, in the order of joining. */
final class MulticastTable {
  private static final List<Port> NOBODY = List.of();
  private static final long IPV4_PREFIX = 0x0100_5E00_0000L;
  private static final long IPV4_MASK = 0x7F_FFFFL;
  private static final long IPV6_PREFIX = 0x3333_0000_0000L;
  private static final long IPV6_MASK = 0xFFFF_FFFFL;

  private final Map<Gid, List<Port>> members = new LinkedHashMap<>();

  void join(Gid group, Port port) {
    List<Port> ports = members.computeIfAbsent(group, key -> new ArrayList<>());
    if (!ports.contains(port)) {
      ports.add(port);
    }
  }

  void leave(Gid group, Port port) {
    List<Port> ports = members.getOrDefault(group, NOBODY);
    ports.remove(port);
    if (ports.isEmpty()) {
      members.remove(group);
    }
  }

  /** The MAC address to which frames of a group go (RFC 1112 and RFC 2464). */
  static long macOf(long high, long low) {
    return high == 0 ? IPV4_PREFIX | (low & IPV4_MASK) : IPV6_PREFIX | (low & IPV6_MASK);
  }

  /** The members of the group with an IP address of 128 bits. */
  List<Port> of(long high, long low) {
    return members.isEmpty() ? NOBODY : members.getOrDefault(new Gid(high, low), NOBODY);
  }
}

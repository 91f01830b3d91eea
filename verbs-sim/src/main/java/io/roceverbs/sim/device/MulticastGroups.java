package io.roceverbs.sim.device;

import io.roceverbs.sim.wire.NetworkHeaders;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Which queue pairs take the datagrams of which multicast groups at one port. */
final class MulticastGroups {
  private static final String ATTACH = "QueuePair.attachMulticast";

  private record Group(Gid address, List<SimQueuePair> members) {}

  private final SimDevice device;
  private final DeviceHost host;
  private final List<Group> groups = new ArrayList<>();

  MulticastGroups(SimDevice device, DeviceHost host) {
    this.device = device;
    this.host = host;
  }

  void attach(Gid address, SimQueuePair queuePair) {
    Group group = find(address);
    if (group != null && group.members().contains(queuePair)) {
      return;
    }
    requireRoom(group);
    if (group == null) {
      group = new Group(address, new ArrayList<>());
      groups.add(group);
      host.joinGroup(address);
    }
    group.members().add(queuePair);
  }

  private void requireRoom(@Nullable Group group) {
    int groupsMax = device.limits().maxMulticastGroups();
    int membersMax = device.limits().maxMulticastAttachments();
    if (group == null && groups.size() == groupsMax) {
      throw new VerbsException(
          Errno.ENOMEM, ATTACH, "the device's limit of " + groupsMax + " groups is reached");
    }
    if (group != null && group.members().size() == membersMax) {
      throw new VerbsException(
          Errno.ENOMEM,
          ATTACH,
          "the device's limit of " + membersMax + " queue pairs in one group is reached");
    }
  }

  void detach(Gid address, SimQueuePair queuePair) {
    Group group = find(address);
    if (group == null || !group.members().remove(queuePair)) {
      throw new VerbsException(
          Errno.EINVAL, "QueuePair.detachMulticast", queuePair + " is not attached to " + address);
    }
    if (group.members().isEmpty()) {
      groups.remove(group);
      host.leaveGroup(address);
    }
  }

  /** The groups of a queue pair. */
  List<Gid> of(SimQueuePair queuePair) {
    return groups.stream()
        .filter(group -> group.members().contains(queuePair))
        .map(Group::address)
        .toList();
  }

  /** Hands a datagram to each member of its group (rule MULTICAST-DELIVERY). */
  void deliver(long nowNanos, Packet packet) {
    NetworkHeaders network = packet.network();
    for (int i = 0; i < groups.size(); i++) {
      Group group = groups.get(i);
      Gid address = group.address();
      if (address.high() == network.destinationHigh()
          && address.low() == network.destinationLow()) {
        for (int k = 0; k < group.members().size(); k++) {
          group.members().get(k).handleMulticast(nowNanos, packet);
        }
        return;
      }
    }
  }

  private @Nullable Group find(Gid address) {
    for (Group group : groups) {
      if (group.address().equals(address)) {
        return group;
      }
    }
    return null;
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMtu;
import java.util.List;

/**
 * Who a device is on its fabric.
 *
 * @param node name of its node
 * @param guid its node GUID
 * @param gids what the GID table of its one port begins with; index 0 is the node's IPv4 address
 * @param activeMtu the largest path MTU that its link carries
 * @param firstQueuePairNumber the number of its first queue pair; differs between the nodes of a
 *     fabric, so that a number used for the wrong side is never right by luck
 * @param profile which kind of device it is
 * @param isPrivileged whether its programs may do what takes a privilege
 * @param seed where its own chance comes from
 */
public record DeviceIdentity(
    String node,
    long guid,
    List<Gid> gids,
    PathMtu activeMtu,
    int firstQueuePairNumber,
    DeviceProfile profile,
    boolean isPrivileged,
    long seed) {
  /** Copies the table. */
  public DeviceIdentity {
    gids = List.copyOf(gids);
  }
}

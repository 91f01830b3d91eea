package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceProfile;
import java.util.List;

/**
 * Who a device is on its fabric.
 *
 * @param node name of its node
 * @param guid its node GUID
 * @param ports its ports, port 1 first
 * @param firstQueuePairNumber the number of its first queue pair; differs between the nodes of a
 *     fabric, so that a number used for the wrong side is never right by luck
 * @param profile which kind of device it is
 * @param isPrivileged whether its programs may do what takes a privilege
 * @param seed where its own chance comes from
 */
public record DeviceIdentity(
    String node,
    long guid,
    List<PortIdentity> ports,
    int firstQueuePairNumber,
    DeviceProfile profile,
    boolean isPrivileged,
    long seed) {
  /** Copies the list. */
  public DeviceIdentity {
    ports = List.copyOf(ports);
  }
}

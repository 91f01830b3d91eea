package io.roceverbs.sim;

import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.sim.fabric.Port;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.Gid;

/**
 * One machine on the fabric, with one RDMA device of one port.
 *
 * <p>Any thread may call any method.
 */
public final class Node {
  private final FabricCore core;
  private final String name;
  private final Port port;
  private final Device device;
  private final TransportStatistics transport;
  private final Gid gid;
  private final Gid ipv6Gid;

  Node(
      FabricCore core,
      String name,
      Port port,
      DeviceFactory.NodeDevice device,
      Gid gid,
      Gid ipv6Gid) {
    this.core = core;
    this.name = name;
    this.port = port;
    this.device = device.device();
    this.transport = device.transport();
    this.gid = gid;
    this.ipv6Gid = ipv6Gid;
  }

  /**
   * Its name, as in rules and reports.
   *
   * @return the name that it was added with
   */
  public String name() {
    return name;
  }

  /**
   * Its device. The program does what follows through verbs, as on hardware.
   *
   * @return always the same device
   */
  public Device device() {
    return device;
  }

  /**
   * The GID of its IPv4 address; at index 0 of the device's GID table.
   *
   * @return the address as {@code ::ffff:a.b.c.d}
   */
  public Gid gid() {
    return gid;
  }

  /**
   * The GID of its IPv6 address; at index 1 of the device's GID table.
   *
   * @return the address
   */
  public Gid ipv6Gid() {
    return ipv6Gid;
  }

  /**
   * What happened at its port so far.
   *
   * @return a snapshot
   * @throws IllegalStateException if the fabric is closed
   */
  public PortCounters counters() {
    core.enter();
    try {
      return PortCounters.of(port.statistics());
    } finally {
      core.exit();
    }
  }

  /**
   * What the queue pairs of its device have counted so far.
   *
   * @return a snapshot
   * @throws IllegalStateException if the fabric is closed
   */
  public TransportCounters transport() {
    core.enter();
    try {
      return TransportCounters.of(transport);
    } finally {
      core.exit();
    }
  }

  Port port() {
    return port;
  }

  @Override
  public String toString() {
    return name;
  }
}

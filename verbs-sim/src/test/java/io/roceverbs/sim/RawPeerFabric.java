package io.roceverbs.sim;

import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceIdentity;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.device.SimDevice;
import io.roceverbs.sim.trace.Trace;
import java.util.List;
import java.util.function.Function;

/** Opens the fabric's hook for devices to the tests of other packages. */
public final class RawPeerFabric {
  private RawPeerFabric() {}

  /**
   * Makes a fabric on which the port of one node belongs to a test.
   *
   * @param rawNode name of that node; all other nodes get a simulated device
   * @param client makes what sits behind its port
   */
  public static Fabric create(String rawNode, Function<DeviceHost, PortClient> client) {
    return create(FabricTime.VIRTUAL, rawNode, client);
  }

  /**
   * The same in virtual or in real time.
   *
   * @param time which of the two
   * @param rawNode name of that node; all other nodes get a simulated device
   * @param client makes what sits behind its port
   */
  public static Fabric create(
      FabricTime time, String rawNode, Function<DeviceHost, PortClient> client) {
    return Fabric.builder()
        .time(time)
        .devices((identity, hosts, trace) -> device(rawNode, client, identity, hosts, trace))
        .build();
  }

  private static DeviceFactory.NodeDevice device(
      String rawNode,
      Function<DeviceHost, PortClient> client,
      DeviceIdentity identity,
      List<DeviceHost> hosts,
      Trace trace) {
    SimDevice device = new SimDevice(identity, hosts, trace);
    boolean raw = identity.node().equals(rawNode);
    return new DeviceFactory.NodeDevice(
        device,
        raw ? List.of(client.apply(hosts.get(0))) : device.ports(),
        device.counters(),
        device);
  }
}

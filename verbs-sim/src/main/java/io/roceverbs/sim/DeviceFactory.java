package io.roceverbs.sim;

import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceIdentity;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.device.SimDevice;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.verbs.Device;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Makes the device of a node. */
@FunctionalInterface
interface DeviceFactory {
  NodeDevice create(DeviceIdentity identity, List<DeviceHost> hosts, Trace trace);

  /** Makes the device of the simulator. */
  static NodeDevice simulated(DeviceIdentity identity, List<DeviceHost> hosts, Trace trace) {
    SimDevice device = new SimDevice(identity, hosts, trace);
    return new NodeDevice(device, device.ports(), device.counters(), device);
  }

  /**
   * The faces of one device.
   *
   * @param device what a ULP sees
   * @param clients what each port sees, port 1 first
   * @param transport what the queue pairs at each port count, port 1 first
   * @param simulated the whole of it, for what happens to it from outside; null for a stand-in that
   *     speaks in packets only
   */
  record NodeDevice(
      Device device,
      List<? extends PortClient> clients,
      List<TransportStatistics> transport,
      @Nullable SimDevice simulated) {}
}

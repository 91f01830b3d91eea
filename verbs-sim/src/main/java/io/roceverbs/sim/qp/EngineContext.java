package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;

/**
 * What all queue pairs of a device share.
 *
 * @param node name of the node, for the trace
 * @param keys the device's memory keys
 * @param counters where the engines count at each port, port 1 first
 * @param trace the fabric's log
 * @param completion scratch space in which a completion is put together
 * @param partitionKey the one entry of the partition key table
 * @param links the links of the ports, port 1 first
 * @param profile which kind of device it is
 * @param isShared whether threads claim slots of queues and give them back at any time, as in real
 *     time; otherwise one call comes after the other
 * @param seed where bytes that mean nothing are drawn from
 * @param rules what the profile says about the wire
 * @param faults what the profile says about failures
 */
public record EngineContext(
    String node,
    KeyTable keys,
    List<TransportStatistics> counters,
    Trace trace,
    WorkCompletion completion,
    int partitionKey,
    List<PortLink> links,
    DeviceProfile profile,
    boolean isShared,
    long seed,
    TransportRules rules,
    FaultRules faults) {
  /** Reads the rules out of the profile. */
  public EngineContext(
      String node,
      KeyTable keys,
      List<TransportStatistics> counters,
      Trace trace,
      WorkCompletion completion,
      int partitionKey,
      List<PortLink> links,
      DeviceProfile profile,
      boolean isShared,
      long seed) {
    this(
        node,
        keys,
        counters,
        trace,
        completion,
        partitionKey,
        links,
        profile,
        isShared,
        seed,
        TransportRules.of(profile),
        new FaultRules(profile));
  }
}

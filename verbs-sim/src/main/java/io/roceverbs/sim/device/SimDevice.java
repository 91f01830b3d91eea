package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.qp.EngineContext;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.NodeType;
import io.roceverbs.verbs.TransportType;
import io.roceverbs.verbs.WorkCompletion;

/**
 * A simulated RDMA device with one port.
 *
 * <p>Toward the ULP it is the root of the verbs objects; toward the fabric it is what takes packets
 * in and gives packets out. Queue pairs that have something to send stand in a line and take turns,
 * one packet each.
 */
public final class SimDevice implements Device, PortClient {
  /** The one partition of RoCE: the default partition, as a full member. */
  static final int PARTITION_KEY = 0xFFFF;

  /** Not the number of a queue pair: all that are attached to the group are meant. */
  private static final int MULTICAST_QUEUE_PAIR = 0xFF_FFFF;

  /** What is left of the first queue pair number tells the nodes of a fabric apart. */
  private static final int SALT_SHIFT = 12;

  private final DeviceIdentity identity;
  private final DeviceHost host;
  private final Trace trace;
  private final TransportStatistics counters = new TransportStatistics();
  private final EngineContext engineContext;
  private final QueuePairTable queuePairs;
  private final TransmitLine line = new TransmitLine();
  private final MulticastGroups multicastGroups = new MulticastGroups(this);
  private final AddressSpace addresses;
  private int lastProtectionDomain;
  private boolean lastWasRetransmission;

  /**
   * Makes a device.
   *
   * @param host the fabric that it is plugged into
   * @param trace the fabric's log
   */
  public SimDevice(DeviceIdentity identity, DeviceHost host, Trace trace) {
    this.identity = identity;
    this.host = host;
    this.trace = trace;
    int salt = identity.firstQueuePairNumber() >>> SALT_SHIFT;
    this.engineContext =
        new EngineContext(
            identity.node(),
            new KeyTable(1 + (salt << SALT_SHIFT)),
            counters,
            trace,
            new WorkCompletion(),
            PARTITION_KEY,
            identity.activeMtu().bytes(),
            identity.profile(),
            identity.seed());
    this.queuePairs = new QueuePairTable(identity.firstQueuePairNumber());
    this.addresses = new AddressSpace(salt);
  }

  @Override
  public String name() {
    return identity.node();
  }

  @Override
  public NodeType nodeType() {
    return NodeType.CA;
  }

  @Override
  public TransportType transportType() {
    return TransportType.IB;
  }

  @Override
  public long guid() {
    return identity.guid();
  }

  @Override
  public DeviceContext open() {
    host.enter();
    try {
      return new SimDeviceContext(this);
    } finally {
      host.exit();
    }
  }

  /** What the device's queue pairs have counted. */
  public TransportStatistics counters() {
    return counters;
  }

  // ---- toward the fabric ---------------------------------------------------------------------

  @Override
  public boolean pollTransmit(long nowNanos, Packet out) {
    while (!line.isEmpty()) {
      SimQueuePair queuePair = line.first();
      if (queuePair.pollTransmit(nowNanos, out)) {
        lastWasRetransmission = queuePair.lastWasRetransmission();
        line.moveFirstToEnd();
        return true;
      }
      line.removeFirst();
    }
    return false;
  }

  @Override
  public boolean lastWasRetransmission() {
    return lastWasRetransmission;
  }

  @Override
  public void handlePacket(long nowNanos, Packet packet) {
    if (packet.destinationQueuePair() == MULTICAST_QUEUE_PAIR) {
      counters.countReceived();
      multicastGroups.deliver(nowNanos, packet);
      return;
    }
    SimQueuePair queuePair = queuePairs.find(packet.destinationQueuePair());
    if (queuePair == null) {
      counters.countUnknownQueuePair();
      return;
    }
    counters.countReceived();
    queuePair.handlePacket(nowNanos, packet);
  }

  // ---- toward the verbs objects --------------------------------------------------------------

  DeviceIdentity identity() {
    return identity;
  }

  DeviceProfile profile() {
    return identity.profile();
  }

  DeviceLimits limits() {
    return identity.profile().limits();
  }

  DeviceHost host() {
    return host;
  }

  Trace trace() {
    return trace;
  }

  KeyTable keys() {
    return engineContext.keys();
  }

  EngineContext engineContext() {
    return engineContext;
  }

  QueuePairTable queuePairs() {
    return queuePairs;
  }

  MulticastGroups multicastGroups() {
    return multicastGroups;
  }

  boolean hasAddress(long high, long low) {
    for (Gid gid : identity.gids()) {
      if (gid.high() == high && gid.low() == low) {
        return true;
      }
    }
    return false;
  }

  AddressSpace addresses() {
    return addresses;
  }

  /** The number of a new protection domain, which no other of the device has, whoever opened it. */
  int nextProtectionDomain() {
    return ++lastProtectionDomain;
  }

  /** Puts a queue pair into the line of those that may have something to send. */
  void transmitReady(SimQueuePair queuePair) {
    line.add(queuePair);
    host.transmitReady(this);
  }

  /** Takes a queue pair out of the line: it is destroyed. */
  void transmitNever(SimQueuePair queuePair) {
    line.remove(queuePair);
  }
}

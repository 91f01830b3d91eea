package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ActiveFault;
import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.qp.EngineContext;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.NodeType;
import io.roceverbs.verbs.TransportType;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

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

  /** The number of the one port. */
  static final int PORT = 1;

  /** What is left of the first queue pair number tells the nodes of a fabric apart. */
  private static final int SALT_SHIFT = 12;

  private final DeviceIdentity identity;
  private final DeviceHost host;
  private final Trace trace;
  private final TransportStatistics counters = new TransportStatistics();
  private final EngineContext engineContext;
  private final NumberTable<SimQueuePair> queuePairs;
  private final NumberTable<SimSharedReceiveQueue> xrcQueues;
  private final TransmitLine line = new TransmitLine();
  private final MulticastGroups multicastGroups = new MulticastGroups(this);
  private final AddressSpace addresses;
  private final GidTable gids;
  private final List<SimDeviceContext> contexts = new ArrayList<>();
  private final OpenResources resources = new OpenResources();
  private @Nullable InjectedFaults faults;
  private boolean failed;
  private int lastCompletionQueue;
  private final UseCount memoryRegions = new UseCount("memory region");
  private final UseCount memoryWindows = new UseCount("memory window");
  private final UseCount xrcDomains = new UseCount("XRC domain");
  private final DeviceMemoryPool deviceMemoryPool;
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
            new KeyTable(1 + (salt << SALT_SHIFT), identity.profile()),
            counters,
            trace,
            new WorkCompletion(),
            PARTITION_KEY,
            identity.activeMtu().bytes(),
            identity.profile(),
            identity.seed());
    this.queuePairs = new NumberTable<>(identity.firstQueuePairNumber());
    this.xrcQueues = new NumberTable<>(identity.firstQueuePairNumber());
    this.addresses = new AddressSpace(salt);
    this.gids = new GidTable(identity.gids());
    this.deviceMemoryPool =
        new DeviceMemoryPool(identity.profile().limits().maxDeviceMemoryBytes());
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
      requireWorking("Device.open");
      beginCreation(ResourceKind.DEVICE_CONTEXT, "Device.open");
      SimDeviceContext context = new SimDeviceContext(this);
      contexts.add(context);
      return context;
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
    while (!line.isEmpty() && !failed) {
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
    if (failed) {
      return;
    }
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

  @Override
  public void describeUnfinished(Consumer<String> lines) {
    queuePairs.forEach(queuePair -> lines.accept(queuePair.describeUnfinished()));
  }

  // ---- what happens to it --------------------------------------------------------------------

  /**
   * Tells every open context of something that happened to the port or to the whole device.
   *
   * @param type an event without an object
   */
  public void raise(AsyncEventType type) {
    note(SimAsyncEvent.of(this, type));
    for (SimDeviceContext context : contexts) {
      context.events().add(SimAsyncEvent.of(this, type));
    }
  }

  /**
   * Tells the contexts that the link of the port has come up or gone down (rule LINK-STATE).
   *
   * @param isUp which of the two
   */
  public void linkChanged(boolean isUp) {
    raise(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR);
  }

  /** The device goes on after a pause: timers that ran out meanwhile run out now. */
  public void resumed() {
    queuePairs.forEach(SimQueuePair::wake);
  }

  /**
   * Adds an address to the GID table and tells the contexts (rule GID-TABLE).
   *
   * @param gid an address that is not in the table
   * @return its index
   */
  public int addGid(Gid gid) {
    int index = gids.add(gid);
    raise(AsyncEventType.GID_CHANGE);
    return index;
  }

  /**
   * Removes an address from the GID table and tells the contexts (rule GID-TABLE).
   *
   * @param gid the address
   */
  public void removeGid(Gid gid) {
    if (gids.remove(gid)) {
      raise(AsyncEventType.GID_CHANGE);
    }
  }

  /**
   * Lets the device fail for good. Rule DEVICE-FATAL: its queue pairs fall silent in the middle of
   * whatever they did, all that waits to be polled can still be polled, every verb that needs the
   * device is refused, and objects can be closed.
   */
  public void fail() {
    failed = true;
  }

  /** Whether it has failed. */
  public boolean isFailed() {
    return failed;
  }

  void requireWorking(String call) {
    if (failed) {
      throw new VerbsException(
          Errno.EIO,
          call,
          "device " + name() + " has failed; close its objects, nothing else can be done with it");
    }
  }

  /**
   * Lets something go wrong at a call or with a completion.
   *
   * @param fault what, at this node
   * @return the fault at work
   */
  public ActiveFault inject(VerbsFault fault) {
    InjectedFaults injected = faults;
    if (injected == null) {
      injected = new InjectedFaults(this);
      faults = injected;
    }
    return injected.add(fault);
  }

  /** The verbs objects that are open. */
  public OpenResources resources() {
    return resources;
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

  NumberTable<SimQueuePair> queuePairs() {
    return queuePairs;
  }

  /** The shared receive queues that XRC requests may name. */
  NumberTable<SimSharedReceiveQueue> xrcQueues() {
    return xrcQueues;
  }

  UseCount xrcDomains() {
    return xrcDomains;
  }

  MulticastGroups multicastGroups() {
    return multicastGroups;
  }

  GidTable gids() {
    return gids;
  }

  void closed(SimDeviceContext context) {
    contexts.remove(context);
  }

  /** Puts an event into the trace. */
  void note(SimAsyncEvent event) {
    long nowNanos = host.nanoTime();
    int number = event.queuePairNumber();
    trace.mix(nowNanos, TracePoint.ASYNC_EVENT, number, event.type().value());
    if (trace.isRecording()) {
      trace.record(new TraceEvent.AsyncRaised(nowNanos, name(), number, event.type()));
    }
  }

  /** What is to go wrong, or null where nothing is. */
  @Nullable InjectedFaults faults() {
    return faults;
  }

  /** The last fault was taken out. */
  void noFaults() {
    faults = null;
  }

  /** Begins to make an object, all arguments being right. */
  void beginCreation(ResourceKind kind, String call) {
    if (faults != null) {
      faults.checkCreation(kind, call);
    }
  }

  /** Reserves the number of a new queue pair. */
  int allocateQueuePairNumber(String call) {
    int max = Math.min(limits().maxQueuePairs(), queuePairs.capacity());
    if (queuePairs.used() >= max) {
      throw new VerbsException(
          Errno.ENOMEM,
          call,
          "the device's limit of " + max + " queue pairs is reached; close others first");
    }
    beginCreation(ResourceKind.QUEUE_PAIR, call);
    return queuePairs.allocate();
  }

  /** The number of a new completion queue: 1 for the first of the device. */
  int nextCompletionQueue() {
    return ++lastCompletionQueue;
  }

  AddressSpace addresses() {
    return addresses;
  }

  UseCount memoryRegions() {
    return memoryRegions;
  }

  UseCount memoryWindows() {
    return memoryWindows;
  }

  DeviceMemoryPool deviceMemoryPool() {
    return deviceMemoryPool;
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

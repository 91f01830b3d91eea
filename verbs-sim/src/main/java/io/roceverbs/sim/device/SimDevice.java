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
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.NodeType;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.TransportType;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A simulated RDMA device with one port or more.
 *
 * <p>Toward the ULP it is the root of the verbs objects; toward the fabric stand its {@link
 * DevicePort}s.
 */
public final class SimDevice implements Device {
  /** The one partition of RoCE: the default partition, as a full member. */
  static final int PARTITION_KEY = 0xFFFF;

  /** The number of the first port. */
  static final int FIRST_PORT = 1;

  /** What is left of the first queue pair number tells the nodes of a fabric apart. */
  private static final int SALT_SHIFT = 12;

  private final DeviceIdentity identity;
  private final DeviceHost host;
  private final Trace trace;
  private final List<TransportStatistics> counters;
  private final EngineContext engineContext;
  private final NumberTable<SimQueuePair> queuePairs;
  private final NumberTable<SimSharedReceiveQueue> xrcQueues;
  private final AddressSpace addresses;
  private final List<DevicePort> ports;
  private final List<SimDeviceContext> contexts = new ArrayList<>();
  private final OpenResources resources = new OpenResources();

  /** Both are also read outside the host, behind something volatile: they are seen soon there. */
  private @Nullable InjectedFaults faults;

  private boolean failed;
  private int lastCompletionQueue;
  private final UseCount memoryRegions = new UseCount("memory region");
  private final UseCount memoryWindows = new UseCount("memory window");
  private final XrcDomainTable xrcDomains;
  private final DeviceMemoryPool deviceMemoryPool;
  private int lastProtectionDomain;

  /**
   * Makes a device.
   *
   * @param hosts where each of its ports is plugged in, port 1 first
   * @param trace the fabric's log
   */
  public SimDevice(DeviceIdentity identity, List<DeviceHost> hosts, Trace trace) {
    this.identity = identity;
    this.xrcDomains = new XrcDomainTable(identity.profile().limits().maxProtectionDomains());
    this.host = hosts.get(0);
    this.trace = trace;
    this.counters = identity.ports().stream().map(port -> new TransportStatistics()).toList();
    int salt = identity.firstQueuePairNumber() >>> SALT_SHIFT;
    this.engineContext =
        new EngineContext(
            identity.node(),
            new KeyTable(1 + (salt << SALT_SHIFT), identity.profile()),
            counters,
            trace,
            new WorkCompletion(),
            PARTITION_KEY,
            identity.ports().stream().map(PortIdentity::link).toList(),
            identity.profile(),
            host.isRealTime(),
            identity.seed());
    this.queuePairs = new NumberTable<>(identity.firstQueuePairNumber());
    this.xrcQueues = new NumberTable<>(identity.firstQueuePairNumber());
    this.addresses = new AddressSpace(salt);
    this.ports = makePorts(hosts);
    this.deviceMemoryPool =
        new DeviceMemoryPool(identity.profile().limits().maxDeviceMemoryBytes());
  }

  private List<DevicePort> makePorts(List<DeviceHost> hosts) {
    List<DevicePort> made = new ArrayList<>();
    for (PortIdentity port : identity.ports()) {
      int number = FIRST_PORT + made.size();
      made.add(new DevicePort(this, number, port, hosts.get(made.size())));
    }
    return List.copyOf(made);
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

  /** What the queue pairs at each port have counted, port 1 first. */
  public List<TransportStatistics> counters() {
    return counters;
  }

  // ---- toward the fabric ---------------------------------------------------------------------

  /** Its ports, port 1 first. */
  public List<DevicePort> ports() {
    return ports;
  }

  void describeUnfinished(Consumer<String> lines) {
    queuePairs.forEach(queuePair -> lines.accept(queuePair.describeUnfinished()));
  }

  // ---- what happens to it --------------------------------------------------------------------

  /**
   * Tells every open context of something that happened to the first port or to the whole device.
   *
   * @param type an event without an object
   */
  public void raise(AsyncEventType type) {
    raise(type, FIRST_PORT);
  }

  private void raise(AsyncEventType type, int port) {
    note(SimAsyncEvent.of(this, type, port));
    for (SimDeviceContext context : contexts) {
      context.events().add(SimAsyncEvent.of(this, type, port));
    }
  }

  /**
   * Tells the contexts that the link of a port has come up or gone down (rule LINK-STATE).
   *
   * @param port its number
   * @param isUp which of the two
   */
  public void linkChanged(int port, boolean isUp) {
    raise(isUp ? AsyncEventType.PORT_ACTIVE : AsyncEventType.PORT_ERR, port);
  }

  /** The device goes on after a pause: timers that ran out meanwhile run out now. */
  public void resumed() {
    queuePairs.forEach(SimQueuePair::wake);
  }

  /**
   * Adds an address to the GID table of a port and tells the contexts (rule GID-TABLE).
   *
   * @param port its number
   * @param gid an address that is not in the table
   * @return its index
   */
  public int addGid(int port, Gid gid) {
    int index = port(port).gids().add(gid);
    raise(AsyncEventType.GID_CHANGE, port);
    return index;
  }

  /**
   * Removes an address from the GID table of a port and tells the contexts (rule GID-TABLE).
   *
   * @param port its number
   * @param gid the address
   */
  public void removeGid(int port, Gid gid) {
    if (port(port).gids().remove(gid)) {
      raise(AsyncEventType.GID_CHANGE, port);
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

  /**
   * How many further requests a send queue takes: a slot is taken from the post to the poll of its
   * completion, or of a later one.
   *
   * @param queuePair one of this device that is open
   * @return the free slots
   */
  public int freeSendSlots(QueuePair queuePair) {
    return own(queuePair).freeSendSlots();
  }

  SimQueuePair own(QueuePair queuePair) {
    QueuePair known = queuePair instanceof SimTargetQueuePair held ? held.target() : queuePair;
    if (known instanceof SimQueuePair own && queuePair.isOpen() && own.device() == this) {
      return own;
    }
    throw foreign(queuePair);
  }

  IllegalArgumentException foreign(Object object) {
    return new IllegalArgumentException(object + " is not an open object of " + name());
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

  XrcDomainTable xrcDomains() {
    return xrcDomains;
  }

  /** A port that there is. */
  DevicePort port(int number) {
    return ports.get(number - FIRST_PORT);
  }

  /** Whether there is a port of this number. */
  boolean hasPort(int number) {
    return number >= FIRST_PORT && number < FIRST_PORT + ports.size();
  }

  /** The ports in words, for who named one that there is not. */
  String describePorts() {
    return ports.size() == 1 ? "port 1" : "ports 1 to " + ports.size();
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
}

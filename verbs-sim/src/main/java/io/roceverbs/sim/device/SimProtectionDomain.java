package io.roceverbs.sim.device;

import io.roceverbs.sim.device.SimSharedReceiveQueue.XrcParents;
import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.qp.Path;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.SharedReceiveQueueType;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * A protection domain: the parent of regions and queue pairs, which only work together within it.
 */
final class SimProtectionDomain implements ProtectionDomain {
  private static final String ALLOCATE_PARENT = "ProtectionDomain.allocateParentDomain";
  private static final String CREATE_ADDRESS_HANDLE = "ProtectionDomain.createAddressHandle";
  private static final String CREATE_QUEUE_PAIR = "ProtectionDomain.createQueuePair";

  /** What a parent domain is made of. */
  private record Parts(SimProtectionDomain base, @Nullable SimThreadDomain threads) {
    void release() {
      base.parentDomains.remove();
      if (threads != null) {
        threads.parentDomains().remove();
      }
    }
  }

  private final SimDeviceContext context;
  private final SimDevice device;
  private final int number;
  private final @Nullable Parts parts;
  private final DomainMemory memory;
  private final UseCount queuePairs = new UseCount("queue pair");
  private final UseCount sharedReceiveQueues = new UseCount("shared receive queue");
  private final UseCount addressHandles = new UseCount("address handle");
  private final UseCount parentDomains = new UseCount("parent domain");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimProtectionDomain(SimDeviceContext context, int number) {
    this(context, number, null);
  }

  /** Rule PARENT-DOMAIN: one that has a base has its number, so they are one domain to the keys. */
  private SimProtectionDomain(SimDeviceContext context, int number, @Nullable Parts parts) {
    this.context = context;
    this.parts = parts;
    this.device = context.simDevice();
    this.number = number;
    this.resource = device.resources().add(this);
    this.memory = new DomainMemory(this);
  }

  SimDevice device() {
    return device;
  }

  SimDeviceContext simContext() {
    return context;
  }

  int number() {
    return number;
  }

  DomainMemory memory() {
    return memory;
  }

  UseCount queuePairs() {
    return queuePairs;
  }

  UseCount sharedReceiveQueues() {
    return sharedReceiveQueues;
  }

  UseCount addressHandles() {
    return addressHandles;
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  private void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(
          Errno.EINVAL, call, "the protection domain was closed; allocate another one");
    }
    device.requireWorking(call);
  }

  @Override
  public MemoryRegion registerMemory(ByteBuffer buffer, AccessFlag... access) {
    return registerMemory(buffer, AccessFlags.of(access));
  }

  @Override
  public MemoryRegion registerMemory(ByteBuffer buffer, AccessFlags access) {
    return make("ProtectionDomain.registerMemory", () -> memory.register(buffer, access));
  }

  @Override
  public MemoryRegion registerMemory(ByteBuffer buffer, long ioVirtualAddress, AccessFlags access) {
    return make(
        "ProtectionDomain.registerMemory", () -> memory.register(buffer, ioVirtualAddress, access));
  }

  @Override
  public MemoryRegion allocateNullMemoryRegion() {
    return make("ProtectionDomain.allocateNullMemoryRegion", memory::allocateNull);
  }

  @Override
  public MemoryRegion registerDeviceMemory(
      DeviceMemory deviceMemory, long offset, long length, AccessFlags access) {
    return make(
        "ProtectionDomain.registerDeviceMemory",
        () -> memory.registerDeviceMemory(deviceMemory, offset, length, access));
  }

  @Override
  public MemoryWindow allocateMemoryWindow(MemoryWindowType type) {
    return make("ProtectionDomain.allocateMemoryWindow", () -> memory.allocateWindow(type));
  }

  @Override
  public FastRegistrationRegion allocateFastRegistrationRegion(int pagesMax) {
    return make(
        "ProtectionDomain.allocateFastRegistrationRegion", () -> memory.allocateFast(pagesMax));
  }

  private <T> T make(String call, Supplier<T> maker) {
    device.host().enter();
    try {
      requireOpen(call);
      return maker.get();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public ProtectionDomain allocateParentDomain() {
    return make(ALLOCATE_PARENT, () -> parentDomain(null));
  }

  @Override
  public ProtectionDomain allocateParentDomain(ThreadDomain threads) {
    return make(ALLOCATE_PARENT, () -> parentDomain(ownThreadDomain(threads)));
  }

  private ProtectionDomain parentDomain(@Nullable SimThreadDomain threads) {
    device.beginCreation(ResourceKind.PROTECTION_DOMAIN, ALLOCATE_PARENT);
    context.protectionDomains().add(ALLOCATE_PARENT, device.limits().maxProtectionDomains());
    parentDomains.add();
    if (threads != null) {
      threads.parentDomains().add();
    }
    return new SimProtectionDomain(context, number, new Parts(this, threads));
  }

  private SimThreadDomain ownThreadDomain(ThreadDomain threads) {
    if (threads instanceof SimThreadDomain own && own.context() == context && own.isOpen()) {
      return own;
    }
    throw new VerbsException(
        Errno.EINVAL,
        ALLOCATE_PARENT,
        "the thread domain must be open and of the same device context");
  }

  @Override
  public QueuePair createQueuePair(QueuePairInit init) {
    return make(CREATE_QUEUE_PAIR, () -> queuePair(init));
  }

  private QueuePair queuePair(QueuePairInit init) {
    requireType(init);
    boolean receives = init.type() != QueuePairType.XRC_SEND;
    SimCompletionQueue send = ownQueue(init.sendCompletionQueue(), "send");
    SimCompletionQueue receive =
        receives ? ownQueue(init.receiveCompletionQueue(), "receive") : send;
    SimSharedReceiveQueue shared = ownSharedQueue(init.sharedReceiveQueue());
    checkCapacities(init.capacities(), receives && shared == null);
    BatchChecks.requireOperations(CREATE_QUEUE_PAIR, init, this);
    int queuePairNumber = device.allocateQueuePairNumber(CREATE_QUEUE_PAIR);
    QueuePairInit given =
        init.withCapacities(CapacityRounding.of(device.profile(), init.capacities()));
    return new SimQueuePair(new OwnQueues(this, given, send, receive, shared), queuePairNumber);
  }

  /** Refuses what this device, or a protection domain, does not make. */
  private void requireType(QueuePairInit init) {
    switch (init.type()) {
      case RC, UC, UD -> {
        // Every device has these.
      }
      case XRC_SEND -> {
        if (!device.profile().has(DeviceCapability.XRC)) {
          throw noSuchType(init.type());
        }
        if (init.sharedReceiveQueue() != null) {
          throw new VerbsException(
              Errno.EINVAL,
              CREATE_QUEUE_PAIR,
              "an XRC initiator receives nothing, so it can't have a shared receive queue");
        }
      }
      case XRC_RECV ->
          throw new VerbsException(
              Errno.EINVAL,
              CREATE_QUEUE_PAIR,
              "an XRC target has no protection domain; see XrcDomain.createTargetQueuePair");
      case RAW_PACKET, DRIVER -> throw noSuchType(init.type());
      case SMI, GSI ->
          throw new VerbsException(
              Errno.EINVAL,
              CREATE_QUEUE_PAIR,
              "a queue pair of type " + init.type() + " belongs to the system, not to a program");
    }
  }

  private static VerbsException noSuchType(QueuePairType type) {
    return new VerbsException(
        Errno.EOPNOTSUPP, CREATE_QUEUE_PAIR, "the device has no type " + type);
  }

  private @Nullable SimSharedReceiveQueue ownSharedQueue(@Nullable SharedReceiveQueue queue) {
    if (queue == null) {
      return null;
    }
    // Rule SHARED-ANY-DOMAIN: its domain may be another one, but not its context.
    if (queue instanceof SimSharedReceiveQueue own
        && own.domain().context() == context
        && own.isOpen()) {
      requireBasic(own);
      return own;
    }
    throw SimDeviceContext.notOwn(CREATE_QUEUE_PAIR, "shared receive queue");
  }

  private static void requireBasic(SimSharedReceiveQueue queue) {
    if (queue.type() != SharedReceiveQueueType.BASIC) {
      throw new VerbsException(
          Errno.EINVAL,
          CREATE_QUEUE_PAIR,
          "the shared receive queue must be basic, not of type " + queue.type());
    }
  }

  @Override
  public SharedReceiveQueue createSharedReceiveQueue(int maxRequests, int maxSegments) {
    String call = "ProtectionDomain.createSharedReceiveQueue";
    return make(call, () -> sharedReceiveQueue(call, maxRequests, maxSegments, null));
  }

  @Override
  public SharedReceiveQueue createXrcSharedReceiveQueue(
      XrcDomain xrcDomain, CompletionQueue completions, int maxRequests, int maxSegments) {
    String call = "ProtectionDomain.createXrcSharedReceiveQueue";
    return make(
        call,
        () -> {
          XrcParents xrc =
              new XrcParents(
                  ownXrcDomain(call, xrcDomain), ownQueue(call, completions, "completion queue"));
          return sharedReceiveQueue(call, maxRequests, maxSegments, xrc);
        });
  }

  private SimXrcDomain ownXrcDomain(String call, XrcDomain xrcDomain) {
    if (xrcDomain instanceof SimXrcDomain own && own.context() == context && own.isOpen()) {
      return own;
    }
    throw SimDeviceContext.notOwn(call, "XRC domain");
  }

  private SimSharedReceiveQueue sharedReceiveQueue(
      String call, int maxRequests, int maxSegments, @Nullable XrcParents xrc) {
    int most = device.limits().maxSharedReceiveRequests();
    checkRange(call, "maxRequests", maxRequests, 1, most);
    checkRange(call, "maxSegments", maxSegments, 0, device.limits().maxSharedReceiveSegments());
    device.beginCreation(ResourceKind.SHARED_RECEIVE_QUEUE, call);
    sharedReceiveQueues.add(call, device.limits().maxSharedReceiveQueues());
    int given = CapacityRounding.entries(device.profile(), maxRequests, most);
    return new SimSharedReceiveQueue(this, given, maxSegments, xrc);
  }

  @Override
  public AddressHandle createAddressHandle(AddressVector vector) {
    return make(CREATE_ADDRESS_HANDLE, () -> addressHandle(vector));
  }

  private AddressHandle addressHandle(AddressVector vector) {
    Gid source = AddressChecks.check(CREATE_ADDRESS_HANDLE, vector, device);
    device.beginCreation(ResourceKind.ADDRESS_HANDLE, CREATE_ADDRESS_HANDLE);
    addressHandles.add(CREATE_ADDRESS_HANDLE, device.limits().maxAddressHandles());
    return new SimAddressHandle(this, Path.of(vector, source));
  }

  @Override
  public AddressHandle createAddressHandle(
      WorkCompletion received, ByteBuffer globalRouteHeader, int port) {
    if (!received.withGlobalRouteHeader()) {
      throw new VerbsException(
          Errno.EINVAL, CREATE_ADDRESS_HANDLE, "the completion has no global route header");
    }
    device.host().enter();
    try {
      AddressChecks.checkPort(CREATE_ADDRESS_HANDLE, port, device);
      GidTable gids = device.port(port).gids();
      return createAddressHandle(ReceivedHeader.wayBack(globalRouteHeader, gids, port));
    } finally {
      device.host().exit();
    }
  }

  private SimCompletionQueue ownQueue(CompletionQueue queue, String side) {
    return ownQueue(CREATE_QUEUE_PAIR, queue, side + " completion queue");
  }

  private SimCompletionQueue ownQueue(String call, CompletionQueue queue, String what) {
    if (queue instanceof SimCompletionQueue own && own.context() == context && own.isOpen()) {
      return own;
    }
    throw SimDeviceContext.notOwn(call, what);
  }

  private void checkCapacities(QueuePairCapacities wanted, boolean hasReceives) {
    DeviceLimits limits = device.limits();
    checkCapacity("maxSendRequests", wanted.maxSendRequests(), limits.maxQueuePairRequests());
    checkCapacity("maxSendSegments", wanted.maxSendSegments(), limits.maxSegments());
    if (hasReceives) {
      int receivesMax = limits.maxQueuePairRequests();
      checkCapacity("maxReceiveRequests", wanted.maxReceiveRequests(), receivesMax);
      checkCapacity("maxReceiveSegments", wanted.maxReceiveSegments(), limits.maxSegments());
    }
    checkCapacity("maxInlineBytes", wanted.maxInlineBytes(), limits.maxInlineBytes());
  }

  private static void checkCapacity(String name, int wanted, int max) {
    checkRange(CREATE_QUEUE_PAIR, name, wanted, 0, max);
  }

  private static void checkRange(String call, String name, int wanted, int min, int max) {
    if (wanted < min || wanted > max) {
      throw new VerbsException(
          Errno.EINVAL, call, name + " " + wanted + " is not in " + min + ".." + max);
    }
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      queuePairs.requireNone("ProtectionDomain.close");
      sharedReceiveQueues.requireNone("ProtectionDomain.close");
      addressHandles.requireNone("ProtectionDomain.close");
      parentDomains.requireNone("ProtectionDomain.close");
      memory.requireNone("ProtectionDomain.close");
      open = false;
      context.protectionDomains().remove();
      if (parts != null) {
        parts.release();
      }
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "ProtectionDomain " + number + " of " + device.name();
  }
}

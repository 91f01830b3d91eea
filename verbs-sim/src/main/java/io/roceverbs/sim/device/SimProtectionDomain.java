package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.qp.Path;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A protection domain: the parent of regions and queue pairs, which only work together within it.
 */
final class SimProtectionDomain implements ProtectionDomain {
  private static final String REGISTER = "ProtectionDomain.registerMemory";
  private static final String CREATE_ADDRESS_HANDLE = "ProtectionDomain.createAddressHandle";
  private static final String CREATE_QUEUE_PAIR = "ProtectionDomain.createQueuePair";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final int number;
  private final UseCount regions = new UseCount("memory region");
  private final UseCount queuePairs = new UseCount("queue pair");
  private final UseCount sharedReceiveQueues = new UseCount("shared receive queue");
  private final UseCount addressHandles = new UseCount("address handle");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimProtectionDomain(SimDeviceContext context, int number) {
    this.context = context;
    this.device = context.simDevice();
    this.number = number;
    this.resource = device.resources().add(this);
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

  UseCount regions() {
    return regions;
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
    device.host().enter();
    try {
      checkRegistration(buffer, access);
      boolean zeroBased = access.contains(AccessFlag.ZERO_BASED);
      long address = zeroBased ? 0 : device.addresses().allocate(buffer.remaining());
      return register(buffer, address, access);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public MemoryRegion registerMemory(ByteBuffer buffer, long ioVirtualAddress, AccessFlags access) {
    device.host().enter();
    try {
      checkRegistration(buffer, access);
      checkAddress(ioVirtualAddress, buffer.remaining());
      return register(buffer, ioVirtualAddress, access);
    } finally {
      device.host().exit();
    }
  }

  private void checkRegistration(ByteBuffer buffer, AccessFlags access) {
    requireOpen(REGISTER);
    // Rule REGISTER-ACCESS: remote write and remote atomic access need local write access.
    if (!Registration.isLegalAccess(access.value())) {
      throw new VerbsException(
          Errno.EINVAL,
          REGISTER,
          access + " lets the peer write where the adapter itself may not; add LOCAL_WRITE");
    }
    if (access.contains(AccessFlag.ON_DEMAND)
        || access.contains(AccessFlag.FLUSH_GLOBAL)
        || access.contains(AccessFlag.FLUSH_PERSISTENT)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, REGISTER, "the device has no capability for " + access);
    }
    if (!buffer.hasRemaining()) {
      throw new VerbsException(
          Errno.EINVAL, REGISTER, "the buffer has no byte between its position and its limit");
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      throw new VerbsException(
          Errno.EINVAL, REGISTER, "a read-only buffer can't be registered with LOCAL_WRITE");
    }
  }

  private static void checkAddress(long address, long length) {
    if (!AddressSpace.isPageAligned(address)) {
      throw new VerbsException(
          Errno.EINVAL,
          REGISTER,
          String.format(
              Locale.ROOT,
              "I/O virtual address 0x%x must agree with the buffer's start modulo the page size;"
                  + " a buffer starts on a page, so a multiple of 4096",
              address));
    }
    AddressSpace.requireInside(REGISTER, address, length);
  }

  private void requireKeys(String call, int count) {
    if (!device.keys().hasRoom(count)) {
      throw new VerbsException(
          Errno.ENOMEM,
          call,
          "all memory keys of the device are in use; close other regions first");
    }
  }

  private MemoryRegion register(ByteBuffer buffer, long address, AccessFlags access) {
    requireKeys(REGISTER, 2);
    device.beginCreation(ResourceKind.MEMORY_REGION, REGISTER);
    regions.add(REGISTER, device.limits().maxMemoryRegions());
    MemoryMapping mapping = new MemoryMapping(address, new ByteBuffer[] {buffer}, 1);
    Registration registration = device.keys().registerUser(number, access.value(), mapping);
    return new SimMemoryRegion(this, registration, address, mapping.length(), access);
  }

  @Override
  public FastRegistrationRegion allocateFastRegistrationRegion(int pagesMax) {
    String call = "ProtectionDomain.allocateFastRegistrationRegion";
    device.host().enter();
    try {
      requireOpen(call);
      if (!device.profile().has(DeviceCapability.MEM_MGT_EXTENSIONS)) {
        throw new VerbsException(
            Errno.EOPNOTSUPP, call, "the device has no memory management extensions");
      }
      int max = device.limits().maxFastRegistrationPages();
      if (pagesMax < 1 || pagesMax > max) {
        throw new VerbsException(Errno.EINVAL, call, pagesMax + " pages are not in 1.." + max);
      }
      requireKeys(call, 1);
      device.beginCreation(ResourceKind.FAST_REGISTRATION_REGION, call);
      regions.add(call, device.limits().maxMemoryRegions());
      return new SimFastRegistrationRegion(this, device.keys().allocateFast(number, pagesMax));
    } finally {
      device.host().exit();
    }
  }

  @Override
  public QueuePair createQueuePair(QueuePairInit init) {
    device.host().enter();
    try {
      requireOpen(CREATE_QUEUE_PAIR);
      SimCompletionQueue send = ownQueue(init.sendCompletionQueue(), "send");
      SimCompletionQueue receive = ownQueue(init.receiveCompletionQueue(), "receive");
      SimSharedReceiveQueue shared = ownSharedQueue(init.sharedReceiveQueue());
      checkCapacities(init.capacities(), shared != null);
      int max = Math.min(device.limits().maxQueuePairs(), device.queuePairs().capacity());
      if (device.queuePairs().used() >= max) {
        throw new VerbsException(
            Errno.ENOMEM,
            CREATE_QUEUE_PAIR,
            "the device's limit of " + max + " queue pairs is reached; close others first");
      }
      device.beginCreation(ResourceKind.QUEUE_PAIR, CREATE_QUEUE_PAIR);
      QueuePairInit given =
          init.withCapacities(CapacityRounding.of(device.profile(), init.capacities()));
      return new SimQueuePair(this, given, send, receive, shared, device.queuePairs().allocate());
    } finally {
      device.host().exit();
    }
  }

  private @Nullable SimSharedReceiveQueue ownSharedQueue(@Nullable SharedReceiveQueue queue) {
    if (queue == null) {
      return null;
    }
    // Rule SHARED-ANY-DOMAIN: its domain may be another one, but not its context.
    if (queue instanceof SimSharedReceiveQueue own
        && own.domain().context() == context
        && own.isOpen()) {
      return own;
    }
    throw new VerbsException(
        Errno.EINVAL,
        CREATE_QUEUE_PAIR,
        "the shared receive queue must be open and of the same device context");
  }

  @Override
  public SharedReceiveQueue createSharedReceiveQueue(int maxRequests, int maxSegments) {
    String call = "ProtectionDomain.createSharedReceiveQueue";
    device.host().enter();
    try {
      requireOpen(call);
      checkRange(call, "maxRequests", maxRequests, 1, device.limits().maxSharedReceiveRequests());
      checkRange(call, "maxSegments", maxSegments, 0, device.limits().maxSharedReceiveSegments());
      device.beginCreation(ResourceKind.SHARED_RECEIVE_QUEUE, call);
      sharedReceiveQueues.add(call, device.limits().maxSharedReceiveQueues());
      int most = device.limits().maxSharedReceiveRequests();
      int given = CapacityRounding.entries(device.profile(), maxRequests, most);
      return new SimSharedReceiveQueue(this, given, maxSegments);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public AddressHandle createAddressHandle(AddressVector vector) {
    device.host().enter();
    try {
      requireOpen(CREATE_ADDRESS_HANDLE);
      AddressChecks.check(CREATE_ADDRESS_HANDLE, vector, device);
      device.beginCreation(ResourceKind.ADDRESS_HANDLE, CREATE_ADDRESS_HANDLE);
      addressHandles.add(CREATE_ADDRESS_HANDLE, device.limits().maxAddressHandles());
      Gid source = device.gids().require(CREATE_ADDRESS_HANDLE, vector.sourceGidIndex());
      return new SimAddressHandle(this, Path.of(vector, source));
    } finally {
      device.host().exit();
    }
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
      return createAddressHandle(ReceivedHeader.wayBack(globalRouteHeader, device.gids(), port));
    } finally {
      device.host().exit();
    }
  }

  private SimCompletionQueue ownQueue(CompletionQueue queue, String side) {
    if (queue instanceof SimCompletionQueue own && own.context() == context && own.isOpen()) {
      return own;
    }
    throw new VerbsException(
        Errno.EINVAL,
        CREATE_QUEUE_PAIR,
        "the " + side + " completion queue must be open and of the same device context");
  }

  private void checkCapacities(QueuePairCapacities wanted, boolean isShared) {
    DeviceLimits limits = device.limits();
    checkCapacity("maxSendRequests", wanted.maxSendRequests(), limits.maxQueuePairRequests());
    checkCapacity("maxSendSegments", wanted.maxSendSegments(), limits.maxSegments());
    if (!isShared) {
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
      regions.requireNone("ProtectionDomain.close");
      open = false;
      context.protectionDomains().remove();
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

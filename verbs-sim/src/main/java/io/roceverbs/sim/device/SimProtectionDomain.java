package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Locale;

/**
 * A protection domain: the parent of regions and queue pairs, which only work together within it.
 */
final class SimProtectionDomain implements ProtectionDomain {
  private static final String REGISTER = "ProtectionDomain.registerMemory";
  private static final String CREATE_QUEUE_PAIR = "ProtectionDomain.createQueuePair";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final int number;
  private final UseCount regions = new UseCount("memory region");
  private final UseCount queuePairs = new UseCount("queue pair");
  private volatile boolean open = true;

  SimProtectionDomain(SimDeviceContext context, int number) {
    this.context = context;
    this.device = context.simDevice();
    this.number = number;
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
      checkCapacities(init.capacities());
      int max = Math.min(device.limits().maxQueuePairs(), device.queuePairs().capacity());
      if (device.queuePairs().used() >= max) {
        throw new VerbsException(
            Errno.ENOMEM,
            CREATE_QUEUE_PAIR,
            "the device's limit of " + max + " queue pairs is reached; close others first");
      }
      return new SimQueuePair(this, init, send, receive, device.queuePairs().allocate());
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

  private void checkCapacities(QueuePairCapacities wanted) {
    DeviceLimits limits = device.limits();
    checkCapacity("maxSendRequests", wanted.maxSendRequests(), limits.maxQueuePairRequests());
    checkCapacity("maxReceiveRequests", wanted.maxReceiveRequests(), limits.maxQueuePairRequests());
    checkCapacity("maxSendSegments", wanted.maxSendSegments(), limits.maxSegments());
    checkCapacity("maxReceiveSegments", wanted.maxReceiveSegments(), limits.maxSegments());
    checkCapacity("maxInlineBytes", wanted.maxInlineBytes(), limits.maxInlineBytes());
  }

  private static void checkCapacity(String name, int wanted, int max) {
    if (wanted < 0 || wanted > max) {
      throw new VerbsException(
          Errno.EINVAL, CREATE_QUEUE_PAIR, name + " " + wanted + " is not in 0.." + max);
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
      regions.requireNone("ProtectionDomain.close");
      open = false;
      context.protectionDomains().remove();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "ProtectionDomain " + number + " of " + device.name();
  }
}

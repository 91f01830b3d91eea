package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.memory.Window;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;

/** The regions and windows of a protection domain: how they are made. */
final class DomainMemory {
  private static final String REGISTER = "ProtectionDomain.registerMemory";
  private static final String REGISTER_DEVICE_MEMORY = "ProtectionDomain.registerDeviceMemory";
  private static final String ALLOCATE_NULL = "ProtectionDomain.allocateNullMemoryRegion";
  private static final String ALLOCATE_FAST = "ProtectionDomain.allocateFastRegistrationRegion";
  private static final String ALLOCATE_WINDOW = "ProtectionDomain.allocateMemoryWindow";

  private final SimProtectionDomain domain;
  private final SimDevice device;
  private final UseCount regions = new UseCount("memory region");
  private final UseCount windows = new UseCount("memory window");

  DomainMemory(SimProtectionDomain domain) {
    this.domain = domain;
    this.device = domain.device();
  }

  void requireNone(String call) {
    regions.requireNone(call);
    windows.requireNone(call);
  }

  // ---- regions -------------------------------------------------------------------------------

  SimMemoryRegion register(ByteBuffer buffer, AccessFlags access) {
    RegionChecks.rights(REGISTER, device, access);
    RegionChecks.buffer(REGISTER, buffer, access);
    return registerAt(addressFor(buffer, access), buffer, access);
  }

  SimMemoryRegion register(ByteBuffer buffer, long address, AccessFlags access) {
    RegionChecks.rights(REGISTER, device, access);
    RegionChecks.buffer(REGISTER, buffer, access);
    RegionChecks.address(REGISTER, address, buffer.remaining());
    return registerAt(address, buffer, access);
  }

  private SimMemoryRegion registerAt(long address, ByteBuffer buffer, AccessFlags access) {
    MemoryMapping mapping = new MemoryMapping(address, new ByteBuffer[] {buffer}, 1);
    Registration registration = registration(REGISTER, mapping, access);
    return new SimMemoryRegion(domain, registration, mapping, access);
  }

  /** The address of a buffer's first byte when the program does not choose it. */
  long addressFor(ByteBuffer buffer, AccessFlags access) {
    return access.contains(AccessFlag.ZERO_BASED)
        ? 0
        : device.addresses().allocate(buffer.remaining());
  }

  SimMemoryRegion registerDeviceMemory(
      DeviceMemory memory, long offset, long length, AccessFlags access) {
    RegionChecks.rights(REGISTER_DEVICE_MEMORY, device, access);
    if (!(memory instanceof SimDeviceMemory own)
        || own.context() != domain.simContext()
        || !own.isOpen()) {
      throw SimDeviceContext.notOwn(REGISTER_DEVICE_MEMORY, "device memory");
    }
    // Rule DEVICE-MEMORY-REGION: zero-based, and inside the memory.
    if (!access.contains(AccessFlag.ZERO_BASED)) {
      throw new VerbsException(
          Errno.EINVAL,
          REGISTER_DEVICE_MEMORY,
          "device memory has no address of its own; add ZERO_BASED");
    }
    if (length < 1) {
      throw new VerbsException(
          Errno.EINVAL, REGISTER_DEVICE_MEMORY, "a region has 1 byte or more, not " + length);
    }
    own.requireInside(REGISTER_DEVICE_MEMORY, offset, length);
    ByteBuffer part = own.bytes().slice((int) offset, (int) length);
    MemoryMapping mapping = new MemoryMapping(0, new ByteBuffer[] {part}, 1);
    Registration registration = registration(REGISTER_DEVICE_MEMORY, mapping, access);
    return new SimMemoryRegion(domain, registration, mapping, access, own);
  }

  SimMemoryRegion allocateNull() {
    AccessFlags access = AccessFlags.of(AccessFlag.LOCAL_WRITE);
    Registration registration = registration(ALLOCATE_NULL, MemoryMapping.NULL, access);
    return new SimMemoryRegion(domain, registration, MemoryMapping.NULL, access);
  }

  private Registration registration(String call, MemoryMapping mapping, AccessFlags access) {
    requireKeys(call, 2);
    device.beginCreation(ResourceKind.MEMORY_REGION, call);
    addRegion(call);
    return device.keys().registerUser(domain.number(), access.value(), mapping);
  }

  SimFastRegistrationRegion allocateFast(int pagesMax) {
    if (!device.profile().has(DeviceCapability.MEM_MGT_EXTENSIONS)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, ALLOCATE_FAST, "the device has no memory management extensions");
    }
    int max = device.limits().maxFastRegistrationPages();
    if (pagesMax < 1 || pagesMax > max) {
      throw new VerbsException(
          Errno.EINVAL, ALLOCATE_FAST, pagesMax + " pages are not in 1.." + max);
    }
    requireKeys(ALLOCATE_FAST, 1);
    device.beginCreation(ResourceKind.FAST_REGISTRATION_REGION, ALLOCATE_FAST);
    addRegion(ALLOCATE_FAST);
    return new SimFastRegistrationRegion(
        domain, device.keys().allocateFast(domain.number(), pagesMax));
  }

  private void addRegion(String call) {
    device.memoryRegions().add(call, device.limits().maxMemoryRegions());
    regions.add();
  }

  void removeRegion() {
    device.memoryRegions().remove();
    regions.remove();
  }

  /** A region goes over to another domain of the device. */
  void moveRegionTo(DomainMemory other) {
    regions.remove();
    other.regions.add();
  }

  // ---- windows -------------------------------------------------------------------------------

  SimMemoryWindow allocateWindow(MemoryWindowType type) {
    Window.Kind kind = kind(type);
    requireKeys(ALLOCATE_WINDOW, 1);
    device.beginCreation(ResourceKind.MEMORY_WINDOW, ALLOCATE_WINDOW);
    device.memoryWindows().add(ALLOCATE_WINDOW, device.limits().maxMemoryWindows());
    windows.add();
    return new SimMemoryWindow(domain, type, device.keys().allocateWindow(kind, domain.number()));
  }

  private Window.Kind kind(MemoryWindowType type) {
    return switch (type) {
      case TYPE_1 -> {
        requireCapability(type, DeviceCapability.MEM_WINDOW);
        yield Window.Kind.TYPE_1;
      }
      case TYPE_2 -> {
        if (device.profile().has(DeviceCapability.MEM_WINDOW_TYPE_2B)) {
          yield Window.Kind.TYPE_2B;
        }
        requireCapability(type, DeviceCapability.MEM_WINDOW_TYPE_2A);
        yield Window.Kind.TYPE_2A;
      }
    };
  }

  private void requireCapability(MemoryWindowType type, DeviceCapability capability) {
    if (!device.profile().has(capability)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, ALLOCATE_WINDOW, "the device has no windows of " + type);
    }
  }

  void removeWindow() {
    device.memoryWindows().remove();
    windows.remove();
  }

  private void requireKeys(String call, int count) {
    if (!device.keys().hasRoom(count)) {
      throw new VerbsException(
          Errno.ENOMEM,
          call,
          "all memory keys of the device are in use; close other regions or windows first");
    }
  }
}

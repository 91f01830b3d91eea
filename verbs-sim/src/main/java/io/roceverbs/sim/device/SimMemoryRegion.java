package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A user memory region: valid from registration to close, whatever uses it meanwhile. */
final class SimMemoryRegion implements MemoryRegion {
  private static final String REREGISTER = "MemoryRegion.reregister";

  /** What a re-registration changes, as one value for readers on other threads. */
  private record Present(
      SimProtectionDomain domain, MemoryMapping mapping, AccessFlags access, int rkey) {}

  private final SimDevice device;
  private final Registration registration;
  private final int lkey;
  private final @Nullable SimDeviceMemory deviceMemory;
  private final OpenResources.Resource resource;
  private volatile Present present;
  private volatile boolean open = true;

  SimMemoryRegion(
      SimProtectionDomain domain,
      Registration registration,
      MemoryMapping mapping,
      AccessFlags access) {
    this(domain, registration, mapping, access, null);
  }

  SimMemoryRegion(
      SimProtectionDomain domain,
      Registration registration,
      MemoryMapping mapping,
      AccessFlags access,
      @Nullable SimDeviceMemory deviceMemory) {
    this.device = domain.device();
    this.registration = registration;
    this.lkey = registration.lkey();
    this.deviceMemory = deviceMemory;
    this.present = new Present(domain, mapping, access, registration.rkey());
    if (deviceMemory != null) {
      deviceMemory.regions().add();
    }
    this.resource = device.resources().add(this);
    Keys.changed(device, lkey, true, "registerMemory");
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return present.domain();
  }

  @Override
  public int lkey() {
    return lkey;
  }

  @Override
  public int rkey() {
    return present.rkey();
  }

  @Override
  public long address() {
    return present.mapping().address();
  }

  @Override
  public long length() {
    return present.mapping().length();
  }

  @Override
  public AccessFlags access() {
    return present.access();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  // ---- change --------------------------------------------------------------------------------

  @Override
  public void reregister(MemoryRegionChange change) {
    device.host().enter();
    try {
      checkChangeable(change);
      SimProtectionDomain domain = domainAfter(change);
      AccessFlags access = accessAfter(change);
      MemoryMapping mapping = mappingAfter(change, domain, access);
      if (domain != present.domain()) {
        present.domain().memory().moveRegionTo(domain.memory());
      }
      // Rule REREGISTER-QUEUED: queued requests meet the region as it is when they are executed.
      device.keys().reregister(registration, domain.number(), access.value(), mapping);
      present = new Present(domain, mapping, access, registration.rkey());
      Keys.changed(device, lkey, true, "reregister");
    } finally {
      device.host().exit();
    }
  }

  private void checkChangeable(MemoryRegionChange change) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, REREGISTER, "the region was closed");
    }
    device.requireWorking(REREGISTER);
    if (change.equals(MemoryRegionChange.NONE)) {
      throw new VerbsException(
          Errno.EINVAL, REREGISTER, "nothing is to change; name a buffer, a domain or rights");
    }
    if (deviceMemory != null || present.mapping() == MemoryMapping.NULL) {
      throw new VerbsException(
          Errno.EINVAL, REREGISTER, "only a region over memory of the program can be changed");
    }
    RegionChecks.noWindows(REREGISTER, device, registration);
  }

  private SimProtectionDomain domainAfter(MemoryRegionChange change) {
    ProtectionDomain wanted = change.protectionDomain();
    if (wanted == null) {
      return present.domain();
    }
    if (wanted instanceof SimProtectionDomain own
        && own.context() == present.domain().context()
        && own.isOpen()) {
      return own;
    }
    throw SimDeviceContext.notOwn(REREGISTER, "new protection domain");
  }

  private AccessFlags accessAfter(MemoryRegionChange change) {
    AccessFlags wanted = change.access();
    if (wanted == null) {
      return present.access();
    }
    RegionChecks.rights(REREGISTER, device, wanted);
    boolean sameBase =
        wanted.contains(AccessFlag.ZERO_BASED) == present.access().contains(AccessFlag.ZERO_BASED);
    if (!sameBase && change.buffer() == null) {
      throw new VerbsException(
          Errno.EINVAL,
          REREGISTER,
          "ZERO_BASED changes the addresses, so it is changed together with the buffer");
    }
    if (wanted.contains(AccessFlag.LOCAL_WRITE) && !present.mapping().isWritable()) {
      if (change.buffer() == null) {
        throw RegionChecks.readOnly(REREGISTER);
      }
    }
    return wanted;
  }

  private MemoryMapping mappingAfter(
      MemoryRegionChange change, SimProtectionDomain domain, AccessFlags access) {
    ByteBuffer buffer = change.buffer();
    if (buffer == null) {
      return present.mapping();
    }
    RegionChecks.buffer(REREGISTER, buffer, access);
    return new MemoryMapping(
        domain.memory().addressFor(buffer, access), new ByteBuffer[] {buffer}, 1);
  }

  // ---- end -----------------------------------------------------------------------------------

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      RegionChecks.noWindows("MemoryRegion.close", device, registration);
      open = false;
      // Rule DEREGISTER-AT-ONCE: requests that still name it find the key dead, at their next
      // packet.
      device.keys().deregister(registration);
      present.domain().memory().removeRegion();
      if (deviceMemory != null) {
        deviceMemory.regions().remove();
      }
      resource.release();
      Keys.changed(device, lkey, false, "deregistered");
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    Present now = present;
    return String.format(
        Locale.ROOT,
        "MemoryRegion lkey 0x%08x rkey 0x%08x address 0x%x length %s",
        lkey,
        now.rkey(),
        now.mapping().address(),
        Long.toUnsignedString(now.mapping().length()));
  }
}

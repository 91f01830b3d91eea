package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.Registration;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import java.util.Locale;

/** A user memory region: valid from registration to close, whatever uses it meanwhile. */
final class SimMemoryRegion implements MemoryRegion {
  private final SimProtectionDomain domain;
  private final Registration registration;
  private final int lkey;
  private final int rkey;
  private final long address;
  private final long length;
  private final AccessFlags access;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimMemoryRegion(
      SimProtectionDomain domain,
      Registration registration,
      long address,
      long length,
      AccessFlags access) {
    this.domain = domain;
    this.registration = registration;
    this.lkey = registration.lkey();
    this.rkey = registration.rkey();
    this.address = address;
    this.length = length;
    this.access = access;
    this.resource = domain.device().resources().add(this);
    Keys.changed(domain.device(), lkey, true, "registerMemory");
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  public int lkey() {
    return lkey;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public long address() {
    return address;
  }

  @Override
  public long length() {
    return length;
  }

  @Override
  public AccessFlags access() {
    return access;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    DeviceHost host = domain.device().host();
    host.enter();
    try {
      if (!open) {
        return;
      }
      open = false;
      // Rule DEREGISTER-AT-ONCE: requests that still name it find the key dead, at their next
      // packet.
      domain.device().keys().deregister(registration);
      domain.regions().remove();
      resource.release();
      Keys.changed(domain.device(), lkey, false, "deregistered");
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return String.format(
        Locale.ROOT,
        "MemoryRegion lkey 0x%08x rkey 0x%08x address 0x%x length %d",
        lkey,
        rkey,
        address,
        length);
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * A fast registration region: the ULP's side of it, that is, the key that the ULP will use next and
 * what it has mapped. What the adapter knows of it changes by work requests only.
 */
final class SimFastRegistrationRegion implements FastRegistrationRegion {
  private static final String MAP = "FastRegistrationRegion.map";

  private final SimProtectionDomain domain;
  private final Registration registration;
  private int key;
  private @Nullable MemoryMapping mapping;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimFastRegistrationRegion(SimProtectionDomain domain, Registration registration) {
    this.domain = domain;
    this.registration = registration;
    this.key = registration.rkey();
    this.resource = domain.device().resources().add(this);
  }

  Registration registration() {
    return registration;
  }

  @Nullable MemoryMapping mapping() {
    return mapping;
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  public int lkey() {
    return key;
  }

  @Override
  public int rkey() {
    return key;
  }

  @Override
  public int nextKey() {
    DeviceHost host = domain.device().host();
    host.enter();
    try {
      requireOpen("FastRegistrationRegion.nextKey");
      key = domain.device().keys().nextVariant(key);
      return key;
    } finally {
      host.exit();
    }
  }

  private void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "the region was closed; allocate another one");
    }
  }

  @Override
  public int map(ByteBuffer... segments) {
    long total = 0;
    for (ByteBuffer segment : segments) {
      total += segment.remaining();
    }
    DeviceHost host = domain.device().host();
    host.enter();
    try {
      return mapAt(domain.device().addresses().allocate(total), segments);
    } finally {
      host.exit();
    }
  }

  @Override
  public int map(long ioVirtualAddress, ByteBuffer... segments) {
    DeviceHost host = domain.device().host();
    host.enter();
    try {
      return mapAt(ioVirtualAddress, segments);
    } finally {
      host.exit();
    }
  }

  /**
   * How many segments can be mapped: those that fit the region's pages, up to the first that ends
   * inside a page. Rule MAP-JOINTS: pages are whole between the first byte and the last.
   */
  private int mappableSegments(ByteBuffer[] segments) {
    long pages = 0;
    for (int i = 0; i < segments.length; i++) {
      int bytes = segments[i].remaining();
      if (bytes == 0) {
        throw new VerbsException(
            Errno.EINVAL, MAP, "segment " + i + " has no byte between position and limit");
      }
      pages += (bytes + PAGE_BYTES - 1L) / PAGE_BYTES;
      if (pages > registration.pagesMax()) {
        return requireOne(i, pages);
      }
      if (bytes % PAGE_BYTES != 0) {
        return i + 1;
      }
    }
    return segments.length;
  }

  private int requireOne(int count, long pages) {
    if (count == 0) {
      throw new VerbsException(
          Errno.ENOMEM,
          MAP,
          "the first segment has "
              + pages
              + " pages of 4096, the region takes "
              + registration.pagesMax());
    }
    return count;
  }

  private int mapAt(long address, ByteBuffer[] segments) {
    requireOpen(MAP);
    if (segments.length == 0) {
      throw new VerbsException(Errno.EINVAL, MAP, "at least one segment is needed");
    }
    int count = mappableSegments(segments);
    MemoryMapping mapped = new MemoryMapping(address, segments, count);
    AddressSpace.requireInside(MAP, address, mapped.length());
    mapping = mapped;
    return count;
  }

  @Override
  public long address() {
    MemoryMapping now = mapping;
    return now == null ? 0 : now.address();
  }

  @Override
  public long length() {
    MemoryMapping now = mapping;
    return now == null ? 0 : now.length();
  }

  @Override
  public int pagesMax() {
    return registration.pagesMax();
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
      RegionChecks.noWindows("FastRegistrationRegion.close", domain.device(), registration);
      open = false;
      domain.device().keys().deregister(registration);
      domain.memory().removeRegion();
      resource.release();
      Keys.changed(domain.device(), registration.rkey(), false, "deregistered");
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "FastRegistrationRegion key 0x%08x", key);
  }
}

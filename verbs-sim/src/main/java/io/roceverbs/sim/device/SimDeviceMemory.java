package io.roceverbs.sim.device;

import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;

/** Memory of the device itself: bytes that the ULP reaches by copies only. */
final class SimDeviceMemory implements DeviceMemory {
  private final SimDeviceContext context;
  private final ByteBuffer bytes;
  private final UseCount regions = new UseCount("memory region");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimDeviceMemory(SimDeviceContext context, int length) {
    this.context = context;
    this.bytes = ByteBuffer.allocate(length);
    this.resource = context.simDevice().resources().add(this);
  }

  ByteBuffer bytes() {
    return bytes;
  }

  UseCount regions() {
    return regions;
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public long length() {
    return bytes.capacity();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Refuses, in the name of {@code call}, a range that is not inside. */
  void requireInside(String call, long offset, long length) {
    if (offset < 0 || length > length() || offset > length() - length) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          length + " bytes from " + offset + " on are not inside the memory of " + length());
    }
  }

  /** Rule DEVICE-MEMORY-COPY: aligned, and inside the memory. */
  private void checkCopy(String call, long offset, int length) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "the device memory was given back");
    }
    if (offset % ALIGNMENT_BYTES != 0 || length % ALIGNMENT_BYTES != 0) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "offset " + offset + " and length " + length + " must be multiples of 4");
    }
    requireInside(call, offset, length);
  }

  @Override
  public void copyIn(long offset, ByteBuffer source) {
    DeviceHost host = context.simDevice().host();
    host.enter();
    try {
      checkCopy("DeviceMemory.copyIn", offset, source.remaining());
      bytes.put((int) offset, source, source.position(), source.remaining());
    } finally {
      host.exit();
    }
  }

  @Override
  public void copyOut(long offset, ByteBuffer target) {
    DeviceHost host = context.simDevice().host();
    host.enter();
    try {
      checkCopy("DeviceMemory.copyOut", offset, target.remaining());
      target.put(target.position(), bytes, (int) offset, target.remaining());
    } finally {
      host.exit();
    }
  }

  @Override
  public void close() {
    DeviceHost host = context.simDevice().host();
    host.enter();
    try {
      if (!open) {
        return;
      }
      regions.requireNone("DeviceMemory.close");
      open = false;
      resource.release();
      context.deviceMemories().remove();
      context.simDevice().deviceMemoryPool().release(length());
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return "DeviceMemory of " + length() + " bytes of " + context.simDevice().name();
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.ThreadDomain;

/** A thread domain: it counts the parent domains that it was handed to, and means nothing else. */
final class SimThreadDomain implements ThreadDomain {
  private final SimDeviceContext context;
  private final SimDevice device;
  private final UseCount parentDomains = new UseCount("parent domain");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimThreadDomain(SimDeviceContext context) {
    this.context = context;
    this.device = context.simDevice();
    this.resource = device.resources().add(this);
  }

  /** The parent domains that it was handed to. */
  UseCount parentDomains() {
    return parentDomains;
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      parentDomains.requireNone("ThreadDomain.close");
      open = false;
      context.threadDomains().remove();
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "ThreadDomain of " + device.name();
  }
}

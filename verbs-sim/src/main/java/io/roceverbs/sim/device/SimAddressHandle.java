package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.Path;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.ProtectionDomain;

/** An address handle; each datagram that names it copies the way at post. */
final class SimAddressHandle implements AddressHandle {
  private final SimProtectionDomain domain;
  private final Path path;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimAddressHandle(SimProtectionDomain domain, Path path) {
    this.domain = domain;
    this.path = path;
    this.resource = domain.device().resources().add(this);
  }

  SimProtectionDomain domain() {
    return domain;
  }

  Path path() {
    return path;
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  public AddressVector vector() {
    return path.vector();
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
      if (open) {
        open = false;
        domain.addressHandles().remove();
        resource.release();
      }
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return "AddressHandle to " + path.vector().destination();
  }
}

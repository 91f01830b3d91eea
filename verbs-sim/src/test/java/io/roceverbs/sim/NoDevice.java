package io.roceverbs.sim;

import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.NodeType;
import io.roceverbs.verbs.TransportType;

/** A device with a name and nothing behind it. */
final class NoDevice implements Device {
  private final String name;

  NoDevice(String name) {
    this.name = name;
  }

  @Override
  public String name() {
    return name;
  }

  @Override
  public NodeType nodeType() {
    return NodeType.CA;
  }

  @Override
  public TransportType transportType() {
    return TransportType.IB;
  }

  @Override
  public long guid() {
    return 0;
  }

  @Override
  public DeviceContext open() {
    throw new UnsupportedOperationException("this device is only a name");
  }
}

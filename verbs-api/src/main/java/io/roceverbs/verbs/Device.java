package io.roceverbs.verbs;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.ServiceLoader;

/**
 * An RDMA device that is present and not opened: {@code struct ibv_device}, kernel {@code struct
 * ib_device}.
 *
 * <p>All methods may be called from any thread.
 *
 * <p>Source: ibv_get_device_list(3), ibv_open_device(3).
 */
public interface Device {
  /**
   * Finds the devices of all providers: {@code ibv_get_device_list()}.
   *
   * @return an unmodifiable list, provider by provider; empty if no provider has a device
   * @throws java.util.ServiceConfigurationError if a provider cannot be loaded
   */
  static List<Device> list() {
    List<Device> devices = new ArrayList<>();
    for (VerbsProvider provider : ServiceLoader.load(VerbsProvider.class)) {
      devices.addAll(provider.devices());
    }
    return Collections.unmodifiableList(devices);
  }

  /**
   * Returns the name: {@code ibv_get_device_name()}.
   *
   * @return the name, such as {@code rxe0}
   */
  String name();

  /** {@return the kind of the device, the {@code node_type}; CA for a RoCE adapter} */
  NodeType nodeType();

  /** {@return the transport of the device, the {@code transport_type}; IB for a RoCE adapter} */
  TransportType transportType();

  /**
   * Returns the globally unique identifier: {@code ibv_get_device_guid()}.
   *
   * @return 64 bits; the most significant byte is the first one on the wire
   */
  long guid();

  /**
   * Opens the device: {@code ibv_open_device()}. Each call gives a context of its own.
   *
   * @return an open context
   * @throws VerbsException ENODEV if the device is gone
   */
  DeviceContext open();
}

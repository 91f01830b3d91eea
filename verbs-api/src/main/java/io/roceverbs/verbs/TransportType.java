package io.roceverbs.verbs;

/**
 * Transport protocol of a device: {@code enum ibv_transport_type}.
 *
 * <p>RoCE reports {@link #IB}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum TransportType {
  /** Not known. */
  UNKNOWN(-1),

  /** InfiniBand transport, also RoCE. */
  IB(0),

  /** iWARP. */
  IWARP(1),

  /** Cisco usNIC. */
  USNIC(2),

  /** Cisco usNIC over UDP. */
  USNIC_UDP(3),

  /** A protocol of the device's own. */
  UNSPECIFIED(4);

  private static final ValueTable<TransportType> BY_VALUE =
      ValueTable.of(TransportType.class, TransportType::value);

  private final int value;

  TransportType(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI} */
  public int value() {
    return value;
  }

  /**
   * Finds a constant by its number in the C ABI.
   *
   * @param value the value from the C header
   * @return the constant with that value
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static TransportType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * Physical state of a port: the {@code phys_state} of {@code struct ibv_port_attr}, kernel {@code
 * enum ib_port_phys_state}.
 *
 * <p>Source: Linux {@code include/rdma/ib_verbs.h}.
 */
public enum PortPhysicalState {
  /** Powered down. */
  SLEEP(1),

  /** Looks for a partner on the cable. */
  POLLING(2),

  /** Switched off by an administrator, or no carrier. */
  DISABLED(3),

  /** Negotiates width and speed. */
  PORT_CONFIGURATION_TRAINING(4),

  /** The link works. */
  LINK_UP(5),

  /** Retrains after an error. */
  LINK_ERROR_RECOVERY(6),

  /** Test mode. */
  PHY_TEST(7);

  private static final ValueTable<PortPhysicalState> BY_VALUE =
      ValueTable.of(PortPhysicalState.class, PortPhysicalState::value);

  private final int value;

  PortPhysicalState(int value) {
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
  public static PortPhysicalState fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

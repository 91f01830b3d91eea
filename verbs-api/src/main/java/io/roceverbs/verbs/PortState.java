package io.roceverbs.verbs;

/**
 * Logical state of a port: {@code enum ibv_port_state}, kernel {@code enum ib_port_state}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_query_port(3).
 */
public enum PortState {
  /** No state change ({@code IBV_PORT_NOP}); not a state a port reports. */
  NOP(0),

  /** The link is down. */
  DOWN(1),

  /** The link is up, the port is not configured. */
  INIT(2),

  /** Configured, not yet released for data traffic. */
  ARMED(3),

  /** Carries data traffic. */
  ACTIVE(4),

  /** Active while the physical link recovers from an error. */
  ACTIVE_DEFER(5);

  private static final ValueTable<PortState> BY_VALUE =
      ValueTable.of(PortState.class, PortState::value);

  private final int value;

  PortState(int value) {
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
  public static PortState fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

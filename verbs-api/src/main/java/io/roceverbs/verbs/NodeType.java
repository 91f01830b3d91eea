package io.roceverbs.verbs;

/**
 * Kind of a device: {@code enum ibv_node_type}, kernel {@code enum rdma_node_type}.
 *
 * <p>A RoCE adapter is a {@link #CA}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum NodeType {
  /** Not known. */
  UNKNOWN(-1),

  /** Channel adapter, InfiniBand or RoCE. */
  CA(1),

  /** InfiniBand switch. */
  SWITCH(2),

  /** InfiniBand router. */
  ROUTER(3),

  /** iWARP adapter. */
  RNIC(4),

  /** Cisco usNIC. */
  USNIC(5),

  /** Cisco usNIC over UDP. */
  USNIC_UDP(6),

  /** A device with a protocol of its own. */
  UNSPECIFIED(7);

  private static final ValueTable<NodeType> BY_VALUE =
      ValueTable.of(NodeType.class, NodeType::value);

  private final int value;

  NodeType(int value) {
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
  public static NodeType fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

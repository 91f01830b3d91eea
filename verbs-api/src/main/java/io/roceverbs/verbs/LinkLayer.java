package io.roceverbs.verbs;

/**
 * Link layer of a port: {@code IBV_LINK_LAYER_...}, kernel {@code enum rdma_link_layer}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum LinkLayer {
  /** Not told; old programs read it as InfiniBand. */
  UNSPECIFIED(0),

  /** InfiniBand. */
  INFINIBAND(1),

  /** Ethernet: RoCE or iWARP. */
  ETHERNET(2);

  private static final ValueTable<LinkLayer> BY_VALUE =
      ValueTable.of(LinkLayer.class, LinkLayer::value);

  private final int value;

  LinkLayer(int value) {
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
  public static LinkLayer fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

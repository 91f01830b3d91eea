package io.roceverbs.verbs;

/**
 * How far a {@link SendOpcode#FLUSH} brings the peer's memory: {@code enum ibv_placement_type}.
 *
 * <p>The value is the bit. No request of this interface can flush yet.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_wr_post(3).
 */
public enum FlushPlacement {
  /** Visible to everyone who looks at it: {@code IBV_FLUSH_GLOBAL}. */
  GLOBAL(1),

  /** Kept without power: {@code IBV_FLUSH_PERSISTENT}. */
  PERSISTENT(1 << 1);

  private static final ValueTable<FlushPlacement> BY_VALUE =
      ValueTable.of(FlushPlacement.class, FlushPlacement::value);

  private final int value;

  FlushPlacement(int value) {
    this.value = value;
  }

  /** {@return the number of this constant in the C ABI, a single bit} */
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
  public static FlushPlacement fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

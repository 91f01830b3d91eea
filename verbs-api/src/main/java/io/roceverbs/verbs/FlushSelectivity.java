package io.roceverbs.verbs;

/**
 * Which part of the peer's memory a {@link SendOpcode#FLUSH} concerns: {@code enum
 * ibv_selectivity_level}.
 *
 * <p>No request of this interface can flush yet.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_wr_post(3).
 */
public enum FlushSelectivity {
  /** A range of addresses: {@code IBV_FLUSH_RANGE}. */
  RANGE(0),

  /** The whole region: {@code IBV_FLUSH_MR}. */
  REGION(1);

  private static final ValueTable<FlushSelectivity> BY_VALUE =
      ValueTable.of(FlushSelectivity.class, FlushSelectivity::value);

  private final int value;

  FlushSelectivity(int value) {
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
  public static FlushSelectivity fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

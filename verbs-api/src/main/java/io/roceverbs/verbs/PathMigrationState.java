package io.roceverbs.verbs;

/**
 * State of automatic path migration: {@code enum ibv_mig_state}, kernel {@code enum ib_mig_state}.
 *
 * <p>RoCE has no alternate paths (Linux refuses {@code IBV_QP_ALT_PATH} there), so a queue pair on
 * RoCE stays MIGRATED.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}.
 */
public enum PathMigrationState {
  /** The present path is the only one, or migration has happened. */
  MIGRATED(0),

  /** An alternate path is loaded and waits for the peer to do the same. */
  REARM(1),

  /** Both sides hold an alternate path; migration can happen. */
  ARMED(2);

  private static final ValueTable<PathMigrationState> BY_VALUE =
      ValueTable.of(PathMigrationState.class, PathMigrationState::value);

  private final int value;

  PathMigrationState(int value) {
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
  public static PathMigrationState fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

package io.roceverbs.verbs;

/**
 * Right on memory, or the right to use an operation on a queue pair: {@code enum ibv_access_flags},
 * kernel {@code enum ib_access_flags}.
 *
 * <p>The value is the bit. Local reading is always allowed, so the empty set is a legal, locally
 * readable region. {@link AccessFlags} holds a set of them.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_reg_mr(3); Linux {@code ib_check_mr_access}.
 */
public enum AccessFlag {
  /** The adapter may write for the local queue pair: received data, READ data, atomic results. */
  LOCAL_WRITE(0x1),

  /** The peer may WRITE. A region needs LOCAL_WRITE as well, else EINVAL. */
  REMOTE_WRITE(0x2),

  /** The peer may READ. */
  REMOTE_READ(0x4),

  /** The peer may do atomic operations. A region needs LOCAL_WRITE as well, else EINVAL. */
  REMOTE_ATOMIC(0x8),

  /** Memory windows may be bound to the region. */
  MW_BIND(0x10),

  /** Addresses of the region count from 0 at its first byte. */
  ZERO_BASED(0x20),

  /** On-demand paging; EOPNOTSUPP on a device without it. */
  ON_DEMAND(0x40),

  /** Hint: the memory lies in huge pages. */
  HUGETLB(0x80),

  /** The peer may flush to global visibility; EOPNOTSUPP on a device without it. */
  FLUSH_GLOBAL(0x100),

  /** The peer may flush to persistence; EOPNOTSUPP on a device without it. */
  FLUSH_PERSISTENT(0x200),

  /** Hint: inbound writes may become visible in any order before their completion. */
  RELAXED_ORDERING(1 << 20);

  private static final ValueTable<AccessFlag> BY_VALUE =
      ValueTable.of(AccessFlag.class, AccessFlag::value);

  private final int value;

  AccessFlag(int value) {
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
  public static AccessFlag fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

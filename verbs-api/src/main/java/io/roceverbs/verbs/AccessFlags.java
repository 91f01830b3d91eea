package io.roceverbs.verbs;

/**
 * A set of {@link AccessFlag}s: the {@code int access} of {@code ibv_reg_mr()} and the {@code
 * qp_access_flags} of {@code struct ibv_qp_attr}.
 *
 * <p>Immutable; two sets with the same bits are equal. Bits that no {@link AccessFlag} names are
 * kept, so that a provider can refuse them (EINVAL) where C would.
 *
 * <p>Source: ibv_reg_mr(3), ibv_modify_qp(3).
 */
public final class AccessFlags {
  /** The empty set: a region that its owner's adapter may read, and nobody else may touch. */
  public static final AccessFlags NONE = new AccessFlags(0);

  private static final AccessFlag[] FLAGS = AccessFlag.values();

  private static final int REMOTE_BITS =
      AccessFlag.REMOTE_WRITE.value()
          | AccessFlag.REMOTE_READ.value()
          | AccessFlag.REMOTE_ATOMIC.value()
          | AccessFlag.FLUSH_GLOBAL.value()
          | AccessFlag.FLUSH_PERSISTENT.value();

  private final int value;

  private AccessFlags(int value) {
    this.value = value;
  }

  /**
   * Makes a set of the given flags.
   *
   * @param flags any number of flags, in any order; a repeated one counts once
   * @return the set
   */
  public static AccessFlags of(AccessFlag... flags) {
    int bits = 0;
    for (AccessFlag flag : flags) {
      bits |= flag.value();
    }
    return fromValue(bits);
  }

  /**
   * Makes a set from the bits of the C ABI.
   *
   * @param value the bits; unknown ones are kept
   * @return the set
   */
  public static AccessFlags fromValue(int value) {
    return value == 0 ? NONE : new AccessFlags(value);
  }

  /** {@return the bits of this set in the C ABI, the OR of the flags' values} */
  public int value() {
    return value;
  }

  /**
   * Tells whether a flag is in this set.
   *
   * @param flag the flag to look for
   * @return true if it is in the set
   */
  public boolean contains(AccessFlag flag) {
    return (value & flag.value()) != 0;
  }

  /**
   * Tells whether every flag of another set is in this one.
   *
   * @param others the flags to look for; {@link #NONE} is always contained
   * @return true if none is missing here
   */
  public boolean containsAll(AccessFlags others) {
    return (value & others.value) == others.value;
  }

  /** {@return true if a remote write, read, atomic or flush right is in the set} */
  public boolean allowsRemote() {
    return (value & REMOTE_BITS) != 0;
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof AccessFlags flags && flags.value == value;
  }

  @Override
  public int hashCode() {
    return value;
  }

  /**
   * Returns the names joined by {@code |}, unknown bits as a hexadecimal number, {@code NONE} for
   * the empty set.
   */
  @Override
  public String toString() {
    if (value == 0) {
      return "NONE";
    }
    StringBuilder text = new StringBuilder();
    int rest = value;
    for (AccessFlag flag : FLAGS) {
      if (contains(flag)) {
        text.append(text.isEmpty() ? "" : "|").append(flag);
        rest &= ~flag.value();
      }
    }
    if (rest != 0) {
      text.append(text.isEmpty() ? "" : "|").append("0x").append(Integer.toHexString(rest));
    }
    return text.toString();
  }
}

package io.roceverbs.verbs;

/**
 * How {@link DeviceContext#openXrcDomain(String, XrcDomainFlag...)} treats a domain that is there,
 * or is not: the {@code oflags} of {@code struct ibv_xrcd_init_attr}.
 *
 * <p>Source: ibv_open_xrcd(3), open(2); values from Linux {@code include/uapi/asm-generic/fcntl.h}.
 */
public enum XrcDomainFlag {
  /** Make the domain if it is not there: {@code O_CREAT}. */
  CREATE(0x40),

  /** Fail if the domain is there: {@code O_EXCL}. */
  EXCLUSIVE(0x80);

  private static final ValueTable<XrcDomainFlag> BY_VALUE =
      ValueTable.of(XrcDomainFlag.class, XrcDomainFlag::value);

  private final int value;

  XrcDomainFlag(int value) {
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
  public static XrcDomainFlag fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

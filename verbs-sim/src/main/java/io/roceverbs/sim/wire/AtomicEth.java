package io.roceverbs.sim.wire;

/**
 * The atomic extended transport header (AtomicETH) of a {@link Packet}: the word that an atomic
 * operation is about, and its operands.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class AtomicEth {
  private long remoteAddress;
  private int rkey;
  private long swapOrAdd;
  private long compare;

  AtomicEth() {}

  void clear() {
    remoteAddress = 0;
    rkey = 0;
    swapOrAdd = 0;
    compare = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    remoteAddress = BigEndian.get64(buffer, at);
    rkey = BigEndian.get32(buffer, at + 8);
    swapOrAdd = BigEndian.get64(buffer, at + 12);
    compare = BigEndian.get64(buffer, at + 20);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put64(buffer, at, remoteAddress);
    BigEndian.put32(buffer, at + 8, rkey);
    BigEndian.put64(buffer, at + 12, swapOrAdd);
    BigEndian.put64(buffer, at + 20, compare);
  }

  /** {@return the virtual address} */
  public long remoteAddress() {
    return remoteAddress;
  }

  /**
   * Sets {@link #remoteAddress()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this header
   */
  public AtomicEth remoteAddress(long value) {
    remoteAddress = value;
    return this;
  }

  /** {@return the R_Key} */
  public int rkey() {
    return rkey;
  }

  /**
   * Sets {@link #rkey()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this header
   */
  public AtomicEth rkey(int value) {
    rkey = value;
    return this;
  }

  /** {@return the value to store or to add} */
  public long swapOrAdd() {
    return swapOrAdd;
  }

  /**
   * Sets {@link #swapOrAdd()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this header
   */
  public AtomicEth swapOrAdd(long value) {
    swapOrAdd = value;
    return this;
  }

  /** {@return the value to compare the memory with; 0 in FETCH_ADD} */
  public long compare() {
    return compare;
  }

  /**
   * Sets {@link #compare()}.
   *
   * @param value the new value, all 64 bits of it
   * @return this header
   */
  public AtomicEth compare(long value) {
    compare = value;
    return this;
  }
}

package io.roceverbs.sim.wire;

/**
 * The RDMA extended transport header (RETH) of a {@link Packet}: the memory that a WRITE, a READ or
 * a FLUSH is about.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class Reth {
  private long remoteAddress;
  private int rkey;
  private int dmaLength;

  Reth() {}

  void clear() {
    remoteAddress = 0;
    rkey = 0;
    dmaLength = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    remoteAddress = BigEndian.get64(buffer, at);
    rkey = BigEndian.get32(buffer, at + 8);
    dmaLength = BigEndian.get32(buffer, at + 12);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put64(buffer, at, remoteAddress);
    BigEndian.put32(buffer, at + 8, rkey);
    BigEndian.put32(buffer, at + 12, dmaLength);
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
  public Reth remoteAddress(long value) {
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
  public Reth rkey(int value) {
    rkey = value;
    return this;
  }

  /** {@return the length of the whole message in bytes, an unsigned number} */
  public int dmaLength() {
    return dmaLength;
  }

  /**
   * Sets {@link #dmaLength()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this header
   */
  public Reth dmaLength(int value) {
    dmaLength = value;
    return this;
  }
}

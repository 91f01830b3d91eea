package io.roceverbs.sim.wire;

/**
 * The flush extended transport header (FETH) of a {@link Packet}: what a FLUSH is about, and how
 * far it goes.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class Feth {
  private int selectivity;
  private int placement;
  private int reserved;

  Feth() {}

  void clear() {
    selectivity = 0;
    placement = 0;
    reserved = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    int word = BigEndian.get32(buffer, at);
    reserved(word >>> 6);
    selectivity(word >>> 4);
    placement(word);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put32(buffer, at, (reserved << 6) | (selectivity << 4) | placement);
  }

  /** {@return what to flush: 0 a range, 1 the whole memory region} */
  public int selectivity() {
    return selectivity;
  }

  /**
   * Sets {@link #selectivity()}.
   *
   * @param value the new value; bits above the lowest 2 are dropped
   * @return this header
   */
  public Feth selectivity(int value) {
    selectivity = value & 0x3;
    return this;
  }

  /** {@return how far to flush: bit 0 global visibility, bit 1 persistence} */
  public int placement() {
    return placement;
  }

  /**
   * Sets {@link #placement()}.
   *
   * @param value the new value; bits above the lowest 4 are dropped
   * @return this header
   */
  public Feth placement(int value) {
    placement = value & 0xF;
    return this;
  }

  /** {@return the 26 reserved bits of the FETH, which the ICRC covers} */
  public int reserved() {
    return reserved;
  }

  /**
   * Sets {@link #reserved()}.
   *
   * @param value the new value; bits above the lowest 26 are dropped
   * @return this header
   */
  public Feth reserved(int value) {
    reserved = value & 0x3FF_FFFF;
    return this;
  }
}

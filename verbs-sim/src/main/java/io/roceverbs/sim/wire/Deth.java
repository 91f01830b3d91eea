package io.roceverbs.sim.wire;

/**
 * The datagram extended transport header (DETH) of a {@link Packet}: whom it comes from, and under
 * which key.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class Deth {
  private int queueKey;
  private int sourceQueuePair;
  private int reserved;

  Deth() {}

  void clear() {
    queueKey = 0;
    sourceQueuePair = 0;
    reserved = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    int source = BigEndian.get32(buffer, at + 4);
    queueKey = BigEndian.get32(buffer, at);
    reserved(source >>> 24);
    sourceQueuePair(source);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put32(buffer, at, queueKey);
    BigEndian.put32(buffer, at + 4, (reserved << 24) | sourceQueuePair);
  }

  /** {@return the Q_Key} */
  public int queueKey() {
    return queueKey;
  }

  /**
   * Sets {@link #queueKey()}.
   *
   * @param value the new value, all 32 bits of it
   * @return this header
   */
  public Deth queueKey(int value) {
    queueKey = value;
    return this;
  }

  /** {@return the number of the queue pair that sent the datagram, 24 bits} */
  public int sourceQueuePair() {
    return sourceQueuePair;
  }

  /**
   * Sets {@link #sourceQueuePair()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this header
   */
  public Deth sourceQueuePair(int value) {
    sourceQueuePair = value & 0xFF_FFFF;
    return this;
  }

  /** {@return the reserved byte of the DETH, which the ICRC covers} */
  public int reserved() {
    return reserved;
  }

  /**
   * Sets {@link #reserved()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this header
   */
  public Deth reserved(int value) {
    reserved = value & 0xFF;
    return this;
  }
}

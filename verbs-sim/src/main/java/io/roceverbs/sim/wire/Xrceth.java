package io.roceverbs.sim.wire;

/**
 * The XRC extended transport header (XRCETH) of a {@link Packet}: the shared receive queue that a
 * request goes to.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class Xrceth {
  private int sharedReceiveQueue;
  private int reserved;

  Xrceth() {}

  void clear() {
    sharedReceiveQueue = 0;
    reserved = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    int word = BigEndian.get32(buffer, at);
    reserved(word >>> 24);
    sharedReceiveQueue(word);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put32(buffer, at, (reserved << 24) | sharedReceiveQueue);
  }

  /** {@return the shared receive queue of an XRC request, 24 bits} */
  public int sharedReceiveQueue() {
    return sharedReceiveQueue;
  }

  /**
   * Sets {@link #sharedReceiveQueue()}.
   *
   * @param value 24 bits
   * @return this header
   */
  public Xrceth sharedReceiveQueue(int value) {
    sharedReceiveQueue = value & 0xFF_FFFF;
    return this;
  }

  /** {@return the reserved byte of an XRC request's header, 8 bits} */
  public int reserved() {
    return reserved;
  }

  /**
   * Sets {@link #reserved()}.
   *
   * @param value 8 bits
   * @return this header
   */
  public Xrceth reserved(int value) {
    reserved = value & 0xFF;
    return this;
  }
}

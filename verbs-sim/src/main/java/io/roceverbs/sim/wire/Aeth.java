package io.roceverbs.sim.wire;

/**
 * The ACK extended transport header (AETH) of a {@link Packet}: what a responder says, and how far
 * it is.
 *
 * <p>It belongs to its packet and is reused with it. A setter keeps only as many low bits as the
 * field has on the wire.
 */
public final class Aeth {
  private int syndrome;
  private int messageSequenceNumber;

  Aeth() {}

  void clear() {
    syndrome = 0;
    messageSequenceNumber = 0;
  }

  /** Takes the fields out of a frame. */
  void read(byte[] buffer, int at) {
    int word = BigEndian.get32(buffer, at);
    syndrome(word >>> 24);
    messageSequenceNumber(word);
  }

  /** Puts the fields into their places in a frame. */
  void write(byte[] buffer, int at) {
    BigEndian.put32(buffer, at, (syndrome << 24) | messageSequenceNumber);
  }

  /** {@return what an answer says, see {@link Syndrome}} */
  public int syndrome() {
    return syndrome;
  }

  /**
   * Sets {@link #syndrome()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return this header
   */
  public Aeth syndrome(int value) {
    syndrome = value & 0xFF;
    return this;
  }

  /** {@return how many requests the responder has completed, 24 bits} */
  public int messageSequenceNumber() {
    return messageSequenceNumber;
  }

  /**
   * Sets {@link #messageSequenceNumber()}.
   *
   * @param value the new value; bits above the lowest 24 are dropped
   * @return this header
   */
  public Aeth messageSequenceNumber(int value) {
    messageSequenceNumber = value & 0xFF_FFFF;
    return this;
  }
}

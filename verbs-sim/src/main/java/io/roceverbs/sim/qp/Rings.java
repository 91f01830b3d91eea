package io.roceverbs.sim.qp;

/** The arithmetic of rings whose length is a power of two, so that a slot costs no division. */
final class Rings {
  private Rings() {}

  /** The length of a ring that takes {@code capacity} entries. */
  static int lengthFor(int capacity) {
    return capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
  }

  /** The slot of a position that counts up for ever. */
  static int slot(long position, int length) {
    return (int) position & (length - 1);
  }
}

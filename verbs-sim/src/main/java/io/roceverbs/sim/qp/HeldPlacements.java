package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;

/**
 * Places the bytes of a message out of order: some packets' bytes are held back until the last
 * packet of the message has come, and then placed in an order that is drawn.
 *
 * <p>Chance is given by a seed, so equal runs place alike.
 */
final class HeldPlacements {
  /** So many packets of one message are held back at most. */
  static final int PIECES_MAX = 16;

  private static final long MULTIPLIER = 0x5851_F42D_4C95_7F2DL;
  private static final long INCREMENT = 0x1405_7B7E_F767_814FL;

  /** Where bytes go when their turn has come. */
  interface Sink {
    KeyFault place(long messageOffset, byte[] source, int sourceOffset, int length);
  }

  private final Sink sink;
  private final byte[][] pieces = new byte[PIECES_MAX][0];
  private final long[] offsets = new long[PIECES_MAX];
  private final int[] lengths = new int[PIECES_MAX];
  private int count;
  private long state;

  HeldPlacements(Sink sink, long seed) {
    this.sink = sink;
    this.state = seed;
  }

  /** Forgets what is held: the message has come to no good end. */
  void clear() {
    count = 0;
  }

  /** Takes the bytes of a packet; those of the last one bring all others with them. */
  KeyFault place(long messageOffset, byte[] source, int sourceOffset, int length, boolean last) {
    if (!last && count < PIECES_MAX && draw(2) == 0) {
      hold(messageOffset, source, sourceOffset, length);
      return KeyFault.NONE;
    }
    KeyFault fault = sink.place(messageOffset, source, sourceOffset, length);
    while (last && fault == KeyFault.NONE && count > 0) {
      fault = placeOne(draw(count));
    }
    return fault;
  }

  private void hold(long messageOffset, byte[] source, int sourceOffset, int length) {
    if (pieces[count].length < length) {
      pieces[count] = new byte[length];
    }
    System.arraycopy(source, sourceOffset, pieces[count], 0, length);
    offsets[count] = messageOffset;
    lengths[count] = length;
    count++;
  }

  private KeyFault placeOne(int index) {
    KeyFault fault = sink.place(offsets[index], pieces[index], 0, lengths[index]);
    count--;
    byte[] placed = pieces[index];
    pieces[index] = pieces[count];
    offsets[index] = offsets[count];
    lengths[index] = lengths[count];
    pieces[count] = placed;
    return fault;
  }

  private int draw(int bound) {
    state = state * MULTIPLIER + INCREMENT;
    return (int) Long.remainderUnsigned(state >>> Integer.SIZE, bound);
  }
}

package io.roceverbs.examples.lostack;

import java.nio.ByteBuffer;

/**
 * The header of a command; the immediate data follows it in the same message.
 *
 * <p>On the wire, all numbers big-endian:
 *
 * <pre>
 *   byte  0..3   tag          chosen by the initiator, repeated in the reply
 *         4..7   data length  bytes of immediate data behind the header
 *         8..15  address      where the peer may reach the data, 0 if no key is offered
 *        16..19  rkey         key for that address, 0 if none is offered
 * </pre>
 *
 * <p>A command that offers a key asks the target to take it out of use with its reply.
 *
 * @param tag see above
 * @param dataLength see above
 * @param address see above
 * @param rkey see above; {@link #NO_KEY} for none
 */
public record Command(int tag, int dataLength, long address, int rkey) {
  /** Length of the header. */
  public static final int BYTES = 20;

  /** The rkey of a command that offers none. */
  public static final int NO_KEY = 0;

  /** A command whose data can't be reached by the peer, and needs not be. */
  static Command withoutKey(int tag, int dataLength) {
    return new Command(tag, dataLength, 0, NO_KEY);
  }

  boolean offersKey() {
    return rkey != NO_KEY;
  }

  void writeTo(ByteBuffer header) {
    header.putInt(0, tag).putInt(4, dataLength).putLong(8, address).putInt(16, rkey);
  }

  static Command readFrom(ByteBuffer message) {
    return new Command(
        message.getInt(0), message.getInt(4), message.getLong(8), message.getInt(16));
  }
}

package io.roceverbs.examples.lostack;

import java.nio.ByteBuffer;

/**
 * The answer to a command.
 *
 * <p>On the wire, both numbers big-endian: tag in bytes 0..3, checksum in bytes 4..7; the rest is
 * zero. That makes it as long as the completion of an NVMe command, and long enough for Wireshark,
 * which takes a shorter SEND for a broken RPC-over-RDMA header.
 *
 * @param tag that of the command
 * @param checksum CRC-32C of the data that the target stored
 */
record Reply(int tag, int checksum) {
  /** Length of the message. */
  static final int BYTES = 16;

  void writeTo(ByteBuffer message) {
    message.putInt(0, tag).putInt(4, checksum);
  }

  static Reply readFrom(ByteBuffer message) {
    return new Reply(message.getInt(0), message.getInt(4));
  }
}

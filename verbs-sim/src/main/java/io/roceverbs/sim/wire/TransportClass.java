package io.roceverbs.sim.wire;

/** The transport service that the top three bits of a BTH opcode select. */
public enum TransportClass {
  /** Reliable Connected, opcodes 0x00 to 0x1F. */
  RC,
  /** Unreliable Connected, opcodes 0x20 to 0x3F. */
  UC,
  /** Unreliable Datagram, opcodes 0x60 to 0x7F. */
  UD,
  /** RoCEv2 congestion notification, opcode 0x81. */
  CNP
}

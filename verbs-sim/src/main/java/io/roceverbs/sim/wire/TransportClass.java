package io.roceverbs.sim.wire;

/**
 * The transport service that the top three bits of a BTH opcode select.
 *
 * <p>C counterpart: {@code IB_OPCODE_RC}, {@code IB_OPCODE_UC}, {@code IB_OPCODE_UD} and {@code
 * IB_OPCODE_CNP} in {@code include/rdma/ib_pack.h} of the Linux kernel.
 */
public enum TransportClass {
  /** Reliable Connected, opcodes 0x00 to 0x1F. */
  RC(0x00),
  /** Unreliable Connected, opcodes 0x20 to 0x3F. */
  UC(0x20),
  /** Unreliable Datagram, opcodes 0x60 to 0x7F. */
  UD(0x60),
  /** Extended Reliable Connected, opcodes 0xA0 to 0xBF. */
  XRC(0xA0),
  /** RoCEv2 congestion notification, opcode 0x81. */
  CNP(0x80);

  private final int base;

  TransportClass(int base) {
    this.base = base;
  }

  /** {@return the top three bits of its opcodes, in place} */
  public int base() {
    return base;
  }
}

package io.roceverbs.sim.wire;

/** The headers that may follow the BTH, in the order in which a packet bears them. */
enum ExtendedHeader {
  /** Extended transport header of XRC: the shared receive queue. */
  XRCETH(4),
  /** Datagram extended transport header: Q_Key and source queue pair. */
  DETH(8),
  /** Flush extended transport header: selectivity and placement. */
  FETH(4),
  /** RDMA extended transport header: virtual address, R_Key and DMA length. */
  RETH(16),
  /** Atomic extended transport header: virtual address, R_Key, swap or add, compare. */
  ATOMIC_ETH(28),
  /** ACK extended transport header: syndrome and message sequence number. */
  AETH(4),
  /** Atomic ACK extended transport header: what the memory held before. */
  ATOMIC_ACK_ETH(8),
  /** Immediate data. */
  IMMEDIATE(4),
  /** Invalidate extended transport header: the R_Key to invalidate. */
  IETH(4);

  private final int bytes;

  ExtendedHeader(int bytes) {
    this.bytes = bytes;
  }

  int bytes() {
    return bytes;
  }
}

package io.roceverbs.sim.wire;

/** What an acknowledge packet says: bits 7 to 5 of its {@link Syndrome}. */
public enum SyndromeKind {
  /** The request was executed. */
  ACK,
  /** Receiver not ready: no receive request was posted; try again after the coded time. */
  RNR_NAK,
  /** The request was refused, for the reason of the {@link NakCode}. */
  NAK,
  /** A value without a meaning. */
  RESERVED
}

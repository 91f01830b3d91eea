package io.roceverbs.sim.wire;

/**
 * What an acknowledge packet says: bits 7 to 5 of its {@link Syndrome}.
 *
 * <p>C counterpart: {@code AETH_ACK}, {@code AETH_RNR_NAK}, {@code AETH_NAK} and {@code AETH_RSVD}
 * of {@code enum aeth_syndrome} in the Linux kernel's rdma_rxe.
 */
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

package io.roceverbs.sim.wire;

import org.jspecify.annotations.Nullable;

/**
 * Why a responder refuses a request: the lower five bits of a NAK {@link Syndrome}.
 *
 * <p>C counterpart: {@code enum aeth_syndrome} of the Linux kernel's rdma_rxe ({@code
 * AETH_NAK_PSN_SEQ_ERROR} and so on).
 */
public enum NakCode {
  /** A PSN beyond the expected one arrived; the requester goes back to the PSN of the NAK. */
  PSN_SEQUENCE_ERROR(0),
  /** The request breaks the protocol, or is not allowed on this queue pair. */
  INVALID_REQUEST(1),
  /** The R_Key does not give access to the memory that the request names. */
  REMOTE_ACCESS_ERROR(2),
  /** The responder could not finish the request, through a fault of its own. */
  REMOTE_OPERATIONAL_ERROR(3),
  /** Reliable Datagram only; never sent by this library. */
  INVALID_RD_REQUEST(4);

  private static final NakCode[] BY_VALUE = {
    PSN_SEQUENCE_ERROR,
    INVALID_REQUEST,
    REMOTE_ACCESS_ERROR,
    REMOTE_OPERATIONAL_ERROR,
    INVALID_RD_REQUEST
  };

  private final int value;

  NakCode(int value) {
    this.value = value;
  }

  /** {@return the code on the wire} */
  public int value() {
    return value;
  }

  /**
   * Finds the code of a NAK.
   *
   * @param value the lower five bits of the syndrome
   * @return the code, or null if the value is reserved
   */
  public static @Nullable NakCode of(int value) {
    return value >= 0 && value < BY_VALUE.length ? BY_VALUE[value] : null;
  }
}

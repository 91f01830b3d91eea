package io.roceverbs.verbs;

/**
 * Outcome of a work request: {@code enum ibv_wc_status}, kernel {@code enum ib_wc_status}.
 *
 * <p>The first request of a queue that fails carries the real status, and the queue pair goes to
 * ERR (on reliable connections always); all requests behind it complete with {@link #WR_FLUSH_ERR}.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_poll_cq(3); texts as from
 * ibv_wc_status_str(3).
 */
public enum CompletionStatus {
  /** The request succeeded. */
  SUCCESS(0, "success"),

  /** The peer's message is longer than the receive. */
  LOC_LEN_ERR(1, "local length error"),

  /** The queue pair could not execute the request: malformed, or illegal for it. */
  LOC_QP_OP_ERR(2, "local QP operation error"),

  /** Reliable datagram only. */
  LOC_EEC_OP_ERR(3, "local EE context operation error"),

  /** A segment of the request names a wrong key, domain or range, or memory without LOCAL_WRITE. */
  LOC_PROT_ERR(4, "local protection error"),

  /** Consequence: the queue was already in error when the request's turn came. */
  WR_FLUSH_ERR(5, "Work Request Flushed Error"),

  /** A window bind, REG_MR or LOCAL_INV broke a rule. */
  MW_BIND_ERR(6, "memory management operation error"),

  /** The peer sent a response that does not fit the request. */
  BAD_RESP_ERR(7, "bad response error"),

  /** An inbound WRITE with immediate violated the protection of this side's memory. */
  LOC_ACCESS_ERR(8, "local access error"),

  /** The peer answered NAK Invalid Request. */
  REM_INV_REQ_ERR(9, "remote invalid request error"),

  /** The peer answered NAK Remote Access Error: key, range or right. */
  REM_ACCESS_ERR(10, "remote access error"),

  /** The peer answered NAK Remote Operational Error: its own receive or queue was at fault. */
  REM_OP_ERR(11, "remote operation error"),

  /** No answer, or no progress, in all tries allowed by retry count and timeout. */
  RETRY_EXC_ERR(12, "transport retry counter exceeded"),

  /** The peer had no receive posted in all tries allowed by the RNR retry count. */
  RNR_RETRY_EXC_ERR(13, "RNR retry counter exceeded"),

  /** Reliable datagram only. */
  LOC_RDD_VIOL_ERR(14, "local RDD violation error"),

  /** Reliable datagram only. */
  REM_INV_RD_REQ_ERR(15, "remote invalid RD request"),

  /** The peer aborted the operation. */
  REM_ABORT_ERR(16, "aborted error"),

  /** Reliable datagram only. */
  INV_EECN_ERR(17, "invalid EE context number"),

  /** Reliable datagram only. */
  INV_EEC_STATE_ERR(18, "invalid EE context state"),

  /** The device failed. */
  FATAL_ERR(19, "fatal error"),

  /** No answer to a management datagram. */
  RESP_TIMEOUT_ERR(20, "response timeout error"),

  /** Any other error. */
  GENERAL_ERR(21, "general error"),

  /** Tag matching failed (user space only). */
  TM_ERR(22, "TM error"),

  /** Tag matching needs software to finish a rendezvous (user space only). */
  TM_RNDV_INCOMPLETE(23, "TM software rendezvous");

  private static final ValueTable<CompletionStatus> BY_VALUE =
      ValueTable.of(CompletionStatus.class, CompletionStatus::value);

  private final int value;
  private final String text;

  CompletionStatus(int value, String text) {
    this.value = value;
    this.text = text;
  }

  /** {@return the number of this constant in the C ABI} */
  public int value() {
    return value;
  }

  /** {@return the text of this status as ibv_wc_status_str(3) gives it} */
  public String text() {
    return text;
  }

  /**
   * Finds a constant by its number in the C ABI.
   *
   * @param value the value from the C header
   * @return the constant with that value
   * @throws IllegalArgumentException if no constant has the value; the message lists the legal ones
   */
  public static CompletionStatus fromValue(int value) {
    return BY_VALUE.get(value);
  }
}

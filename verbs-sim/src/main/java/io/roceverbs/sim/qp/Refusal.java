package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;

/**
 * Why a responder refuses a request for good: what the peer is told, and what the ULP on this side.
 */
enum Refusal {
  /**
   * The request makes no sense here: its opcode, its place, the right of the queue pair, the depth.
   */
  INVALID(NakCode.INVALID_REQUEST, CompletionStatus.REM_INV_REQ_ERR, AsyncEventType.QP_REQ_ERR),
  /** The request is longer or shorter than it may be. */
  LENGTH(NakCode.INVALID_REQUEST, CompletionStatus.LOC_LEN_ERR, AsyncEventType.QP_REQ_ERR),
  /** The message is longer than the receive. */
  TOO_LONG(NakCode.INVALID_REQUEST, CompletionStatus.LOC_LEN_ERR, AsyncEventType.QP_REQ_ERR),
  /** The request names memory that it may not touch. */
  ACCESS(
      NakCode.REMOTE_ACCESS_ERROR, CompletionStatus.LOC_ACCESS_ERR, AsyncEventType.QP_ACCESS_ERR),
  /** Rule RECEIVE-FAULT: our own receive is at fault, not the peer's request. */
  RECEIVE(
      NakCode.REMOTE_OPERATIONAL_ERROR, CompletionStatus.LOC_PROT_ERR, AsyncEventType.QP_REQ_ERR);

  private final NakCode nakCode;
  private final CompletionStatus receiveStatus;
  private final AsyncEventType event;

  Refusal(NakCode nakCode, CompletionStatus receiveStatus, AsyncEventType event) {
    this.nakCode = nakCode;
    this.receiveStatus = receiveStatus;
    this.event = event;
  }

  /** What the peer is told. */
  NakCode nakCode() {
    return nakCode;
  }

  /** How a receive completes that the request had taken. */
  CompletionStatus receiveStatus() {
    return receiveStatus;
  }

  /** What is raised where no receive was taken. */
  AsyncEventType event() {
    return event;
  }
}

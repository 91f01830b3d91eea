package io.roceverbs.sim.qp;

/** What the engines count besides packets, as adapters do. */
public enum TransportCounter {
  /** Responder: a WRITE has begun. */
  WRITE_REQUESTS,
  /** Responder: a READ was taken. */
  READ_REQUESTS,
  /** Responder: an atomic was taken. */
  ATOMIC_REQUESTS,
  /** Responder: a request ahead of the expected PSN has come, answered or not. */
  OUT_OF_SEQUENCE,
  /** Responder: a key or range of the peer was refused. */
  REMOTE_ACCESS_ERRORS_FOUND,
  /** Requester: a receiver-not-ready NAK has come. */
  RNR_NAKS_RECEIVED,
  /** Requester: a sequence NAK has come. */
  SEQUENCE_NAKS_RECEIVED,
  /** Requester: a response showed that one before it was lost. */
  IMPLIED_NAKS,
  /** Requester: it went back to send again, for which it spent a retry. */
  RETRIES,
  /** Requester: a SEND was completed. */
  SENDS_COMPLETED,
  /** Responder: a receive was filled. */
  RECEIVES_COMPLETED,
  /** Requester: a completion with an error, flushes too. */
  SEND_ERRORS,
  /** Requester: a flush. */
  SEND_FLUSHES,
  /** Requester: a completion with REM_INV_REQ_ERR. */
  REMOTE_INVALID_REQUESTS,
  /** Requester: a completion with REM_ACCESS_ERR. */
  REMOTE_ACCESS_ERRORS,
  /** Requester: a completion with RETRY_EXC_ERR. */
  RETRIES_EXCEEDED,
  /** Requester: a completion with RNR_RETRY_EXC_ERR. */
  RNR_RETRIES_EXCEEDED,
  /** Responder: a completion with an error, flushes too. */
  RECEIVE_ERRORS,
  /** Responder: a flush. */
  RECEIVE_FLUSHES,
  /** Responder: a completion with LOC_LEN_ERR. */
  RECEIVE_LENGTH_ERRORS,
  /** Notification point: a packet with a congestion mark has come. */
  MARKED_PACKETS,
  /** Notification point: a CNP has left. */
  NOTIFICATIONS_SENT,
  /** Reaction point: a CNP has come and lowers the rate. */
  NOTIFICATIONS_HANDLED,
  /** Reaction point: a CNP has come for nobody, or for somebody who does not heed it. */
  NOTIFICATIONS_IGNORED
}

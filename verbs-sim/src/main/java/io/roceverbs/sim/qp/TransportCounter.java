package io.roceverbs.sim.qp;

/** What the engines count, as adapters do. */
public enum TransportCounter {
  /** Requester: a request packet has left, for the first time or again. */
  REQUEST_PACKETS,
  /** Requester: a request packet has left that had left before. */
  RETRANSMITTED_PACKETS,
  /** Responder: an acknowledgement, a NAK, a READ or atomic response has left. */
  RESPONSE_PACKETS,
  /** A good packet has reached a queue pair. */
  RECEIVED_PACKETS,
  /** Responder: a request has come whose PSN is behind the expected one. */
  DUPLICATE_REQUESTS,
  /** Responder: a NAK is due for a PSN ahead of the expected one. */
  SEQUENCE_NAKS_SENT,
  /** Responder: a receiver-not-ready NAK is due. */
  RNR_NAKS_SENT,
  /** Responder: a NAK is due that ends the connection. */
  FATAL_NAKS_SENT,
  /** Requester: the ACK timer ran out. */
  ACK_TIMEOUTS,
  /** Requester: a response for nothing outstanding has come, and is ignored. */
  STALE_RESPONSES,
  /** A packet was dropped because no queue pair has its number. */
  DROPPED_UNKNOWN_QUEUE_PAIR,
  /** A packet was dropped that its queue pair's state, type or port does not take. */
  DROPPED_WRONG_STATE,
  /** A packet was dropped that comes from another address than the peer's. */
  DROPPED_WRONG_PEER,
  /** A packet of a foreign partition was dropped. */
  DROPPED_PARTITION_KEY,
  /** A datagram was dropped that bears another Q_Key. */
  DROPPED_QUEUE_KEY,
  /** A datagram was dropped as no receive was posted. */
  DROPPED_WITHOUT_RECEIVE,
  /** A datagram was dropped that does not fit into the receive. */
  DROPPED_TOO_LONG,
  /** A datagram was never sent as the port's MTU is shorter. */
  DATAGRAMS_OVER_MTU,
  /** A packet or message of UC was dropped, for whatever was wrong with it. */
  DROPPED_UNRELIABLE,
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

package io.roceverbs.sim;

import io.roceverbs.sim.qp.TransportCounter;
import io.roceverbs.sim.qp.TransportStatistics;
import java.util.function.ToLongBiFunction;
import java.util.function.ToLongFunction;

/**
 * A counter of a port, or of all ports of a device, under the name that Linux gives it: a file in
 * {@code /sys/class/infiniband/<device>/ports/<n>/hw_counters}.
 *
 * <p>The first group has the names of mlx5, the second one those of rdma_rxe. A device of any
 * profile has both. What this fabric has nothing to count for is left out, such as {@code
 * rx_dct_connect} or {@code roce_adp_retrans}.
 *
 * <p>Source: Linux {@code drivers/infiniband/hw/mlx5/counters.c} and {@code
 * drivers/infiniband/sw/rxe/rxe_hw_counters.c}.
 */
public enum HardwareCounter {
  /** Responder: WRITEs that began, with immediate or without. */
  RX_WRITE_REQUESTS("rx_write_requests", TransportCounter.WRITE_REQUESTS),
  /** Responder: READs that were executed, repeated ones left out. */
  RX_READ_REQUESTS("rx_read_requests", TransportCounter.READ_REQUESTS),
  /** Responder: atomics that were executed. */
  RX_ATOMIC_REQUESTS("rx_atomic_requests", TransportCounter.ATOMIC_REQUESTS),
  /** Responder: messages that found no receive, answered with an RNR NAK or, on UD, dropped. */
  OUT_OF_BUFFER(
      "out_of_buffer",
      transport ->
          transport.get(TransportCounter.RNR_NAKS_SENT)
              + transport.get(TransportCounter.DROPPED_WITHOUT_RECEIVE)),
  /** Responder: requests ahead of the expected PSN, each of them. */
  OUT_OF_SEQUENCE("out_of_sequence", TransportCounter.OUT_OF_SEQUENCE),
  /** Responder: requests that had come before. */
  DUPLICATE_REQUEST("duplicate_request", TransportCounter.DUPLICATE_REQUESTS),
  /** Requester: receiver-not-ready NAKs received. */
  RNR_NAK_RETRY_ERR("rnr_nak_retry_err", TransportCounter.RNR_NAKS_RECEIVED),
  /** Requester: sequence NAKs received. */
  PACKET_SEQ_ERR("packet_seq_err", TransportCounter.SEQUENCE_NAKS_RECEIVED),
  /** Requester: responses that showed that one before them, of a READ or atomic, was lost. */
  IMPLIED_NAK_SEQ_ERR("implied_nak_seq_err", TransportCounter.IMPLIED_NAKS),
  /** Requester: ACK timers that ran out. */
  LOCAL_ACK_TIMEOUT_ERR("local_ack_timeout_err", TransportCounter.ACK_TIMEOUTS),
  /** Responder: receives completed with LOC_LEN_ERR. */
  RESP_LOCAL_LENGTH_ERROR("resp_local_length_error", TransportCounter.RECEIVE_LENGTH_ERRORS),
  /** Responder: receives completed with an error, flushes among them. */
  RESP_CQE_ERROR("resp_cqe_error", TransportCounter.RECEIVE_ERRORS),
  /** Requester: sends completed with an error, flushes among them. */
  REQ_CQE_ERROR("req_cqe_error", TransportCounter.SEND_ERRORS),
  /** Requester: sends completed with REM_INV_REQ_ERR. */
  REQ_REMOTE_INVALID_REQUEST(
      "req_remote_invalid_request", TransportCounter.REMOTE_INVALID_REQUESTS),
  /** Requester: sends completed with REM_ACCESS_ERR. */
  REQ_REMOTE_ACCESS_ERRORS("req_remote_access_errors", TransportCounter.REMOTE_ACCESS_ERRORS),
  /** Responder: requests refused for their key or range. */
  RESP_REMOTE_ACCESS_ERRORS(
      "resp_remote_access_errors", TransportCounter.REMOTE_ACCESS_ERRORS_FOUND),
  /** Responder: receives that were flushed. */
  RESP_CQE_FLUSH_ERROR("resp_cqe_flush_error", TransportCounter.RECEIVE_FLUSHES),
  /** Requester: sends that were flushed. */
  REQ_CQE_FLUSH_ERROR("req_cqe_flush_error", TransportCounter.SEND_FLUSHES),
  /** Requester: sends completed with RETRY_EXC_ERR. */
  REQ_TRANSPORT_RETRIES_EXCEEDED(
      "req_transport_retries_exceeded", TransportCounter.RETRIES_EXCEEDED),
  /** Requester: sends completed with RNR_RETRY_EXC_ERR. */
  REQ_RNR_RETRIES_EXCEEDED("req_rnr_retries_exceeded", TransportCounter.RNR_RETRIES_EXCEEDED),
  /** Notification point: packets received with a congestion mark. */
  NP_ECN_MARKED_ROCE_PACKETS("np_ecn_marked_roce_packets", TransportCounter.MARKED_PACKETS),
  /** Notification point: CNPs sent. */
  NP_CNP_SENT("np_cnp_sent", TransportCounter.NOTIFICATIONS_SENT),
  /** Reaction point: CNPs received that lower the rate of a queue pair. */
  RP_CNP_HANDLED("rp_cnp_handled", TransportCounter.NOTIFICATIONS_HANDLED),
  /** Reaction point: CNPs received and ignored. */
  RP_CNP_IGNORED("rp_cnp_ignored", TransportCounter.NOTIFICATIONS_IGNORED),

  /** rdma_rxe: packets sent, requests and answers. */
  SENT_PKTS(
      "sent_pkts",
      transport ->
          transport.get(TransportCounter.REQUEST_PACKETS)
              + transport.get(TransportCounter.RESPONSE_PACKETS)),
  /** rdma_rxe: good packets that found their queue pair. */
  RCVD_PKTS("rcvd_pkts", TransportCounter.RECEIVED_PACKETS),
  /** rdma_rxe: sequence NAKs sent; one for each gap. */
  OUT_OF_SEQ_REQUEST("out_of_seq_request", TransportCounter.SEQUENCE_NAKS_SENT),
  /** rdma_rxe: receiver-not-ready NAKs received. */
  RCVD_RNR_ERR("rcvd_rnr_err", TransportCounter.RNR_NAKS_RECEIVED),
  /** rdma_rxe: receiver-not-ready NAKs sent. */
  SEND_RNR_ERR("send_rnr_err", TransportCounter.RNR_NAKS_SENT),
  /** rdma_rxe: sequence NAKs received. */
  RCVD_SEQ_ERR("rcvd_seq_err", TransportCounter.SEQUENCE_NAKS_RECEIVED),
  /** rdma_rxe: sends completed with RETRY_EXC_ERR. */
  RETRY_EXCEEDED_ERR("retry_exceeded_err", TransportCounter.RETRIES_EXCEEDED),
  /** rdma_rxe: sends completed with RNR_RETRY_EXC_ERR. */
  RETRY_RNR_EXCEEDED_ERR("retry_rnr_exceeded_err", TransportCounter.RNR_RETRIES_EXCEEDED),
  /** rdma_rxe: times that a requester went back to send again and spent a retry. */
  COMPLETER_RETRY_ERR("completer_retry_err", TransportCounter.RETRIES),
  /** rdma_rxe: times that the link of a port went down. */
  LINK_DOWNED("link_downed", (transport, linkDowns) -> linkDowns),
  /** rdma_rxe: SENDs completed with success. */
  RDMA_SENDS("rdma_sends", TransportCounter.SENDS_COMPLETED),
  /** rdma_rxe: receives filled. */
  RDMA_RECVS("rdma_recvs", TransportCounter.RECEIVES_COMPLETED);

  private final String linuxName;

  @SuppressWarnings("ImmutableEnumChecker") // none of the functions has a state
  private final ToLongBiFunction<TransportStatistics, Long> value;

  HardwareCounter(String linuxName, TransportCounter counter) {
    this(linuxName, transport -> transport.get(counter));
  }

  HardwareCounter(String linuxName, ToLongFunction<TransportStatistics> value) {
    this(linuxName, (transport, linkDowns) -> value.applyAsLong(transport));
  }

  HardwareCounter(String linuxName, ToLongBiFunction<TransportStatistics, Long> value) {
    this.linuxName = linuxName;
    this.value = value;
  }

  /**
   * The name of the file.
   *
   * @return the name that Linux gives it
   */
  public String linuxName() {
    return linuxName;
  }

  long read(TransportStatistics transport, long linkDowns) {
    return value.applyAsLong(transport, linkDowns);
  }
}

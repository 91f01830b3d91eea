package io.roceverbs.sim;

import io.roceverbs.sim.qp.TransportCounter;
import io.roceverbs.sim.qp.TransportStatistics;

/**
 * What the queue pairs at one port have counted, each while it was there; or those of all ports of
 * a device. A snapshot.
 *
 * <p>The counterparts are files of {@code /sys/class/infiniband/<device>/ports/<n>/hw_counters}.
 * Those of rdma_rxe which count the same: {@code duplicate_request} for {@code duplicateRequests},
 * {@code out_of_seq_request} for {@code sequenceNaksSent}, {@code send_rnr_err} for {@code
 * rnrNaksSent}; its {@code sent_pkts} is near to requests and responses together, and {@code
 * rcvd_pkts} to {@code receivedPackets}. {@code ackTimeouts} is what mlx5 calls {@code
 * local_ack_timeout_err}.
 *
 * @param requestPackets request packets sent, each repetition counted
 * @param retransmittedPackets request packets sent that had been sent before
 * @param responsePackets acknowledgements, NAKs, READ and atomic responses sent
 * @param receivedPackets good packets that reached a queue pair
 * @param duplicateRequests requests received whose PSN was behind the expected one
 * @param sequenceNaksSent NAKs sent for a PSN ahead of the expected one
 * @param rnrNaksSent receiver-not-ready NAKs sent
 * @param fatalNaksSent NAKs sent that end the connection
 * @param ackTimeouts ACK timers that ran out
 * @param staleResponses responses received for nothing outstanding
 * @param droppedUnknownQueuePair packets for a queue pair number that is not in use
 * @param droppedWrongState packets that their queue pair's state or type does not take
 * @param droppedWrongPeer packets from another address than the peer's
 * @param droppedPartitionKey packets of a foreign partition
 * @param droppedQueueKey datagrams that bear another Q_Key
 * @param droppedWithoutReceive datagrams for which no receive was posted
 * @param droppedTooLong datagrams that did not fit into the receive
 * @param datagramsOverMtu datagrams never sent, as they are longer than the port's MTU
 * @param droppedUnreliable packets or messages of UC that were dropped, for whatever was wrong with
 *     them
 */
public record TransportCounters(
    long requestPackets,
    long retransmittedPackets,
    long responsePackets,
    long receivedPackets,
    long duplicateRequests,
    long sequenceNaksSent,
    long rnrNaksSent,
    long fatalNaksSent,
    long ackTimeouts,
    long staleResponses,
    long droppedUnknownQueuePair,
    long droppedWrongState,
    long droppedWrongPeer,
    long droppedPartitionKey,
    long droppedQueueKey,
    long droppedWithoutReceive,
    long droppedTooLong,
    long datagramsOverMtu,
    long droppedUnreliable) {
  static TransportCounters of(TransportStatistics counters) {
    return new TransportCounters(
        counters.get(TransportCounter.REQUEST_PACKETS),
        counters.get(TransportCounter.RETRANSMITTED_PACKETS),
        counters.get(TransportCounter.RESPONSE_PACKETS),
        counters.get(TransportCounter.RECEIVED_PACKETS),
        counters.get(TransportCounter.DUPLICATE_REQUESTS),
        counters.get(TransportCounter.SEQUENCE_NAKS_SENT),
        counters.get(TransportCounter.RNR_NAKS_SENT),
        counters.get(TransportCounter.FATAL_NAKS_SENT),
        counters.get(TransportCounter.ACK_TIMEOUTS),
        counters.get(TransportCounter.STALE_RESPONSES),
        counters.get(TransportCounter.DROPPED_UNKNOWN_QUEUE_PAIR),
        counters.get(TransportCounter.DROPPED_WRONG_STATE),
        counters.get(TransportCounter.DROPPED_WRONG_PEER),
        counters.get(TransportCounter.DROPPED_PARTITION_KEY),
        counters.get(TransportCounter.DROPPED_QUEUE_KEY),
        counters.get(TransportCounter.DROPPED_WITHOUT_RECEIVE),
        counters.get(TransportCounter.DROPPED_TOO_LONG),
        counters.get(TransportCounter.DATAGRAMS_OVER_MTU),
        counters.get(TransportCounter.DROPPED_UNRELIABLE));
  }
}

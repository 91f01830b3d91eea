package io.roceverbs.sim;

import io.roceverbs.sim.qp.TransportStatistics;

/**
 * What the queue pairs of one device have counted, at one moment.
 *
 * <p>The counterparts are files of {@code /sys/class/infiniband/<device>/ports/1/hw_counters}.
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
        counters.requestPackets(),
        counters.retransmittedPackets(),
        counters.responsePackets(),
        counters.receivedPackets(),
        counters.duplicateRequests(),
        counters.sequenceNaksSent(),
        counters.rnrNaksSent(),
        counters.fatalNaksSent(),
        counters.ackTimeouts(),
        counters.staleResponses(),
        counters.droppedUnknownQueuePair(),
        counters.droppedWrongState(),
        counters.droppedWrongPeer(),
        counters.droppedPartitionKey(),
        counters.droppedQueueKey(),
        counters.droppedWithoutReceive(),
        counters.droppedTooLong(),
        counters.datagramsOverMtu(),
        counters.droppedUnreliable());
  }
}

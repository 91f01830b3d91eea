package io.roceverbs.sim.qp;

import io.roceverbs.verbs.CompletionStatus;
import java.util.EnumMap;
import java.util.Objects;

/**
 * What the queue pairs of one device have counted. Fields are written by the engines and read by
 * reports.
 */
public final class TransportStatistics {
  private long requestPackets;
  private long retransmittedPackets;
  private long responsePackets;
  private long receivedPackets;
  private long duplicateRequests;
  private long sequenceNaksSent;
  private long rnrNaksSent;
  private long fatalNaksSent;
  private long ackTimeouts;
  private long staleResponses;
  private long droppedUnknownQueuePair;
  private long droppedWrongState;
  private long droppedWrongPeer;
  private long droppedPartitionKey;
  private long droppedQueueKey;
  private long droppedWithoutReceive;
  private long droppedTooLong;
  private long datagramsOverMtu;
  private long droppedUnreliable;

  private static final class Count {
    private long value;
  }

  private final EnumMap<TransportCounter, Count> counts = new EnumMap<>(TransportCounter.class);

  /** Makes the counters of a new device, all 0. */
  public TransportStatistics() {
    for (TransportCounter counter : TransportCounter.values()) {
      counts.put(counter, new Count());
    }
  }

  /** How often something happened. */
  public long get(TransportCounter counter) {
    return of(counter).value;
  }

  void count(TransportCounter counter) {
    of(counter).value++;
  }

  private Count of(TransportCounter counter) {
    return Objects.requireNonNull(counts.get(counter));
  }

  /** Counts a completion with an error under all that it is. */
  void countFailure(boolean send, CompletionStatus status) {
    count(send ? TransportCounter.SEND_ERRORS : TransportCounter.RECEIVE_ERRORS);
    if (status == CompletionStatus.WR_FLUSH_ERR) {
      count(send ? TransportCounter.SEND_FLUSHES : TransportCounter.RECEIVE_FLUSHES);
    } else if (status == CompletionStatus.REM_INV_REQ_ERR && send) {
      count(TransportCounter.REMOTE_INVALID_REQUESTS);
    } else if (status == CompletionStatus.REM_ACCESS_ERR && send) {
      count(TransportCounter.REMOTE_ACCESS_ERRORS);
    } else if (status == CompletionStatus.RETRY_EXC_ERR) {
      count(TransportCounter.RETRIES_EXCEEDED);
    } else if (status == CompletionStatus.RNR_RETRY_EXC_ERR) {
      count(TransportCounter.RNR_RETRIES_EXCEEDED);
    } else if (status == CompletionStatus.LOC_LEN_ERR && !send) {
      count(TransportCounter.RECEIVE_LENGTH_ERRORS);
    }
  }

  /** Request packets sent, each repetition counted. */
  public long requestPackets() {
    return requestPackets;
  }

  /** Request packets sent that had been sent before. */
  public long retransmittedPackets() {
    return retransmittedPackets;
  }

  /** Acknowledgements, NAKs, READ and atomic responses sent. */
  public long responsePackets() {
    return responsePackets;
  }

  /** Good packets that reached a queue pair of this device. */
  public long receivedPackets() {
    return receivedPackets;
  }

  /** Requests received whose PSN was behind the expected one. */
  public long duplicateRequests() {
    return duplicateRequests;
  }

  /** NAKs sent for a PSN ahead of the expected one. */
  public long sequenceNaksSent() {
    return sequenceNaksSent;
  }

  /** Receiver-not-ready NAKs sent. */
  public long rnrNaksSent() {
    return rnrNaksSent;
  }

  /** NAKs sent that end the connection. */
  public long fatalNaksSent() {
    return fatalNaksSent;
  }

  /** ACK timers that ran out. */
  public long ackTimeouts() {
    return ackTimeouts;
  }

  /** Responses received for nothing outstanding, and so ignored. */
  public long staleResponses() {
    return staleResponses;
  }

  /** Packets dropped because no queue pair has their number. */
  public long droppedUnknownQueuePair() {
    return droppedUnknownQueuePair;
  }

  /** Packets dropped because their queue pair's state or type does not take them. */
  public long droppedWrongState() {
    return droppedWrongState;
  }

  /** Packets dropped because they come from another address than the queue pair's peer. */
  public long droppedWrongPeer() {
    return droppedWrongPeer;
  }

  /** Packets dropped because their partition key does not match. */
  public long droppedPartitionKey() {
    return droppedPartitionKey;
  }

  /** Datagrams dropped because they bear another Q_Key. */
  public long droppedQueueKey() {
    return droppedQueueKey;
  }

  /** Datagrams dropped because no receive was posted. */
  public long droppedWithoutReceive() {
    return droppedWithoutReceive;
  }

  /** Datagrams that did not fit into the receive. */
  public long droppedTooLong() {
    return droppedTooLong;
  }

  /** Datagrams that were never sent because the port's MTU is shorter. */
  public long datagramsOverMtu() {
    return datagramsOverMtu;
  }

  /** Packets or messages of UC dropped, for whatever was wrong with them. */
  public long droppedUnreliable() {
    return droppedUnreliable;
  }

  void countRequest(boolean again) {
    requestPackets++;
    if (again) {
      retransmittedPackets++;
    }
  }

  void countResponse() {
    responsePackets++;
  }

  /** Counts a good packet that found its queue pair. */
  public void countReceived() {
    receivedPackets++;
  }

  void countDuplicate() {
    duplicateRequests++;
  }

  void countSequenceNak() {
    sequenceNaksSent++;
  }

  void countRnrNak() {
    rnrNaksSent++;
  }

  void countFatalNak() {
    fatalNaksSent++;
  }

  void countAckTimeout() {
    ackTimeouts++;
  }

  void countStaleResponse() {
    staleResponses++;
  }

  /** Counts a congestion notification, heeded or not. */
  public void countNotification(boolean heeded) {
    count(heeded ? TransportCounter.NOTIFICATIONS_HANDLED : TransportCounter.NOTIFICATIONS_IGNORED);
  }

  /** Counts a packet for a queue pair number that is not in use. */
  public void countUnknownQueuePair() {
    droppedUnknownQueuePair++;
  }

  void countWrongState() {
    droppedWrongState++;
  }

  /** Counts a packet that came to another port than that of its queue pair. */
  public void countWrongPort() {
    droppedWrongState++;
  }

  void countWrongPeer() {
    droppedWrongPeer++;
  }

  void countPartitionKey() {
    droppedPartitionKey++;
  }

  void countQueueKey() {
    droppedQueueKey++;
  }

  void countDatagramWithoutReceive() {
    droppedWithoutReceive++;
  }

  void countDatagramTooLong() {
    droppedTooLong++;
  }

  void countDatagramOverMtu() {
    datagramsOverMtu++;
  }

  void countUnreliableDrop() {
    droppedUnreliable++;
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.verbs.CompletionStatus;
import java.util.List;

/**
 * What the queue pairs at one port have counted, each while it was there; or all of a device. The
 * engines write, reports read.
 */
public final class TransportStatistics {
  /** By the order of the counters among themselves, as each packet counts several times. */
  private final long[] counts = new long[TransportCounter.values().length];

  /** Makes the counters of a new port, all 0. */
  public TransportStatistics() {}

  /** Adds up what was counted at several ports. */
  public static TransportStatistics total(List<TransportStatistics> parts) {
    TransportStatistics total = new TransportStatistics();
    for (TransportStatistics part : parts) {
      for (int i = 0; i < part.counts.length; i++) {
        total.counts[i] += part.counts[i];
      }
    }
    return total;
  }

  /** How often something happened. */
  public long get(TransportCounter counter) {
    return counts[index(counter)];
  }

  void count(TransportCounter counter) {
    counts[index(counter)]++;
  }

  @SuppressWarnings("EnumOrdinal") // it never leaves this object
  private static int index(TransportCounter counter) {
    return counter.ordinal();
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

  void countRequest(boolean again) {
    count(TransportCounter.REQUEST_PACKETS);
    if (again) {
      count(TransportCounter.RETRANSMITTED_PACKETS);
    }
  }

  void countResponse() {
    count(TransportCounter.RESPONSE_PACKETS);
  }

  /** Counts a good packet that found its queue pair. */
  public void countReceived() {
    count(TransportCounter.RECEIVED_PACKETS);
  }

  void countDuplicate() {
    count(TransportCounter.DUPLICATE_REQUESTS);
  }

  void countSequenceNak() {
    count(TransportCounter.SEQUENCE_NAKS_SENT);
  }

  void countRnrNak() {
    count(TransportCounter.RNR_NAKS_SENT);
  }

  void countFatalNak() {
    count(TransportCounter.FATAL_NAKS_SENT);
  }

  void countAckTimeout() {
    count(TransportCounter.ACK_TIMEOUTS);
  }

  void countStaleResponse() {
    count(TransportCounter.STALE_RESPONSES);
  }

  /** Counts a congestion notification, heeded or not. */
  public void countNotification(boolean heeded) {
    count(heeded ? TransportCounter.NOTIFICATIONS_HANDLED : TransportCounter.NOTIFICATIONS_IGNORED);
  }

  /** Counts a packet for a queue pair number that is not in use. */
  public void countUnknownQueuePair() {
    count(TransportCounter.DROPPED_UNKNOWN_QUEUE_PAIR);
  }

  void countWrongState() {
    count(TransportCounter.DROPPED_WRONG_STATE);
  }

  /** Counts a packet that came to another port than that of its queue pair. */
  public void countWrongPort() {
    count(TransportCounter.DROPPED_WRONG_STATE);
  }

  void countWrongPeer() {
    count(TransportCounter.DROPPED_WRONG_PEER);
  }

  void countPartitionKey() {
    count(TransportCounter.DROPPED_PARTITION_KEY);
  }

  void countQueueKey() {
    count(TransportCounter.DROPPED_QUEUE_KEY);
  }

  void countDatagramWithoutReceive() {
    count(TransportCounter.DROPPED_WITHOUT_RECEIVE);
  }

  void countDatagramTooLong() {
    count(TransportCounter.DROPPED_TOO_LONG);
  }

  void countDatagramOverMtu() {
    count(TransportCounter.DATAGRAMS_OVER_MTU);
  }

  void countUnreliableDrop() {
    count(TransportCounter.DROPPED_UNRELIABLE);
  }
}

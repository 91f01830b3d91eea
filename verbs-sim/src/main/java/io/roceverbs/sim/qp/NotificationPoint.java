package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.ExplicitCongestion;
import io.roceverbs.sim.wire.NetworkHeaders;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import java.util.Arrays;

/**
 * The notification point of DCQCN: tells the sender of a packet that came with a congestion mark.
 */
final class NotificationPoint {
  /** A queue pair sends at most one notification in this time. */
  static final long INTERVAL_NANOS = 50_000;

  /** Class selector 6 and ECT(0). */
  private static final int TRAFFIC_CLASS = 0xC2;

  private static final int HOP_LIMIT = 64;

  /** Not the number of a queue pair: a datagram to a group. */
  private static final int MULTICAST_QUEUE_PAIR = 0xFF_FFFF;

  private boolean isWaiting;
  private boolean hasNotified;
  private long lastNanos;
  private boolean ipv6;
  private long ownHigh;
  private long ownLow;
  private long senderHigh;
  private long senderLow;
  private int sourcePort;
  private int senderQueuePair;

  /** Whether a packet that was marked is one whose sender is to be told. */
  static boolean isMarked(Packet packet) {
    return ExplicitCongestion.of(packet.network().trafficClass()) == ExplicitCongestion.EXPERIENCED;
  }

  /**
   * Takes note of a packet with a mark (rule CNP-INTERVAL).
   *
   * @param sender the queue pair that sent it
   */
  void marked(long nowNanos, Packet packet, int sender) {
    if (packet.destinationQueuePair() == MULTICAST_QUEUE_PAIR
        || (hasNotified && nowNanos - lastNanos < INTERVAL_NANOS)) {
      return;
    }
    isWaiting = true;
    hasNotified = true;
    lastNanos = nowNanos;
    NetworkHeaders network = packet.network();
    ipv6 = network.ipv6();
    ownHigh = network.destinationHigh();
    ownLow = network.destinationLow();
    senderHigh = network.sourceHigh();
    senderLow = network.sourceLow();
    sourcePort = network.sourcePort();
    senderQueuePair = sender;
  }

  /** Gives the notification that is to leave, whole but for the partition key (rule CNP-FORMAT). */
  boolean pollTransmit(Packet packet) {
    if (!isWaiting) {
      return false;
    }
    isWaiting = false;
    int start = packet.payloadOffset();
    Arrays.fill(packet.payloadBuffer(), start, start + Opcode.CNP_PAYLOAD_BYTES, (byte) 0);
    packet
        .network()
        .ipv6(ipv6)
        .sourceHigh(ownHigh)
        .sourceLow(ownLow)
        .destinationHigh(senderHigh)
        .destinationLow(senderLow)
        .trafficClass(TRAFFIC_CLASS)
        .hopLimit(HOP_LIMIT)
        .sourcePort(sourcePort);
    packet
        .opcode(Opcode.CNP)
        .becn(true)
        .migrated(false)
        .ackRequest(false)
        .solicited(false)
        .psn(0)
        .destinationQueuePair(senderQueuePair)
        .payload(packet.payloadBuffer(), start, Opcode.CNP_PAYLOAD_BYTES);
    return true;
  }

  void reset() {
    isWaiting = false;
    hasNotified = false;
  }
}

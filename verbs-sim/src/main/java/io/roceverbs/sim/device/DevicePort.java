package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import java.util.function.Consumer;

/**
 * One port of a device, as the fabric sees it: packets go in and out here.
 *
 * <p>The queue pairs of the port that have something to send stand in a line and take turns, one
 * packet each.
 */
public final class DevicePort implements PortClient {
  /** Not the number of a queue pair: all that are attached to the group are meant. */
  private static final int MULTICAST_QUEUE_PAIR = 0xFF_FFFF;

  private final SimDevice device;
  private final int number;
  private final PortIdentity identity;
  private final DeviceHost host;
  private final GidTable gids;
  private final MulticastGroups multicastGroups;
  private final TransportStatistics counters;
  private final TransmitLine line = new TransmitLine();
  private boolean lastWasRetransmission;

  DevicePort(SimDevice device, int number, PortIdentity identity, DeviceHost host) {
    this.device = device;
    this.number = number;
    this.identity = identity;
    this.host = host;
    this.counters = device.counters().get(number - SimDevice.FIRST_PORT);
    this.gids = new GidTable(identity.gids());
    this.multicastGroups = new MulticastGroups(device, host);
  }

  /** Its number, counted from 1. */
  int number() {
    return number;
  }

  PortIdentity identity() {
    return identity;
  }

  boolean isLinkUp() {
    return host.isLinkUp();
  }

  GidTable gids() {
    return gids;
  }

  /** What the queue pairs at it have counted. */
  TransportStatistics counters() {
    return counters;
  }

  MulticastGroups multicastGroups() {
    return multicastGroups;
  }

  // ---- toward the fabric ---------------------------------------------------------------------

  @Override
  public boolean mayTransmit() {
    return !line.isEmpty();
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet out) {
    while (!line.isEmpty() && !device.isFailed()) {
      SimQueuePair queuePair = line.first();
      if (queuePair.pollTransmit(nowNanos, out)) {
        lastWasRetransmission = queuePair.lastWasRetransmission();
        if (queuePair.mayTransmit()) {
          line.moveFirstToEnd();
        } else {
          line.removeFirst();
        }
        return true;
      }
      line.removeFirst();
    }
    return false;
  }

  @Override
  public boolean lastWasRetransmission() {
    return lastWasRetransmission;
  }

  @Override
  public void handlePacket(long nowNanos, Packet packet) {
    if (device.isFailed()) {
      return;
    }
    if (packet.destinationQueuePair() == MULTICAST_QUEUE_PAIR) {
      counters.countReceived();
      multicastGroups.deliver(nowNanos, packet);
      return;
    }
    SimQueuePair queuePair = device.queuePairs().find(packet.destinationQueuePair());
    if (queuePair == null) {
      countNobody(packet);
      return;
    }
    counters.countReceived();
    if (queuePair.port() == this) {
      queuePair.handlePacket(nowNanos, packet);
    } else {
      // Rule PORT-OF-PACKET: a queue pair takes packets at its own port only.
      counters.countWrongPort();
    }
  }

  private void countNobody(Packet packet) {
    if (packet.opcode() == Opcode.CNP) {
      // Rule CNP-UNKNOWN: a notification for a queue pair that is gone is no fault.
      counters.countNotification(false);
    } else {
      counters.countUnknownQueuePair();
    }
  }

  /** The queue pairs are those of the whole device, so its first port speaks for all. */
  @Override
  public void describeUnfinished(Consumer<String> lines) {
    if (number == SimDevice.FIRST_PORT) {
      device.describeUnfinished(lines);
    }
  }

  // ---- toward the queue pairs ----------------------------------------------------------------

  /** Puts a queue pair into the line of those that may have something to send. */
  void transmitReady(SimQueuePair queuePair) {
    line.add(queuePair);
    host.transmitReady(this);
  }

  /** Takes a queue pair out of the line: it is destroyed, or goes to another port. */
  void transmitNever(SimQueuePair queuePair) {
    line.remove(queuePair);
  }
}

package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/** A device that sends what a test tells it to, and notes what arrives. */
final class FakeClient implements PortClient {
  /** A packet that arrived: when, and its PSN. */
  record Arrival(long timeNanos, int psn) {}

  final long address;
  final List<Arrival> arrivals = new ArrayList<>();
  final List<Long> sendTimes = new ArrayList<>();
  Consumer<Packet> onPacket = packet -> {};
  int trafficClass;
  private final FabricCore core;
  private final Port port;
  private final Deque<Consumer<Packet>> outgoing = new ArrayDeque<>();

  FakeClient(FabricCore core, Port port, long address) {
    this.core = core;
    this.port = port;
    this.address = address;
    port.attach(this);
  }

  /** Sends an RC SEND to a node. */
  void send(FakeClient to, int psn, int payloadBytes) {
    send(to.address, Opcode.RC_SEND_ONLY, psn, payloadBytes);
  }

  void send(long toAddress, Opcode opcode, int psn, int payloadBytes) {
    core.enter();
    try {
      outgoing.add(packet -> fill(packet, toAddress, opcode, psn, payloadBytes));
      port.transmitReady(this);
    } finally {
      core.exit();
    }
  }

  private void fill(Packet packet, long toAddress, Opcode opcode, int psn, int payloadBytes) {
    packet.network().sourceLow(address).destinationLow(toAddress).trafficClass(trafficClass);
    packet
        .opcode(opcode)
        .destinationQueuePair(0x11)
        .psn(psn)
        .payload(packet.payloadBuffer(), packet.payloadOffset(), payloadBytes);
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet out) {
    Consumer<Packet> next = outgoing.poll();
    if (next == null) {
      return false;
    }
    sendTimes.add(nowNanos);
    next.accept(out);
    return true;
  }

  @Override
  public boolean lastWasRetransmission() {
    return false;
  }

  @Override
  public void handlePacket(long nowNanos, Packet packet) {
    arrivals.add(new Arrival(nowNanos, packet.psn()));
    onPacket.accept(packet);
  }
}

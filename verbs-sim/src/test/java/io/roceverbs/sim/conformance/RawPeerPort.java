package io.roceverbs.sim.conformance;

import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.wire.Packet;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.function.Consumer;

/**
 * A port without a device: it sends the packets that a test makes by hand, and notes what arrives.
 */
final class RawPeerPort implements PortClient {
  private final DeviceHost host;
  private final Deque<Consumer<Packet>> waiting = new ArrayDeque<>();
  private final List<String> texts = new ArrayList<>();
  private final List<byte[]> payloads = new ArrayList<>();
  private final List<Integer> syndromes = new ArrayList<>();
  private final List<Boolean> migrationBits = new ArrayList<>();

  RawPeerPort(DeviceHost host) {
    this.host = host;
  }

  /**
   * Sends a packet at once.
   *
   * @param fields fills in all fields; the payload buffer has room for one
   */
  void send(Consumer<Packet> fields) {
    host.enter();
    try {
      waiting.add(fields);
      host.transmitReady(this);
    } finally {
      host.exit();
    }
  }

  /** What arrived, each packet as its text without the queue pair number. */
  List<String> texts() {
    return List.copyOf(texts);
  }

  /** The syndromes of the packets that have one. */
  List<Integer> syndromes() {
    return List.copyOf(syndromes);
  }

  /** The migration bit of each packet. */
  List<Boolean> migrationBits() {
    return List.copyOf(migrationBits);
  }

  /** The payload of the n-th packet that arrived, counted from 0. */
  byte[] payload(int index) {
    return payloads.get(index);
  }

  /** Forgets what arrived. */
  void clear() {
    texts.clear();
    payloads.clear();
    syndromes.clear();
    migrationBits.clear();
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet out) {
    Consumer<Packet> fields = waiting.poll();
    if (fields == null) {
      return false;
    }
    byte[] buffer = out.payloadBuffer();
    int offset = out.payloadOffset();
    out.clear().payload(buffer, offset, 0);
    fields.accept(out);
    return true;
  }

  @Override
  public boolean lastWasRetransmission() {
    return false;
  }

  @Override
  public void handlePacket(long nowNanos, Packet packet) {
    texts.add(packet.summary());
    migrationBits.add(packet.migrated());
    if (packet.opcode().hasAeth()) {
      syndromes.add(packet.aeth().syndrome());
    }
    int start = packet.payloadOffset();
    payloads.add(Arrays.copyOfRange(packet.payloadBuffer(), start, start + packet.payloadLength()));
  }
}

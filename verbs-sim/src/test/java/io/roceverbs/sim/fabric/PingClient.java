package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;

/** A device that answers each packet with one, and sends a new window when all were lost. */
final class PingClient extends DeviceTimer implements PortClient {
  private static final int PAYLOAD_BYTES = 1_024;
  private static final long TIMEOUT_NANOS = 1_000_000;

  final long address;
  long peer;
  private final TestNetwork network;
  private final Port port;
  private final int window;
  private int credits;
  private int psn;

  PingClient(TestNetwork network, String name, int window) {
    FakeClient replaced = network.node(name);
    this.network = network;
    this.address = replaced.address;
    this.port = network.port(replaced);
    this.window = window;
    port.attach(this);
  }

  void start() {
    network.core.enter();
    expire(0);
    network.core.timerChanged(this);
    network.core.exit();
  }

  @Override
  public void expire(long nowNanos) {
    deadlineNanos(nowNanos + TIMEOUT_NANOS);
    credits = window;
    port.transmitReady(this);
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet out) {
    if (credits == 0) {
      return false;
    }
    credits--;
    psn = (psn + 1) & 0xFF_FFFF;
    out.network().sourceLow(address).destinationLow(peer);
    out.opcode(Opcode.RC_SEND_ONLY).psn(psn);
    out.payload(out.payloadBuffer(), out.payloadOffset(), PAYLOAD_BYTES);
    return true;
  }

  @Override
  public boolean lastWasRetransmission() {
    return false;
  }

  @Override
  public void handlePacket(long nowNanos, Packet packet) {
    credits++;
    port.transmitReady(this);
    deadlineNanos(nowNanos + TIMEOUT_NANOS);
    network.core.timerChanged(this);
  }
}

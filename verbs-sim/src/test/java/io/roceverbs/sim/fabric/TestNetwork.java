package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.EcnMarking;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.trace.Trace;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** A fabric of fake devices. */
final class TestNetwork implements AutoCloseable {
  static final long FIRST_ADDRESS = 0xFFFF_0A00_0001L;
  static final long LATENCY_NANOS = 5_000;
  static final int MTU = 4_200;
  static final int QUEUE_BYTES = 1 << 20;
  private static final long BLOCKING_LIMIT_NANOS = 10_000_000_000L;

  final Trace trace = new Trace();
  final FabricCore core;
  private final Map<FakeClient, Port> ports = new HashMap<>();

  TestNetwork(long seed, @Nullable PcapngWriter capture) {
    this.core = new FabricCore(false, seed, trace, capture, BLOCKING_LIMIT_NANOS);
  }

  TestNetwork() {
    this(1, null);
  }

  FakeClient node(String name) {
    return node(name, Link.UNLIMITED, MTU, QUEUE_BYTES);
  }

  FakeClient node(String name, long bitsPerSecond, EcnMarking marking) {
    return node(name, bitsPerSecond, MTU, QUEUE_BYTES, marking);
  }

  FakeClient node(String name, long bitsPerSecond, int mtuBytes, int queueBytesMax) {
    return node(name, bitsPerSecond, mtuBytes, queueBytesMax, EcnMarking.NONE);
  }

  private FakeClient node(
      String name, long bitsPerSecond, int mtuBytes, int queueBytesMax, EcnMarking marking) {
    core.enter();
    try {
      Port port =
          core.addPort(name, LATENCY_NANOS, bitsPerSecond, mtuBytes, queueBytesMax, marking);
      long address = FIRST_ADDRESS + ports.size();
      core.addAddress(0, address, port);
      FakeClient client = new FakeClient(core, port, address);
      ports.put(client, port);
      return client;
    } finally {
      core.exit();
    }
  }

  ActiveRule rule(String token) {
    return core.add(Rule.parse(token));
  }

  PortStatistics statistics(FakeClient client) {
    return port(client).statistics();
  }

  Port port(FakeClient client) {
    return Objects.requireNonNull(ports.get(client));
  }

  /** Runs until nothing is left to happen. Returns the number of events. */
  int run() {
    int events = 0;
    while (core.turn()) {
      events++;
    }
    return events;
  }

  @Override
  public void close() {
    core.close();
  }
}

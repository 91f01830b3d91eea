package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.management.ThreadMXBean;
import io.roceverbs.sim.fabric.FakeClient.Arrival;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.Opcode;
import java.io.IOException;
import java.io.OutputStream;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class FabricCoreTest {
  @Test
  void anExceptionWhileAPacketIsHandledReachesTheCallerOfTurn() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      IllegalStateException failure = new IllegalStateException("the ULP is broken");
      bob.onPacket =
          packet -> {
            throw failure;
          };

      alice.send(bob, 1, 10);
      alice.send(bob, 2, 10);

      assertThatThrownBy(network.core::turn).isSameAs(failure);
      assertThatThrownBy(network.core::turn).isSameAs(failure);
      assertThat(network.core.turn()).isFalse();
    }
  }

  @Test
  void aPacketThatCannotBeEncodedFailsTheCallThatSendsIt() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");

      assertThatThrownBy(() -> alice.send(bob.address, Opcode.RC_ACKNOWLEDGE, 1, 10))
          .isInstanceOf(IllegalArgumentException.class);

      assertThat(network.core.pool().inUse()).isZero();
    }
  }

  @Test
  void aTurnInsideAnEventDoesNothing() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      List<Boolean> inner = new ArrayList<>();
      bob.onPacket = packet -> inner.add(network.core.turn() || !network.core.isInsideEvent());

      alice.send(bob, 1, 10);
      alice.send(bob, 2, 10);
      network.run();

      assertThat(inner).containsExactly(false, false);
      assertThat(bob.arrivals).extracting(Arrival::psn).containsExactly(1, 2);
      assertThat(network.core.isInsideEvent()).isFalse();
    }
  }

  @Test
  void tasksOfTheEventLoopRunInVirtualTime() {
    try (TestNetwork network = new TestNetwork()) {
      List<Long> times = new ArrayList<>();
      FabricCore core = network.core;
      core.loop().execute(() -> times.add(core.nanoTime()));
      var late = core.loop().schedule(() -> times.add(core.nanoTime()), 3, TimeUnit.SECONDS);
      var early = core.loop().schedule(() -> times.add(core.nanoTime()), 2, TimeUnit.SECONDS);

      assertThat(network.run()).isEqualTo(3);

      assertThat(times).containsExactly(0L, 2_000_000_000L, 3_000_000_000L);
      assertThat(early.isSuccess() && late.isSuccess()).isTrue();
    }
  }

  @Test
  void onlyTheHolderOfTheLockIsInTheEventLoop() {
    try (TestNetwork network = new TestNetwork()) {
      assertThat(network.core.loop().inEventLoop()).isFalse();
      network.core.enter();
      assertThat(network.core.loop().inEventLoop()).isTrue();
      network.core.exit();
      assertThat(network.core.loop().inEventLoop()).isFalse();
    }
  }

  @Test
  void packetsLeaveAtTheEndOfTheOutermostCall() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");

      network.core.enter();
      alice.send(bob, 1, 10);
      assertThat(network.statistics(alice).framesSent()).isZero();
      network.core.exit();

      assertThat(network.statistics(alice).framesSent()).isEqualTo(1);
    }
  }

  @Test
  void timePassesUpToTheBoundAndNoFurther() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      alice.send(bob, 1, 10);

      assertThat(network.core.turn(9_999)).isFalse();
      assertThat(network.core.nanoTime()).isZero();
      assertThat(network.core.turnOrPassTime(9_999)).isFalse();
      assertThat(network.core.nanoTime()).isEqualTo(9_999);
      assertThat(network.core.turn(10_000)).isTrue();
      assertThat(bob.arrivals).containsExactly(new Arrival(10_000, 1));
    }
  }

  @Test
  void aFrameThatWasKeptIsReportedAtTheEnd() {
    TestNetwork network = new TestNetwork();
    network.core.pool().acquire();

    assertThatThrownBy(network::close)
        .isInstanceOf(AssertionError.class)
        .hasMessage("1 frames were neither released nor in flight when the fabric was closed");
  }

  @Test
  void aClosedFabricRefusesEverything() {
    TestNetwork network = new TestNetwork();
    network.close();
    network.close();

    assertThatThrownBy(network.core::turn)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the fabric is closed, and so are its nodes and their devices; make a new one");
    assertThat(network.core.loop().isTerminated()).isTrue();
  }

  @Test
  void theTraceTellsTheWayOfEachFrame() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      List<TraceEvent> events = new ArrayList<>();
      network.trace.addListener(events::add);
      network.rule("drop:alice>bob/SEND#1");
      network.rule("duplicate:alice>bob/SEND#2");

      alice.send(bob, 1, 64);
      alice.send(bob, 2, 64);
      network.run();

      String first = ((TraceEvent.PacketSent) events.get(0)).summary();
      String second = ((TraceEvent.PacketSent) events.get(2)).summary();
      assertThat(first).contains("SEND_ONLY").contains("psn=0x000001");
      assertThat(events)
          .containsExactly(
              new TraceEvent.PacketSent(
                  0, "alice", 1, "bob", 0x11, 1, first, false, "drop:alice>bob/SEND#1"),
              new TraceEvent.PacketDropped(0, "alice", 1, "dropped by rule"),
              new TraceEvent.PacketSent(
                  0, "alice", 2, "bob", 0x11, 2, second, false, "duplicate:alice>bob/SEND#2"),
              new TraceEvent.PacketSent(
                  0,
                  "alice",
                  3,
                  "bob",
                  0x11,
                  2,
                  second,
                  true,
                  "duplicate of frame 2 by rule duplicate:alice>bob/SEND#2"),
              new TraceEvent.PacketDelivered(10_000, "bob", 2),
              new TraceEvent.PacketDelivered(10_000, "bob", 3));
    }
  }

  @Test
  void equalRunsHaveEqualHashesAndOthersDiffer() {
    assertThat(hashOf(1, 100)).isEqualTo(hashOf(1, 100));
    assertThat(hashOf(1, 100)).isNotEqualTo(hashOf(2, 100));
    assertThat(hashOf(1, 100)).isNotEqualTo(hashOf(1, 101));
  }

  private static long hashOf(long seed, int packets) {
    try (TestNetwork network = new TestNetwork(seed, null)) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      network.core.impair(new Impairment(0.1, 0.1, 0.1, 0.1, 0.1, 1_000));
      for (int psn = 0; psn < packets; psn++) {
        alice.send(bob, psn, 10);
      }
      network.run();
      return network.trace.hash();
    }
  }

  @Test
  void aWarmFabricAllocatesNothingWhateverHappensByChance() {
    TestNetwork network = new TestNetwork();
    network.core.impair(new Impairment(0.01, 0.01, 0.01, 0, 0.01, 1_000));

    assertThat(bytesPerPacketOfAWarm(network)).isZero();
  }

  @Test
  void aWarmFabricAllocatesNothingWhileItCaptures() throws IOException {
    TestNetwork network = new TestNetwork(1, new PcapngWriter(OutputStream.nullOutputStream()));

    assertThat(bytesPerPacketOfAWarm(network)).isZero();
  }

  /** Over 50,000 packets, rounded down: the virtual machine itself allocates now and then. */
  private static long bytesPerPacketOfAWarm(TestNetwork network) {
    try (network) {
      PingClient alice = new PingClient(network, "alice", 64);
      PingClient bob = new PingClient(network, "bob", 64);
      alice.peer = bob.address;
      bob.peer = alice.address;
      alice.start();
      turns(network, 50_000);

      ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
      long before = threads.getCurrentThreadAllocatedBytes();
      int happened = turns(network, 50_000);
      long allocated = threads.getCurrentThreadAllocatedBytes() - before;

      assertThat(happened).isEqualTo(50_000);
      return allocated / happened;
    }
  }

  private static int turns(TestNetwork network, int count) {
    int happened = 0;
    for (int i = 0; i < count; i++) {
      happened += network.core.turn() ? 1 : 0;
    }
    return happened;
  }
}

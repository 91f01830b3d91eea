package io.roceverbs.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceIdentity;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.device.PortIdentity;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceListener;
import io.roceverbs.sim.wire.CaptureReader;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SendRequest;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class FabricTest {
  @TempDir Path folder;

  private final List<Peer> peers = new ArrayList<>();

  /** A device of which only the side toward the fabric is used. */
  private static final class Peer implements PortClient {
    private final DeviceIdentity identity;
    private final DeviceHost host;
    private final List<Long> arrivals = new ArrayList<>();
    private Runnable onPacket = () -> {};
    private long destination;
    private int toSend;

    Peer(DeviceIdentity identity, DeviceHost host) {
      this.identity = identity;
      this.host = host;
    }

    void send(Node to, int packets) {
      host.enter();
      destination = to.gid().low();
      toSend = packets;
      host.transmitReady(this);
      host.exit();
    }

    @Override
    public boolean pollTransmit(long nowNanos, Packet out) {
      if (toSend == 0) {
        return false;
      }
      toSend--;
      out.opcode(Opcode.RC_SEND_ONLY)
          .network()
          .sourceLow(identity.ports().get(0).gids().get(0).low())
          .destinationLow(destination);
      return true;
    }

    @Override
    public boolean lastWasRetransmission() {
      return false;
    }

    @Override
    public void handlePacket(long nowNanos, Packet packet) {
      arrivals.add(nowNanos);
      onPacket.run();
    }
  }

  private Fabric.Builder builder() {
    return Fabric.builder()
        .devices(
            (identity, hosts, trace) -> {
              Peer peer = new Peer(identity, hosts.get(0));
              peers.add(peer);
              return new DeviceFactory.NodeDevice(
                  new NoDevice(identity.node()),
                  List.of(peer),
                  List.of(new TransportStatistics()),
                  null);
            });
  }

  @Test
  void nodesGetTheirAddressesInOrderOfCreation() {
    try (Fabric fabric = builder().build()) {
      Node alice = fabric.addNode("alice");
      Node bob = fabric.addNode("bob");

      assertThat(alice.gid()).isEqualTo(new Gid(0, 0xFFFF_0A00_0001L));
      assertThat(bob.gid()).isEqualTo(new Gid(0, 0xFFFF_0A00_0002L));
      assertThat(alice.ipv6Gid()).isEqualTo(new Gid(0xFD00L << 48, 1));
      assertThat(bob.ipv6Gid()).isEqualTo(new Gid(0xFD00L << 48, 2));
      assertThat(bob.device().name()).isEqualTo("bob");
    }
  }

  @Test
  void aDeviceIsToldWhoItIs() {
    try (Fabric fabric = builder().build()) {
      Node alice = fabric.addNode("alice");
      fabric.addNode(
          NodeConfiguration.named("bob").withLink(LinkConfiguration.DEFAULT.withMtu(1_500)));

      assertThat(peers.get(0).identity)
          .isEqualTo(
              new DeviceIdentity(
                  "alice",
                  0x0200_0AFF_FE00_0001L,
                  List.of(
                      new PortIdentity(List.of(alice.gid(), alice.ipv6Gid()), PathMtu.MTU_4096, 0)),
                  0x11,
                  DeviceProfile.strict(),
                  false,
                  Fabric.DEFAULT_SEED));
      assertThat(peers.get(1).identity.ports().get(0).activeMtu()).isEqualTo(PathMtu.MTU_1024);
      assertThat(peers.get(1).identity.firstQueuePairNumber()).isEqualTo(0x1011);
    }
  }

  @Test
  void aNodeMayHaveAddressesOfItsOwn() throws IOException {
    Inet4Address ipv4 = (Inet4Address) InetAddress.getByName("192.168.7.9");
    Inet6Address ipv6 = (Inet6Address) InetAddress.getByName("fd00::7:9");
    try (Fabric fabric = builder().build()) {
      Node alice = fabric.addNode(NodeConfiguration.named("alice").withIpv4(ipv4).withIpv6(ipv6));

      assertThat(alice.gid()).isEqualTo(Gid.of(ipv4));
      assertThat(alice.ipv6Gid()).isEqualTo(Gid.of(ipv6));
      assertThatThrownBy(() -> fabric.addNode(NodeConfiguration.named("bob").withIpv4(ipv4)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageStartingWith("node \"bob\" can't have address ")
          .hasMessageEndingWith("node \"alice\" has it");
    }
  }

  @Test
  void aRealDeviceIsPluggedInByDefault() {
    try (Fabric fabric = Fabric.create()) {
      Node alice = fabric.addNode("alice");

      assertThat(alice.device().guid()).isEqualTo(0x0200_0AFF_FE00_0001L);
      assertThat(fabric.seed()).isEqualTo(Fabric.DEFAULT_SEED);
    }
  }

  @Test
  void runGoesOnUntilNothingIsLeft() {
    try (Fabric fabric = builder().build()) {
      fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      peers.get(0).send(bob, 3);

      fabric.run();

      assertThat(peers.get(1).arrivals).containsExactly(10_000L, 10_000L, 10_000L);
      assertThat(fabric.nanoTime()).isEqualTo(10_000);
      assertThat(fabric.step()).isFalse();
    }
  }

  @Test
  void runForLetsExactlyThatTimePass() {
    try (Fabric fabric = builder().build()) {
      fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      peers.get(0).send(bob, 1);

      fabric.runFor(Duration.ofNanos(9_999));
      assertThat(peers.get(1).arrivals).isEmpty();
      fabric.runFor(Duration.ofNanos(1));
      assertThat(peers.get(1).arrivals).containsExactly(10_000L);
      fabric.runFor(Duration.ofSeconds(1));

      assertThat(fabric.nanoTime()).isEqualTo(1_000_010_000L);
      assertThatThrownBy(() -> fabric.runFor(Duration.ofNanos(-1)))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("time PT-0.000000001S is negative; time only goes forward");
    }
  }

  @Test
  void runUntilStopsAtTheEventThatMakesTheConditionTrue() {
    try (Fabric fabric = builder().build()) {
      fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      peers.get(0).send(bob, 3);

      assertThat(fabric.runUntil(() -> peers.get(1).arrivals.size() == 2, Duration.ofSeconds(1)))
          .isTrue();
      assertThat(peers.get(1).arrivals).hasSize(2);
      assertThat(fabric.runUntil(() -> false, Duration.ofMillis(1))).isFalse();
      assertThat(fabric.nanoTime()).isEqualTo(1_010_000);
      assertThat(fabric.runUntil(() -> true, Duration.ZERO)).isTrue();
    }
  }

  @Test
  void timeCannotBeMadeToPassInsideAnEvent() {
    try (Fabric fabric = builder().build()) {
      fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      peers.get(1).onPacket = fabric::run;
      peers.get(0).send(bob, 1);

      assertThatThrownBy(fabric::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "run was called from inside an event of the fabric, such as a completion callback;"
                  + " return from it first");
    }
  }

  @Test
  void aNodeCountsWhatPassesItsPort() {
    try (Fabric fabric = builder().build()) {
      Node alice = fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      fabric.impair(Rule.parse("drop:alice>bob/SEND#1"));
      peers.get(0).send(bob, 2);
      fabric.run();

      assertThat(alice.counters())
          .isEqualTo(
              new PortCounters(2, 116, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of()));
      assertThat(bob.counters())
          .isEqualTo(
              new PortCounters(0, 0, 1, 58, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, Map.of()));
    }
  }

  @Test
  void faultsByChanceAreOfTheWholeFabricOrOfOneDirection() {
    try (Fabric fabric = builder().impairment(Impairment.loss(1)).build()) {
      Node alice = fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      fabric.impair(bob, alice, Impairment.NONE);

      peers.get(0).send(bob, 1);
      peers.get(1).send(alice, 1);
      fabric.run();

      assertThat(alice.counters().droppedByLoss()).isEqualTo(1);
      assertThat(peers.get(0).arrivals).containsExactly(10_000L);
    }
  }

  @Test
  void aNoteAppearsAmongTheEvents() {
    try (Fabric fabric = builder().build();
        Fabric other = builder().build()) {
      Node alice = fabric.addNode("alice");
      List<TraceEvent> events = new ArrayList<>();
      fabric.trace().addListener(events::add);
      fabric.runFor(Duration.ofNanos(5));

      fabric.note(alice, "buffer unmapped");

      assertThat(events).containsExactly(new TraceEvent.Noted(5, "alice", "buffer unmapped"));
      assertThatThrownBy(() -> other.note(alice, "lost"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("belongs to another fabric");
    }
  }

  @Test
  void aClosedFabricRefusesEverythingButItsReports() {
    Fabric fabric = builder().seed(9).build();
    Node alice = fabric.addNode("alice");
    fabric.close();
    fabric.close();

    assertThatThrownBy(fabric::run).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> fabric.addNode("bob"))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("the fabric is closed");
    assertThatThrownBy(alice::counters).isInstanceOf(IllegalStateException.class);
    assertThat(fabric.seed()).isEqualTo(9);
    assertThat(fabric.trace().hash()).isZero();
  }

  @Test
  void namesOfNodesAreLegalAndDiffer() {
    try (Fabric fabric = builder().build()) {
      fabric.addNode("alice");

      assertThatThrownBy(() -> fabric.addNode("alice"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("there is a node \"alice\" already; the names of nodes differ: [alice]");
      assertThatThrownBy(() -> fabric.addNode("a>b"))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage(
              "node name \"a>b\" is not 1 to 64 of letters a to z, digits, '-', '_' and '.'");
      assertThatThrownBy(() -> fabric.addNode("")).isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  void aLinkThatCannotBeIsRefused() {
    LinkConfiguration link = LinkConfiguration.DEFAULT;

    assertThatThrownBy(() -> link.withLatency(Duration.ofNanos(-1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("latency of -1 ns is not in 0 to 60000000000 ns");
    assertThatThrownBy(() -> link.withBandwidth(-1))
        .hasMessage("bandwidth of -1 bit/s is not in 1000 to 10000000000000 bit/s");
    assertThatThrownBy(() -> link.withMtu(351))
        .hasMessage("MTU of 351 bytes is not in 352 to 65535 bytes");
    assertThatThrownBy(() -> link.withQueue(0))
        .hasMessage("queue limit of 0 bytes is not in 1 to 1073741824 bytes");
  }

  @Test
  void aMulticastAddressIsNotThatOfANode() throws IOException {
    Inet4Address multicast = (Inet4Address) InetAddress.getByName("224.0.0.1");

    assertThatThrownBy(() -> NodeConfiguration.named("alice").withIpv4(multicast))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "address 224.0.0.1 can't be that of one node: it must be neither multicast nor"
                + " unspecified");
  }

  @Test
  void aCaptureThatCannotBeWrittenIsRefused() {
    Path file = folder.resolve("missing").resolve("file.pcapng");

    assertThatThrownBy(() -> builder().capture(file).build())
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("the capture can't be written to file " + file)
        .hasMessageEndingWith("name a file in a directory that exists and may be written");
  }

  @Test
  void aCaptureMayGoIntoAStream() {
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (Fabric fabric = builder().capture(bytes).build()) {
      fabric.addNode("alice");
      Node bob = fabric.addNode("bob");
      peers.get(0).send(bob, 1);
    }

    assertThat(bytes.size()).isEqualTo(56 + 32 + 12 + 20 + 60);
  }

  @Test
  void timeEndsWithAClearError() {
    try (Fabric fabric = Fabric.create()) {
      Duration forEver = ChronoUnit.FOREVER.getDuration();
      assertThat(fabric.runUntil(() -> false, forEver)).isFalse();
      assertThat(fabric.nanoTime()).isEqualTo(1L << 62);
      assertThat(fabric.runUntil(() -> false, forEver)).isFalse();
      assertThat(fabric.nanoTime()).isEqualTo(1L << 62);
    }
  }

  @Test
  void aListenerThatThrowsLosesNoFrame() {
    Pair pair = Pair.connected();
    pair.b.postReceive(1, pair.b.memory(64, 0));
    TraceListener refusing =
        event -> {
          if (event instanceof TraceEvent.PacketSent) {
            throw new IllegalArgumentException("seen");
          }
        };
    pair.fabric.trace().addListener(refusing);

    assertThatThrownBy(() -> pair.a.postSend(2, pair.a.memory(64, 1)))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("seen");
    pair.fabric.trace().removeListener(refusing);
    pair.run();
    assertThat(pair.completions("a")).containsExactly("SEND 2 SUCCESS @67128864");
    pair.close();
  }

  @Test
  void aFrameThatNobodyCanGetIsNotImpairedAndTheCaptureSaysWhyItIsLost() throws IOException {
    ByteArrayOutputStream file = new ByteArrayOutputStream();
    Fabric fabric = Fabric.builder().capture(file).build();
    Node alice = fabric.addNode("alice");
    ActiveRule rule = fabric.impair(Rule.parse("duplicate=3:alice>*/ANY"));
    ProtectionDomain domain = alice.device().open().allocateProtectionDomain();
    CompletionQueue queue = domain.context().createCompletionQueue(4);
    QueuePair queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
    ConnectionSetup setup = ConnectionSetup.standard().withRetries(1, 0);
    setup.initialize(queuePair);
    setup.readyToReceive(queuePair, new Gid(0, 0xFFFF_0A00_0063L), 17);
    setup.readyToSend(queuePair);
    queuePair.post(new SendRequest().reset(1).send().signaled());
    fabric.run();

    assertThat(rule.hits()).isZero();
    assertThat(alice.counters().droppedNoRoute()).isEqualTo(2);
    assertThat(alice.counters().duplicated()).isZero();
    fabric.close();
    try (CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(file.toByteArray()))) {
      assertThat(reader.next()).isNotNull();
      assertThat(reader.next()).isNotNull();
      assertThat(reader.next()).isNull();
    }
    assertThat(file.toString(StandardCharsets.UTF_8)).contains("dropped: no such address");
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.sim.profile.WireSwitch.CongestionNotification;
import io.roceverbs.sim.profile.WireSwitch.EcnCapability;
import io.roceverbs.sim.profile.WireSwitch.RateControl;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.CaptureReader;
import io.roceverbs.sim.wire.CapturedFrame;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Congestion: marks, the notifications that they draw, and the rate that these lower. */
class CongestionTest {
  private static final int ETHERNET_ADDRESSES = 12;

  private static DeviceProfile strictWith(ProfileSwitch... values) {
    return DeviceProfile.strict().with(values);
  }

  private static Pair pair(QueuePairType type, ProfileSwitch... values) {
    Pair pair =
        Pair.unconnected(
            Fabric.builder().profile(strictWith(values)).build(), init -> init.withType(type));
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static long counter(Side side, String name) {
    return side.node.hardwareCounters().get(name);
  }

  private static void send(Pair pair, int bytes) {
    Side.Memory data = pair.a.memory(bytes, 1);
    pair.a.request.reset(1).send().segment(data.region(), 0, bytes).signaled();
    if (pair.a.queuePair.type() == QueuePairType.UD) {
      pair.a.request.to(
          pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid())),
          pair.b.queuePair.number(),
          Pair.setup().queueKey());
    }
    pair.a.queuePair.post(pair.a.request);
  }

  // ---- notification point --------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(
      value = QueuePairType.class,
      names = {"RC", "UC", "UD"})
  @Checks("CNP-FORMAT")
  void theSenderOfAMarkedPacketIsTold(QueuePairType type) {
    try (Pair pair = pair(type, CongestionNotification.ON, RateControl.DCQCN)) {
      pair.b.postReceive(11, pair.b.memory(200, 0));
      pair.impair("mark:a>b/SEND");
      send(pair, 100);
      pair.run();
      TraceEvent.PacketSent notification = pair.journal.from("b").get(0);
      assertThat(notification.summary()).isEqualTo("CNP psn=0x000000 len=16");
      assertThat(notification.queuePair()).isEqualTo(pair.a.queuePair.number());
      assertThat(pair.journal.times("b").get(0)).isEqualTo(10_000);
      assertThat(counter(pair.b, "np_ecn_marked_roce_packets")).isEqualTo(1);
      assertThat(counter(pair.b, "np_cnp_sent")).isEqualTo(1);
      assertThat(counter(pair.a, "rp_cnp_handled")).isEqualTo(1);
      assertThat(counter(pair.a, "rp_cnp_ignored")).isZero();
      assertThat(pair.a.node.counters().markedByRule()).isEqualTo(1);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = QueuePairType.class,
      names = {"RC", "UC", "UD"})
  void withoutTheSwitchNobodyIsTold(QueuePairType type) {
    try (Pair pair = pair(type, RateControl.DCQCN, EcnCapability.ECT_0)) {
      pair.b.postReceive(11, pair.b.memory(200, 0));
      pair.impair("mark:a>b/SEND");
      send(pair, 100);
      pair.run();
      assertThat(pair.journal.startingWith("CNP")).isEmpty();
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
      assertThat(counter(pair.b, "np_ecn_marked_roce_packets")).isZero();
      assertThat(counter(pair.b, "np_cnp_sent")).isZero();
    }
  }

  @Test
  @Checks("CNP-FORMAT")
  void aReadRequesterTellsTheResponder() {
    try (Pair pair = pair(QueuePairType.RC, CongestionNotification.ON)) {
      Side.Memory source = pair.b.memory(3_000, 1);
      pair.impair("mark:b>a/READ_RESPONSE#2");
      pair.a.postRead(1, pair.a.memory(3_000, 0), 3_000, source.address(), source.rkey());
      pair.run();
      assertThat(pair.journal.words("a")).containsExactly("READ_REQUEST 000100", "CNP 000000");
      assertThat(counter(pair.a, "np_cnp_sent")).isEqualTo(1);
      assertThat(counter(pair.b, "rp_cnp_ignored")).isEqualTo(1);
      assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @20000");
    }
  }

  @Test
  @Checks("CNP-FORMAT")
  void theBytesOfANotificationAreThoseOfTheKnownFrame() throws IOException {
    ByteArrayOutputStream capture = new ByteArrayOutputStream();
    try (Fabric fabric =
        Fabric.builder().profile(strictWith(CongestionNotification.ON)).capture(capture).build()) {
      Side first = side(fabric, "first", "192.0.2.1");
      Side second = side(fabric, "second", "192.0.2.2");
      // The first one has the queue pair 0x11 already.
      QueuePair sender =
          first.domain.createQueuePair(QueuePairInit.reliableConnected(first.sendQueue, 16, 16));
      assertThat(sender.number()).isEqualTo(0x12);
      connectWithLabel(sender, second, second.queuePair.number());
      connectWithLabel(second.queuePair, first, sender.number());
      fabric.impair(Rule.parse("mark:first>second/WRITE"));
      Side.Memory target = second.memory(8, 0);
      sender.post(
          first
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(first.memory(8, 1).region(), 0, 8)
              .signaled());
      fabric.run();
    }
    CaptureReader reader = CaptureReader.open(new ByteArrayInputStream(capture.toByteArray()));
    List<CapturedFrame> frames = new ArrayList<>();
    for (CapturedFrame frame = reader.next(); frame != null; frame = reader.next()) {
      frames.add(frame);
    }
    byte[] notification = frames.get(1).bytes();
    // What is in front are the MAC addresses, which the fabric gives out.
    assertThat(HexFormat.of().formatHex(notification).substring(2 * ETHERNET_ADDRESSES))
        .isEqualTo(
            "0800"
                + "45c2003c000040004011b5ebc0000202c0000201"
                + "c00212b700280000"
                + "8100ffff4000001200000000"
                + "00000000000000000000000000000000"
                + "09682633");
  }

  private static Side side(Fabric fabric, String name, String address) throws IOException {
    return new Side(
        fabric,
        NodeConfiguration.named(name).withIpv4((Inet4Address) InetAddress.getByName(address)),
        (send, receive) ->
            QueuePairInit.reliableConnected(send, 16, 16).withReceiveCompletionQueue(receive));
  }

  private static void connectWithLabel(QueuePair queuePair, Side peer, int number) {
    Pair.setup().initialize(queuePair);
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.RTR)
            .addressVector(AddressVector.to(peer.node.gid()).withFlowLabel(2))
            .pathMtu(PathMtu.MTU_1024)
            .destinationQueuePairNumber(number)
            .receivePsn(0x100)
            .maxDestinationReadAtomic(4)
            .minRnrTimer(12)
            .build());
    Pair.setup().readyToSend(queuePair);
  }

  @Test
  @Checks("CNP-INTERVAL")
  void aQueuePairTellsAtMostOnceInFiftyMicroseconds() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(CongestionNotification.ON))) {
      PacketJournal journal = new PacketJournal();
      raw.fabric.trace().addListener(journal);
      Side.Memory target = raw.b.memory(8, 0);
      // They arrive every 10 us, the first one at 10 us.
      for (int i = 0; i < 16; i++) {
        raw.send(
            Opcode.RC_WRITE_ONLY,
            RawPeer.PSN + i,
            8,
            1,
            RawPeer.reth(target, 0, 8).andThen(packet -> packet.network().trafficClass(3)));
        raw.fabric.runFor(Duration.ofNanos(10_000));
      }
      raw.run();
      assertThat(
              journal.startingWith("CNP").stream().map(TraceEvent.PacketSent::timeNanos).toList())
          .containsExactly(10_000L, 60_000L, 110_000L, 160_000L);
      assertThat(counter(raw.b, "np_ecn_marked_roce_packets")).isEqualTo(16);
      assertThat(counter(raw.b, "np_cnp_sent")).isEqualTo(4);
    }
  }

  @Test
  @Checks("CNP-INTERVAL")
  void aMarkedNotificationDrawsNone() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), DeviceProfile.connectX())) {
      sendNotification(raw, packet -> packet.network().trafficClass(0xC3));
      raw.run();
      assertThat(raw.received()).isEmpty();
      assertThat(counter(raw.b, "rp_cnp_handled")).isEqualTo(1);
    }
  }

  // ---- reaction point ------------------------------------------------------------------------

  private static void sendNotification(RawPeer raw, Consumer<Packet> fields) {
    raw.send(Opcode.CNP, 0, Opcode.CNP_PAYLOAD_BYTES, 0, fields);
  }

  @Test
  @Checks("CNP-UNKNOWN")
  void aNotificationForNobodyIsIgnored() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      sendNotification(raw, packet -> packet.destinationQueuePair(0x555));
      raw.run();
      assertThat(counter(raw.b, "rp_cnp_ignored")).isEqualTo(1);
      assertThat(raw.b.node.transport().droppedUnknownQueuePair()).isZero();
      assertThat(raw.received()).isEmpty();
    }
  }

  @Test
  @Checks("CNP-FILTER")
  void aNotificationOfAStrangerOrOfAnotherPartitionIsIgnored() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      sendNotification(raw, packet -> packet.network().sourceLow(0xFFFF_0A00_0063L));
      sendNotification(raw, packet -> packet.partitionKey(0x1234));
      raw.runRoundTrip();
      assertThat(counter(raw.b, "rp_cnp_ignored")).isEqualTo(2);
      assertThat(writeTimes(raw, raw.fabric.nanoTime())).containsExactly(0L, 0L, 0L, 0L);
    }
  }

  @ParameterizedTest
  @CsvSource({"OFF,0,1", "DCQCN,1,0"})
  @Checks("CNP-FILTER")
  void aNotificationIsHeededOrNot(RateControl value, int handled, int ignored) {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(value))) {
      sendNotification(raw, packet -> {});
      raw.run();
      assertThat(raw.b.node.hardwareCounters().nonZero())
          .isEqualTo(
              handled == 1
                  ? Map.of("rp_cnp_handled", 1L, "rcvd_pkts", 1L)
                  : Map.of("rp_cnp_ignored", 1L, "rcvd_pkts", 1L));
      assertThat(handled + ignored).isEqualTo(1);
      assertThat(raw.b.node.transport().droppedWrongState()).isZero();
    }
  }

  /** When the four packets of a WRITE leave {@code b}, counted from a time. */
  private static List<Long> writeTimes(RawPeer raw, long fromNanos) {
    PacketJournal journal = new PacketJournal();
    raw.fabric.trace().addListener(journal);
    raw.b.postWrite(1, raw.b.memory(4_096, 1), 4_096, 0x1000, 0x2301);
    raw.runRoundTrip();
    return journal.startingWith("WRITE").stream()
        .map(packet -> packet.timeNanos() - fromNanos)
        .toList();
  }

  @Test
  @Checks("DCQCN-PACING")
  void afterANotificationPacketsLeaveAtHalfTheRateOfThePort() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      sendNotification(raw, packet -> {});
      raw.fabric.runFor(Duration.ofNanos(10_000));
      // 1,098 bytes with RETH and then 1,082 without, at 50 Gbit/s: 175.68 and 173.12 ns.
      assertThat(writeTimes(raw, 10_000)).containsExactly(0L, 176L, 350L, 524L);
    }
  }

  @Test
  @Checks("DCQCN-PACING")
  void aPortWithALinkOfItsOwnRateBeginsThere() {
    LinkConfiguration link = LinkConfiguration.DEFAULT.withBandwidth(8_000_000_000L);
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN), link)) {
      sendNotification(raw, packet -> {});
      raw.runRoundTrip();
      // At half of a byte in a nanosecond.
      assertThat(writeTimes(raw, 20_000)).containsExactly(0L, 2_196L, 4_360L, 6_524L);
    }
  }

  @Test
  @Checks("DCQCN-PACING")
  void withoutTheSwitchANotificationChangesNothing() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.OFF))) {
      sendNotification(raw, packet -> {});
      raw.fabric.runFor(Duration.ofNanos(10_000));
      assertThat(writeTimes(raw, 10_000)).containsExactly(0L, 0L, 0L, 0L);
    }
  }

  @Test
  @Checks("DCQCN-PACING")
  void aResponderKeepsToTheRateWithDataAndNotWithAcknowledgements() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      PacketJournal journal = new PacketJournal();
      raw.fabric.trace().addListener(journal);
      Side.Memory memory = raw.b.memory(2_048, 1);
      sendNotification(raw, packet -> {});
      raw.send(Opcode.RC_WRITE_ONLY, RawPeer.PSN, 8, 1, RawPeer.reth(memory, 0, 8));
      raw.send(Opcode.RC_READ_REQUEST, RawPeer.PSN + 1, RawPeer.reth(memory, 0, 2_048));
      raw.send(Opcode.RC_WRITE_ONLY, RawPeer.PSN + 3, 8, 1, RawPeer.reth(memory, 0, 8));
      raw.run();
      assertThat(
              journal.from("b").stream()
                  .map(packet -> packet.summary().split(" ", 2)[0] + " " + packet.timeNanos())
                  .toList())
          .containsExactly(
              "ACK 10000", "READ_RESPONSE_FIRST 10000", "READ_RESPONSE_LAST 10174", "ACK 10174");
    }
  }

  @Test
  @Checks("DCQCN-PACING")
  void anAcknowledgementPassesARequestThatIsHeldBack() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      for (int i = 0; i < 11; i++) {
        sendNotification(raw, packet -> {});
        raw.fabric.runFor(Duration.ofNanos(50_000));
      }
      // The rate is 100 Mbit/s: a packet has 87.84 us, and the second one waits for that.
      PacketJournal journal = new PacketJournal();
      raw.fabric.trace().addListener(journal);
      Side.Memory memory = raw.b.memory(2_048, 1);
      raw.b.postWrite(1, memory, 2_048, 0x1000, 0x2301);
      raw.send(Opcode.RC_WRITE_ONLY, RawPeer.PSN, 8, 1, RawPeer.reth(memory, 0, 8));
      raw.fabric.runFor(Duration.ofNanos(100_000));
      assertThat(
              journal.from("b").stream()
                  .map(packet -> packet.summary().split(" ", 2)[0] + " " + packet.timeNanos())
                  .toList())
          .containsExactly("WRITE_FIRST 550000", "ACK 560000", "WRITE_LAST 637840");
    }
  }

  @Test
  void resetForgetsTheRate() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), strictWith(RateControl.DCQCN))) {
      sendNotification(raw, packet -> {});
      raw.runRoundTrip();
      raw.reconnect(Pair.setup());
      assertThat(writeTimes(raw, 20_000)).containsExactly(0L, 0L, 0L, 0L);
    }
  }

  // ---- sender --------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"AS_GIVEN,0xB9", "ECT_0,0xBA"})
  @Checks("ECN-CAPABLE")
  void aSenderSaysThatItsPacketsCanBeMarkedOrWhatTheAddressSays(
      EcnCapability value, int trafficClass) {
    try (Pair pair = pair(QueuePairType.UD, value)) {
      Side.Memory target = pair.b.memory(140, 0);
      pair.b.postReceive(11, target);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .send()
              .segment(pair.a.memory(100, 1).region(), 0, 100)
              .to(
                  pair.a.domain.createAddressHandle(
                      AddressVector.to(pair.b.node.gid()).withTrafficClass(0xB9)),
                  pair.b.queuePair.number(),
                  Pair.setup().queueKey())
              .signaled());
      pair.run();
      // The second byte of the IPv4 header, which stands behind 20 bytes.
      assertThat(Byte.toUnsignedInt(target.bytes().get(21))).isEqualTo(trafficClass);
    }
  }

  // ---- all together --------------------------------------------------------------------------

  /** What came of two senders that write to one node at the same time. */
  private record Incast(long dropped, long marked, long lowered, long retransmitted) {}

  private static Incast incast(DeviceProfile profile) {
    LinkConfiguration link =
        LinkConfiguration.DEFAULT.withBandwidth(10_000_000_000L).withQueue(100_000);
    try (Fabric fabric =
        Fabric.builder().profile(profile).link(link.withEcnThreshold(10_000)).build()) {
      Side sink = new Side(fabric, "sink", CongestionTest::shape);
      Side.Memory target = sink.memory(1 << 20, 0);
      List<Side> senders = new ArrayList<>();
      for (String name : List.of("left", "right")) {
        Side sender = new Side(fabric, name, CongestionTest::shape);
        QueuePair peer =
            sink.domain.createQueuePair(QueuePairInit.reliableConnected(sink.sendQueue, 16, 16));
        Pair.setup().withRetries(7, 7).connect(sender.queuePair, peer);
        senders.add(sender);
      }
      for (Side sender : senders) {
        sender.postWrite(1, sender.memory(1 << 20, 1), 1 << 20, target.address(), target.rkey());
      }
      fabric.run();
      long lowered = 0;
      long retransmitted = 0;
      for (Side sender : senders) {
        assertThat(sender.pollSends().stream().map(c -> c.status().toString()).toList())
            .containsExactly("SUCCESS");
        lowered += counter(sender, "rp_cnp_handled");
        retransmitted += sender.node.transport().retransmittedPackets();
      }
      Node node = sink.node;
      return new Incast(
          node.counters().droppedQueueFull(),
          node.counters().markedInQueue(),
          lowered,
          retransmitted);
    }
  }

  private static QueuePairInit shape(CompletionQueue send, CompletionQueue receive) {
    return QueuePairInit.reliableConnected(send, 16, 16).withReceiveCompletionQueue(receive);
  }

  @Test
  void ofTwoSendersToOneNodeTheOldKindLosesPacketsAndTheNewKindSlowsDown() {
    Incast old = incast(DeviceProfile.strict());
    assertThat(old.dropped()).isPositive();
    assertThat(old.retransmitted()).isPositive();
    assertThat(old.marked()).isZero();
    assertThat(old.lowered()).isZero();

    Incast careful =
        incast(strictWith(EcnCapability.ECT_0, CongestionNotification.ON, RateControl.DCQCN));
    assertThat(careful.dropped()).isZero();
    assertThat(careful.retransmitted()).isZero();
    assertThat(careful.marked()).isPositive();
    assertThat(careful.lowered()).isPositive();
    assertThat(incast(DeviceProfile.connectX()).dropped()).isZero();
  }

  @Test
  void onlyOneOfTheStandardKindsTakesPart() {
    for (DeviceProfile profile :
        Arrays.asList(DeviceProfile.strict(), DeviceProfile.softRoce(), DeviceProfile.irdma())) {
      assertThat(profile.is(EcnCapability.AS_GIVEN)).isTrue();
      assertThat(profile.is(CongestionNotification.OFF)).isTrue();
      assertThat(profile.is(RateControl.OFF)).isTrue();
    }
    assertThat(DeviceProfile.connectX().is(EcnCapability.ECT_0)).isTrue();
    assertThat(DeviceProfile.connectX().is(CongestionNotification.ON)).isTrue();
    assertThat(DeviceProfile.connectX().is(RateControl.DCQCN)).isTrue();
  }
}

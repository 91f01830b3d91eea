package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.NodePort;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.GidType;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.time.Duration;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Devices with two ports: what each has of its own, and how traffic goes from one to the other. */
class TwoPortTest {
  private static final DeviceProfile MOVING =
      DeviceProfile.strict().withCapability(DeviceCapability.CHANGE_PHY_PORT);

  private final Fabric fabric = Fabric.builder().profile(MOVING).build();
  private final Side a = side(fabric, "a", QueuePairType.RC);
  private final Side b = side(fabric, "b", QueuePairType.RC);
  private final PacketJournal journal = new PacketJournal();

  TwoPortTest() {
    fabric.trace().addListener(journal);
  }

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private static Side side(Fabric fabric, String name, QueuePairType type) {
    return new Side(
        fabric,
        NodeConfiguration.named(name).withPorts(2),
        (send, receive) -> init(send, receive).withType(type));
  }

  private static QueuePairInit init(CompletionQueue send, CompletionQueue receive) {
    return QueuePairInit.reliableConnected(send, 16, 16).withReceiveCompletionQueue(receive);
  }

  private static void assertInvalid(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
        .hasMessageContaining(words);
  }

  private static void initialize(QueuePair queuePair, int port) {
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.INIT)
            .partitionKeyIndex(0)
            .port(port)
            .access(Pair.setup().access())
            .build());
  }

  private static AddressVector way(NodePort destination, int port) {
    return AddressVector.to(destination.gid()).withPort(port);
  }

  private static QueuePairAttributes readyToReceive(AddressVector vector, QueuePair peer) {
    return QueuePairAttributes.to(QueuePairState.RTR)
        .addressVector(vector)
        .pathMtu(PathMtu.MTU_1024)
        .destinationQueuePairNumber(peer.number())
        .receivePsn(0x100)
        .maxDestinationReadAtomic(4)
        .minRnrTimer(12)
        .build();
  }

  private static void connect(QueuePair ofA, QueuePair ofB, int port) {
    Pair.setup().withPort(port).connect(ofA, ofB);
  }

  private void write(QueuePair queuePair, long id) {
    Side.Memory target = b.memory(8, 0);
    queuePair.post(
        a.request
            .reset(id)
            .rdmaWrite(target.address(), target.rkey())
            .segment(a.memory(8, 1).region(), 0, 8)
            .signaled());
  }

  private List<String> completionsOfA() {
    return a.pollSends().stream().map(c -> c.id() + " " + c.status()).toList();
  }

  private List<String> nodesThatSent() {
    return journal.all().stream().map(TraceEvent.PacketSent::node).toList();
  }

  // ---- what each port has of its own ---------------------------------------------------------

  @Test
  void aDeviceSaysHowManyPortsItHasAndEachHasItsAddresses() {
    assertThat(a.context.queryDevice().physicalPorts()).isEqualTo(2);
    assertThat(a.context.queryPort(2).state()).isEqualTo(PortState.ACTIVE);
    assertThat(a.context.queryGid(1, 0).toString()).isEqualTo("::ffff:10.0.0.1");
    assertThat(a.context.queryGid(1, 1).toString()).isEqualTo("fd00::1");
    assertThat(a.context.queryGid(2, 0).toString()).isEqualTo("::ffff:10.1.0.1");
    assertThat(a.context.queryGid(2, 1).toString()).isEqualTo("fd00::1:1");
    assertThat(b.node.port(2).gid().toString()).isEqualTo("::ffff:10.1.0.2");
    assertThat(b.node.port(2).ipv6Gid().toString()).isEqualTo("fd00::1:2");
    assertThat(b.node.gid()).isEqualTo(b.node.port(1).gid());
    GidEntry[] entries = new GidEntry[4];
    assertThat(a.context.queryGidTable(entries)).isEqualTo(4);
    assertThat(entries[1]).isEqualTo(new GidEntry(a.node.ipv6Gid(), 1, 1, GidType.ROCE_V2, 1));
    assertThat(entries[2]).isEqualTo(new GidEntry(a.node.port(2).gid(), 0, 2, GidType.ROCE_V2, 2));
    assertThat(a.context.queryPartitionKey(2, 0)).isEqualTo(0xFFFF);
    assertInvalid(
        "port 3 does not exist; the device has ports 1 to 2", () -> a.context.queryPort(3));
    assertInvalid("port 0 does not exist", () -> a.context.queryGid(0, 0));
    assertThatThrownBy(() -> a.node.port(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node a has no port 3; it has 2");
    assertThat(a.node.ports().stream().map(Object::toString).toList()).containsExactly("a", "a.2");
  }

  @Test
  @Checks({"LINK-STATE", "GID-TABLE"})
  void anEventNamesThePortThatItConcerns() {
    a.node.port(2).linkDown();
    AsyncEvent event = a.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.PORT_ERR);
    assertThat(event.port()).isEqualTo(2);
    assertThat(event).hasToString("PORT_ERR of port 2 of a");
    event.acknowledge();
    assertThat(a.context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    assertThat(a.context.queryPort(2).state()).isEqualTo(PortState.DOWN);
    a.node.port(2).linkUp();
    assertThat(a.context.pollAsyncEvent().type()).isEqualTo(AsyncEventType.PORT_ACTIVE);
    Gid further = new Gid(0, 0xFFFF_0A00_0063L);
    assertThat(a.node.port(2).addGid(further)).isEqualTo(2);
    event = a.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.GID_CHANGE);
    assertThat(event.port()).isEqualTo(2);
    assertThat(a.context.queryGid(2, 2)).isEqualTo(further);
    assertThatThrownBy(() -> a.node.removeGid(further))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> b.node.port(2).addGid(further))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("node \"a\" has it");
    a.node.port(2).removeGid(further);
    assertThat(a.node.hardwareCounters().get("link_downed")).isEqualTo(1);
  }

  @Test
  void numbersAndNamesOfPortsAreChecked() {
    assertThatThrownBy(() -> NodeConfiguration.named("c").withPorts(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("0 ports are not 1 to 8");
    assertThatThrownBy(() -> NodeConfiguration.named("c").withPorts(9))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> fabric.addNode("a.2"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is a port \"a.2\" already");
    fabric.addNode("c.2");
    assertThatThrownBy(() -> fabric.addNode(NodeConfiguration.named("c").withPorts(2)))
        .isInstanceOf(IllegalArgumentException.class);
    assertThat(fabric.addNode("c").gid().toString()).isEqualTo("::ffff:10.0.0.4");
  }

  // ---- modify --------------------------------------------------------------------------------

  @Test
  @Checks("PORT-OF-ADDRESS")
  void theAddressVectorNamesThePortOfTheQueuePair() {
    assertInvalid("port 3 does not exist", () -> initialize(a.queuePair, 3));
    initialize(a.queuePair, 2);
    assertInvalid(
        "port 1 is not port 2 of the queue pair",
        () -> a.queuePair.modify(readyToReceive(way(b.node.port(1), 1), b.queuePair)));
    assertInvalid(
        "port 3 does not exist",
        () -> a.queuePair.modify(readyToReceive(way(b.node.port(1), 3), b.queuePair)));
    assertThat(a.state()).isEqualTo(QueuePairState.INIT);
    assertThat(a.queuePair.query().port()).isEqualTo(2);
    a.queuePair.modify(readyToReceive(way(b.node.port(2), 2), b.queuePair));
    assertThat(a.state()).isEqualTo(QueuePairState.RTR);
  }

  private static void toSqd(QueuePair queuePair) {
    queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).build());
  }

  private static void toRts(QueuePair queuePair) {
    queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).build());
  }

  private static QueuePairAttributes.Builder change() {
    return QueuePairAttributes.builder();
  }

  @Test
  @Checks("PORT-OF-ADDRESS")
  void inSqdPortAndAddressAgreeAndTheAddressAloneMovesThePort() {
    connect(a.queuePair, b.queuePair, 1);
    toSqd(a.queuePair);
    AddressVector second = way(b.node.port(2), 2);
    assertInvalid(
        "port 1 is not port 2 of the address vector",
        () -> a.queuePair.modify(change().port(1).addressVector(second).build()));
    assertThat(a.queuePair.query().port()).isEqualTo(1);
    assertThat(a.queuePair.query().addressVector().port()).isEqualTo(1);
    a.queuePair.modify(change().addressVector(second).build());
    assertThat(a.queuePair.query().port()).isEqualTo(2);
    assertThat(a.queuePair.query().addressVector()).isEqualTo(second);
    a.queuePair.modify(change().port(1).addressVector(way(b.node.port(1), 1)).build());
    assertThat(a.queuePair.query().port()).isEqualTo(1);
  }

  @Test
  @Checks("PORT-MOVE")
  void aDeviceThatCannotMoveAQueuePairRefuses() {
    try (Fabric fixed = Fabric.create()) {
      Side c = side(fixed, "c", QueuePairType.RC);
      initialize(c.queuePair, 1);
      c.queuePair.modify(readyToReceive(way(c.node.port(1), 1), c.queuePair));
      Pair.setup().readyToSend(c.queuePair);
      toSqd(c.queuePair);
      assertInvalid(
          "can't go from port 1 to port 2",
          () -> c.queuePair.modify(change().port(2).addressVector(way(c.node.port(2), 2)).build()));
      assertInvalid("CHANGE_PHY_PORT", () -> c.queuePair.modify(change().port(2).build()));
      c.queuePair.modify(change().port(1).addressVector(way(c.node.port(1), 1)).build());
      assertThat(c.queuePair.query().port()).isEqualTo(1);
    }
  }

  // ---- failover ------------------------------------------------------------------------------

  @Test
  void ofTwoQueuePairsTheOneAtTheOtherPortGoesOn() {
    QueuePair secondOfA = a.domain.createQueuePair(init(a.sendQueue, a.receiveQueue));
    QueuePair secondOfB = b.domain.createQueuePair(init(b.sendQueue, b.receiveQueue));
    connect(a.queuePair, b.queuePair, 1);
    connect(secondOfA, secondOfB, 2);
    write(a.queuePair, 1);
    write(secondOfA, 2);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(nodesThatSent()).containsExactly("a", "a.2", "b", "b.2");

    a.node.port(1).linkDown();
    write(a.queuePair, 3);
    write(secondOfA, 4);
    fabric.runFor(Duration.ofNanos(2 * Pair.LATENCY_NANOS));
    assertThat(completionsOfA()).containsExactly("4 SUCCESS");
    // The program takes over what the first queue pair was to do.
    write(secondOfA, 5);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("5 SUCCESS", "3 RETRY_EXC_ERR");
    assertThat(a.queuePair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(secondOfA.state()).isEqualTo(QueuePairState.RTS);
    assertThat(a.node.port(1).counters().droppedLinkDown()).isEqualTo(4);
    assertThat(a.node.port(2).counters().droppedLinkDown()).isZero();
  }

  @Test
  @Checks("PORT-MOVE")
  void aQueuePairGoesOnAtTheOtherPort() {
    connect(a.queuePair, b.queuePair, 1);
    write(a.queuePair, 1);
    fabric.run();
    a.node.linkDown();
    toSqd(a.queuePair);
    toSqd(b.queuePair);
    write(a.queuePair, 2);
    a.queuePair.modify(change().port(2).addressVector(way(b.node.port(2), 2)).build());
    b.queuePair.modify(change().port(2).addressVector(way(a.node.port(2), 2)).build());
    toRts(a.queuePair);
    toRts(b.queuePair);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(nodesThatSent()).containsExactly("a", "b", "a.2", "b.2");
    assertThat(journal.psns("a.2")).containsExactly(0x101);
  }

  @Test
  @Checks("PORT-MOVE")
  void ofTwoThatMoveAtOnceEachWaitsInTheLineOfItsOwnPort() {
    QueuePair secondOfA = a.domain.createQueuePair(init(a.sendQueue, a.receiveQueue));
    QueuePair secondOfB = b.domain.createQueuePair(init(b.sendQueue, b.receiveQueue));
    connect(a.queuePair, b.queuePair, 1);
    connect(secondOfA, secondOfB, 1);
    a.node.faults().pause();
    write(a.queuePair, 1);
    write(secondOfA, 2);
    toSqd(secondOfA);
    toSqd(secondOfB);
    secondOfA.modify(change().addressVector(way(b.node.port(2), 2)).build());
    secondOfB.modify(change().addressVector(way(a.node.port(2), 2)).build());
    toRts(secondOfA);
    toRts(secondOfB);
    a.node.faults().resume();
    fabric.run();
    assertThat(completionsOfA()).containsExactlyInAnyOrder("1 SUCCESS", "2 SUCCESS");
    assertThat(journal.from("a")).hasSize(1);
    assertThat(journal.from("a.2")).hasSize(1);
  }

  @Test
  @Checks("PORT-OF-PACKET")
  void aPacketAtAnotherPortIsDropped() {
    connect(a.queuePair, b.queuePair, 1);
    toSqd(a.queuePair);
    a.queuePair.modify(change().addressVector(way(b.node.port(2), 1)).build());
    toRts(a.queuePair);
    write(a.queuePair, 1);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 RETRY_EXC_ERR");
    assertThat(b.node.transport().droppedWrongState()).isEqualTo(4);
    assertThat(b.node.port(2).counters().framesReceived()).isEqualTo(4);
    assertThat(journal.from("b")).isEmpty();
    assertThat(journal.from("b.2")).isEmpty();
  }

  @Test
  void aRuleAndChanceMeanPorts() {
    QueuePair secondOfA = a.domain.createQueuePair(init(a.sendQueue, a.receiveQueue));
    QueuePair secondOfB = b.domain.createQueuePair(init(b.sendQueue, b.receiveQueue));
    connect(a.queuePair, b.queuePair, 1);
    connect(secondOfA, secondOfB, 2);
    ActiveRule rule = fabric.impair(Rule.parse("drop:a.2>b.2/WRITE#1"));
    write(a.queuePair, 1);
    write(secondOfA, 2);
    fabric.run();
    assertThat(rule.hits()).isEqualTo(1);
    assertThat(journal.psns("a")).containsExactly(0x100);
    assertThat(journal.psns("a.2")).containsExactly(0x100, 0x100);
    assertThatThrownBy(() -> fabric.impair(Rule.parse("drop:a.3>b/WRITE")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("there is no node \"a.3\"");
    // Chance between two nodes is that of all their ports.
    fabric.impair(a.node, b.node, Impairment.NONE.withDrop(1));
    write(secondOfA, 3);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS", "2 SUCCESS", "3 RETRY_EXC_ERR");
  }

  @Test
  void whatHappensToTheWholeNodeHappensAtBothPorts() {
    connect(a.queuePair, b.queuePair, 2);
    b.node.faults().pause();
    write(a.queuePair, 1);
    fabric.runFor(Duration.ofMillis(1));
    assertThat(a.pollSends()).isEmpty();
    b.node.faults().resume();
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS");
    Side.Memory target = b.memory(8, 0);
    b.node.faults().powerOff();
    a.postWrite(2, a.memory(8, 1), 8, target.address(), target.rkey());
    fabric.run();
    assertThat(completionsOfA()).containsExactly("2 RETRY_EXC_ERR");
  }

  // ---- datagrams -----------------------------------------------------------------------------

  private static void readyDatagram(QueuePair queuePair, int port) {
    queuePair.modify(
        QueuePairAttributes.to(QueuePairState.INIT)
            .partitionKeyIndex(0)
            .port(port)
            .queueKey(Pair.setup().queueKey())
            .build());
    queuePair.modify(QueuePairAttributes.to(QueuePairState.RTR).build());
    queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).sendPsn(0x100).build());
  }

  private static void sendDatagram(Side from, AddressVector vector, int queuePairNumber) {
    from.queuePair.post(
        from.request
            .reset(1)
            .send()
            .segment(from.memory(8, 1).region(), 0, 8)
            .to(from.domain.createAddressHandle(vector), queuePairNumber, Pair.setup().queueKey())
            .signaled());
  }

  @Test
  @Checks("PORT-OF-HANDLE")
  void aDatagramLeavesByThePortOfItsQueuePairAndTheHandleAgrees() {
    Side c = side(fabric, "c", QueuePairType.UD);
    Side d = side(fabric, "d", QueuePairType.UD);
    readyDatagram(c.queuePair, 2);
    readyDatagram(d.queuePair, 2);
    Side.Memory target = d.memory(48, 0);
    d.postReceive(11, target);
    sendDatagram(c, way(d.node.port(2), 2), d.queuePair.number());
    fabric.run();
    assertThat(nodesThatSent()).containsExactly("c.2");
    WorkCompletion received = d.pollReceives().get(0);
    assertThat(received.status()).isEqualTo(CompletionStatus.SUCCESS);
    // The way back leads out of the port that it came in at.
    assertInvalid("hold neither", () -> wayBackFrom(d, received, target, 1));
    assertInvalid("port 3 does not exist", () -> wayBackFrom(d, received, target, 3));
    wayBackFrom(d, received, target, 2);
    c.pollSends();
    sendDatagram(c, way(d.node.port(1), 1), d.queuePair.number());
    fabric.run();
    assertThat(c.pollSends().get(0).status()).isEqualTo(CompletionStatus.LOC_QP_OP_ERR);
    assertThat(nodesThatSent()).containsExactly("c.2");
  }

  private static void wayBackFrom(
      Side side, WorkCompletion received, Side.Memory target, int port) {
    side.domain.createAddressHandle(received, target.bytes().duplicate().position(0), port).close();
  }

  @Test
  @Checks("MULTICAST-DELIVERY")
  void aGroupIsJoinedAtThePortOfTheQueuePair() {
    Side c = side(fabric, "c", QueuePairType.UD);
    Side d = side(fabric, "d", QueuePairType.UD);
    readyDatagram(c.queuePair, 1);
    readyDatagram(d.queuePair, 2);
    Gid group = new Gid(0, 0xFFFF_E000_0101L);
    d.queuePair.attachMulticast(group);
    d.postReceive(11, d.memory(48, 0));
    sendDatagram(c, AddressVector.to(group), 0xFFFFFF);
    fabric.run();
    assertThat(d.pollReceives().stream().map(WorkCompletion::id).toList()).containsExactly(11L);
    assertThat(d.node.port(1).counters().framesReceived()).isZero();
    assertThat(d.node.port(2).counters().framesReceived()).isEqualTo(1);
    assertThatThrownBy(d.queuePair::close)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    d.queuePair.detachMulticast(group);
    d.queuePair.close();
  }
}

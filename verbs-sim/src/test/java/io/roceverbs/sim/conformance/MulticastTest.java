package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.verbs.Errno.EINVAL;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Datagrams to a group: each member gets a copy of its own. */
class MulticastTest {
  private static final int MULTICAST = 0xFFFFFF;
  private static final int QUEUE_KEY = ConnectionSetup.DEFAULT_QUEUE_KEY;

  private Fabric fabric;
  private final List<Side> sides = new ArrayList<>();
  private PacketJournal journal;

  @BeforeEach
  void fourNodes() {
    fabric = Fabric.create();
    journal = new PacketJournal();
    fabric.trace().addListener(journal);
    for (String name : List.of("a", "b", "c", "d")) {
      sides.add(side(name, init -> init));
    }
  }

  @AfterEach
  void close() {
    fabric.close();
  }

  private Side side(String name, UnaryOperator<QueuePairInit> shape) {
    Side side =
        new Side(
            fabric,
            NodeConfiguration.named(name),
            (send, receive) ->
                shape.apply(
                    QueuePairInit.datagram(send, 16, 16).withReceiveCompletionQueue(receive)));
    ready(side.queuePair);
    return side;
  }

  private static void ready(QueuePair queuePair) {
    ConnectionSetup setup = ConnectionSetup.standard();
    setup.initialize(queuePair);
    setup.readyToReceive(queuePair, new Gid(0, 0), 0);
    setup.readyToSend(queuePair);
  }

  private static Gid gid(String address) {
    try {
      return Gid.of(InetAddress.getByName(address));
    } catch (UnknownHostException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private static void send(Side from, Gid group, long id) {
    AddressVector vector = AddressVector.to(group).withSourceGidIndex(group.isIpv4Mapped() ? 0 : 1);
    AddressHandle handle = from.domain.createAddressHandle(vector);
    from.queuePair.post(
        from.request
            .reset(id)
            .send()
            .segment(from.memory(16, 0x42).region(), 0, 16)
            .to(handle, MULTICAST, QUEUE_KEY)
            .signaled());
  }

  private List<Integer> receivedBy(Side... receivers) {
    fabric.run();
    List<Integer> counts = new ArrayList<>();
    for (Side side : receivers) {
      counts.add(side.pollReceives().size());
    }
    return counts;
  }

  @ParameterizedTest
  @CsvSource({"239.1.2.3", "ff15::1234"})
  @Checks("MULTICAST-DELIVERY")
  void eachMemberOnEachNodeGetsOneCopyAndTheSenderItsOwn(String address) {
    Gid group = gid(address);
    Side.Memory target = null;
    for (Side side : sides.subList(0, 3)) {
      target = side.memory(100, 0);
      side.postReceive(1, target);
      side.queuePair.attachMulticast(group);
    }
    sides.get(3).postReceive(1, sides.get(3).memory(100, 0));
    send(sides.get(0), group, 7);

    assertThat(receivedBy(sides.toArray(Side[]::new))).containsExactly(1, 1, 1, 0);
    assertThat(target.slice(40, 56)).containsOnly(0x42);
    assertThat(journal.all().stream().map(packet -> packet.node() + ">" + packet.destination()))
        .containsExactly("a>a", "a>b", "a>c");
    assertThat(sides.get(0).node.counters().framesSent()).isEqualTo(1);
  }

  @Test
  @Checks("MULTICAST-DELIVERY")
  void aMemberOfAnotherGroupOnTheSameNodeGetsNone() {
    Gid group = gid("239.1.2.3");
    Side b = sides.get(1);
    QueuePair other =
        b.domain.createQueuePair(
            QueuePairInit.datagram(b.sendQueue, 1, 1).withReceiveCompletionQueue(b.receiveQueue));
    ready(other);
    other.post(new ReceiveRequest().reset(9).segment(b.memory(100, 0).region(), 0, 100));
    other.attachMulticast(gid("239.1.2.4"));
    b.postReceive(1, b.memory(100, 0));
    b.queuePair.attachMulticast(group);
    send(sides.get(0), group, 7);
    fabric.run();

    assertThat(b.pollReceives())
        .singleElement()
        .satisfies(
            received -> assertThat(received.queuePairNumber()).isEqualTo(b.queuePair.number()));
  }

  @Test
  void aGroupWithoutMembersSwallowsTheDatagram() {
    send(sides.get(0), gid("239.1.2.3"), 7);
    fabric.run();
    WorkCompletion sent = sides.get(0).pollSends().get(0);
    assertThat(sent.isSuccess()).isTrue();
  }

  @Test
  void theOwnDatagramDoesNotComeBackWhereThatWasBlocked() {
    Gid group = gid("239.1.2.3");
    Side e = side("e", QueuePairInit::withoutOwnMulticast);
    QueuePair second =
        e.domain.createQueuePair(
            QueuePairInit.datagram(e.sendQueue, 4, 4).withReceiveCompletionQueue(e.receiveQueue));
    ready(second);
    e.postReceive(1, e.memory(100, 0));
    second.post(
        new io.roceverbs.verbs.ReceiveRequest()
            .reset(2)
            .segment(e.memory(100, 0).region(), 0, 100));
    e.queuePair.attachMulticast(group);
    second.attachMulticast(group);
    send(e, group, 7);
    fabric.run();

    assertThat(e.pollReceives().stream().map(WorkCompletion::id)).containsExactly(2L);
  }

  @Test
  void aFaultMeetsTheCopyOfOneMemberOnly() {
    Gid group = gid("239.1.2.3");
    for (Side side : sides) {
      side.postReceive(1, side.memory(100, 0));
      side.queuePair.attachMulticast(group);
    }
    fabric.impair(Rule.parse("drop:a>c/UD_SEND_ONLY#1"));
    send(sides.get(0), group, 7);

    assertThat(receivedBy(sides.toArray(Side[]::new))).containsExactly(1, 1, 0, 1);
  }

  @Test
  void aMemberUnderAnotherKeyOrWithoutAReceiveGetsNothing() {
    Gid group = gid("239.1.2.3");
    for (Side side : sides) {
      side.queuePair.attachMulticast(group);
    }
    sides.get(1).postReceive(1, sides.get(1).memory(100, 0));
    sides.get(2).postReceive(1, sides.get(2).memory(100, 0));
    sides
        .get(2)
        .queuePair
        .modify(io.roceverbs.verbs.QueuePairAttributes.builder().queueKey(0x222).build());
    send(sides.get(0), group, 7);

    assertThat(receivedBy(sides.toArray(Side[]::new))).containsExactly(0, 1, 0, 0);
  }

  @Test
  @Checks("MULTICAST-ATTACH")
  void attachingTwiceIsOnceAndDetachingEndsIt() {
    Gid group = gid("239.1.2.3");
    Side b = sides.get(1);
    b.postReceive(1, b.memory(100, 0));
    b.postReceive(2, b.memory(100, 0));
    b.queuePair.attachMulticast(group);
    b.queuePair.attachMulticast(group);
    send(sides.get(0), group, 7);
    assertThat(receivedBy(b)).containsExactly(1);

    assertThat(catchThrowableOfType(VerbsException.class, b.queuePair::close).errno())
        .isEqualTo(Errno.EBUSY);
    b.queuePair.detachMulticast(group);
    send(sides.get(0), group, 8);
    assertThat(receivedBy(b)).containsExactly(0);
    b.queuePair.close();
  }

  @Test
  @Checks("MULTICAST-ATTACH")
  void whatIsNoGroupOrNotAttachedIsRefused() {
    Gid group = gid("239.1.2.3");
    QueuePair queuePair = sides.get(0).queuePair;
    for (String address : List.of("10.0.0.2", "223.255.255.255", "240.0.0.0", "fe80::1")) {
      assertErrno(EINVAL, "is no group", () -> queuePair.attachMulticast(gid(address)));
    }
    assertErrno(EINVAL, "is not attached to", () -> queuePair.detachMulticast(group));
    queuePair.attachMulticast(group);
    QueuePair neighbour = sides.get(1).queuePair;
    assertErrno(EINVAL, "is not attached to", () -> neighbour.detachMulticast(group));
    assertErrno(EINVAL, "is not attached to", () -> queuePair.detachMulticast(gid("239.1.2.4")));
    queuePair.detachMulticast(group);
    assertErrno(EINVAL, "is not attached to", () -> queuePair.detachMulticast(group));
    queuePair.close();
  }

  @ParameterizedTest
  @EnumSource(
      value = QueuePairType.class,
      names = {"RC", "UC", "XRC_SEND"})
  @Checks("MULTICAST-ATTACH")
  void onlyDatagramsAreForGroups(QueuePairType type) {
    Side side = sides.get(0);
    QueuePair connected =
        side.domain.createQueuePair(
            QueuePairInit.reliableConnected(side.sendQueue, 1, 1).withType(type));
    assertErrno(
        EINVAL,
        "is of type " + type + "; only UD takes multicast",
        () -> connected.attachMulticast(gid("239.1.2.3")));
    assertErrno(EINVAL, "is not attached to", () -> connected.detachMulticast(gid("239.1.2.3")));
    connected.close();
  }
}

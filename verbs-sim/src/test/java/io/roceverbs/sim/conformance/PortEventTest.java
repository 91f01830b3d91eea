package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PortAttributes;
import io.roceverbs.verbs.PortPhysicalState;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What happens to a port, and how programs hear of it: the link and the GID table. */
class PortEventTest {
  private static final Gid NEW_GID = new Gid(0, 0xFFFF_0A00_0063L);

  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  // ---- link ----------------------------------------------------------------------------------

  @Test
  @Checks("LINK-STATE")
  void aLinkThatGoesDownAndUpIsTold() {
    pair.b.node.linkDown();
    PortAttributes down = pair.b.context.queryPort(1);
    assertThat(down.state()).isEqualTo(PortState.DOWN);
    assertThat(down.physicalState()).isEqualTo(PortPhysicalState.DISABLED);
    AsyncEvent event = pair.b.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.PORT_ERR);
    assertThat(event.port()).isEqualTo(1);
    assertThat(event.device()).isSameAs(pair.b.node.device());
    assertThat(event.queuePair()).isNull();
    assertThat(event.completionQueue()).isNull();
    assertThat(event).hasToString("PORT_ERR of port 1 of b");
    event.acknowledge();
    pair.b.node.linkUp();
    PortAttributes up = pair.b.context.queryPort(1);
    assertThat(up.state()).isEqualTo(PortState.ACTIVE);
    assertThat(up.physicalState()).isEqualTo(PortPhysicalState.LINK_UP);
    assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.PORT_ACTIVE);
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  void takingALinkDownTwiceIsToldOnce() {
    pair.b.node.linkUp();
    pair.b.node.linkDown();
    pair.b.node.linkDown();
    pair.b.node.linkUp();
    pair.b.node.linkUp();
    assertThat(pair.b.pollEvents())
        .containsExactly(AsyncEventType.PORT_ERR, AsyncEventType.PORT_ACTIVE);
  }

  @Test
  void everyOpenContextIsToldAndNoClosedOne() {
    DeviceContext second = pair.b.node.device().open();
    DeviceContext closed = pair.b.node.device().open();
    closed.close();
    pair.b.node.linkDown();
    assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.PORT_ERR);
    AsyncEvent event = second.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.PORT_ERR);
    // Nobody waits for the acknowledgement of an event of a port.
    second.close();
    event.acknowledge();
    assertErrno(Errno.EINVAL, "acknowledged before", event::acknowledge);
  }

  @Test
  @Checks("LINK-STATE")
  void aShortOutageCostsARetryAndNoMore() {
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.b.node.linkDown();
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(1_000_000);
    assertThat(pair.b.node.counters().droppedLinkDown()).isEqualTo(1);
    pair.b.node.linkUp();
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly("SEND 2 SUCCESS @" + (Pair.ACK_TIMEOUT_NANOS + 2 * Pair.LATENCY_NANOS));
    assertThat(words(pair.b.pollReceives())).containsExactly("1 SUCCESS");
  }

  @Test
  void aLongOutageEndsAllRetries() {
    pair.a.node.linkDown();
    pair.a.postSend(1, pair.a.memory(8, 7));
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly("SEND 1 RETRY_EXC_ERR @" + 4 * Pair.ACK_TIMEOUT_NANOS);
    assertThat(pair.a.node.counters().droppedLinkDown()).isEqualTo(4);
    assertThat(pair.b.node.counters().framesReceived()).isZero();
  }

  @Test
  void whatIsOnItsWayToANodeMeetsTheLinkAsItIsWhenItArrives() {
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(1);
    pair.a.node.linkDown();
    pair.run();
    // The request had left before; its acknowledgement did not come in, nor any repetition out.
    assertThat(words(pair.b.pollReceives())).containsExactly("1 SUCCESS");
    assertThat(words(pair.a.pollSends())).containsExactly("2 RETRY_EXC_ERR");
    assertThat(pair.a.node.counters().droppedLinkDown()).isEqualTo(1 + 3);
  }

  // ---- GID table -----------------------------------------------------------------------------

  @Test
  @Checks("GID-TABLE")
  void anAddressThatIsAddedTakesTheFirstFreeIndexAndIsTold() {
    assertErrno(Errno.ENODATA, "no address at index 2", () -> pair.b.context.queryGid(1, 2));
    assertThat(pair.b.node.addGid(NEW_GID)).isEqualTo(2);
    AsyncEvent event = pair.b.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.GID_CHANGE);
    assertThat(event.port()).isEqualTo(1);
    assertThat(pair.b.context.queryGid(1, 2)).isEqualTo(NEW_GID);
    pair.b.node.removeGid(pair.b.node.ipv6Gid());
    assertErrno(Errno.ENODATA, "no address at index 1", () -> pair.b.context.queryGid(1, 1));
    assertThat(pair.b.context.queryGid(1, 2)).isEqualTo(NEW_GID);
    assertThat(pair.b.node.addGid(pair.b.node.ipv6Gid())).isEqualTo(1);
    assertThat(pair.b.pollEvents())
        .containsExactly(AsyncEventType.GID_CHANGE, AsyncEventType.GID_CHANGE);
  }

  @Test
  @Checks({"DeviceTest.test_query_gid", "DeviceTest.test_query_gid_ex_bad_flow"})
  void aGidIndexIsInTheTableOrNot() {
    assertThat(pair.a.context.queryPort(1).gidTableLength()).isEqualTo(256);
    assertThat(pair.a.context.queryGid(1, 0)).isEqualTo(pair.a.node.gid());
    assertErrno(Errno.ENODATA, "index 255", () -> pair.a.context.queryGid(1, 255));
    assertErrno(Errno.EINVAL, "entries 0..255", () -> pair.a.context.queryGid(1, 256));
    assertErrno(Errno.EINVAL, "entries 0..255", () -> pair.a.context.queryGid(1, -1));
  }

  @Test
  void theGidTableFillsUp() {
    for (int i = 2; i < 256; i++) {
      assertThat(pair.a.node.addGid(new Gid(0xFD01L << 48, i))).isEqualTo(i);
    }
    assertThatThrownBy(() -> pair.a.node.addGid(NEW_GID))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("all 256 entries");
    // The refused address belongs to nobody.
    assertThat(pair.b.node.addGid(NEW_GID)).isEqualTo(2);
  }

  @Test
  void anAddressBelongsToOneNode() {
    assertThatThrownBy(() -> pair.b.node.addGid(pair.a.node.gid()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node \"b\" can't have address " + pair.a.node.gid() + ": node \"a\" has it");
    Gid group = new Gid(0, 0xFFFF_E000_0001L);
    assertThatThrownBy(() -> pair.b.node.addGid(group))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("multicast address " + group + " can't be that of one node");
    assertThatThrownBy(() -> pair.b.node.removeGid(pair.a.node.gid()))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("node \"b\" does not have address " + pair.a.node.gid());
    assertThat(pair.b.pollEvents()).isEmpty();
  }

  @Test
  @Checks("GID-TABLE")
  void framesToARemovedAddressGoNowhereUntilItIsThereAgain() {
    Gid gid = pair.b.node.gid();
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.b.node.removeGid(gid);
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(Pair.ACK_TIMEOUT_NANOS + 1);
    assertThat(pair.a.node.counters().droppedNoRoute()).isEqualTo(2);
    pair.b.node.addGid(gid);
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly(
            "SEND 2 SUCCESS @" + (2 * Pair.ACK_TIMEOUT_NANOS + 2 * Pair.LATENCY_NANOS));
  }

  @Test
  void anAddressMayMoveToAnotherNode() {
    Gid gid = pair.b.node.gid();
    Node third = pair.fabric.addNode("c");
    pair.b.node.removeGid(gid);
    third.addGid(gid);
    pair.a.postSend(1, pair.a.memory(8, 7));
    pair.runFor(Pair.LATENCY_NANOS);
    assertThat(third.transport().droppedUnknownQueuePair()).isEqualTo(1);
    assertThat(pair.b.node.counters().framesReceived()).isZero();
  }

  @Test
  void aQueuePairCanBeGivenAnAddressThatWasAddedAndNoneThatWasRemoved() {
    int index = pair.a.node.addGid(NEW_GID);
    pair.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    Pair.setup().initialize(pair.b.queuePair);
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    Pair.setup().initialize(pair.a.queuePair);
    AddressVector vector = AddressVector.to(pair.b.node.gid()).withSourceGidIndex(index);
    QueuePairAttributes toRtr =
        QueuePairAttributes.to(QueuePairState.RTR)
            .addressVector(vector)
            .pathMtu(io.roceverbs.verbs.PathMtu.MTU_1024)
            .destinationQueuePairNumber(pair.b.queuePair.number())
            .receivePsn(0x100)
            .maxDestinationReadAtomic(1)
            .minRnrTimer(12)
            .build();
    pair.a.node.removeGid(NEW_GID);
    assertErrno(Errno.EINVAL, "index 2", () -> pair.a.queuePair.modify(toRtr));
    assertThat(pair.a.state()).isEqualTo(QueuePairState.INIT);
    pair.a.node.addGid(NEW_GID);
    pair.a.queuePair.modify(toRtr);
    Pair.setup().readyToReceive(pair.b.queuePair, NEW_GID, pair.a.queuePair.number());
    Pair.setup().readyToSend(pair.a.queuePair);
    Pair.setup().readyToSend(pair.b.queuePair);
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
  }

  // ---- waiting -------------------------------------------------------------------------------

  @Test
  void aProgramCanWaitForAnEvent() {
    pair.a.postSend(1, pair.a.memory(8, 7));
    pair.b.node.faults().injectEvent(AsyncEventType.SM_CHANGE);
    assertThat(pair.b.context.getAsyncEvent().type()).isEqualTo(AsyncEventType.SM_CHANGE);
    // COMM_EST is not raised in RTS: all that is left are the retries of the SEND.
    assertThatThrownBy(pair.b.context::getAsyncEvent)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("nothing is left to happen");
    assertThat(pair.fabric.nanoTime()).isGreaterThan(Pair.LATENCY_NANOS);
  }

  @Test
  void waitingLetsTimePassUntilTheEvent() {
    Pair fresh = Pair.unconnected(init -> init);
    Pair.setup().initialize(fresh.a.queuePair);
    Pair.setup().initialize(fresh.b.queuePair);
    Pair.setup().readyToReceive(fresh.b.queuePair, fresh.a.node.gid(), fresh.a.queuePair.number());
    Pair.setup().readyToReceive(fresh.a.queuePair, fresh.b.node.gid(), fresh.b.queuePair.number());
    Pair.setup().readyToSend(fresh.a.queuePair);
    fresh.a.postSend(1, fresh.a.memory(8, 7));
    AsyncEvent event = fresh.b.context.getAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.COMM_EST);
    assertThat(event.queuePair()).isSameAs(fresh.b.queuePair);
    assertThat(event.port()).isZero();
    assertThat(fresh.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
    fresh.close();
  }
}

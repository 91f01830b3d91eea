package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A device that has failed, and events that are raised without their cause. */
class DeviceFatalTest {
  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private void assertEveryVerbOfAGivesEio(MemoryRegion region) {
    Map<String, ThrowingCallable> verbs = new TreeMap<>();
    QueuePairAttributes error = QueuePairAttributes.to(QueuePairState.ERR).build();
    ByteBuffer buffer = ByteBuffer.allocate(8);
    QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1);
    verbs.put("Device.open", () -> pair.a.node.device().open());
    verbs.put("DeviceContext.queryDevice", () -> pair.a.context.queryDevice());
    verbs.put("DeviceContext.queryPort", () -> pair.a.context.queryPort(1));
    verbs.put("DeviceContext.queryGid", () -> pair.a.context.queryGid(1, 0));
    verbs.put("DeviceContext.queryPartitionKey", () -> pair.a.context.queryPartitionKey(1, 0));
    verbs.put(
        "DeviceContext.allocateProtectionDomain", () -> pair.a.context.allocateProtectionDomain());
    verbs.put("DeviceContext.createCompletionQueue", () -> pair.a.context.createCompletionQueue(1));
    verbs.put("CompletionQueue.resize", () -> pair.a.sendQueue.resize(1_000));
    verbs.put("CompletionQueue.moderate", () -> pair.a.sendQueue.moderate(1, 1));
    verbs.put(
        "MemoryRegion.reregister",
        () -> region.reregister(MemoryRegionChange.NONE.withAccess(AccessFlags.NONE)));
    verbs.put("ProtectionDomain.registerMemory", () -> pair.a.domain.registerMemory(buffer));
    verbs.put(
        "ProtectionDomain.allocateFastRegistrationRegion",
        () -> pair.a.domain.allocateFastRegistrationRegion(1));
    verbs.put(
        "ProtectionDomain.createSharedReceiveQueue",
        () -> pair.a.domain.createSharedReceiveQueue(1, 1));
    verbs.put(
        "ProtectionDomain.createAddressHandle",
        () -> pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid())));
    verbs.put("ProtectionDomain.createQueuePair", () -> pair.a.domain.createQueuePair(init));
    verbs.put("QueuePair.modify", () -> pair.a.queuePair.modify(error));
    verbs.put("QueuePair.query", () -> pair.a.queuePair.query());
    verbs.put("QueuePair.post", () -> pair.a.queuePair.post(new SendRequest().send()));
    verbs.forEach(
        (name, verb) ->
            assertThatThrownBy(verb)
                .as(name)
                .isInstanceOfSatisfying(
                    VerbsException.class,
                    e -> {
                      assertThat(e.errno()).isEqualTo(Errno.EIO);
                      assertThat(e.call()).isEqualTo(name);
                    })
                .hasMessageContaining("device a has failed"));
    assertThatThrownBy(() -> pair.a.queuePair.post(new ReceiveRequest()))
        .hasMessageContaining("[EIO (5) Input/output error]");
  }

  @Test
  @Checks("DEVICE-FATAL")
  void aDeviceThatFailsIsToldOnceAndRefusesEveryVerb() {
    MemoryRegion region = pair.a.memory(8, 0).region();
    pair.a.node.faults().failDevice();
    pair.a.node.faults().failDevice();
    AsyncEvent event = pair.a.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.DEVICE_FATAL);
    assertThat(event.device()).isSameAs(pair.a.node.device());
    assertThat(event.port()).isZero();
    assertThat(event.queuePair()).isNull();
    assertThat(event).hasToString("DEVICE_FATAL of a");
    event.acknowledge();
    assertThat(pair.a.context.pollAsyncEvent()).isNull();
    assertEveryVerbOfAGivesEio(region);
  }

  @Test
  @Checks("DEVICE-FATAL")
  void theQueuesOfAFailedDeviceAreSilentAndWhatWaitsCanBePolled() {
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.run();
    pair.a.postSend(3, pair.a.memory(8, 7));
    pair.a.postEmptyReceive(4);
    pair.b.postSend(5, pair.b.memory(8, 7));
    pair.a.node.faults().failDevice();
    pair.run();
    // The SEND and its repetitions get no answer; nothing of A's own is ever flushed.
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(pair.a.pollSends()).isEmpty();
    assertThat(pair.a.pollReceives()).isEmpty();
    assertThat(words(pair.b.pollSends())).containsExactly("5 RETRY_EXC_ERR");
    assertThat(pair.a.node.counters().framesSent()).isEqualTo(2);
  }

  @Test
  @Checks("DEVICE-FATAL")
  void theObjectsOfAFailedDeviceCanBeClosedInOrder() {
    Side.Memory memory = pair.a.memory(8, 0);
    FastRegistrationRegion fast = pair.a.domain.allocateFastRegistrationRegion(1);
    pair.a.postSend(1, memory);
    pair.a.node.faults().failDevice();
    assertThatThrownBy(pair.a.domain::close).hasMessageContaining("EBUSY");
    pair.a.queuePair.close();
    memory.region().close();
    fast.close();
    pair.a.domain.close();
    pair.a.sendQueue.close();
    pair.a.receiveQueue.close();
    pair.a.context.close();
    assertThat(pair.a.context.isOpen()).isFalse();
    pair.run();
  }

  @Test
  void aQueuePairOfAFailedDeviceCanLeaveItsGroupAndBeClosed() {
    Gid group = new Gid(0, 0xFFFF_E000_0001L);
    QueuePair datagrams =
        pair.a.domain.createQueuePair(QueuePairInit.datagram(pair.a.sendQueue, 1, 1));
    datagrams.attachMulticast(group);
    pair.a.node.faults().failDevice();
    assertThatThrownBy(() -> datagrams.attachMulticast(group)).hasMessageContaining("EIO");
    assertThatThrownBy(datagrams::close).hasMessageContaining("EBUSY");
    datagrams.detachMulticast(group);
    datagrams.close();
    assertThat(datagrams.isOpen()).isFalse();
  }

  @Test
  void aNodeThatIsSwitchedOffTellsNobody() {
    pair.b.postSend(1, pair.b.memory(8, 7));
    MemoryRegion region = pair.a.memory(8, 0).region();
    pair.a.node.faults().powerOff();
    pair.run();
    assertThat(pair.a.pollEvents()).isEmpty();
    assertThat(words(pair.b.pollSends())).containsExactly("1 RETRY_EXC_ERR");
    assertThat(pair.a.node.counters().droppedLinkDown()).isEqualTo(4);
    assertThat(pair.a.node.transport().receivedPackets()).isZero();
    assertEveryVerbOfAGivesEio(region);
  }

  // ---- pause ---------------------------------------------------------------------------------

  @Test
  void aDeviceThatStandsStillGoesOnWhereItWas() {
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.b.node.faults().pause();
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.b.postSend(3, pair.b.memory(8, 7));
    pair.a.postReceive(4, pair.a.memory(8, 0));
    pair.runFor(1_000_000);
    assertThat(pair.b.node.counters().framesSent()).isZero();
    assertThat(pair.completions("b")).isEmpty();
    pair.b.node.faults().resume();
    pair.b.node.faults().resume();
    pair.run();
    assertThat(pair.completions("b")).contains("RECV 1 SUCCESS @1000000");
    assertThat(pair.completions("a"))
        .contains("SEND 2 SUCCESS @" + (1_000_000 + Pair.LATENCY_NANOS));
    assertThat(pair.a.node.transport().retransmittedPackets()).isZero();
  }

  @Test
  void whatTheDeviceWaitedForComesBeforeTheTimersThatRanOutMeanwhile() {
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(1);
    pair.a.node.faults().pause();
    pair.runFor(10 * Pair.ACK_TIMEOUT_NANOS);
    assertThat(pair.a.node.transport().ackTimeouts()).isZero();
    pair.a.node.faults().resume();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(pair.a.node.transport().ackTimeouts()).isZero();
    assertThat(pair.fabric.nanoTime()).isEqualTo(10 * Pair.ACK_TIMEOUT_NANOS + 1);
  }

  @Test
  void aTimerThatRanOutDuringThePauseRunsOutAtItsEnd() {
    pair.impair("drop:a>b/SEND#1");
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(1);
    pair.a.node.faults().pause();
    pair.runFor(2 * Pair.ACK_TIMEOUT_NANOS);
    pair.a.node.faults().resume();
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly(
            "SEND 2 SUCCESS @" + (2 * Pair.ACK_TIMEOUT_NANOS + 1 + 2 * Pair.LATENCY_NANOS));
    assertThat(pair.a.node.transport().ackTimeouts()).isEqualTo(1);
  }

  @Test
  void aFabricCanBeClosedWhileFramesWaitForADevice() {
    pair.b.node.faults().pause();
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.runFor(Pair.LATENCY_NANOS + 1);
    pair.fabric.close();
    assertThat(pair.completions("b")).isEmpty();
  }

  // ---- invented events -----------------------------------------------------------------------

  @Test
  void everyEventCanBeInventedForWhatItConcerns() {
    SharedReceiveQueue shared = pair.a.domain.createSharedReceiveQueue(4, 1);
    for (AsyncEventType type : AsyncEventType.values()) {
      switch (type.element()) {
        case PORT, DEVICE, WORK_QUEUE -> pair.a.node.faults().injectEvent(type);
        case QUEUE_PAIR -> pair.a.node.faults().injectEvent(type, pair.a.queuePair);
        case COMPLETION_QUEUE -> pair.a.node.faults().injectEvent(type, pair.a.sendQueue);
        case SHARED_RECEIVE_QUEUE -> pair.a.node.faults().injectEvent(type, shared);
      }
      AsyncEvent event = pair.a.context.pollAsyncEvent();
      assertThat(event.type()).isEqualTo(type);
      assertThat(event.port()).isEqualTo(type.element() == AsyncEventType.Element.PORT ? 1 : 0);
      assertThat(event.queuePair())
          .isSameAs(type.element() == AsyncEventType.Element.QUEUE_PAIR ? pair.a.queuePair : null);
      assertThat(event.completionQueue())
          .isSameAs(
              type.element() == AsyncEventType.Element.COMPLETION_QUEUE ? pair.a.sendQueue : null);
      assertThat(event.sharedReceiveQueue())
          .isSameAs(type.element() == AsyncEventType.Element.SHARED_RECEIVE_QUEUE ? shared : null);
      event.acknowledge();
    }
    shared.close();
    // Nothing else has happened.
    assertThat(pair.a.context.queryPort(1).state().value()).isEqualTo(4);
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 7));
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(pair.b.pollEvents()).isEmpty();
  }

  @Test
  void anInventedEventNeedsTheObjectThatItConcerns() {
    assertThatThrownBy(() -> pair.a.node.faults().injectEvent(AsyncEventType.QP_FATAL))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "QP_FATAL is an event of kind QUEUE_PAIR; inject it with an object of that kind");
    assertThatThrownBy(
            () -> pair.a.node.faults().injectEvent(AsyncEventType.CQ_ERR, pair.a.queuePair))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("COMPLETION_QUEUE");
    assertThatThrownBy(
            () -> pair.a.node.faults().injectEvent(AsyncEventType.PORT_ERR, pair.a.sendQueue))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("PORT");
    assertThatThrownBy(
            () -> pair.a.node.faults().injectEvent(AsyncEventType.QP_FATAL, pair.b.queuePair))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(pair.b.queuePair + " is not an open object of a");
    pair.a.queuePair.close();
    assertThatThrownBy(
            () -> pair.a.node.faults().injectEvent(AsyncEventType.QP_FATAL, pair.a.queuePair))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("is not an open object of a");
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void anInventedEventHoldsUpItsObjectAsARealOneDoes() {
    pair.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, pair.a.queuePair);
    AsyncEvent event = pair.a.context.getAsyncEvent();
    assertThatThrownBy(pair.a.queuePair::close)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY))
        .hasMessageContaining("events of it: taken 1, acknowledged 0");
    event.acknowledge();
    pair.a.queuePair.close();
  }
}

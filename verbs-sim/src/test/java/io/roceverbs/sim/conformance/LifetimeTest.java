package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When verbs objects can be destroyed, and what is left of them afterwards. */
class LifetimeTest {
  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  // ---- parents and children ------------------------------------------------------------------

  @Test
  @Checks({"PARENT-BUSY", "S49", "Additional.parent_busy"})
  void aParentIsBusyUntilItsLastChildIsGone() {
    DeviceContext context = pair.a.node.device().open();
    ProtectionDomain domain = context.allocateProtectionDomain();
    CompletionQueue send = context.createCompletionQueue(1);
    CompletionQueue receive = context.createCompletionQueue(1);
    MemoryRegion region = domain.registerMemory(ByteBuffer.allocate(1));
    FastRegistrationRegion fast = domain.allocateFastRegistrationRegion(1);
    SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
    AddressHandle handle = domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
    QueuePair queuePair =
        domain.createQueuePair(
            QueuePairInit.reliableConnected(send, 1, 1)
                .withReceiveCompletionQueue(receive)
                .withSharedReceiveQueue(shared));

    assertErrno(Errno.EBUSY, "1 of kind queue pair", shared::close);
    assertErrno(Errno.EBUSY, "1 of kind protection domain", context::close);
    assertErrno(Errno.EBUSY, "1 of kind queue pair", domain::close);
    assertErrno(Errno.EBUSY, "queue pairs use it", send::close);
    assertErrno(Errno.EBUSY, "queue pairs use it", receive::close);
    queuePair.close();
    assertErrno(Errno.EBUSY, "1 of kind shared receive queue", domain::close);
    shared.close();
    assertErrno(Errno.EBUSY, "1 of kind address handle", domain::close);
    handle.close();
    assertErrno(Errno.EBUSY, "2 of kind memory region", domain::close);
    region.close();
    assertErrno(Errno.EBUSY, "1 of kind memory region", domain::close);
    fast.close();
    assertErrno(Errno.EBUSY, "protection domain", context::close);
    domain.close();
    assertErrno(Errno.EBUSY, "2 of kind completion queue", context::close);
    send.close();
    receive.close();
    assertThat(context.isOpen()).isTrue();
    context.close();
    assertThat(context.isOpen()).isFalse();
  }

  @Test
  @Checks({"PARENT-BUSY", "S49", "Additional.parent_busy"})
  void aRefusedDestructionChangesNothing() {
    assertErrno(Errno.EBUSY, "", pair.a.context::close);
    assertErrno(Errno.EBUSY, "", pair.a.domain::close);
    assertErrno(Errno.EBUSY, "", pair.a.sendQueue::close);
    assertErrno(Errno.EBUSY, "", pair.b.receiveQueue::close);
    pair.b.postReceive(1, pair.b.memory(8, 0));
    pair.a.postSend(2, pair.a.memory(8, 1));
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(words(pair.b.pollReceives())).containsExactly("1 SUCCESS");
  }

  @Test
  @Checks({"PDTest.test_dealloc_pd", "PDTest.test_destroy_pd_twice", "AHTest.test_destroy_ah"})
  void closingTwiceHasNoEffect() {
    ProtectionDomain domain = pair.a.context.allocateProtectionDomain();
    CompletionQueue queue = pair.a.context.createCompletionQueue(1);
    MemoryRegion region = domain.registerMemory(ByteBuffer.allocate(1));
    FastRegistrationRegion fast = domain.allocateFastRegistrationRegion(1);
    QueuePair queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 1, 1));
    SharedReceiveQueue shared = domain.createSharedReceiveQueue(1, 1);
    AddressHandle handle = domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
    List<AutoCloseable> order = List.of(queuePair, region, fast, shared, handle, domain, queue);
    for (AutoCloseable object : order) {
      assertThatNoneThrows(object);
      assertThatNoneThrows(object);
    }
    // The second close has not counted: the other objects of the context still hold it.
    assertErrno(Errno.EBUSY, "1 of kind protection domain", pair.a.context::close);
  }

  @Test
  @Checks("PDTest.test_multiple_pd_creation")
  void manyProtectionDomainsLiveSideBySide() {
    List<ProtectionDomain> domains = new ArrayList<>();
    for (int i = 0; i < 1_000; i++) {
      domains.add(pair.a.context.allocateProtectionDomain());
    }
    assertErrno(Errno.EBUSY, "1001 of kind protection domain", pair.a.context::close);
    domains.forEach(ProtectionDomain::close);
    assertErrno(Errno.EBUSY, "1 of kind protection domain", pair.a.context::close);
  }

  private static void assertThatNoneThrows(AutoCloseable object) {
    try {
      object.close();
    } catch (Exception e) {
      throw new AssertionError("close of " + object, e);
    }
  }

  @Test
  @Checks("PARENT-CONTEXT")
  void objectsOfAnotherContextDoNotFit() {
    DeviceContext other = pair.a.node.device().open();
    CompletionQueue foreign = other.createCompletionQueue(4);
    CompletionQueue closed = pair.a.context.createCompletionQueue(4);
    closed.close();
    for (CompletionQueue bad : List.of(foreign, closed, pair.b.sendQueue)) {
      QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1);
      assertErrno(
          Errno.EINVAL,
          "send completion queue",
          () -> pair.a.domain.createQueuePair(init.withSendCompletionQueue(bad)));
      assertErrno(
          Errno.EINVAL,
          "receive completion queue",
          () -> pair.a.domain.createQueuePair(init.withReceiveCompletionQueue(bad)));
    }
    foreign.close();
    other.close();
  }

  @Test
  @Checks("PARENT-CONTEXT")
  void nothingIsMadeFromWhatIsClosedOrOfAnotherContext() {
    ProtectionDomain domain = pair.a.domain;
    CompletionQueue queue = pair.a.sendQueue;
    AccessFlags zeroBased = AccessFlags.of(AccessFlag.ZERO_BASED);
    // A context of the same device, one of another device, and objects that were closed.
    for (DeviceContext other :
        List.of(pair.a.node.device().open(), pair.b.context, pair.a.context)) {
      ProtectionDomain otherDomain = other.allocateProtectionDomain();
      CompletionQueue otherQueue = other.createCompletionQueue(1);
      XrcDomain xrc = other.openXrcDomain();
      DeviceMemory memory = other.allocateDeviceMemory(64);
      SharedReceiveQueue shared = otherDomain.createSharedReceiveQueue(1, 1);
      if (other == pair.a.context) {
        for (AutoCloseable object : List.of(shared, memory, xrc, otherQueue, otherDomain)) {
          assertThatNoneThrows(object);
        }
      }
      QueuePairInit init =
          QueuePairInit.reliableConnected(queue, 1, 1).withSharedReceiveQueue(shared);
      MemoryRegion region = domain.registerMemory(ByteBuffer.allocate(8));
      XrcDomain ownXrc = pair.a.context.openXrcDomain();

      assertNotOwn("shared receive queue", () -> domain.createQueuePair(init));
      assertNotOwn("XRC domain", () -> domain.createXrcSharedReceiveQueue(xrc, queue, 1, 1));
      assertNotOwn(
          "completion queue", () -> domain.createXrcSharedReceiveQueue(ownXrc, otherQueue, 1, 1));
      assertNotOwn("device memory", () -> domain.registerDeviceMemory(memory, 0, 64, zeroBased));
      assertNotOwn(
          "new protection domain",
          () -> region.reregister(MemoryRegionChange.NONE.withProtectionDomain(otherDomain)));

      // Nothing was made that would keep these open.
      region.close();
      ownXrc.close();
      if (other != pair.a.context) {
        for (AutoCloseable object : List.of(shared, memory, xrc, otherQueue, otherDomain)) {
          assertThatNoneThrows(object);
        }
      }
    }
  }

  private static void assertNotOwn(String what, ThrowingCallable call) {
    assertErrno(Errno.EINVAL, "the " + what + " must be open and of the same device context", call);
  }

  @Test
  void completionQueueCapacitiesAreChecked() {
    int max = pair.a.context.queryDevice().maxCompletionQueueEntries();
    for (int capacity : new int[] {0, -1, max + 1, Integer.MAX_VALUE}) {
      assertErrno(
          Errno.EINVAL,
          "capacity " + capacity,
          () -> pair.a.context.createCompletionQueue(capacity));
    }
    assertThat(pair.a.context.createCompletionQueue(max).capacity()).isEqualTo(max);
  }

  // ---- use after close -----------------------------------------------------------------------

  @Test
  void everyUseOfAClosedObjectSaysThatItIsClosed() {
    DeviceContext context = pair.a.node.device().open();
    ProtectionDomain domain = context.allocateProtectionDomain();
    CompletionQueue queue = context.createCompletionQueue(1);
    QueuePair queuePair = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 1, 1));
    queuePair.close();
    QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
    assertErrno(Errno.EINVAL, "closed", () -> queuePair.modify(reset));
    assertErrno(Errno.EINVAL, "closed", queuePair::query);
    assertErrno(Errno.EINVAL, "closed", () -> queuePair.post(new SendRequest().send()));
    assertErrno(Errno.EINVAL, "closed", () -> queuePair.post(new ReceiveRequest()));
    domain.close();
    ByteBuffer buffer = ByteBuffer.allocate(1);
    assertErrno(Errno.EINVAL, "closed", () -> domain.registerMemory(buffer));
    assertErrno(Errno.EINVAL, "closed", () -> domain.allocateFastRegistrationRegion(1));
    QueuePairInit init = QueuePairInit.reliableConnected(queue, 1, 1);
    assertErrno(Errno.EINVAL, "closed", () -> domain.createQueuePair(init));
    queue.close();
    assertErrno(Errno.EINVAL, "closed", () -> queue.poll(new WorkCompletions(1)));
    context.close();
    assertErrno(Errno.EINVAL, "closed", context::allocateProtectionDomain);
    assertErrno(Errno.EINVAL, "closed", () -> context.createCompletionQueue(1));
    assertErrno(Errno.EINVAL, "closed", context::pollAsyncEvent);
    assertErrno(Errno.EINVAL, "closed", context::queryDevice);
    assertErrno(Errno.EINVAL, "closed", () -> context.queryPort(1));
    assertErrno(Errno.EINVAL, "closed", () -> context.queryGid(1, 0));
  }

  // ---- queue pairs with work -----------------------------------------------------------------

  @Test
  @Checks({"CQ-PURGE", "S59"})
  void aClosedQueuePairGivesNoCompletionAndTakesItsOldOnesAlong() {
    QueuePair neighbour =
        pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(pair.a.sendQueue, 2, 2));
    Pair.setup().initialize(neighbour);
    Side.Memory data = pair.a.memory(8, 1);
    Side.Memory landing = pair.b.memory(8, 0);
    postWrite(1, data, landing);
    neighbour.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    neighbour.post(new SendRequest().reset(70).send());
    pair.run();
    postWrite(2, data, landing);
    neighbour.post(new SendRequest().reset(71).send());
    pair.a.postEmptyReceive(3);
    postWrite(4, data, landing);

    pair.a.queuePair.close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("70 WR_FLUSH_ERR", "71 WR_FLUSH_ERR");
    assertThat(pair.a.pollReceives()).isEmpty();
    assertThat(pair.a.node.transport().droppedUnknownQueuePair()).isEqualTo(2);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    neighbour.post(new SendRequest().reset(72).send().next(new SendRequest().reset(73).send()));
    assertThat(words(pair.a.pollSends())).containsExactly("72 WR_FLUSH_ERR", "73 WR_FLUSH_ERR");
  }

  private void postWrite(long id, Side.Memory data, Side.Memory landing) {
    int length = data.bytes().capacity();
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(landing.address(), landing.rkey())
            .segment(data.region(), 0, length)
            .signaled());
  }

  @Test
  void theRequesterOfAClosedQueuePairRunsOutOfRetries() {
    pair.a.postSend(1, pair.a.memory(8, 1));
    pair.b.queuePair.close();
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 RETRY_EXC_ERR");
    assertThat(pair.fabric.nanoTime()).isEqualTo(4 * Pair.ACK_TIMEOUT_NANOS);
    assertThat(pair.b.node.transport().droppedUnknownQueuePair()).isEqualTo(4);
  }

  @Test
  void aNewQueuePairDoesNotGetTheNumberOfAClosedOne() {
    int number = pair.a.queuePair.number();
    pair.a.queuePair.close();
    for (int i = 1; i <= 100; i++) {
      QueuePair next =
          pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1));
      assertThat(next.number()).isEqualTo(number + i);
      next.close();
    }
  }

  @Test
  @Checks({"RESET-SILENT", "S60"})
  void packetsOfAFormerLifeAreIgnoredInTheNext() {
    Side.Memory data = pair.a.memory(3000, 1);
    Side.Memory landing = pair.b.memory(3000, 0);
    pair.impair("delay=100ms:a>b/WRITE");
    pair.impair("delay=50ms:b>a/ACK#1");
    postWrite(1, data, landing);
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    pair.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    pair.connect(Pair.setup().withFirstPsn(0x900000), Pair.setup().withFirstPsn(0x900000));
    Side.Memory inbox = pair.b.memory(16, 0);
    pair.b.postReceive(5, inbox);
    pair.a.postSend(6, pair.a.memory(16, 4));
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("6 SUCCESS");
    assertThat(words(pair.b.pollReceives())).containsExactly("5 SUCCESS");
    assertThat(landing.slice(0, 3000)).containsOnly(0);
    assertThat(inbox.slice(0, 16)).containsOnly(4);
    assertThat(pair.b.pollEvents()).isEmpty();
    assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
  }

  // ---- asynchronous events -------------------------------------------------------------------

  private AsyncEvent drained() {
    pair.a.queuePair.modify(
        QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
    AsyncEvent event = pair.a.context.pollAsyncEvent();
    assertThat(event).isNotNull();
    assertThat(event.type()).isEqualTo(AsyncEventType.SQ_DRAINED);
    return event;
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void anEventThatIsNotAcknowledgedHoldsUpTheDestructionOfItsQueuePair() {
    AsyncEvent event = drained();
    assertErrno(Errno.EBUSY, "acknowledge", pair.a.queuePair::close);
    assertThat(pair.a.queuePair.isOpen()).isTrue();
    assertThat(pair.a.state()).isEqualTo(QueuePairState.SQD);
    event.acknowledge();
    assertErrno(Errno.EINVAL, "acknowledged before", event::acknowledge);
    pair.a.queuePair.close();
    assertThat(pair.a.queuePair.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52", "S43"})
  void eachOfTwoEventsHoldsUpTheDestruction() {
    pair.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, pair.a.queuePair);
    pair.a.node.faults().injectEvent(AsyncEventType.PATH_MIG_ERR, pair.a.queuePair);
    AsyncEvent first = pair.a.context.getAsyncEvent();
    AsyncEvent second = pair.a.context.getAsyncEvent();
    assertErrno(Errno.EBUSY, "events of it: taken 2, acknowledged 0", pair.a.queuePair::close);
    first.acknowledge();
    assertErrno(Errno.EBUSY, "events of it: taken 2, acknowledged 1", pair.a.queuePair::close);
    assertErrno(Errno.EINVAL, "acknowledged before", first::acknowledge);
    assertErrno(Errno.EBUSY, "events of it: taken 2, acknowledged 1", pair.a.queuePair::close);
    assertThat(pair.a.queuePair.isOpen()).isTrue();
    pair.b.postEmptyReceive(1);
    pair.a.queuePair.post(new SendRequest().reset(2).send().signaled());
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    second.acknowledge();
    pair.a.queuePair.close();
    assertThat(pair.a.queuePair.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52", "S43"})
  void anEventHoldsUpTheDestructionOfItsSharedReceiveQueue() {
    SharedReceiveQueue shared = pair.a.domain.createSharedReceiveQueue(1, 1);
    pair.a.node.faults().injectEvent(AsyncEventType.SRQ_ERR, shared);
    AsyncEvent event = pair.a.context.getAsyncEvent();
    assertErrno(Errno.EBUSY, "events of it: taken 1, acknowledged 0", shared::close);
    assertThat(shared.isOpen()).isTrue();
    event.acknowledge();
    shared.close();
    assertThat(shared.isOpen()).isFalse();
  }

  @Test
  @Checks("EVENTS-OF-THE-DEAD")
  void eventsThatNobodyFetchedDieWithTheirObject() {
    pair.a.queuePair.modify(
        QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
    pair.a.queuePair.close();
    assertThat(pair.a.pollEvents()).isEmpty();
  }

  @Test
  @Checks({"CQ-OVERRUN", "EVENT-ACKNOWLEDGE"})
  void anOverrunIsToldOnceForTheQueueAndForEachQueuePairOnIt() {
    CompletionQueue small = pair.a.context.createCompletionQueue(2);
    QueuePairInit init = QueuePairInit.reliableConnected(small, 8, 8);
    QueuePair one = pair.a.domain.createQueuePair(init);
    QueuePair two = pair.a.domain.createQueuePair(init);
    Pair.setup().initialize(one);
    Pair.setup().initialize(two);
    one.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    for (int id = 1; id <= 4; id++) {
      one.post(new ReceiveRequest().reset(id));
    }
    assertThat(two.state()).isEqualTo(QueuePairState.ERR);
    AsyncEvent error = pair.a.context.pollAsyncEvent();
    assertThat(error.type()).isEqualTo(AsyncEventType.CQ_ERR);
    assertThat(error.completionQueue()).isSameAs(small);
    assertThat(pair.a.pollEvents())
        .containsExactly(AsyncEventType.QP_FATAL, AsyncEventType.QP_FATAL);
    WorkCompletions completions = new WorkCompletions(8);
    assertThat(small.poll(completions)).isEqualTo(2);
    assertThat(completions.get(0).id()).isEqualTo(1);
    assertThat(completions.get(1).id()).isEqualTo(2);
    assertThat(small.poll(completions)).isZero();
    one.close();
    two.close();
    assertErrno(Errno.EBUSY, "acknowledge", small::close);
    error.acknowledge();
    small.close();
  }

  @Test
  void anEventBelongsToTheContextOfItsObject() {
    try (DeviceContext other = pair.a.node.device().open()) {
      pair.a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
      assertThat(other.pollAsyncEvent()).isNull();
      assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    }
  }

  @Test
  void accessFlagsOfARegionCanBeReadAfterItsClose() {
    MemoryRegion region =
        pair.a.domain.registerMemory(ByteBuffer.allocate(4), AccessFlag.REMOTE_READ);
    region.close();
    assertThat(region.isOpen()).isFalse();
    assertThat(region.access().contains(AccessFlag.REMOTE_READ)).isTrue();
    assertThat(region.length()).isEqualTo(4);
  }
}

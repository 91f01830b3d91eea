package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.SharedReceiveQueueAttributes;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Receives that the messages of several queue pairs take. */
class SharedReceiveQueueTest {
  private Pair pair;
  private Side a;
  private Side b;
  private SharedReceiveQueue shared;

  @BeforeEach
  void connectOnePair() {
    open(DeviceProfile.strict());
  }

  @AfterEach
  void close() {
    pair.close();
  }

  private void open(DeviceProfile profile) {
    if (pair != null) {
      pair.close();
    }
    pair = Pair.unconnected(Fabric.builder().profile(profile).build(), init -> init);
    a = pair.a;
    b = pair.b;
    shared = b.domain.createSharedReceiveQueue(16, 2);
  }

  /** A queue pair of a, connected with one of b that takes its receives from the shared queue. */
  private Link link(QueuePairType type) {
    QueuePair sender =
        a.domain.createQueuePair(
            QueuePairInit.reliableConnected(a.sendQueue, 16, 16).withType(type));
    QueuePair receiver =
        b.domain.createQueuePair(
            QueuePairInit.reliableConnected(b.sendQueue, 16, 16)
                .withType(type)
                .withReceiveCompletionQueue(b.receiveQueue)
                .withSharedReceiveQueue(shared));
    ConnectionSetup.standard().withRetries(3, 3).connect(sender, receiver);
    return new Link(sender, receiver);
  }

  private Link link() {
    return link(QueuePairType.RC);
  }

  private record Link(QueuePair sender, QueuePair receiver) {}

  private void send(Link link, long id, int bytes) {
    Side.Memory memory = a.memory(Math.max(1, bytes), (int) id);
    link.sender().post(a.request.reset(id).send().segment(memory.region(), 0, bytes).signaled());
  }

  private void postReceives(int count, int bytes) {
    ReceiveRequest receive = new ReceiveRequest();
    for (int i = 0; i < count; i++) {
      shared.post(receive.reset(100 + i).segment(b.memory(bytes, 0).region(), 0, bytes));
    }
  }

  private static void toError(QueuePair queuePair) {
    queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
  }

  @ParameterizedTest
  @EnumSource(names = {"RC", "UC"})
  @Checks("SrqTestCase.test_rc_srq_traffic")
  void twoQueuePairsTakeTheReceivesInTheOrderOfPosting(QueuePairType type) {
    Link first = link(type);
    Link second = link(type);
    postReceives(8, 3000);
    for (int i = 0; i < 4; i++) {
      send(first, 1, 2000 + i);
      send(second, 2, 10 + i);
      pair.run();
    }

    List<WorkCompletion> received = b.pollReceives();
    assertThat(received.stream().map(WorkCompletion::id))
        .containsExactly(100L, 101L, 102L, 103L, 104L, 105L, 106L, 107L);
    assertThat(received.get(6).byteLength()).isEqualTo(2003);
    assertThat(received.get(6).queuePairNumber()).isEqualTo(first.receiver().number());
    assertThat(received.get(7).byteLength()).isEqualTo(13);
    assertThat(received.get(7).queuePairNumber()).isEqualTo(second.receiver().number());
  }

  @Test
  @Checks("RNR-NAK")
  void anEmptySharedQueueDrawsRnrNaks() {
    Link link = link();
    send(link, 1, 10);
    pair.runFor(30_000);
    assertThat(pair.journal.from("b").get(0).summary()).startsWith("RNR_NAK");
    postReceives(1, 10);
    pair.run();
    assertThat(b.pollReceives().get(0).id()).isEqualTo(100);
  }

  @Test
  @Checks({"C47", "S40", "SHARED-NOT-FLUSHED", "LAST-WQE"})
  void aQueuePairThatFailsFlushesNoSharedReceiveAndSaysOnceThatItTakesNoMore() {
    SharedReceiveQueue own = shared;
    QueuePair first =
        b.domain.createQueuePair(
            QueuePairInit.reliableConnected(b.sendQueue, 16, 1_000_000)
                .withCapacities(new QueuePairCapacities(16, 1_000_000_000, 4, 1_000_000, 0))
                .withSharedReceiveQueue(own));
    Link second = link();
    ConnectionSetup.standard().initialize(first);
    postReceives(6, 100);

    toError(first);
    AsyncEvent event = b.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.QP_LAST_WQE_REACHED);
    assertThat(event.queuePair()).isSameAs(first);
    event.acknowledge();
    toError(first);
    assertThat(b.pollEvents()).isEmpty();
    assertThat(b.pollReceives()).isEmpty();

    send(second, 1, 10);
    send(second, 2, 10);
    pair.run();
    assertThat(b.pollReceives().stream().map(WorkCompletion::id)).containsExactly(100L, 101L);
    assertThat(b.pollEvents()).isEmpty();
    shared.resize(4);
    assertThat(catchThrowableOfType(VerbsException.class, () -> shared.resize(3)).getMessage())
        .contains("not in 4..");
  }

  @Test
  @Checks({"C47", "LAST-WQE"})
  void aReceiveThatAHalfMessageHadTakenIsFlushedBeforeTheEvent() {
    Link link = link();
    postReceives(2, 3000);
    pair.impair("drop:a>b/RC_SEND_LAST#1");
    send(link, 1, 3000);
    pair.runFor(30_000);
    toError(link.receiver());

    List<WorkCompletion> received = b.pollReceives();
    assertThat(received.stream().map(WorkCompletion::toString))
        .singleElement()
        .asString()
        .contains("id=100")
        .contains("WR_FLUSH_ERR");
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_LAST_WQE_REACHED);
  }

  @Test
  @Checks("LAST-WQE")
  void softRoceRepeatsTheEventWithEachRunOfTheFlush() {
    open(DeviceProfile.softRoce());
    Link link = link();
    toError(link.receiver());
    toError(link.receiver());
    assertThat(b.pollEvents())
        .containsExactly(AsyncEventType.QP_LAST_WQE_REACHED, AsyncEventType.QP_LAST_WQE_REACHED);
  }

  @Test
  void aFaultOfTheRequestCompletesTheTakenReceiveAndThenTheEventComes() {
    Link link = link();
    postReceives(2, 10);
    send(link, 1, 11);
    pair.run();

    assertThat(pair.completions("b")).containsExactly("RECV 100 LOC_LEN_ERR @10000");
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_LAST_WQE_REACHED);
    assertThat(shared.query().maxRequests()).isEqualTo(16);
  }

  @Test
  @Checks({"SHARED-LIMIT", "S40", "SrqTestCase.test_modify_srq_limit"})
  void theLimitEventComesOnceAndDisarmsItself() {
    Link link = link();
    postReceives(10, 100);
    shared.armLimit(7);
    assertThat(shared.query()).isEqualTo(new SharedReceiveQueueAttributes(16, 2, 7));
    for (int i = 0; i < 3; i++) {
      send(link, i, 10);
    }
    pair.run();
    assertThat(b.pollEvents()).isEmpty();
    send(link, 4, 10);
    pair.run();

    AsyncEvent event = b.context.pollAsyncEvent();
    assertThat(event.type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
    assertThat(event.sharedReceiveQueue()).isSameAs(shared);
    assertThat(event.queuePair()).isNull();
    assertThat(shared.query().limit()).isZero();
    send(link, 5, 10);
    pair.run();
    assertThat(b.context.pollAsyncEvent()).isNull();

    assertThat(catchThrowableOfType(VerbsException.class, shared::close).errno())
        .isEqualTo(Errno.EBUSY);
    event.acknowledge();
  }

  @Test
  @Checks("SHARED-LIMIT")
  void aLimitAboveTheReceivesThatWaitIsReachedAtOnce() {
    postReceives(3, 10);
    shared.armLimit(4);
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.SRQ_LIMIT_REACHED);
    shared.armLimit(3);
    assertThat(b.pollEvents()).isEmpty();
    shared.armLimit(0);
    for (int limit : new int[] {-1, 17}) {
      assertThat(catchThrowableOfType(VerbsException.class, () -> shared.armLimit(limit)).errno())
          .isEqualTo(Errno.EINVAL);
    }
    assertThat(shared.query().limit()).isZero();
  }

  @Test
  @Checks("SHARED-SLOT")
  void aSlotIsFreeWhenItsReceiveIsTakenNotWhenItIsPolled() {
    Link link = link();
    postReceives(16, 10);
    PostException full = catchThrowableOfType(PostException.class, () -> postReceives(1, 10));
    assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
    send(link, 1, 10);
    pair.run();
    postReceives(1, 10);
    assertThat(catchThrowableOfType(PostException.class, () -> postReceives(1, 10)).errno())
        .isEqualTo(Errno.ENOMEM);
  }

  @Test
  void aChainStopsAtTheRequestThatFailsAndWhatIsBeforeItIsPosted() {
    Link link = link();
    Side.Memory memory = b.memory(10, 0);
    ReceiveRequest bad = new ReceiveRequest().reset(2);
    for (int i = 0; i < 3; i++) {
      bad.segment(memory.region(), 0, 1);
    }
    ReceiveRequest good = new ReceiveRequest().reset(1).segment(memory.region(), 0, 10).next(bad);
    PostException refused = catchThrowableOfType(PostException.class, () -> shared.post(good));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused.badRequestIndex()).isEqualTo(1);
    send(link, 1, 10);
    pair.run();
    assertThat(b.pollReceives().stream().map(WorkCompletion::id)).containsExactly(1L);
  }

  @Test
  void aReceiveForTheQueuePairItselfIsRefused() {
    Link link = link();
    PostException refused =
        catchThrowableOfType(
            PostException.class, () -> link.receiver().post(new ReceiveRequest().reset(1)));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Checks("SHARED-ANY-DOMAIN")
  void theMemoryIsReachedThroughTheDomainOfTheSharedQueue() {
    ProtectionDomain other = b.context.allocateProtectionDomain();
    QueuePair receiver =
        other.createQueuePair(
            QueuePairInit.reliableConnected(b.receiveQueue, 16, 16).withSharedReceiveQueue(shared));
    ConnectionSetup.standard().connect(a.queuePair, receiver);
    postReceives(1, 10);
    a.postSend(1, a.memory(10, 3));
    pair.run();
    assertThat(pair.completions("b")).containsExactly("RECV 100 SUCCESS @10000");
  }

  @Test
  @Checks("SHARED-ANY-DOMAIN")
  void theDomainOfTheQueuePairIsNotThatOfItsSharedReceives() {
    ProtectionDomain other = b.context.allocateProtectionDomain();
    QueuePair receiver =
        other.createQueuePair(
            QueuePairInit.reliableConnected(b.receiveQueue, 16, 16).withSharedReceiveQueue(shared));
    ConnectionSetup.standard().connect(a.queuePair, receiver);
    MemoryRegion region = other.registerMemory(ByteBuffer.allocate(10), AccessFlag.LOCAL_WRITE);
    shared.post(new ReceiveRequest().reset(100).segment(region, 0, 10));
    a.postSend(1, a.memory(10, 3));
    pair.run();
    assertThat(pair.completions("b")).containsExactly("RECV 100 LOC_PROT_ERR @10000");
    assertThat(pair.completions("a")).containsExactly("SEND 1 REM_OP_ERR @20000");
  }

  @Test
  @Checks("SrqTestCase.test_resize_srq")
  void resizingKeepsWhatWaitsInItsOrder() {
    Link link = link();
    postReceives(10, 100);
    for (int i = 0; i < 7; i++) {
      send(link, i, 10);
    }
    pair.run();
    b.pollReceives();
    a.pollSends();
    postReceives(12, 100);
    shared.resize(32);
    assertThat(shared.query().maxRequests()).isEqualTo(32);
    postReceives(17, 100);
    for (int i = 0; i < 15; i++) {
      send(link, i, 10);
      pair.run();
      a.pollSends();
    }
    List<Long> ids = b.pollReceives().stream().map(WorkCompletion::id).toList();
    assertThat(ids.subList(0, 4)).containsExactly(107L, 108L, 109L, 100L);
    assertThat(ids.get(14)).isEqualTo(111);
  }

  @Test
  void withoutTheCapabilityResizingIsNotSupported() {
    open(DeviceProfile.strict().withoutCapability(DeviceCapability.SRQ_RESIZE));
    assertThat(catchThrowableOfType(VerbsException.class, () -> shared.resize(32)).errno())
        .isEqualTo(Errno.EOPNOTSUPP);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, -1, (1 << 20) + 1})
  void sizesBeyondTheDeviceAreRefused(int requests) {
    VerbsException refused =
        catchThrowableOfType(
            VerbsException.class, () -> b.domain.createSharedReceiveQueue(requests, 1));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
  }

  @Test
  @Checks("PARENT-BUSY")
  void itIsBusyWhileAQueuePairUsesItAndKeepsItsDomainBusy() {
    Link link = link();
    assertThat(catchThrowableOfType(VerbsException.class, shared::close).errno())
        .isEqualTo(Errno.EBUSY);
    link.receiver().close();
    postReceives(3, 10);
    shared.close();
    shared.close();
    assertThat(shared.isOpen()).isFalse();
    assertThat(catchThrowableOfType(VerbsException.class, shared::query).errno())
        .isEqualTo(Errno.EINVAL);

    ProtectionDomain domain = b.context.allocateProtectionDomain();
    SharedReceiveQueue child = domain.createSharedReceiveQueue(1, 1);
    assertThat(catchThrowableOfType(VerbsException.class, domain::close).errno())
        .isEqualTo(Errno.EBUSY);
    child.close();
    domain.close();
  }

  @Test
  void aBrokenUcMessageFailsTheSharedReceiveThatItHadTaken() {
    Link link = link(QueuePairType.UC);
    postReceives(2, 3000);
    pair.impair("drop:a>b/UC_SEND_MIDDLE#1");
    send(link, 1, 3000);
    send(link, 2, 10);
    pair.run();

    assertThat(pair.completions("b"))
        .containsExactly("RECV 100 REM_INV_REQ_ERR @10000", "RECV 101 SUCCESS @10000");
    assertThat(link.receiver().state()).isEqualTo(QueuePairState.RTS);
  }
}

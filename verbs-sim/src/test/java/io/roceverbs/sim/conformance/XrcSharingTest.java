package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Leak;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import io.roceverbs.verbs.XrcDomainFlag;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Contexts of one device that share an XRC domain and its targets, as processes do in C. */
class XrcSharingTest {
  private static final String NAME = "jobs";

  private final Pair pair = Pair.unconnected(init -> init);

  /** The first "process" of node b, and the second. */
  private final DeviceContext one = pair.b.context;

  private final DeviceContext two = pair.b.node.device().open();
  private final ProtectionDomain domainOfTwo = two.allocateProtectionDomain();
  private final CompletionQueue completionsOfTwo = two.createCompletionQueue(16);
  private final WorkCompletions polled = new WorkCompletions(16);

  @AfterEach
  void close() {
    pair.close();
  }

  private static void assertErrno(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(errno);
  }

  private XrcDomain created(DeviceContext context) {
    return context.openXrcDomain(NAME, XrcDomainFlag.CREATE);
  }

  /** A connection from node a to a target. */
  private QueuePair connect(QueuePair target) {
    QueuePair initiator =
        pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(pair.a.sendQueue, 16));
    Pair.setup().connect(initiator, target);
    return initiator;
  }

  private void send(QueuePair initiator, long id, SharedReceiveQueue queue) {
    initiator.post(
        new SendRequest().reset(id).send().toSharedReceiveQueue(queue.number()).signaled());
    pair.run();
  }

  private CompletionStatus statusOfSend() {
    return pair.a.pollSends().get(0).status();
  }

  private AsyncEvent event(DeviceContext context) {
    AsyncEvent event = context.pollAsyncEvent();
    assertThat(event).isNotNull();
    return event;
  }

  // ---- domains -------------------------------------------------------------------------------

  @Test
  @Checks("XRC-DOMAIN-SHARED")
  void aDomainThatIsNotThereIsMadeOnlyIfAskedFor() {
    String words = "nobody has XRC domain \"jobs\" open";
    assertErrno(Errno.EAGAIN, words, () -> one.openXrcDomain(NAME));
    assertErrno(Errno.EAGAIN, words, () -> one.openXrcDomain(NAME, XrcDomainFlag.EXCLUSIVE));
    XrcDomain domain = one.openXrcDomain(NAME, XrcDomainFlag.CREATE, XrcDomainFlag.EXCLUSIVE);
    assertThat(domain.context()).isSameAs(one);
    assertThat(domain).hasToString("XrcDomain \"jobs\" of b with 0 queues");
    assertErrno(Errno.EAGAIN, words, () -> pair.a.context.openXrcDomain(NAME));
    assertErrno(Errno.EAGAIN, "\"others\"", () -> two.openXrcDomain("others"));
  }

  @Test
  @Checks("XRC-DOMAIN-SHARED")
  void aDomainThatIsThereIsOpenedUnlessItHasToBeNew() {
    XrcDomain first = created(one);
    String words = "XRC domain \"jobs\" is open already";
    assertErrno(
        Errno.EINVAL,
        words,
        () -> two.openXrcDomain(NAME, XrcDomainFlag.CREATE, XrcDomainFlag.EXCLUSIVE));
    assertErrno(Errno.EINVAL, words, () -> two.openXrcDomain(NAME, XrcDomainFlag.EXCLUSIVE));
    XrcDomain second = two.openXrcDomain(NAME);
    XrcDomain third = created(two);
    first.close();
    second.close();
    second.close();
    third.createTargetQueuePair().close();
    XrcDomain fourth = one.openXrcDomain(NAME);
    third.close();
    fourth.close();
    assertErrno(Errno.EAGAIN, "nobody has", () -> two.openXrcDomain(NAME));
    assertThat(fourth.isOpen()).isFalse();
  }

  @Test
  @Checks({"XRC-DOMAIN-SHARED", "PARENT-BUSY"})
  void eachOpenerIsHeldUpByWhatWasMadeThroughItAlone() {
    XrcDomain first = created(one);
    XrcDomain second = created(two);
    SharedReceiveQueue queue =
        domainOfTwo.createXrcSharedReceiveQueue(second, completionsOfTwo, 4, 1);
    QueuePair target = first.createTargetQueuePair();
    assertErrno(Errno.EBUSY, "1 of kind XRC target", first::close);
    assertErrno(Errno.EBUSY, "1 of kind XRC shared receive queue", second::close);
    queue.close();
    second.close();
    target.close();
    first.close();
    assertErrno(Errno.EAGAIN, "nobody has", () -> one.openXrcDomain(NAME));
  }

  @Test
  @Checks("XRC-DOMAIN-SHARED")
  void aTargetDeliversIntoTheQueuesOfAllWhoShareTheDomain() {
    QueuePair target = created(one).createTargetQueuePair();
    SharedReceiveQueue queue =
        domainOfTwo.createXrcSharedReceiveQueue(created(two), completionsOfTwo, 4, 1);
    SharedReceiveQueue foreign =
        domainOfTwo.createXrcSharedReceiveQueue(two.openXrcDomain(), completionsOfTwo, 4, 1);
    QueuePair initiator = connect(target);
    queue.post(new ReceiveRequest().reset(7));
    send(initiator, 1, queue);

    assertThat(statusOfSend()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(completionsOfTwo.poll(polled)).isEqualTo(1);
    WorkCompletion received = polled.get(0);
    assertThat(received.id()).isEqualTo(7);
    assertThat(received.opcode()).isEqualTo(CompletionOpcode.RECV);
    assertThat(received.queuePairNumber()).isEqualTo(target.number());

    foreign.post(new ReceiveRequest().reset(8));
    send(initiator, 2, foreign);
    assertThat(statusOfSend()).isEqualTo(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(target.state()).isEqualTo(QueuePairState.ERR);
  }

  // ---- targets -------------------------------------------------------------------------------

  @Test
  @Checks("XRC-TARGET-OPENED")
  void anOpenedTargetIsTheSameQueuePair() {
    QueuePair made = created(one).createTargetQueuePair();
    QueuePair opened = created(two).openTargetQueuePair(made.number());
    assertThat(opened.number()).isEqualTo(made.number());
    assertThat(opened.type()).isEqualTo(made.type());
    assertThat(opened.context()).isSameAs(two);
    assertThat(made.context()).isSameAs(one);
    assertThat(opened.state()).isEqualTo(QueuePairState.RESET);
    Pair.setup().initialize(opened);
    assertThat(made.state()).isEqualTo(QueuePairState.INIT);
    assertThat(made.query().port()).isEqualTo(1);
    assertThatThrownBy(() -> opened.post(new SendRequest().reset(1).send()))
        .isInstanceOf(PostException.class)
        .hasMessageContaining("an XRC target has no queues");
    assertThatThrownBy(opened::protectionDomain)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("an XRC target has no protection domain");
    assertThatThrownBy(opened::init).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Checks("XRC-TARGET-OPENED")
  void onlyATargetOfTheDomainCanBeOpened() {
    XrcDomain domain = created(one);
    QueuePair closed = domain.createTargetQueuePair();
    closed.close();
    QueuePair ofAnother = two.openXrcDomain().createTargetQueuePair();
    for (int number :
        new int[] {0, closed.number(), ofAnother.number(), pair.b.queuePair.number()}) {
      assertErrno(
          Errno.EINVAL,
          "is not the number of a target of this XRC domain",
          () -> domain.openTargetQueuePair(number));
    }
    domain.close();
    assertErrno(Errno.EINVAL, "was closed", () -> domain.openTargetQueuePair(0));
  }

  @Test
  @Checks("XRC-TARGET-OPENED")
  void itGoesOnWhenWhoMadeItHasGoneAndEndsWithTheLastWhoHoldsIt() {
    XrcDomain domainOfOne = created(one);
    XrcDomain domainOfTwoForXrc = created(two);
    QueuePair made = domainOfOne.createTargetQueuePair();
    QueuePair opened = domainOfTwoForXrc.openTargetQueuePair(made.number());
    SharedReceiveQueue queue =
        domainOfTwo.createXrcSharedReceiveQueue(domainOfTwoForXrc, completionsOfTwo, 4, 1);
    QueuePair initiator = connect(made);
    made.close();
    made.close();
    assertThat(made.isOpen()).isFalse();
    assertErrno(Errno.EINVAL, "was closed", made::query);
    domainOfOne.close();

    queue.post(new ReceiveRequest().reset(7));
    send(initiator, 1, queue);
    assertThat(statusOfSend()).isEqualTo(CompletionStatus.SUCCESS);
    queue.post(new ReceiveRequest().reset(8));
    send(initiator, 2, queue);
    assertThat(statusOfSend()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(completionsOfTwo.poll(polled)).isEqualTo(2);
    queue.post(new ReceiveRequest().reset(9));
    send(initiator, 3, queue);
    assertThat(statusOfSend()).isEqualTo(CompletionStatus.SUCCESS);

    int number = opened.number();
    opened.close();
    assertThat(completionsOfTwo.poll(polled)).isZero();
    assertErrno(
        Errno.EINVAL, "is not the number", () -> domainOfTwoForXrc.openTargetQueuePair(number));
    queue.post(new ReceiveRequest().reset(10));
    send(initiator, 4, queue);
    assertThat(statusOfSend()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
  }

  @Test
  @Checks({"XRC-TARGET-OPENED", "EVENT-ACKNOWLEDGE"})
  void eachWhoHoldsItHearsOfItsEventsAndAcknowledgesItsOwn() {
    QueuePair made = created(one).createTargetQueuePair();
    QueuePair opened = created(two).openTargetQueuePair(made.number());
    pair.b.node.faults().injectEvent(AsyncEventType.PATH_MIG, opened);
    AsyncEvent ofOne = event(one);
    AsyncEvent ofTwo = event(two);
    assertThat(ofOne.type()).isEqualTo(AsyncEventType.PATH_MIG);
    assertThat(ofOne.queuePair()).isSameAs(made);
    assertThat(ofTwo.queuePair()).isSameAs(opened);
    assertThat(one.pollAsyncEvent()).isNull();
    assertThat(two.pollAsyncEvent()).isNull();

    ofTwo.acknowledge();
    assertErrno(Errno.EBUSY, "taken 1, acknowledged 0", made::close);
    opened.close();
    pair.b.node.faults().injectEvent(AsyncEventType.PATH_MIG_ERR, made);
    assertThat(two.pollAsyncEvent()).isNull();
    assertThat(event(one).type()).isEqualTo(AsyncEventType.PATH_MIG_ERR);
    ofOne.acknowledge();
    assertErrno(Errno.EBUSY, "taken 2, acknowledged 1", made::close);
    assertThat(made.isOpen()).isTrue();
  }

  @Test
  @Checks({"XRC-TARGET-OPENED", "COMM-EST"})
  void theFirstRequestIsToldToAllWhoHoldIt() {
    QueuePair made = created(one).createTargetQueuePair();
    XrcDomain domainOfTwoForXrc = created(two);
    QueuePair opened = domainOfTwoForXrc.openTargetQueuePair(made.number());
    SharedReceiveQueue queue =
        domainOfTwo.createXrcSharedReceiveQueue(domainOfTwoForXrc, completionsOfTwo, 4, 1);
    QueuePair initiator =
        pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(pair.a.sendQueue, 16));
    Pair.setup().initialize(initiator);
    Pair.setup().initialize(made);
    Pair.setup().readyToReceive(made, pair.a.node.gid(), initiator.number());
    Pair.setup().readyToReceive(initiator, pair.b.node.gid(), made.number());
    Pair.setup().readyToSend(initiator);
    queue.post(new ReceiveRequest().reset(7));
    send(initiator, 1, queue);

    assertThat(event(one).type()).isEqualTo(AsyncEventType.COMM_EST);
    AsyncEvent ofTwo = event(two);
    assertThat(ofTwo.type()).isEqualTo(AsyncEventType.COMM_EST);
    assertThat(ofTwo.queuePair()).isSameAs(opened);
  }

  @Test
  @Checks({"XRC-TARGET-OPENED", "EVENTS-OF-THE-DEAD"})
  void whatNobodyFetchedGoesWithItsHolder() {
    QueuePair made = created(one).createTargetQueuePair();
    QueuePair opened = created(two).openTargetQueuePair(made.number());
    pair.b.node.faults().injectEvent(AsyncEventType.PATH_MIG, made);
    opened.close();
    assertThat(two.pollAsyncEvent()).isNull();
    assertThat(event(one).type()).isEqualTo(AsyncEventType.PATH_MIG);
    assertThatThrownBy(() -> pair.b.node.faults().injectEvent(AsyncEventType.PATH_MIG, opened))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  @Checks({"XRC-TARGET-OPENED", "LEAK-REPORT"})
  void eachHolderThatWasForgottenIsNamed() {
    QueuePair made = created(one).createTargetQueuePair();
    QueuePair opened = created(two).openTargetQueuePair(made.number());
    String words = made.toString();
    assertThat(leaksOf(words)).hasSize(2);
    made.close();
    assertThat(leaksOf(words)).hasSize(1);
    opened.close();
    assertThat(leaksOf(words)).isEmpty();
  }

  private List<Leak> leaksOf(String words) {
    return pair.fabric.leaks().stream().filter(leak -> leak.toString().contains(words)).toList();
  }
}

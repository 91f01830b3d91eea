package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A parent domain in the place of a protection domain. */
class ParentDomainTest {
  private static final int QUEUE_KEY = ConnectionSetup.DEFAULT_QUEUE_KEY;

  private final Pair pair = Pair.unconnected(init -> init);
  private final ProtectionDomain parentOfA = pair.a.domain.allocateParentDomain();
  private final ProtectionDomain parentOfB = pair.b.domain.allocateParentDomain();
  private final ByteBuffer target = ByteBuffer.allocate(104);

  @AfterEach
  void close() {
    pair.close();
  }

  private QueuePair queuePair(Side side, ProtectionDomain domain, QueuePairType type) {
    return domain.createQueuePair(
        QueuePairInit.reliableConnected(side.sendQueue, 8, 8)
            .withType(type)
            .withReceiveCompletionQueue(side.receiveQueue));
  }

  private static void assertErrno(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(errno);
  }

  private void assertArrived(int offset) {
    pair.run();
    assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(offset + 64);
    assertThat(target.get(offset)).isEqualTo((byte) 7);
    assertThat(target.get(offset + 63)).isEqualTo((byte) 7);
  }

  @Test
  @Checks({"PARENT-DOMAIN", "ParentDomainTrafficTest.test_without_allocators_rc_traffic"})
  void reliableTrafficRunsOverMemoryOfTheBaseAndOfTheParent() {
    QueuePair from = queuePair(pair.a, parentOfA, QueuePairType.RC);
    QueuePair to = queuePair(pair.b, parentOfB, QueuePairType.RC);
    ConnectionSetup.standard().connect(from, to);
    MemoryRegion ofParent = parentOfB.registerMemory(target, AccessFlag.LOCAL_WRITE);
    to.post(new ReceiveRequest().reset(1).segment(ofParent, 0, 64));
    Side.Memory ofBase = pair.a.memory(64, 7);
    from.post(pair.a.request.reset(2).send().segment(ofBase.region(), 0, 64).signaled());

    assertArrived(0);
  }

  @Test
  @Checks("ParentDomainTrafficTest.test_mem_align_ud_traffic")
  void datagramsRunWithAHandleOfTheBase() {
    QueuePair from = queuePair(pair.a, parentOfA, QueuePairType.UD);
    QueuePair to = queuePair(pair.b, parentOfB, QueuePairType.UD);
    ConnectionSetup.standard().connect(from, to);
    MemoryRegion region = parentOfB.registerMemory(target, AccessFlag.LOCAL_WRITE);
    to.post(new ReceiveRequest().reset(1).segment(region, 0, 104));
    AddressHandle handle = pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
    from.post(
        pair.a
            .request
            .reset(2)
            .send()
            .segment(pair.a.memory(64, 7).region(), 0, 64)
            .to(handle, to.number(), QUEUE_KEY));

    assertArrived(40);
  }

  @Test
  @Checks("ParentDomainTrafficTest.test_mem_align_srq_excq_rc_traffic")
  void aSharedReceiveQueueOfTheParentServesAQueuePairOfTheBase() {
    SharedReceiveQueue shared = parentOfB.createSharedReceiveQueue(4, 1);
    QueuePair to =
        pair.b.domain.createQueuePair(
            QueuePairInit.reliableConnected(pair.b.receiveQueue, 8, 0)
                .withSharedReceiveQueue(shared));
    ConnectionSetup.standard().connect(pair.a.queuePair, to);
    MemoryRegion region = pair.b.domain.registerMemory(target, AccessFlag.LOCAL_WRITE);
    shared.post(new ReceiveRequest().reset(1).segment(region, 0, 64));
    pair.a.postSend(2, pair.a.memory(64, 7));

    assertArrived(0);
  }

  @Test
  @Checks("PARENT-DOMAIN")
  void queuesOfAThreadDomainWorkAsOthersDo() {
    ThreadDomain threads = pair.b.context.allocateThreadDomain();
    ProtectionDomain parent = pair.b.domain.allocateParentDomain(threads);
    QueuePair from = queuePair(pair.a, pair.a.domain, QueuePairType.RC);
    QueuePair to = queuePair(pair.b, parent, QueuePairType.RC);
    ConnectionSetup.standard().connect(from, to);
    MemoryRegion region = parent.registerMemory(target, AccessFlag.LOCAL_WRITE);
    to.post(new ReceiveRequest().reset(1).segment(region, 0, 64));
    from.post(
        pair.a.request.reset(2).send().segment(pair.a.memory(64, 7).region(), 0, 64).signaled());

    assertArrived(0);
  }

  @Test
  @Checks({"PARENT-DOMAIN", "PARENT-BUSY"})
  void aThreadDomainIsBusyWhileAParentDomainHasIt() {
    DeviceContext context = pair.a.node.device().open();
    ThreadDomain threads = context.allocateThreadDomain();
    assertErrno(Errno.EBUSY, "1 of kind thread domain", context::close);
    ProtectionDomain base = context.allocateProtectionDomain();
    ProtectionDomain one = base.allocateParentDomain(threads);
    ProtectionDomain two = base.allocateParentDomain(threads);
    assertErrno(Errno.EBUSY, "2 of kind parent domain", threads::close);
    assertThat(threads.isOpen()).isTrue();
    assertErrno(Errno.EBUSY, "2 of kind parent domain", base::close);
    one.close();
    one.close();
    assertErrno(Errno.EBUSY, "1 of kind parent domain", threads::close);
    two.close();
    threads.close();
    threads.close();
    assertThat(threads.isOpen()).isFalse();
    base.close();
    context.close();
  }

  @Test
  @Checks("PARENT-DOMAIN")
  void aThreadDomainThatIsClosedOrOfAnotherContextIsInvalid() {
    String words = "the thread domain must be open and of the same device context";
    ThreadDomain foreign = pair.b.context.allocateThreadDomain();
    assertErrno(Errno.EINVAL, words, () -> pair.a.domain.allocateParentDomain(foreign));
    ThreadDomain closed = pair.a.context.allocateThreadDomain();
    closed.close();
    assertErrno(Errno.EINVAL, words, () -> pair.a.domain.allocateParentDomain(closed));
    assertThat(foreign.context()).isSameAs(pair.b.context);
    foreign.close();
    parentOfA.close();
    assertThat(foreign.isOpen()).isFalse();
  }

  @Test
  @Checks("PARENT-DOMAIN")
  void itKeepsItsBaseBusyAndIsBusyItself() {
    ProtectionDomain base = pair.a.context.allocateProtectionDomain();
    ProtectionDomain parent = base.allocateParentDomain();
    MemoryRegion region = parent.registerMemory(target);
    assertThat(catchThrowableOfType(VerbsException.class, base::close).errno())
        .isEqualTo(Errno.EBUSY);
    assertThat(catchThrowableOfType(VerbsException.class, parent::close).errno())
        .isEqualTo(Errno.EBUSY);
    region.close();
    parent.close();
    parent.close();
    base.close();
    assertThat(catchThrowableOfType(VerbsException.class, base::allocateParentDomain).errno())
        .isEqualTo(Errno.EINVAL);
  }
}

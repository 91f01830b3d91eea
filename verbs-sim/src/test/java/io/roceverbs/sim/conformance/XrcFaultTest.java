package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.SharedReceiveQueueType;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.XrcDomain;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What goes wrong with extended connections, at the calls and on the wire. */
class XrcFaultTest {
  private static final int BYTES = 3000;

  private XrcPair xrc = XrcPair.connected();

  @AfterEach
  void close() {
    xrc.close();
  }

  private static VerbsException refused(Errno errno, String words, ThrowingCallable call) {
    VerbsException refused = catchThrowableOfType(VerbsException.class, call);
    assertThat(refused).isNotNull().hasMessageContaining(words);
    assertThat(refused.errno()).isEqualTo(errno);
    return refused;
  }

  private Memory data() {
    return xrc.pair.a.memory(BYTES, 0x61);
  }

  private void assertSendFails(CompletionStatus status) {
    WorkCompletion failed = xrc.pair.a.pollSends().get(0);
    assertThat(failed.status()).isEqualTo(status);
    assertThat(xrc.initiator.state()).isEqualTo(QueuePairState.ERR);
  }

  // ---- requests ------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0xFFFFFF})
  @Checks("XRC-QUEUE-NAMED")
  void aQueueThatDoesNotExistMakesAnInvalidRequest(int number) {
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.post(xrc.request(1).send().toSharedReceiveQueue(number));
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(xrc.pair.journal.from("b").get(0).summary()).contains("INVALID_REQUEST");
    assertThat(xrc.target.state()).isEqualTo(QueuePairState.ERR);
    assertThat(xrc.pair.b.pollEvents())
        .containsExactly(AsyncEventType.QP_REQ_ERR, AsyncEventType.QP_LAST_WQE_REACHED);
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
  }

  @Test
  @Checks("XRC-QUEUE-NAMED")
  void aQueueOfAnotherDomainMakesAnInvalidRequest() {
    XrcDomain other = xrc.pair.b.context.openXrcDomain();
    SharedReceiveQueue foreign =
        xrc.pair.b.domain.createXrcSharedReceiveQueue(other, xrc.firstCompletions, 4, 1);
    xrc.postEmptyReceive(foreign, 10);
    xrc.post(xrc.request(1, foreign).send());
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
  }

  @Test
  @Checks("XRC-QUEUE-NAMED")
  void aReadOfAQueueThatWasClosedIsAnInvalidRequest() {
    Memory source = xrc.pair.b.memory(8, 1);
    xrc.second.close();
    xrc.post(
        xrc.request(1)
            .toSharedReceiveQueue(xrc.first.number() + 1)
            .rdmaRead(source.address(), source.rkey())
            .segment(data().region(), 0, 8));
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_INV_REQ_ERR);
  }

  @Test
  @Checks("XRC-QUEUE-NAMED")
  void aQueueThatIsClosedInTheMiddleOfAMessageEndsIt() {
    Memory landing = xrc.pair.b.memory(BYTES, 0);
    xrc.postReceive(xrc.second, 10, landing);
    xrc.pair.impair("delay=1ms:a>b/SEND#3");
    xrc.postSend(1, xrc.second, data());
    xrc.pair.runFor(100_000);
    xrc.second.close();
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(landing.slice(0, 2048)).containsOnly(0x61);
    assertThat(landing.slice(2048, BYTES)).containsOnly(0);
    assertThat(xrc.poll(xrc.secondCompletions)).isEmpty();
    assertThat(xrc.target.state()).isEqualTo(QueuePairState.ERR);
    xrc.target.close();
    xrc.secondCompletions.close();
  }

  /** What a target answers to a message of two packets, and how its receive completes. */
  private static List<String> answersToAMessage(boolean changesQueue) {
    try (RawPeer peer = RawPeer.connected()) {
      XrcDomain domain = peer.b.context.openXrcDomain();
      SharedReceiveQueue first =
          peer.b.domain.createXrcSharedReceiveQueue(domain, peer.b.receiveQueue, 4, 1);
      SharedReceiveQueue second =
          peer.b.domain.createXrcSharedReceiveQueue(domain, peer.b.sendQueue, 4, 1);
      QueuePair target = domain.createTargetQueuePair();
      Pair.setup().initialize(target);
      Gid raw = peer.b.queuePair.query().addressVector().destination();
      Pair.setup().readyToReceive(target, raw, RawPeer.NUMBER);
      ReceiveRequest receive = new ReceiveRequest();
      first.post(receive.reset(10).segment(peer.b.memory(2048, 0).region(), 0, 2048));
      second.post(receive.reset(20).segment(peer.b.memory(2048, 0).region(), 0, 2048));
      SharedReceiveQueue rest = changesQueue ? second : first;
      peer.send(
          Opcode.XRC_SEND_FIRST,
          RawPeer.PSN,
          RawPeer.MTU,
          0x61,
          p -> p.destinationQueuePair(target.number()).xrceth().sharedReceiveQueue(first.number()));
      peer.send(
          Opcode.XRC_SEND_LAST,
          RawPeer.PSN + 1,
          8,
          0x61,
          p -> p.destinationQueuePair(target.number()).xrceth().sharedReceiveQueue(rest.number()));
      peer.fabric.run();
      List<String> seen = new ArrayList<>(peer.received());
      seen.addAll(peer.completions());
      return seen;
    }
  }

  @Test
  @Checks("XRC-QUEUE-NAMED")
  void aMessageThatChangesItsQueueIsAnInvalidRequestAndFailsTheReceiveThatItHad() {
    assertThat(answersToAMessage(false)).last().isEqualTo("RECV 10 SUCCESS");
    List<String> seen = answersToAMessage(true);
    assertThat(seen.get(seen.size() - 2)).startsWith("NAK(INVALID_REQUEST) psn=0x000101");
    assertThat(seen).last().isEqualTo("RECV 10 REM_INV_REQ_ERR");
  }

  @Test
  @Checks("RNR-NAK")
  void aQueueWithoutReceivesIsNotReadyAndTheOtherOneHelpsNobody() {
    xrc.postEmptyReceive(xrc.second, 20);
    xrc.post(xrc.request(1).send());
    xrc.pair.run();
    assertSendFails(CompletionStatus.RNR_RETRY_EXC_ERR);
    assertThat(xrc.poll(xrc.secondCompletions)).isEmpty();
    assertThat(xrc.target.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void aReceiveThatIsTooShortFailsAtTheCompletionQueueOfItsQueue() {
    xrc.postReceive(xrc.second, 20, xrc.pair.b.memory(BYTES - 1, 0));
    xrc.postSend(1, xrc.second, data());
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_INV_REQ_ERR);
    WorkCompletion failed = xrc.poll(xrc.secondCompletions).get(0);
    assertThat(failed.id()).isEqualTo(20);
    assertThat(failed.status()).isEqualTo(CompletionStatus.LOC_LEN_ERR);
    assertThat(failed.queuePairNumber()).isEqualTo(xrc.target.number());
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
  }

  @Test
  void aReceiveThatAMessageHasTakenIsFlushedToTheCompletionQueueOfItsQueue() {
    xrc.postReceive(xrc.second, 20, xrc.pair.b.memory(BYTES, 0));
    xrc.pair.impair("delay=1ms:a>b/SEND#3");
    xrc.postSend(1, xrc.second, data());
    xrc.pair.runFor(100_000);
    xrc.target.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    WorkCompletion flushed = xrc.poll(xrc.secondCompletions).get(0);
    assertThat(flushed.id()).isEqualTo(20);
    assertThat(flushed.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
  }

  @Test
  void memoryIsReachedThroughTheDomainOfTheQueueThatTheRequestNames() {
    ProtectionDomain other = xrc.pair.b.context.allocateProtectionDomain();
    SharedReceiveQueue queue =
        other.createXrcSharedReceiveQueue(xrc.domain, xrc.secondCompletions, 4, 1);
    MemoryRegion region =
        other.registerMemory(
            ByteBuffer.allocate(8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    SendRequest write = xrc.request(1, queue).rdmaWrite(region.address(), region.rkey());
    xrc.post(write.segment(data().region(), 0, 8));
    xrc.pair.run();
    xrc.pair.a.pollSends().get(0).requireSuccess();

    write = xrc.request(2, xrc.first).rdmaWrite(region.address(), region.rkey());
    xrc.post(write.segment(data().region(), 0, 8));
    xrc.pair.run();
    assertSendFails(CompletionStatus.REM_ACCESS_ERR);
  }

  @Test
  void aRepeatedReadUsesTheDomainThatItsRequestNamedFirst() {
    ProtectionDomain other = xrc.pair.b.context.allocateProtectionDomain();
    SharedReceiveQueue queue =
        other.createXrcSharedReceiveQueue(xrc.domain, xrc.secondCompletions, 4, 1);
    MemoryRegion region = other.registerMemory(ByteBuffer.allocate(BYTES), AccessFlag.REMOTE_READ);
    Memory sink = xrc.pair.a.memory(BYTES, 0x55);
    xrc.postReceive(xrc.first, 10, xrc.pair.b.memory(BYTES, 0));
    xrc.pair.impair("drop:b>a/READ_RESPONSE#2");
    SendRequest read = xrc.request(1, queue).rdmaRead(region.address(), region.rkey());
    xrc.post(read.segment(sink.region(), 0, BYTES));
    xrc.postSend(2, xrc.first, data());
    xrc.pair.run();
    assertThat(xrc.pair.a.pollSends()).allSatisfy(WorkCompletion::requireSuccess).hasSize(2);
    assertThat(sink.slice(0, BYTES)).containsOnly(0);
    assertThat(xrc.poll(xrc.firstCompletions).get(0).requireSuccess().id()).isEqualTo(10);
  }

  @Test
  void aSendWithInvalidateTakesAKeyOfTheQueuesDomainOutOfUse() {
    Side.FastMemory fast = xrc.pair.b.fastMemory(64, 0);
    QueuePair registrar = xrc.pair.b.queuePair;
    Pair.setup().connect(registrar, xrc.pair.a.queuePair);
    xrc.pair.b.postRegister(1, fast);
    xrc.pair.run();
    FastRegistrationRegion region = fast.region();
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.post(xrc.request(2).sendWithInvalidate(region.rkey()));
    xrc.pair.run();
    WorkCompletion received = xrc.poll(xrc.firstCompletions).get(0).requireSuccess();
    assertThat(received.invalidatedRkey()).isEqualTo(region.rkey());
    assertThat(xrc.pair.a.pollSends().get(0).requireSuccess().id()).isEqualTo(2);
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void aReliableAndAnExtendedConnectionDoNotUnderstandEachOther() {
    QueuePair reliable =
        xrc.pair.b.domain.createQueuePair(
            QueuePairInit.reliableConnected(xrc.pair.b.sendQueue, 4, 4));
    QueuePair initiator =
        xrc.pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(xrc.pair.a.sendQueue, 4));
    Pair.setup().withRetries(1, 1).connect(initiator, reliable);
    reliable.post(new ReceiveRequest().reset(1));
    initiator.post(xrc.request(1).send());
    xrc.pair.run();
    assertThat(xrc.pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
    assertThat(xrc.pair.b.pollSends()).isEmpty();
    assertThat(reliable.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void twoInitiatorsGetNoAnswerFromEachOther() {
    QueuePair other =
        xrc.pair.b.domain.createQueuePair(QueuePairInit.xrcInitiator(xrc.pair.b.sendQueue, 4));
    QueuePair initiator =
        xrc.pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(xrc.pair.a.sendQueue, 4));
    Pair.setup().withRetries(1, 1).connect(initiator, other);
    initiator.post(xrc.request(1).send());
    xrc.pair.run();
    assertThat(xrc.pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
    assertThat(xrc.pair.journal.from("b")).isEmpty();
  }

  @Test
  @Checks("CQ-OVERRUN")
  void aTargetFallsWhenACompletionOfItsReceivesIsLost() {
    CompletionQueue small = xrc.pair.b.context.createCompletionQueue(1);
    SharedReceiveQueue queue =
        xrc.pair.b.domain.createXrcSharedReceiveQueue(xrc.domain, small, 4, 1);
    xrc.postEmptyReceive(queue, 10);
    xrc.postEmptyReceive(queue, 11);
    xrc.post(xrc.request(1, queue).send());
    xrc.post(xrc.request(2, queue).send());
    xrc.pair.run();
    assertThat(xrc.target.state()).isEqualTo(QueuePairState.ERR);
    assertThat(xrc.pair.b.pollEvents())
        .containsExactly(
            AsyncEventType.CQ_ERR, AsyncEventType.QP_LAST_WQE_REACHED, AsyncEventType.QP_FATAL);
  }

  @Test
  @Checks("CQ-PURGE")
  void theCompletionsOfATargetGoWithIt() {
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.postEmptyReceive(xrc.second, 20);
    xrc.post(xrc.request(1, xrc.first).send());
    xrc.post(xrc.request(2, xrc.second).send());
    xrc.pair.run();
    xrc.target.close();
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
    assertThat(xrc.poll(xrc.secondCompletions)).isEmpty();
  }

  // ---- calls ---------------------------------------------------------------------------------

  @Test
  void nothingCanBePostedToATarget() {
    PostException send =
        catchThrowableOfType(PostException.class, () -> xrc.target.post(xrc.request(7).send()));
    assertThat(send.errno()).isEqualTo(Errno.EINVAL);
    assertThat(send.badRequestId()).isEqualTo(7);
    PostException receive =
        catchThrowableOfType(
            PostException.class, () -> xrc.target.post(new ReceiveRequest().reset(8)));
    assertThat(receive.errno()).isEqualTo(Errno.EINVAL);
    assertThat(receive).hasMessageContaining("shared receive queues");
    refused(Errno.EINVAL, "no batches", xrc.target::createSendBatch);
  }

  @Test
  void noReceiveCanBePostedToAnInitiator() {
    PostException receive =
        catchThrowableOfType(
            PostException.class, () -> xrc.initiator.post(new ReceiveRequest().reset(8)));
    assertThat(receive.errno()).isEqualTo(Errno.EINVAL);
    assertThat(receive).hasMessageContaining("receives nothing");
    assertThat(xrc.initiator.init().capacities().maxReceiveRequests()).isZero();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 0x1000000})
  void aQueueNumberHasTwentyFourBits(int number) {
    refused(
        Errno.EINVAL,
        "shared receive queue number",
        () -> xrc.post(xrc.request(1).send().toSharedReceiveQueue(number)));
  }

  @Test
  void aTargetHasNeitherDomainNorInitialAttributes() {
    assertThat(xrc.target.type()).isEqualTo(QueuePairType.XRC_RECV);
    assertThat(xrc.target.context()).isSameAs(xrc.pair.b.context);
    assertThat(xrc.target).hasToString("XRC_RECV queue pair 0x%06x of b", xrc.target.number());
    assertThatThrownBy(xrc.target::protectionDomain).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(xrc.target::init).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onlyAQueueOfTypeXrcHasANumber() {
    assertThat(xrc.first.type()).isEqualTo(SharedReceiveQueueType.XRC);
    assertThat(xrc.second.number()).isEqualTo(xrc.first.number() + 1);
    SharedReceiveQueue basic = xrc.pair.b.domain.createSharedReceiveQueue(1, 1);
    assertThat(basic.type()).isEqualTo(SharedReceiveQueueType.BASIC);
    refused(Errno.EOPNOTSUPP, "type XRC", basic::number);
  }

  @Test
  void typesAndQueuesThatDoNotGoTogetherAreRefused() {
    ProtectionDomain domain = xrc.pair.b.domain;
    CompletionQueue completions = xrc.firstCompletions;
    QueuePairInit initiator = QueuePairInit.xrcInitiator(completions, 1);
    refused(
        Errno.EINVAL,
        "createTargetQueuePair",
        () -> domain.createQueuePair(initiator.withType(QueuePairType.XRC_RECV)));
    SharedReceiveQueue basic = domain.createSharedReceiveQueue(1, 1);
    refused(
        Errno.EINVAL,
        "receives nothing",
        () -> domain.createQueuePair(initiator.withSharedReceiveQueue(basic)));
    refused(
        Errno.EINVAL,
        "basic",
        () ->
            domain.createQueuePair(
                QueuePairInit.reliableConnected(completions, 1, 1)
                    .withSharedReceiveQueue(xrc.first)));
    refused(
        Errno.EINVAL,
        "XRC domain",
        () ->
            domain.createXrcSharedReceiveQueue(
                xrc.pair.a.context.openXrcDomain(), completions, 1, 1));
    refused(
        Errno.EINVAL,
        "completion queue",
        () -> domain.createXrcSharedReceiveQueue(xrc.domain, xrc.pair.a.sendQueue, 1, 1));
    refused(
        Errno.EINVAL,
        "maxRequests 0",
        () -> domain.createXrcSharedReceiveQueue(xrc.domain, completions, 0, 1));
  }

  @Test
  @Checks("PARENT-BUSY")
  void whatIsInUseCannotBeClosed() {
    refused(Errno.EBUSY, "XRC target", xrc.domain::close);
    refused(Errno.EBUSY, "XRC shared receive queue", xrc.firstCompletions::close);
    xrc.target.close();
    refused(Errno.EBUSY, "XRC shared receive queue", xrc.domain::close);
    xrc.first.close();
    xrc.firstCompletions.close();
    xrc.second.close();
    assertThat(xrc.domain.isOpen()).isTrue();
    xrc.domain.close();
    xrc.domain.close();
    assertThat(xrc.domain.isOpen()).isFalse();
    refused(Errno.EINVAL, "was closed", xrc.domain::createTargetQueuePair);
    refused(
        Errno.EINVAL,
        "XRC domain",
        () ->
            xrc.pair.b.domain.createXrcSharedReceiveQueue(xrc.domain, xrc.secondCompletions, 1, 1));
  }

  @Test
  @Checks("PARENT-BUSY")
  void aContextIsInUseWhileAnXrcDomainIsOpen() {
    DeviceContext context = xrc.pair.b.node.device().open();
    XrcDomain domain = context.openXrcDomain();
    refused(Errno.EBUSY, "XRC domain", context::close);
    domain.close();
    context.close();
  }

  @Test
  void aDeviceWithoutTheCapabilityHasNoExtendedConnections() {
    Fabric fabric = Fabric.builder().profile(DeviceProfile.softRoce()).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      refused(Errno.EOPNOTSUPP, "extended", pair.a.context::openXrcDomain);
      refused(
          Errno.EOPNOTSUPP,
          "XRC_SEND",
          () -> pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(pair.a.sendQueue, 1)));
    }
    assertThat(DeviceProfile.strict().has(DeviceCapability.XRC)).isTrue();
    assertThat(DeviceProfile.connectX().has(DeviceCapability.XRC)).isTrue();
    assertThat(DeviceProfile.irdma().has(DeviceCapability.XRC)).isTrue();
  }

  @Test
  void theCreationOfADomainCanBeLetFail() {
    xrc.pair.fabric.inject(VerbsFault.parse("create:b/XrcDomain#1=ENOMEM"));
    refused(Errno.ENOMEM, "inject", xrc.pair.b.context::openXrcDomain);
    xrc.pair.b.context.openXrcDomain().close();
  }

  @Test
  @Checks("LEAK-REPORT")
  void theObjectsOfAnExtendedConnectionAreLeaksLikeAllOthers() {
    String first = String.format("0x%06x", xrc.first.number());
    String second = String.format("0x%06x", xrc.second.number());
    assertThat(xrc.pair.fabric.leaks())
        .filteredOn(leak -> leak.createdAt().contains("XrcPair"))
        .extracting(leak -> leak.object())
        .containsExactly(
            xrc.initiator.toString(),
            "XrcDomain of b with 2 queues",
            xrc.firstCompletions.toString(),
            xrc.secondCompletions.toString(),
            "XRC SharedReceiveQueue " + first + " of b with 0 of 16",
            "XRC SharedReceiveQueue " + second + " of b with 0 of 16",
            xrc.target.toString());
  }
}

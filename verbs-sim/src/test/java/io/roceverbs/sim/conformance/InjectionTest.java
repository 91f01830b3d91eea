package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.fault.ActiveFault;
import io.roceverbs.sim.fault.HeldCompletions;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Faults that are injected at the verbs of a node. */
class InjectionTest {
  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private ActiveFault inject(String token) {
    return pair.fabric.inject(VerbsFault.parse(token));
  }

  private HeldCompletions hold(String token) {
    return pair.fabric.hold((VerbsFault.HoldCompletions) VerbsFault.parse(token));
  }

  private static SendRequest send(long id) {
    return new SendRequest().reset(id).send().signaled();
  }

  // ---- post ----------------------------------------------------------------------------------

  @Test
  @Checks("INJECTED-FAULT")
  void theThirdSendIsRefusedAndNothingElse() {
    ActiveFault fault = inject("post-send:a#3=ENOMEM");
    for (int id = 1; id <= 4; id++) {
      pair.b.postEmptyReceive(10 + id);
    }
    pair.a.queuePair.post(send(1));
    SendRequest chain = send(2).next(send(3).next(send(4)));
    PostException refused =
        catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(chain));
    assertThat(refused.errno()).isEqualTo(Errno.ENOMEM);
    assertThat(refused.badRequestIndex()).isEqualTo(1);
    assertThat(refused.badRequestId()).isEqualTo(3);
    assertThat(refused)
        .hasMessage(
            "QueuePair.post: request 1 of the chain (id 3): fault post-send:a#3=ENOMEM was"
                + " injected; request 0 was posted [ENOMEM (12) Cannot allocate memory]");
    pair.a.queuePair.post(send(3));
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(words(pair.b.pollReceives()))
        .containsExactly("11 SUCCESS", "12 SUCCESS", "13 SUCCESS");
    assertThat(fault.seen()).isEqualTo(4);
    assertThat(fault.hits()).isEqualTo(1);
    assertThat(fault).hasToString("post-send:a#3=ENOMEM (seen 4, hits 1)");
  }

  @Test
  void aReceiveOfASharedQueueIsRefused() {
    SharedReceiveQueue shared = pair.a.domain.createSharedReceiveQueue(4, 1);
    inject("post-receive:a#2=ENOMEM");
    ReceiveRequest chain = new ReceiveRequest().reset(1);
    chain.next(new ReceiveRequest().reset(2));
    assertThatThrownBy(() -> shared.post(chain))
        .isInstanceOf(PostException.class)
        .hasMessage(
            "SharedReceiveQueue.post: request 1 of the chain (id 2): fault post-receive:a#2=ENOMEM"
                + " was injected; request 0 was posted [ENOMEM (12) Cannot allocate memory]");
  }

  @Test
  void onlyPostsThatWouldSucceedAreCounted() {
    ActiveFault fault = inject("post-send:a#1=EINVAL");
    assertThatThrownBy(() -> pair.a.queuePair.post(new SendRequest()))
        .hasMessageContaining("the request has no operation");
    assertThat(fault.seen()).isZero();
    assertThatThrownBy(() -> pair.a.queuePair.post(send(1))).hasMessageContaining("was injected");
    assertThat(fault.seen()).isEqualTo(1);
  }

  @Test
  void aReceiveOfOneQueuePairIsRefused() {
    QueuePair neighbour =
        pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(pair.a.sendQueue, 4, 4));
    Pair.setup().initialize(neighbour);
    ActiveFault fault =
        inject(String.format("post-receive:a/qp0x%06x#2+=EINVAL", neighbour.number()));
    for (int id = 1; id <= 3; id++) {
      pair.a.postEmptyReceive(id);
    }
    neighbour.post(new ReceiveRequest().reset(4));
    for (int id = 5; id <= 6; id++) {
      ReceiveRequest receive = new ReceiveRequest().reset(id);
      assertThatThrownBy(() -> neighbour.post(receive))
          .isInstanceOfSatisfying(
              PostException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
    }
    assertThat(fault.seen()).isEqualTo(3);
    assertThat(fault.hits()).isEqualTo(2);
    fault.close();
    fault.close();
    neighbour.post(new ReceiveRequest().reset(7));
    assertThat(fault.seen()).isEqualTo(3);
    neighbour.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    assertThat(words(pair.a.pollSends())).containsExactly("4 WR_FLUSH_ERR", "7 WR_FLUSH_ERR");
  }

  @Test
  void theFirstOfTwoFaultsDecidesAndBothCount() {
    ActiveFault first = inject("post-send:a#2=ENOMEM");
    ActiveFault second = inject("post-send:a#2-3=EINVAL");
    pair.a.queuePair.post(send(1));
    assertThatThrownBy(() -> pair.a.queuePair.post(send(2))).hasMessageContaining("ENOMEM");
    assertThatThrownBy(() -> pair.a.queuePair.post(send(3))).hasMessageContaining("EINVAL");
    assertThat(first).hasToString("post-send:a#2=ENOMEM (seen 3, hits 1)");
    assertThat(second).hasToString("post-send:a#2-3=EINVAL (seen 3, hits 1)");
  }

  // ---- creation ------------------------------------------------------------------------------

  private Map<String, ThrowingCallable> creations() {
    ByteBuffer buffer = ByteBuffer.allocate(8);
    QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1);
    Map<String, ThrowingCallable> creations = new TreeMap<>();
    creations.put("DeviceContext", () -> pair.a.node.device().open());
    creations.put("ProtectionDomain", () -> pair.a.context.allocateProtectionDomain());
    creations.put("CompletionQueue", () -> pair.a.context.createCompletionQueue(1));
    creations.put("QueuePair", () -> pair.a.domain.createQueuePair(init));
    creations.put("MemoryRegion", () -> pair.a.domain.registerMemory(buffer));
    creations.put("SharedReceiveQueue", () -> pair.a.domain.createSharedReceiveQueue(1, 1));
    creations.put(
        "AddressHandle",
        () -> pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid())));
    creations.put("FastRegistrationRegion", () -> pair.a.domain.allocateFastRegistrationRegion(1));
    return creations;
  }

  @Test
  @Checks("INJECTED-FAULT")
  void theSecondObjectOfEachKindCanNotBeHadAndNothingIsLeftBehind() throws Throwable {
    for (Map.Entry<String, ThrowingCallable> creation : creations().entrySet()) {
      String token = "create:a/" + creation.getKey() + "#2=ENOMEM";
      try (ActiveFault fault = inject(token)) {
        creation.getValue().call();
        int open = pair.fabric.leaks().size();
        assertThatThrownBy(creation.getValue())
            .as(token)
            .isInstanceOfSatisfying(
                VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM))
            .hasMessageContaining("fault " + token + " was injected");
        assertThat(pair.fabric.leaks()).hasSize(open);
        creation.getValue().call();
        assertThat(pair.fabric.leaks()).hasSize(open + 1);
        assertThat(fault.seen()).isEqualTo(3);
      }
    }
  }

  @Test
  void aRefusedCreationDoesNotHoldItsParent() {
    var domain = pair.a.context.allocateProtectionDomain();
    inject("create:a/MemoryRegion=ENOMEM");
    inject("create:a/QueuePair=ENOMEM");
    QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1);
    assertThatThrownBy(() -> domain.registerMemory(ByteBuffer.allocate(1)))
        .hasMessageContaining("ENOMEM");
    assertThatThrownBy(() -> domain.createQueuePair(init)).hasMessageContaining("ENOMEM");
    domain.close();
    assertThat(domain.isOpen()).isFalse();
  }

  @Test
  void aFaultOfAnotherNodeDoesNothingHere() {
    inject("create:b/ProtectionDomain=ENOMEM");
    inject("post-send:b=ENOMEM");
    pair.a.context.allocateProtectionDomain();
    pair.a.queuePair.post(send(1));
    assertThatThrownBy(() -> pair.b.context.allocateProtectionDomain())
        .hasMessageContaining("ENOMEM");
    assertThatThrownBy(() -> inject("create:c/ProtectionDomain=ENOMEM"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("there is no node \"c\"; the nodes are [a, b]");
  }

  // ---- completions ---------------------------------------------------------------------------

  private void exchange(int count) {
    for (int id = 1; id <= count; id++) {
      pair.b.postEmptyReceive(10 + id);
      pair.a.queuePair.post(send(id));
    }
    pair.run();
  }

  @Test
  @Checks("INJECTED-FAULT")
  void aRewrittenCompletionSaysSomethingElseAndFreesTheSameSlots() {
    List<String> notes = new ArrayList<>();
    pair.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.Noted noted) {
                notes.add(noted.node() + " @" + noted.timeNanos() + " " + noted.text());
              }
            });
    inject("rewrite:a/cq1#2=status:REM_OP_ERR");
    inject("rewrite:b/cq2#3=id:99,length:7");
    exchange(16);
    List<WorkCompletion> sends = pair.a.pollSends();
    assertThat(words(sends).subList(0, 3))
        .containsExactly("1 SUCCESS", "2 REM_OP_ERR", "3 SUCCESS");
    assertThat(sends.get(1).detail()).isEqualTo("rewritten by rewrite:a/cq1#2=status:REM_OP_ERR");
    List<WorkCompletion> receives = pair.b.pollReceives();
    assertThat(words(receives).subList(0, 4))
        .containsExactly("11 SUCCESS", "12 SUCCESS", "99 SUCCESS", "14 SUCCESS");
    assertThat(receives.get(2).byteLength()).isEqualTo(7);
    assertThat(receives.get(2).opcode()).isEqualTo(CompletionOpcode.RECV);
    // The queue pairs know nothing of it, and all 16 slots of each are free.
    assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    exchange(16);
    assertThat(pair.a.pollSends()).hasSize(16);
    assertThat(notes)
        .containsExactly(
            "b @" + Pair.LATENCY_NANOS + " injected fault rewrite:b/cq2#3=id:99,length:7",
            "a @" + 2 * Pair.LATENCY_NANOS + " injected fault rewrite:a/cq1#2=status:REM_OP_ERR");
  }

  @Test
  void aCompletionThatComesTwiceFreesItsSlotOnce() {
    inject("invent:a#1");
    inject("invent:a#2=id:77,status:WR_FLUSH_ERR");
    exchange(2);
    assertThat(words(pair.a.pollSends()))
        .containsExactly("1 SUCCESS", "1 SUCCESS", "2 SUCCESS", "77 WR_FLUSH_ERR");
    assertThat(pair.b.pollReceives()).hasSize(2);
    exchange(16);
    assertThat(pair.a.pollSends()).hasSize(16);
    assertThatThrownBy(
            () -> {
              for (int id = 0; id <= 16; id++) {
                pair.a.queuePair.post(send(id));
              }
            })
        .hasMessageContaining("all 16 slots of the send queue are taken");
  }

  @Test
  void aCompletionCanComeWithoutAnyRequest() {
    WorkCompletion invented = new WorkCompletion();
    invented.setSuccess(42, pair.a.queuePair.number(), CompletionOpcode.RECV, 5);
    pair.a.node.faults().injectCompletion(pair.a.queuePair, false, invented);
    invented.setSuccess(43, 0x777, CompletionOpcode.RDMA_READ, 6);
    pair.a.node.faults().injectCompletion(pair.a.queuePair, true, invented);
    WorkCompletion receive = pair.a.pollReceives().get(0);
    assertThat(receive)
        .hasToString("WorkCompletion[id=42, queuePairNumber=17, SUCCESS RECV, byteLength=5]");
    assertThat(pair.a.pollSends().get(0).queuePairNumber()).isEqualTo(0x777);
    assertThatThrownBy(
            () -> pair.a.node.faults().injectCompletion(pair.b.queuePair, true, invented))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("RC queue pair 0x001011 of b is not an open object of a");
  }

  @Test
  void anInventedCompletionCanOverrunItsQueue() {
    CompletionQueue small = pair.a.context.createCompletionQueue(1);
    QueuePair queuePair =
        pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(small, 1, 1));
    Pair.setup().initialize(queuePair);
    WorkCompletion invented = new WorkCompletion();
    invented.setSuccess(42, 1, CompletionOpcode.SEND, 0);
    pair.a.node.faults().injectCompletion(queuePair, true, invented);
    assertThat(pair.a.pollEvents()).isEmpty();
    pair.a.node.faults().injectCompletion(queuePair, true, invented);
    pair.run();
    assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.CQ_ERR, AsyncEventType.QP_FATAL);
    assertThat(queuePair.state()).isEqualTo(QueuePairState.ERR);
  }

  // ---- held completions ----------------------------------------------------------------------

  @Test
  @Checks("INJECTED-FAULT")
  void heldCompletionsWaitUntilTheyAreReleasedInTheirOrder() {
    HeldCompletions held = hold("hold:a/cq1#2+");
    exchange(4);
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(pair.a.pollSends()).isEmpty();
    assertThat(held.held()).isEqualTo(3);
    assertThat(held.release(2)).isEqualTo(2);
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS", "3 SUCCESS");
    assertThat(held.release(2)).isEqualTo(1);
    assertThat(held.release(2)).isZero();
    assertThat(words(pair.a.pollSends())).containsExactly("4 SUCCESS");
    assertThat(held.seen()).isEqualTo(4);
    assertThat(held.hits()).isEqualTo(3);
    assertThatThrownBy(() -> held.release(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void aHeldCompletionKeepsItsQueueSlot() {
    HeldCompletions held = hold("hold:a");
    exchange(16);
    assertThatThrownBy(() -> pair.a.queuePair.post(send(17)))
        .isInstanceOfSatisfying(
            PostException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    held.release(1);
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    pair.a.queuePair.post(send(17));
  }

  @Test
  void twoQueuesAreInterleavedAtWill() {
    HeldCompletions sends = hold("hold:b/cq1");
    HeldCompletions receives = hold("hold:b/cq2");
    pair.a.postEmptyReceive(1);
    pair.b.queuePair.post(send(2));
    exchange(1);
    pair.run();
    assertThat(sends.held()).isEqualTo(1);
    assertThat(receives.held()).isEqualTo(1);
    // The receive came before the acknowledgement; the program sees them the other way round.
    sends.release(1);
    assertThat(pair.b.pollReceives()).isEmpty();
    assertThat(words(pair.b.pollSends())).containsExactly("2 SUCCESS");
    receives.release(1);
    assertThat(words(pair.b.pollReceives())).containsExactly("11 SUCCESS");
  }

  @Test
  void closingAHoldReleasesAllThatItHolds() {
    HeldCompletions held = hold("hold:a");
    exchange(3);
    assertThat(pair.a.pollSends()).isEmpty();
    held.close();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(held.held()).isZero();
    held.close();
    exchange(1);
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
  }

  @Test
  @Checks("CQ-PURGE")
  void heldCompletionsOfAClosedOrResetQueuePairAreGone() {
    HeldCompletions ofA = hold("hold:a");
    HeldCompletions ofB = hold("hold:b");
    exchange(3);
    assertThat(ofA.held()).isEqualTo(3);
    assertThat(ofB.held()).isEqualTo(3);
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    pair.b.queuePair.close();
    assertThat(ofA.held()).isZero();
    assertThat(ofB.held()).isZero();
    pair.b.receiveQueue.close();
  }

  @Test
  void aFaultCanBeTakenOutAfterTheEndOfItsFabric() {
    ActiveFault fault = inject("post-send:a=ENOMEM");
    HeldCompletions held = hold("hold:a");
    exchangeNothing();
    pair.fabric.close();
    fault.close();
    held.close();
    assertThat(fault.hits()).isEqualTo(1);
  }

  private void exchangeNothing() {
    assertThatThrownBy(() -> pair.a.queuePair.post(send(1))).hasMessageContaining("was injected");
  }

  @Test
  void equalFaultsGiveEqualRuns() {
    assertThat(hashOfARunWithFaults()).isEqualTo(hashOfARunWithFaults());
  }

  private static long hashOfARunWithFaults() {
    try (Pair run = Pair.connected()) {
      for (String token :
          List.of("rewrite:a/cq1#2=id:5", "invent:b#1", "hold:a/cq1#4+", "post-send:a#3=EIO")) {
        run.fabric.inject(VerbsFault.parse(token));
      }
      for (int id = 1; id <= 6; id++) {
        run.b.postEmptyReceive(id);
        try {
          run.a.queuePair.post(send(id));
        } catch (PostException e) {
          assertThat(id).isEqualTo(3);
        }
      }
      run.run();
      assertThat(words(run.a.pollSends())).containsExactly("1 SUCCESS", "5 SUCCESS", "4 SUCCESS");
      return run.fabric.trace().hash();
    }
  }
}

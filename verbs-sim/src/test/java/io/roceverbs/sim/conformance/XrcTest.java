package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Extended reliable connections: each request names the shared receive queue that it is for. */
class XrcTest {
  private static final int BYTES = 3000;

  private XrcPair xrc = XrcPair.connected();

  @AfterEach
  void close() {
    xrc.close();
  }

  private Memory data(int value) {
    return xrc.pair.a.memory(BYTES, value);
  }

  private Memory landing() {
    return xrc.pair.b.memory(BYTES, 0);
  }

  private static WorkCompletion only(List<WorkCompletion> completions) {
    assertThat(completions).hasSize(1);
    return completions.get(0).requireSuccess();
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_xrc_send")
  void aSendOfABatchMovesTheBytesAndCompletesAtTheQueueItNames() {
    Memory landing = landing();
    xrc.postReceive(xrc.first, 10, landing);
    SendBatch batch = xrc.initiator.createSendBatch();
    batch
        .begin(1)
        .signaled()
        .send()
        .toSharedReceiveQueue(xrc.first.number())
        .segment(data(0x61).region(), 0, BYTES);
    batch.complete();
    xrc.pair.run();

    WorkCompletion sent = only(xrc.pair.a.pollSends());
    assertThat(sent.opcode()).isEqualTo(CompletionOpcode.SEND);
    assertThat(sent.queuePairNumber()).isEqualTo(xrc.initiator.number());
    WorkCompletion received = only(xrc.poll(xrc.firstCompletions));
    assertThat(received.id()).isEqualTo(10);
    assertThat(received.byteLength()).isEqualTo(BYTES);
    assertThat(received.queuePairNumber()).isEqualTo(xrc.target.number());
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
    assertThat(xrc.pair.journal.words("a"))
        .containsExactly("XRC_SEND_FIRST 000100", "XRC_SEND_MIDDLE 000101", "XRC_SEND_LAST 000102");
    assertThat(xrc.pair.journal.words("b")).containsExactly("ACK 000102");
    assertThat(xrc.pair.journal.from("a"))
        .allSatisfy(
            packet ->
                assertThat(packet.summary())
                    .contains(String.format(" srq=0x%06x", xrc.first.number())));
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_xrc_send_imm")
  void anImmediateArrivesUnchanged() {
    xrc.postReceive(xrc.first, 10, landing());
    SendBatch batch = xrc.initiator.createSendBatch();
    batch.begin(1).sendWithImmediate(0x89ABCDEF).toSharedReceiveQueue(xrc.first.number());
    batch.complete();
    xrc.pair.run();

    WorkCompletion received = only(xrc.poll(xrc.firstCompletions));
    assertThat(received.flags()).isEqualTo(CompletionFlag.WITH_IMM.value());
    assertThat(received.immediate()).isEqualTo(0x89ABCDEF);
  }

  @Test
  @Checks("XRC-QUEUE-NAMED")
  void oneConnectionServesTwoQueues() {
    for (int i = 0; i < 3; i++) {
      xrc.postEmptyReceive(xrc.first, 10 + i);
      xrc.postEmptyReceive(xrc.second, 20 + i);
    }
    SharedReceiveQueue[] order = {xrc.second, xrc.first, xrc.first, xrc.second};
    for (int i = 0; i < order.length; i++) {
      xrc.post(xrc.request(i, order[i]).send());
    }
    xrc.pair.run();
    assertThat(xrc.poll(xrc.firstCompletions))
        .extracting(WorkCompletion::id)
        .containsExactly(10L, 11L);
    assertThat(xrc.poll(xrc.secondCompletions))
        .extracting(WorkCompletion::id)
        .containsExactly(20L, 21L);
    assertThat(xrc.pair.a.pollSends())
        .extracting(WorkCompletion::id)
        .containsExactly(0L, 1L, 2L, 3L);
  }

  @Test
  void twoTargetsDeliverIntoOneQueue() {
    QueuePair other = xrc.domain.createTargetQueuePair();
    QueuePair otherInitiator =
        xrc.pair.a.domain.createQueuePair(QueuePairInit.xrcInitiator(xrc.pair.a.sendQueue, 4));
    Pair.setup().connect(otherInitiator, other);
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.postEmptyReceive(xrc.first, 11);
    otherInitiator.post(xrc.request(1).send());
    xrc.pair.run();
    xrc.post(xrc.request(2).send());
    xrc.pair.run();
    assertThat(xrc.poll(xrc.firstCompletions))
        .extracting(WorkCompletion::queuePairNumber)
        .containsExactly(other.number(), xrc.target.number());
  }

  @Test
  void aWriteAndAReadReachMemoryThroughTheDomainOfTheQueueTheyName() {
    Memory target = landing();
    xrc.post(
        xrc.request(1)
            .rdmaWrite(target.address(), target.rkey())
            .segment(data(0x61).region(), 0, BYTES));
    xrc.pair.run();
    assertThat(only(xrc.pair.a.pollSends()).opcode()).isEqualTo(CompletionOpcode.RDMA_WRITE);
    assertThat(target.slice(0, BYTES)).containsOnly(0x61);

    Memory sink = data(0);
    xrc.post(
        xrc.request(2).rdmaRead(target.address(), target.rkey()).segment(sink.region(), 0, BYTES));
    xrc.pair.run();
    assertThat(only(xrc.pair.a.pollSends()).opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
    assertThat(sink.slice(0, BYTES)).containsOnly(0x61);
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
  }

  private static Memory word(Side side, long value) {
    Memory memory = side.memory(8, 0);
    memory.bytes().order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    return memory;
  }

  @ParameterizedTest
  @CsvSource({"5, 9, 7", "7, 9, 9"})
  @Checks("AtomicTest.test_xrc_atomic_cmp_and_swap")
  void aSwapHappensOnlyOnAMatchAndReturnsTheOldValue(long compare, long swap, long after) {
    Memory target = word(xrc.pair.b, 7);
    Memory result = word(xrc.pair.a, -1);
    xrc.post(
        xrc.request(1)
            .compareAndSwap(target.address(), target.rkey(), compare, swap)
            .segment(result.region(), 0, 8));
    xrc.pair.run();
    assertThat(only(xrc.pair.a.pollSends()).opcode()).isEqualTo(CompletionOpcode.COMP_SWAP);
    assertThat(result.bytes().getLong(0)).isEqualTo(7);
    assertThat(target.bytes().getLong(0)).isEqualTo(after);
  }

  @Test
  @Checks("AtomicTest.test_xrc_atomic_fetch_and_add")
  void aSumIsStoredAndTheOldValueComesBack() {
    Memory target = word(xrc.pair.b, 7);
    Memory result = word(xrc.pair.a, -1);
    xrc.post(
        xrc.request(1)
            .fetchAndAdd(target.address(), target.rkey(), 3)
            .segment(result.region(), 0, 8));
    xrc.pair.run();
    assertThat(only(xrc.pair.a.pollSends()).opcode()).isEqualTo(CompletionOpcode.FETCH_ADD);
    assertThat(result.bytes().getLong(0)).isEqualTo(7);
    assertThat(target.bytes().getLong(0)).isEqualTo(10);
  }

  @Test
  @Checks("CqExTestCase.test_xrc_traffic_cq_ex")
  void anExtendedPollSeesTrafficOfExtendedConnections() {
    ExtendedCompletionQueue queue =
        xrc.pair.b.context.createExtendedCompletionQueue(CompletionQueueInit.ofCapacity(8));
    SharedReceiveQueue shared =
        xrc.pair.b.domain.createXrcSharedReceiveQueue(xrc.domain, queue, 4, 1);
    for (int i = 0; i < 3; i++) {
      Memory landing = landing();
      xrc.postReceive(shared, 10 + i, landing);
      xrc.postSend(i, shared, data(0x40 + i));
      xrc.pair.run();
      assertThat(queue.startPoll()).isTrue();
      assertThat(queue.id()).isEqualTo(10 + i);
      assertThat(queue.status().value()).isZero();
      assertThat(queue.opcode()).isEqualTo(CompletionOpcode.RECV);
      queue.endPoll();
      assertThat(landing.slice(0, BYTES)).containsOnly(0x40 + i);
    }
  }

  @Test
  @Checks("RoTestCase.test_ro_xrc_traffic")
  void trafficOverARegionWithRelaxedOrderingIsRight() {
    Memory landing =
        xrc.pair.b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING);
    xrc.postReceive(xrc.first, 10, landing);
    xrc.postSend(1, xrc.first, data(0x61));
    xrc.pair.run();
    assertThat(only(xrc.poll(xrc.firstCompletions)).byteLength()).isEqualTo(BYTES);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
  }

  // ---- events --------------------------------------------------------------------------------

  @Test
  @Checks("SHARED-LIMIT")
  void theLimitOfAQueueIsReachedByExtendedConnectionsToo() {
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.postEmptyReceive(xrc.first, 11);
    xrc.first.armLimit(2);
    xrc.post(xrc.request(1).send());
    xrc.pair.run();
    assertThat(xrc.pair.b.pollEvents()).containsExactly(AsyncEventType.SRQ_LIMIT_REACHED);
  }

  @Test
  @Checks({"LAST-WQE", "SHARED-NOT-FLUSHED"})
  void aTargetThatFailsTakesNoMoreReceivesAndFlushesNone() {
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.target.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    assertThat(xrc.pair.b.pollEvents()).containsExactly(AsyncEventType.QP_LAST_WQE_REACHED);
    xrc.pair.run();
    assertThat(xrc.poll(xrc.firstCompletions)).isEmpty();
  }

  @Test
  @Checks("COMM-EST")
  void aTargetInRtrHearsThatThePeerIsThere() {
    QueuePair target = xrc.domain.createTargetQueuePair();
    Pair.setup().initialize(target);
    Pair.setup().readyToReceive(target, xrc.pair.a.node.gid(), xrc.initiator.number());
    xrc.initiator.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    Pair.setup().initialize(xrc.initiator);
    Pair.setup().readyToReceive(xrc.initiator, xrc.pair.b.node.gid(), target.number());
    Pair.setup().readyToSend(xrc.initiator);
    xrc.postEmptyReceive(xrc.first, 10);
    xrc.post(xrc.request(1).send());
    xrc.pair.run();
    assertThat(xrc.pair.b.pollEvents()).containsExactly(AsyncEventType.COMM_EST);
    only(xrc.pair.a.pollSends());
  }

  // ---- loss ----------------------------------------------------------------------------------

  /** Every kind of request to both queues; what both programs see of it. */
  private static List<String> exchange(String fault) {
    List<String> seen = new ArrayList<>();
    try (XrcPair xrc = XrcPair.connected(Pair.setup().withRetries(7, 7).withFirstPsn(0xFFFFFA))) {
      if (!fault.isEmpty()) {
        xrc.pair.impair(fault);
      }
      Memory landing = xrc.pair.b.memory(BYTES, 0);
      Memory word = word(xrc.pair.b, 7);
      Memory result = word(xrc.pair.a, -1);
      Memory sink = xrc.pair.a.memory(BYTES, 0);
      xrc.postReceive(xrc.first, 10, landing);
      xrc.postEmptyReceive(xrc.second, 20);
      xrc.postSend(1, xrc.first, xrc.pair.a.memory(BYTES, 0x61));
      xrc.post(
          xrc.request(2, xrc.second)
              .fetchAndAdd(word.address(), word.rkey(), 3)
              .segment(result.region(), 0, 8));
      xrc.post(
          xrc.request(3, xrc.second)
              .rdmaRead(landing.address(), landing.rkey())
              .segment(sink.region(), 0, BYTES));
      xrc.post(xrc.request(4, xrc.second).sendWithImmediate(5));
      xrc.pair.run();
      xrc.pair.a.pollSends().forEach(completion -> seen.add(text(completion)));
      xrc.poll(xrc.firstCompletions).forEach(completion -> seen.add(text(completion)));
      xrc.poll(xrc.secondCompletions).forEach(completion -> seen.add(text(completion)));
      seen.add("word " + word.bytes().getLong(0) + " was " + result.bytes().getLong(0));
      seen.add("landing " + landing.slice(0, BYTES)[BYTES - 1] + " sink " + sink.slice(0, 1)[0]);
      seen.add(xrc.pair.b.pollEvents().toString());
      packets = List.of(xrc.pair.journal.from("a").size(), xrc.pair.journal.from("b").size());
    }
    return seen;
  }

  private static List<Integer> packets = List.of();

  private static String text(WorkCompletion completion) {
    return completion.id() + " " + completion.status() + " " + completion.opcode();
  }

  @ParameterizedTest
  @CsvSource({"drop", "duplicate"})
  void aFaultAtEachPacketInTurnChangesNothingThatAProgramSees(String verdict) {
    List<String> clean = exchange("");
    assertThat(clean)
        .containsExactly(
            "1 SUCCESS SEND",
            "2 SUCCESS FETCH_ADD",
            "3 SUCCESS RDMA_READ",
            "4 SUCCESS SEND",
            "10 SUCCESS RECV",
            "20 SUCCESS RECV",
            "word 10 was 7",
            "landing 97 sink 97",
            "[]");
    int fromA = packets.get(0);
    int fromB = packets.get(1);
    assertThat(List.of(fromA, fromB)).isEqualTo(List.of(6, 6));
    for (int i = 1; i <= fromA; i++) {
      assertThat(exchange(verdict + ":a>b/ANY#" + i)).as("a>b#%d", i).isEqualTo(clean);
    }
    for (int i = 1; i <= fromB; i++) {
      assertThat(exchange(verdict + ":b>a/ANY#" + i)).as("b>a#%d", i).isEqualTo(clean);
    }
  }
}

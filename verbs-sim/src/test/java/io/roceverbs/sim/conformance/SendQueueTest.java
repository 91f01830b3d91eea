package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/** How the send queue counts slots, runs local operations and ends a faulty request. */
class SendQueueTest {
  private static final long HOUR_NANOS = 3_600_000_000_000L;
  private static final int BAD_KEY = 0x00ABCD01;

  @Test
  @Checks({"C24", "SLOT-AT-POLL", "S07"})
  void aQueueFullOfUnsignalledSendsIsDead() {
    try (Pair pair = Pair.connected(Pair.setup(), withRequests(4, 16))) {
      Memory target = pair.b.memory(100, 0);
      for (int i = 1; i <= 4; i++) {
        pair.a.queuePair.post(write(pair, i, target));
      }
      pair.run();
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "ACK 000101", "ACK 000102", "ACK 000103");
      assertThat(pair.completions("a")).isEmpty();

      assertOutOfSlots(() -> pair.a.queuePair.post(write(pair, 5, target)), 5);
      pair.runFor(HOUR_NANOS);
      assertThat(pair.a.pollSends()).isEmpty();
      assertOutOfSlots(() -> pair.a.queuePair.post(write(pair, 6, target).signaled()), 6);
      assertThat(pair.journal.words("a")).hasSize(4);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"C24", "SLOT-AT-POLL", "S07"})
  void pollingTheLastOfFourFreesAllFour() {
    try (Pair pair = Pair.connected(Pair.setup(), withRequests(4, 16))) {
      Memory target = pair.b.memory(100, 0);
      for (int i = 1; i <= 3; i++) {
        pair.a.queuePair.post(write(pair, i, target));
      }
      pair.a.queuePair.post(write(pair, 4, target).signaled());
      pair.run();
      assertOutOfSlots(() -> pair.a.queuePair.post(write(pair, 5, target)), 5);

      assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(4L);
      for (int i = 5; i <= 8; i++) {
        pair.a.queuePair.post(write(pair, i, target));
      }
      assertOutOfSlots(() -> pair.a.queuePair.post(write(pair, 9, target)), 9);
      pair.run();
      assertThat(pair.journal.words("a")).hasSize(8);
    }
  }

  @Test
  @Checks({"SLOT-AT-POLL", "S07"})
  void freeSlotsAreCountedFromPostToPoll() {
    try (Pair pair = Pair.connected(Pair.setup(), withRequests(4, 16))) {
      Memory target = pair.b.memory(100, 0);
      QueuePair queuePair = pair.a.queuePair;
      assertThat(pair.a.node.freeSendSlots(queuePair)).isEqualTo(4);
      queuePair.post(write(pair, 1, target));
      queuePair.post(write(pair, 2, target).signaled());
      queuePair.post(write(pair, 3, target));
      assertThat(pair.a.node.freeSendSlots(queuePair)).isEqualTo(1);
      pair.run();
      assertThat(pair.a.node.freeSendSlots(queuePair)).isEqualTo(1);
      assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(2L);
      assertThat(pair.a.node.freeSendSlots(queuePair)).isEqualTo(3);
      assertThatThrownBy(() -> pair.b.node.freeSendSlots(queuePair))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessageContaining("is not an open object of b");
      queuePair.close();
      assertThatThrownBy(() -> pair.a.node.freeSendSlots(queuePair))
          .isInstanceOf(IllegalArgumentException.class);
    }
  }

  @Test
  @Checks("SLOT-AT-POLL")
  void aPolledCompletionFreesNoSlotBehindIt() {
    try (Pair pair = Pair.connected(Pair.setup(), withRequests(4, 16))) {
      Memory target = pair.b.memory(100, 0);
      pair.a.queuePair.post(write(pair, 1, target));
      pair.a.queuePair.post(write(pair, 2, target).signaled());
      pair.a.queuePair.post(write(pair, 3, target));
      pair.a.queuePair.post(write(pair, 4, target));
      pair.run();
      assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(2L);

      pair.a.queuePair.post(write(pair, 5, target));
      pair.a.queuePair.post(write(pair, 6, target));
      assertOutOfSlots(() -> pair.a.queuePair.post(write(pair, 7, target)), 7);
    }
  }

  @Test
  @Checks("SLOT-AT-POLL")
  void aReceiveKeepsItsSlotUntilItsCompletionIsPolled() {
    try (Pair pair = Pair.connected(Pair.setup(), withRequests(16, 2))) {
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.a.queuePair.post(pair.a.request.reset(1).send());
      pair.run();
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");

      assertOutOfSlots(() -> pair.b.postEmptyReceive(12), 12);
      assertThat(pair.b.pollReceives()).extracting(WorkCompletion::id).containsExactly(10L);
      pair.b.postEmptyReceive(13);
      assertOutOfSlots(() -> pair.b.postEmptyReceive(14), 14);
    }
  }

  @Test
  @Checks("C17")
  void aWriteWithImmediateTakesAReceiveAndLeavesItsMemoryAlone() {
    try (Pair pair = Pair.connected()) {
      Memory receive = pair.b.memory(64, 0x55);
      Memory target = pair.b.memory(3000, 0);
      Memory source = pair.a.memory(3000, 0x33);
      pair.b.postReceive(10, receive);
      pair.b.postEmptyReceive(11);
      pair.a.queuePair.post(writeWithImmediate(pair, 1, target, source, 3000, 0xCAFE0001));
      pair.runFor(10_000);
      pair.a.queuePair.post(writeWithImmediate(pair, 2, target, source, 10, 0xCAFE0002));
      pair.run();

      List<WorkCompletion> received = pair.b.pollReceives();
      assertThat(received)
          .extracting(
              WorkCompletion::id,
              WorkCompletion::status,
              WorkCompletion::opcode,
              WorkCompletion::byteLength,
              WorkCompletion::withImmediate,
              WorkCompletion::withInvalidate,
              WorkCompletion::immediate)
          .containsExactly(
              tuple(
                  10L,
                  CompletionStatus.SUCCESS,
                  CompletionOpcode.RECV_RDMA_WITH_IMM,
                  3000,
                  true,
                  false,
                  0xCAFE0001),
              tuple(
                  11L,
                  CompletionStatus.SUCCESS,
                  CompletionOpcode.RECV_RDMA_WITH_IMM,
                  10,
                  true,
                  false,
                  0xCAFE0002));
      assertThat(CompletionOpcode.RECV_RDMA_WITH_IMM.value()).isEqualTo(129);
      assertThat(receive.slice(0, 64)).containsOnly(0x55);
      assertThat(target.slice(0, 3000)).containsOnly(0x33);
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status, WorkCompletion::opcode)
          .containsExactly(
              tuple(1L, CompletionStatus.SUCCESS, CompletionOpcode.RDMA_WRITE),
              tuple(2L, CompletionStatus.SUCCESS, CompletionOpcode.RDMA_WRITE));
      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST 000100",
              "WRITE_MIDDLE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000102",
              "WRITE_ONLY_WITH_IMMEDIATE 000103");

      pair.b.modifyToError();
      assertThat(pair.b.pollReceives()).isEmpty();
    }
  }

  @Test
  @Checks({"C03", "LOCAL-ONCE", "GO-BACK-N"})
  void registrationsAndInvalidationsRunOnceAlsoWhenTheQueueGoesBackOverThem() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = pair.a.fastMemory(256, 0);
      List<String> changes = keyChanges(pair);
      Memory word = pair.a.memory(4, 0x77);
      Memory target = pair.b.memory(2048, 0);
      pair.b.postReceive(10, pair.b.memory(4, 0));
      pair.b.postReceive(11, pair.b.memory(4, 0));
      pair.impair("drop:a>b/WRITE@0x101~1");
      pair.impair("drop:b>a/ACK@0x103#1");

      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(pair.a.memory(2048, 0x33).region(), 0, 2048)
              .signaled());
      pair.a.postRegister(2, region);
      int firstKey = region.key();
      pair.a.postSend(3, word);
      pair.run();
      pair.a.queuePair.post(pair.a.request.reset(4).localInvalidate(firstKey).signaled());
      pair.a.postRegister(5, region);
      int secondKey = region.key();
      pair.a.postSend(6, word);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST 000100",
              "WRITE_LAST 000101",
              "SEND_ONLY 000102",
              "WRITE_LAST 000101",
              "SEND_ONLY 000102",
              "SEND_ONLY 000103",
              "SEND_ONLY 000103");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_WRITE 1 SUCCESS @40000",
              "REG_MR 2 SUCCESS @40000",
              "SEND 3 SUCCESS @40000",
              "LOCAL_INV 4 SUCCESS @40000",
              "REG_MR 5 SUCCESS @40000",
              "SEND 6 SUCCESS @67168864");
      assertThat(changes)
          .containsExactly(
              firstKey + " true @0", firstKey + " false @40000", secondKey + " true @40000");
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id)
          .containsExactly(1L, 2L, 3L, 4L, 5L, 6L);

      assertPeerMayWriteWithTheSecondKeyOnly(pair, region, firstKey, secondKey);
    }
  }

  private static void assertPeerMayWriteWithTheSecondKeyOnly(
      Pair pair, FastMemory region, int firstKey, int secondKey) {
    Memory source = pair.b.memory(16, 0x66);
    for (int key : new int[] {secondKey, firstKey}) {
      pair.b.queuePair.post(
          pair.b
              .request
              .reset(key)
              .rdmaWrite(region.address(), key)
              .segment(source.region(), 0, 16)
              .signaled());
      pair.run();
      assertThat(region.memory().slice(0, 16)).containsOnly(key == secondKey ? 0x66 : 0);
      region.memory().fill(0);
    }
    assertThat(pair.b.pollSends())
        .extracting(WorkCompletion::id, WorkCompletion::status)
        .containsExactly(
            tuple((long) secondKey, CompletionStatus.SUCCESS),
            tuple((long) firstKey, CompletionStatus.REM_ACCESS_ERR));
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "KEY-LAZY", "FLUSH-IN-ORDER"})
  void aRequestThatCannotBeGatheredFailsAfterThoseBeforeIt() {
    try (Pair pair = Pair.connected()) {
      postGoodBadGood(pair);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @20000", "SEND 2 LOC_PROT_ERR @20000", "SEND 3 WR_FLUSH_ERR @20000");
      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.a.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "ACK-TIMER"})
  void theRequestBeforeAFaultyOneIsStillSentAgain() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/SEND#1");
      postGoodBadGood(pair);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @67128864",
              "SEND 2 LOC_PROT_ERR @67128864",
              "SEND 3 WR_FLUSH_ERR @67128864");
      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100");
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "RETRY-COUNT"})
  void whereTheRequestBeforeFailsTheFaultyOneIsFlushed() {
    try (Pair pair = Pair.connected()) {
      pair.impair("drop:a>b/SEND");
      postGoodBadGood(pair);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 RETRY_EXC_ERR @268435456",
              "SEND 2 WR_FLUSH_ERR @268435456",
              "SEND 3 WR_FLUSH_ERR @268435456");
      assertThat(pair.journal.words("a")).hasSize(4).containsOnly("SEND_ONLY 000100");
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "READ-RESUME"})
  void aReadBeforeAFaultyRequestIsFinishedFirst() {
    try (Pair pair = Pair.connected()) {
      Memory source = pair.b.memory(2048, 0x33);
      Memory sink = pair.a.memory(2048, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaRead(source.address(), source.rkey())
              .segment(sink.region(), 0, 2048));
      pair.a.queuePair.post(pair.a.request.reset(2).send().segment(0, 8, BAD_KEY));
      pair.run();

      assertThat(sink.slice(0, 2048)).containsOnly(0x33);
      assertThat(pair.completions("a")).containsExactly("SEND 2 LOC_PROT_ERR @67148864");
      assertThat(pair.journal.words("a"))
          .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000101");
    }
  }

  @Test
  @Checks({"FAULT-IN-ORDER", "LOCAL-ONCE"})
  void aRegistrationThatFailsWaitsForThoseBeforeIt() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = pair.a.fastMemory(64, 0);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.postRegister(1, region);
      int key = region.key();
      pair.a.postSend(2, pair.a.memory(8, 0x33));
      pair.a.postRegister(3, region);
      pair.a.queuePair.post(pair.a.request.reset(4).localInvalidate(key));
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "REG_MR 1 SUCCESS @0",
              "SEND 2 SUCCESS @20000",
              "REG_MR 3 MW_BIND_ERR @20000",
              "LOCAL_INV 4 WR_FLUSH_ERR @20000");
    }
  }

  /** Posts signalled SENDs 1 to 3, the second with an unknown key, and receives 10 to 12. */
  private static void postGoodBadGood(Pair pair) {
    Memory sent = pair.a.memory(8, 0x33);
    for (int i = 10; i <= 12; i++) {
      pair.b.postReceive(i, pair.b.memory(8, 0));
    }
    pair.a.postSend(1, sent);
    pair.a.queuePair.post(
        pair.a.request.reset(2).send().segment(sent.address(), 8, BAD_KEY).signaled());
    pair.a.postSend(3, sent);
  }

  private static UnaryOperator<QueuePairInit> withRequests(int sends, int receives) {
    return init -> init.withCapacities(new QueuePairCapacities(sends, receives, 4, 4, 64));
  }

  private static SendRequest write(Pair pair, long id, Memory target) {
    return pair.a
        .request
        .reset(id)
        .rdmaWrite(target.address(), target.rkey())
        .segment(pair.a.memory(8, 0x33).region(), 0, 8);
  }

  private static SendRequest writeWithImmediate(
      Pair pair, long id, Memory target, Memory source, int length, int immediate) {
    return pair.a
        .request
        .reset(id)
        .rdmaWriteWithImmediate(target.address(), target.rkey(), immediate)
        .segment(source.region(), 0, length)
        .signaled();
  }

  private static void assertOutOfSlots(ThrowingCallable post, long id) {
    assertThatExceptionOfType(PostException.class)
        .isThrownBy(post)
        .satisfies(
            refusal -> {
              assertThat(refusal.errno()).isEqualTo(Errno.ENOMEM);
              assertThat(refusal.badRequestId()).isEqualTo(id);
              assertThat(refusal.badRequestIndex()).isZero();
            });
  }

  private static List<String> keyChanges(Pair pair) {
    List<String> changes = new ArrayList<>();
    pair.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.KeyChanged change
                  && !change.cause().equals("registerMemory")) {
                changes.add(change.key() + " " + change.valid() + " @" + change.timeNanos());
              }
            });
    return changes;
  }
}

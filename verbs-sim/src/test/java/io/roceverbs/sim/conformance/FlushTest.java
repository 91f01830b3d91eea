package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.assertj.core.groups.Tuple;
import org.junit.jupiter.api.Test;

/** What happens to the requests of a queue pair that is in ERR, or goes there. */
class FlushTest {
  private static final CompletionStatus FLUSHED = CompletionStatus.WR_FLUSH_ERR;

  @Test
  @Checks({"C18", "POST-IN-ERR", "FLUSH-IN-ORDER", "S14"})
  void aDrainMarkerPostedInErrCompletesLastAndOnItsOwnQueue() {
    try (Pair pair = Pair.connected()) {
      Memory target = pair.b.memory(8, 0);
      pair.impair("drop:a>b/ANY");
      for (int i = 1; i <= 4; i++) {
        postWrite(pair, i, target);
      }
      for (int i = 10; i <= 12; i++) {
        pair.a.postEmptyReceive(i);
      }
      pair.runFor(5_000);
      assertThat(pair.completions("a")).isEmpty();

      pair.a.modifyToError();
      pair.a.queuePair.post(pair.a.request.reset(99).send());
      pair.a.postEmptyReceive(199);

      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(flushed(1), flushed(2), flushed(3), flushed(4), flushed(99));
      assertThat(pair.a.pollReceives())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(flushed(10), flushed(11), flushed(12), flushed(199));
      pair.run();
      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.a.pollReceives()).isEmpty();
      assertThat(pair.completions("a")).hasSize(9).allMatch(text -> text.endsWith(" @5000"));
      assertThat(pair.journal.words("a")).hasSize(4);
      assertThat(pair.fabric.nanoTime()).isEqualTo(5_000);
      assertThat(pair.a.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"C19", "POST-IN-ERR", "SLOT-AT-POLL", "S08"})
  void postingInErrGivesOneFlushForEachRequestAndHoldsTheSlotsUntilTheyArePolled() {
    QueuePairCapacities capacities = new QueuePairCapacities(8, 8, 4, 4, 64);
    try (Pair pair = Pair.connected(Pair.setup(), init -> init.withCapacities(capacities))) {
      pair.a.modifyToError();
      assertThat(pair.a.pollSends()).isEmpty();
      int sends = pair.a.queuePair.init().capacities().maxSendRequests();
      int receives = pair.a.queuePair.init().capacities().maxReceiveRequests();
      assertThat(List.of(sends, receives)).containsExactly(8, 8);
      for (int i = 1; i <= 8; i++) {
        pair.a.queuePair.post(pair.a.request.reset(i).send());
        pair.a.postEmptyReceive(100 + i);
      }
      assertOutOfSlots(() -> pair.a.queuePair.post(pair.a.request.reset(9).send()));
      assertOutOfSlots(() -> pair.a.postEmptyReceive(109));

      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(
              flushed(1),
              flushed(2),
              flushed(3),
              flushed(4),
              flushed(5),
              flushed(6),
              flushed(7),
              flushed(8));
      assertThat(pair.a.pollReceives())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(
              flushed(101),
              flushed(102),
              flushed(103),
              flushed(104),
              flushed(105),
              flushed(106),
              flushed(107),
              flushed(108));

      pair.a.queuePair.post(pair.a.request.reset(10).send());
      pair.a.postEmptyReceive(110);
      assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(10L);
      assertThat(pair.a.pollReceives()).extracting(WorkCompletion::id).containsExactly(110L);
      pair.run();
      assertThat(pair.journal.all()).isEmpty();
    }
  }

  @Test
  @Checks({"POST-IN-ERR", "LOCAL-ONCE"})
  void aRegistrationPostedInErrIsFlushedAndNotExecuted() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = pair.a.fastMemory(64, 0);
      pair.a.modifyToError();
      pair.a.postRegister(1, region);
      pair.a.queuePair.post(pair.a.request.reset(2).localInvalidate(region.key()));

      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(flushed(1), flushed(2));
    }
  }

  @Test
  @Checks({"FLUSH-IN-ORDER", "NAK-ACKNOWLEDGES", "RESPONSE-GHOST", "C22", "S08", "S12"})
  void oneRequestCarriesTheCauseAndEverythingBehindItIsFlushed() {
    try (Pair pair = Pair.connected()) {
      Memory sent = pair.a.memory(8, 0x33);
      pair.a.postEmptyReceive(20);
      pair.a.postEmptyReceive(21);
      for (int i = 10; i <= 12; i++) {
        pair.b.postReceive(i, pair.b.memory(8, 0));
      }
      pair.a.queuePair.post(pair.a.request.reset(1).send().segment(sent.region(), 0, 8));
      pair.a.postSend(2, sent);
      pair.a.queuePair.post(
          pair.a.request.reset(3).rdmaWrite(0, 0x7777).segment(sent.region(), 0, 8));
      pair.a.queuePair.post(pair.a.request.reset(4).send().segment(sent.region(), 0, 8));
      pair.a.postSend(5, sent);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 2 SUCCESS @20000",
              "RDMA_WRITE 3 REM_ACCESS_ERR @20000",
              "SEND 4 WR_FLUSH_ERR @20000",
              "SEND 5 WR_FLUSH_ERR @20000",
              "RECV 20 WR_FLUSH_ERR @20000",
              "RECV 21 WR_FLUSH_ERR @20000");
      assertThat(pair.completions("b"))
          .containsExactly(
              "RECV 10 SUCCESS @10000", "RECV 11 SUCCESS @10000", "RECV 12 WR_FLUSH_ERR @10000");
      assertThat(pair.journal.words("b"))
          .containsExactly("ACK 000100", "ACK 000101", "NAK(REMOTE_ACCESS_ERROR) 000102");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      List<WorkCompletion> sends = pair.a.pollSends();
      assertThat(sends.get(1).detail()).contains("psn 0x000102");
      assertThat(sends.get(3).detail()).contains("send request 3 failed with REM_ACCESS_ERR");
    }
  }

  @Test
  @Checks("FLUSH-IN-ORDER")
  void aReceiveThatAMessageWasFillingIsFlushedFirst() {
    try (Pair pair = Pair.connected()) {
      Memory received = pair.b.memory(2048, 0);
      pair.b.postReceive(10, received);
      pair.b.postEmptyReceive(11);
      pair.impair("drop:a>b/SEND@0x101");
      pair.a.postSend(1, pair.a.memory(2048, 0x33));
      pair.runFor(20_000);
      assertThat(received.slice(0, 1024)).containsOnly(0x33);
      pair.b.modifyToError();

      assertThat(pair.b.pollReceives())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(flushed(10), flushed(11));
      pair.run();
      assertThat(pair.journal.from("b")).isEmpty();
      assertThat(pair.completions("a")).containsExactly("SEND 1 RETRY_EXC_ERR @268435456");
    }
  }

  @Test
  @Checks({"FLUSH-IN-ORDER", "RECEIVE-FILTER"})
  void aFlushedSendMayHaveBeenExecuted() {
    try (Pair pair = Pair.connected()) {
      Memory received = pair.b.memory(8, 0);
      pair.b.postReceive(10, received);
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(5_000);
      pair.a.modifyToError();
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 WR_FLUSH_ERR @5000");
      assertThat(pair.completions("b")).containsExactly("RECV 10 SUCCESS @10000");
      assertThat(received.slice(0, 8)).containsOnly(0x33);
      assertThat(pair.journal.words("b")).containsExactly("ACK 000100");
    }
  }

  private static void postWrite(Pair pair, long id, Memory target) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(target.address(), target.rkey())
            .segment(pair.a.memory(8, 0x33).region(), 0, 8));
  }

  private static Tuple flushed(long id) {
    return tuple(id, FLUSHED);
  }

  private static void assertOutOfSlots(ThrowingCallable post) {
    assertThatExceptionOfType(PostException.class)
        .isThrownBy(post)
        .extracting(PostException::errno)
        .isEqualTo(Errno.ENOMEM);
  }
}

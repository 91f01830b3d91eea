package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueueFlag;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A completion queue that is gone over completion by completion. */
class ExtendedCompletionQueueTest {
  private static final CompletionQueueInit ALL =
      CompletionQueueInit.ofCapacity(ReceivingEnd.CAPACITY)
          .withFields(
              CompletionField.BYTE_LEN,
              CompletionField.IMM,
              CompletionField.QP_NUM,
              CompletionField.COMPLETION_TIMESTAMP,
              CompletionField.COMPLETION_TIMESTAMP_WALLCLOCK);

  private ReceivingEnd end = new ReceivingEnd(DeviceProfile.strict(), ALL);
  private ExtendedCompletionQueue queue = end.queue;

  @AfterEach
  void closeFabric() {
    end.close();
  }

  private void begin(CompletionQueueInit shape) {
    end.close();
    end = new ReceivingEnd(DeviceProfile.strict(), shape);
    queue = end.queue;
  }

  private static void assertRefused(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(errno);
  }

  @Test
  @Checks({"START-POLL", "CqExTestCase.test_rc_traffic_cq_ex"})
  void startNextAndEndGoOverAllCompletionsInOrder() {
    end.message(1);
    end.message(2);
    end.message(3);
    List<Long> ids = new ArrayList<>();
    assertThat(queue.startPoll()).isTrue();
    do {
      assertThat(queue.status()).isEqualTo(CompletionStatus.SUCCESS);
      ids.add(queue.id());
    } while (queue.nextPoll());
    queue.endPoll();

    assertThat(ids).containsExactly(1L, 2L, 3L);
    assertThat(queue.startPoll()).isFalse();
  }

  @Test
  @Checks({"START-POLL", "CqExTestCase.test_rc_traffic_cq_ex"})
  void onAnEmptyQueueNoPollBegins() {
    assertThat(queue.startPoll()).isFalse();
    assertRefused(Errno.EINVAL, "no poll is under way", queue::endPoll);
    assertRefused(Errno.EINVAL, "no poll is under way", queue::nextPoll);
    assertThatThrownBy(queue::id)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("no poll is under way");
  }

  @Test
  void anEmptyStartGivesTheFabricATurn() {
    end.post(1);
    assertThat(queue.startPoll()).isTrue();
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
  }

  @Test
  void allFieldsOfASuccessAreRead() {
    MemoryRegion target =
        end.domain.registerMemory(
            ByteBuffer.allocate(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    end.post(
        end.queuePair,
        end.peer,
        5,
        new SendRequest()
            .reset(5)
            .rdmaWriteWithImmediate(target.address(), target.rkey(), 0xCAFE)
            .segment(end.registerAtPeer(48), 0, 48));
    assertThat(queue.startPoll()).isTrue();

    assertThat(queue.id()).isEqualTo(5);
    assertThat(queue.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(queue.byteLength()).isEqualTo(48);
    assertThat(queue.immediate()).isEqualTo(0xCAFE);
    assertThat(queue.flags()).isEqualTo(CompletionFlag.WITH_IMM.value());
    assertThat(queue.queuePairNumber()).isEqualTo(end.queuePair.number());
    assertThat(queue.vendorError()).isZero();
    assertThat(queue.detail()).isEmpty();
    assertThatThrownBy(queue::invalidatedRkey).isInstanceOf(IllegalStateException.class);
    assertThat(queue.nextPoll()).isFalse();
    assertThat(queue.id()).isEqualTo(5);
    queue.endPoll();
  }

  @Test
  @Checks({
    "TimeStampTest.test_timestamp_free_running_rc_traffic",
    "TimeStampTest.test_timestamp_real_time_rc_traffic"
  })
  void timestampsAreTheTimesAtWhichTheCompletionsCameNotThoseOfThePoll() {
    end.post(1);
    end.passNanos(3_000);
    end.post(2);
    end.passNanos(500_000);
    assertThat(queue.startPoll()).isTrue();

    assertThat(queue.timestamp()).isEqualTo(Pair.LATENCY_NANOS);
    assertThat(queue.wallclockNanos()).isEqualTo(946_684_800_000_000_000L + Pair.LATENCY_NANOS);
    assertThat(queue.nextPoll()).isTrue();
    assertThat(queue.timestamp()).isEqualTo(Pair.LATENCY_NANOS + 3_000);
    assertThat(queue.wallclockNanos())
        .isEqualTo(946_684_800_000_000_000L + Pair.LATENCY_NANOS + 3_000);
    assertThat(end.fabric.nanoTime()).isEqualTo(503_000);
  }

  @Test
  void aFieldThatWasNotAskedForCannotBeRead() {
    begin(CompletionQueueInit.ofCapacity(ReceivingEnd.CAPACITY));
    end.message(1);
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.id()).isEqualTo(1);
    assertThat(queue.status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(queue.opcode()).isEqualTo(CompletionOpcode.RECV);
    for (ThrowingCallable getter :
        List.<ThrowingCallable>of(
            queue::byteLength,
            queue::immediate,
            queue::invalidatedRkey,
            queue::queuePairNumber,
            queue::sourceQueuePairNumber,
            queue::sourceLocalIdentifier,
            queue::serviceLevel,
            queue::localIdentifierPathBits,
            queue::timestamp,
            queue::wallclockNanos)) {
      assertThatThrownBy(getter)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was created without");
    }
  }

  @Test
  @Checks("C15")
  void anErrorHasOnlyTheDefinedFields() {
    end.queuePair.post(new ReceiveRequest().reset(9));
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);
    assertThat(queue.startPoll()).isTrue();

    assertThat(queue.id()).isEqualTo(9);
    assertThat(queue.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    assertThat(queue.vendorError()).isEqualTo(5);
    assertThat(queue.detail()).contains("moved to ERR by modify");
    assertThat(queue.queuePairNumber()).isEqualTo(end.queuePair.number());
    assertThatThrownBy(queue::opcode).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(queue::byteLength).isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(queue::flags).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Checks({"START-POLL", "SLOT-AT-POLL"})
  void slotsComeBackAtTheEndOfThePollNotAtNext() {
    ReceiveRequest receive = new ReceiveRequest();
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(receive.reset(i));
    }
    end.peer.post(new SendRequest().reset(1).send().signaled());
    end.settle();
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.nextPoll()).isFalse();
    assertThatThrownBy(() -> end.queuePair.post(receive.reset(16)))
        .isInstanceOf(PostException.class);
    queue.endPoll();

    end.queuePair.post(receive.reset(16));
    assertThatThrownBy(() -> end.queuePair.post(receive.reset(17)))
        .isInstanceOf(PostException.class)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.ENOMEM);
  }

  @Test
  @Checks("START-POLL")
  void whatIsBeingGoneOverTakesUpRoomUntilTheEnd() {
    begin(CompletionQueueInit.ofCapacity(2));
    end.message(1);
    end.message(2);
    assertThat(queue.startPoll()).isTrue();
    end.post(3);
    end.settle();

    assertThat(end.asyncEvents())
        .containsExactlyInAnyOrder("CQ_ERR", "QP_FATAL " + end.queuePair.number());
    assertThat(queue.id()).isEqualTo(1);
    queue.endPoll();
    assertThat(end.ids()).containsExactly(2L);
  }

  @Test
  void completionsThatComeDuringThePollAreGoneOverToo() {
    end.message(1);
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.nextPoll()).isFalse();
    end.message(2);

    assertThat(queue.nextPoll()).isTrue();
    assertThat(queue.id()).isEqualTo(2);
    queue.endPoll();
    assertThat(end.ids()).isEmpty();
  }

  @Test
  void aPollThatEndsEarlyLeavesTheRestForPlainPolls() {
    for (int i = 1; i <= 4; i++) {
      end.message(i);
    }
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.nextPoll()).isTrue();
    queue.endPoll();

    assertThat(end.ids()).containsExactly(3L, 4L);
  }

  @Test
  void duringAPollAllThatWouldGetInItsWayIsBusy() {
    end.message(1);
    assertThat(queue.startPoll()).isTrue();
    String words = "a poll begun with startPoll is under way; call endPoll first";
    assertRefused(Errno.EBUSY, words, queue::startPoll);
    assertRefused(Errno.EBUSY, words, () -> queue.poll(new WorkCompletions(1)));
    assertRefused(Errno.EBUSY, words, () -> queue.resize(8));
    end.queuePair.close();
    assertRefused(Errno.EBUSY, words, queue::close);
    assertThat(queue.id()).isEqualTo(1);
    queue.endPoll();

    queue.close();
    assertRefused(Errno.EINVAL, "was closed", queue::startPoll);
  }

  @Test
  @Checks({"CQ-PURGE", "START-POLL"})
  void aResetDuringThePollTakesOnlyWhatWasNotGoneOver() {
    for (int i = 1; i <= 4; i++) {
      end.message(i);
    }
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.nextPoll()).isTrue();
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);

    assertThat(queue.id()).isEqualTo(2);
    assertThat(queue.nextPoll()).isFalse();
    queue.endPoll();
    assertThat(end.ids()).isEmpty();
    ReceivingEnd.toState(end.peer, QueuePairState.RESET);
    Pair.setup().connect(end.peer, end.queuePair);
    for (int i = 10; i < 26; i++) {
      end.message(i);
      assertThat(end.ids()).containsExactly((long) i);
    }
  }

  @Test
  @Checks("ARM-MISSED")
  void whatIsBeingGoneOverIsNotMissed() {
    end.message(1);
    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.requestNotification(false)).isFalse();
    end.message(2);

    assertThat(queue.requestNotification(false)).isTrue();
    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("CQ-OVERRUN")
  void withIgnoreOverrunTheNewestTakesThePlaceOfTheOldestInSilence() {
    begin(CompletionQueueInit.ofCapacity(3).withFlags(CompletionQueueFlag.IGNORE_OVERRUN));
    for (int i = 1; i <= 8; i++) {
      end.message(i);
    }

    assertThat(end.asyncEvents()).isEmpty();
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(end.ids()).containsExactly(6L, 7L, 8L);
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(new ReceiveRequest().reset(i));
    }
    assertThatThrownBy(() -> end.queuePair.post(new ReceiveRequest()))
        .isInstanceOf(PostException.class);
  }

  @Test
  @Checks({"CQ-OVERRUN", "START-POLL"})
  void withIgnoreOverrunAlsoWhatIsBeingGoneOverMakesRoom() {
    begin(CompletionQueueInit.ofCapacity(2).withFlags(CompletionQueueFlag.IGNORE_OVERRUN));
    end.message(1);
    end.message(2);
    assertThat(queue.startPoll()).isTrue();
    for (int i = 3; i <= 6; i++) {
      end.message(i);
    }

    assertThat(queue.id()).isEqualTo(1);
    assertThat(queue.nextPoll()).isTrue();
    assertThat(queue.id()).isEqualTo(5);
    queue.endPoll();
    assertThat(end.ids()).containsExactly(6L);
    assertThat(end.asyncEvents()).isEmpty();
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.VerbsException;
import java.time.Duration;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** In which order completion queues, their channels and their queue pairs can be closed. */
class CompletionClosingTest {
  private final ReceivingEnd end = new ReceivingEnd();

  @AfterEach
  void closeFabric() {
    end.close();
  }

  private static void assertBusy(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EBUSY);
  }

  private static void assertInvalid(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EINVAL);
  }

  private void takeEvents(int count) {
    for (int i = 0; i < count; i++) {
      end.queue.requestNotification(false);
      end.message(i);
      assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    }
  }

  @Test
  @Checks("PARENT-BUSY")
  void fromTheChannelUpEachUserMustGoFirst() {
    assertBusy("1 of kind completion queue", end.channel::close);
    assertBusy("1 queue pair", end.queue::close);
    assertBusy("1 of kind protection domain", end.context::close);
    end.message(1);
    assertThat(end.ids()).containsExactly(1L);

    end.queuePair.close();
    assertBusy("1 of kind completion queue", end.channel::close);
    end.queue.close();
    end.sends.close();
    assertBusy("1 of kind protection domain", end.context::close);
    end.domain.close();
    assertBusy("1 of kind completion channel", end.context::close);
    end.channel.close();
    end.context.close();
    assertThat(end.context.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52", "S43"})
  void aQueueWithUnacknowledgedEventsSaysHowManyAreMissing() {
    takeEvents(2);
    end.queue.acknowledgeEvents(1);
    end.queuePair.close();
    assertBusy(
        "completion events of it: taken 2, acknowledged 1; call"
            + " CompletionQueue.acknowledgeEvents() for the missing 1 first",
        end.queue::close);
    assertThat(end.queue.isOpen()).isTrue();

    end.queue.acknowledgeEvents(1);
    end.queue.close();
    assertThat(end.queue.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52"})
  void severalEventsAreAcknowledgedByOneCall() {
    takeEvents(5);
    end.queue.acknowledgeEvents(0);
    end.queue.acknowledgeEvents(5);
    end.queuePair.close();
    end.queue.close();
    assertThat(end.queue.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52"})
  void moreThanWereTakenCannotBeAcknowledged() {
    takeEvents(2);
    assertInvalid("must be 0..2", () -> end.queue.acknowledgeEvents(3));
    assertInvalid("must be 0..2", () -> end.queue.acknowledgeEvents(-1));
    end.queue.acknowledgeEvents(2);
    assertInvalid("must be 0..0", () -> end.queue.acknowledgeEvents(1));
    assertInvalid("must be 0..0", () -> end.sends.acknowledgeEvents(1));
  }

  @Test
  @Checks("EVENTS-OF-THE-DEAD")
  void eventsThatNobodyTookGoWithTheirQueue() {
    end.queue.requestNotification(false);
    end.message(1);
    CompletionQueue other =
        end.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(4).withChannel(end.channel));
    end.queuePair.close();
    end.queue.close();

    assertThat(end.channel.pollEvent()).isNull();
    assertBusy("1 of kind completion queue", end.channel::close);
    other.close();
    end.channel.close();
    assertThat(end.channel.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52", "S43", "S44", "CQ-OVERRUN"})
  void theErrorEventOfAQueueAndTheFatalEventOfItsQueuePairHoldUpBoth() {
    end.queue.resize(1);
    end.message(1);
    end.post(2);
    end.settle();
    AsyncEvent first = end.context.pollAsyncEvent();
    AsyncEvent second = end.context.pollAsyncEvent();
    boolean queueFirst = first.type() == AsyncEventType.CQ_ERR;
    AsyncEvent ofQueue = queueFirst ? first : second;
    AsyncEvent ofQueuePair = queueFirst ? second : first;
    assertThat(ofQueue.type()).isEqualTo(AsyncEventType.CQ_ERR);
    assertThat(ofQueue.completionQueue()).isSameAs(end.queue);
    assertThat(ofQueue.queuePair()).isNull();
    assertThat(ofQueuePair.type()).isEqualTo(AsyncEventType.QP_FATAL);
    assertThat(ofQueuePair.queuePair()).isSameAs(end.queuePair);

    String missing =
        "asynchronous events of it: taken 1, acknowledged 0; call"
            + " AsyncEvent.acknowledge() for the missing 1 first";
    assertBusy(missing, end.queuePair::close);
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.ERR);
    ofQueuePair.acknowledge();
    end.queuePair.close();
    assertBusy(missing, end.queue::close);
    assertThat(end.ids()).isEmpty();
    ofQueue.acknowledge();
    end.queue.close();
    assertInvalid("was acknowledged before", ofQueue::acknowledge);
  }

  @Test
  @Checks({"CQ-PURGE", "S59"})
  void aQueuePairThatIsDestroyedCompletesNothingMoreAndLeavesNothing() {
    end.message(1);
    end.post(2);
    end.post(3);
    end.fabric.step();
    end.queuePair.close();
    end.settle();

    assertThat(end.ids()).isEmpty();
    assertThat(end.ids(end.sends)).isEmpty();
    assertThat(end.outcomesOfPeer()).isEmpty();
  }

  @Test
  @Checks({"CQ-PURGE", "RESET-SILENT", "S60"})
  void afterResetNothingOfTheFormerLifeIsSeen() {
    end.message(1);
    end.post(2);
    end.post(3);
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);
    end.fabric.runFor(Duration.ofNanos(Pair.LATENCY_NANOS));
    assertThat(end.ids()).isEmpty();
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.RESET);

    QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
    end.peer.modify(reset);
    Pair.setup().connect(end.peer, end.queuePair);
    end.message(10);
    assertThat(end.ids()).containsExactly(10L);
    assertThat(end.asyncEvents()).isEmpty();
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** When a completion queue tells its channel that there is something to poll. */
class CompletionEventTest {
  private final ReceivingEnd end = new ReceivingEnd();

  @AfterEach
  void closeFabric() {
    end.close();
  }

  @Test
  void aQueueThatIsNotArmedMakesNoEvent() {
    end.message(1);

    assertThat(end.events()).isZero();
    assertThat(end.ids()).containsExactly(1L);
  }

  @Test
  @Checks({"ARM-ONE-SHOT", "C50"})
  void threeCompletionsAfterOneArmingAreOneEvent() {
    assertThat(end.queue.requestNotification(false)).isFalse();
    end.message(1);
    end.message(2);
    end.message(3);

    assertThat(end.events()).isEqualTo(1);
    assertThat(end.ids()).containsExactly(1L, 2L, 3L);
    end.message(4);
    assertThat(end.events()).isZero();
  }

  @Test
  @Checks({"ARM-MISSED", "C49", "S42"})
  void whatIsThereAtTheArmingMakesNoEventAndIsTold() {
    end.message(1);
    assertThat(end.queue.requestNotification(false)).isTrue();
    end.fabric.runFor(Duration.ofSeconds(1));

    assertThat(end.channel.pollEvent()).isNull();
    assertThat(end.ids()).containsExactly(1L);
    end.message(2);
    assertThat(end.events()).isEqualTo(1);
    assertThat(end.ids()).containsExactly(2L);
  }

  @Test
  @Checks("ARM-MISSED")
  void whatIsThereIsToldToAnArmingForSolicitedOnesToo() {
    end.message(1);

    assertThat(end.queue.requestNotification(true)).isTrue();
    end.ids();
    assertThat(end.queue.requestNotification(true)).isFalse();
  }

  @Test
  @Checks("S41")
  void armedForSolicitedOnlyAPlainSendMakesNoEventAndOneWithTheBitDoes() {
    end.queue.requestNotification(true);
    end.message(1);
    assertThat(end.events()).isZero();
    end.solicitedMessage(2);

    assertThat(end.events()).isEqualTo(1);
    assertThat(end.ids()).containsExactly(1L, 2L);
  }

  @Test
  @Checks("S41")
  void theBitOfALongMessageStandsInItsLastPacketAndWakesAtItsEnd() {
    MemoryRegion source = end.registerAtPeer(3000);
    MemoryRegion target =
        end.domain.registerMemory(ByteBuffer.allocate(3000), AccessFlag.LOCAL_WRITE);
    end.queue.requestNotification(true);
    end.queuePair.post(new ReceiveRequest().reset(1).segment(target, 0, 3000));
    end.peer.post(new SendRequest().reset(1).send().segment(source, 0, 3000).solicited());

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.ids()).containsExactly(1L);
  }

  @Test
  @Checks("S41")
  void aSolicitedWriteWithImmediateWakesAndASolicitedWriteDoesNot() {
    MemoryRegion target =
        end.domain.registerMemory(
            ByteBuffer.allocate(8), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    end.queue.requestNotification(true);
    end.peer.post(
        new SendRequest().reset(1).rdmaWrite(target.address(), target.rkey()).solicited());
    end.settle();
    assertThat(end.events()).isZero();
    end.post(
        end.queuePair,
        end.peer,
        2,
        new SendRequest()
            .reset(2)
            .rdmaWriteWithImmediate(target.address(), target.rkey(), 9)
            .solicited());

    assertThat(end.events()).isEqualTo(1);
    assertThat(end.ids()).containsExactly(2L);
  }

  @Test
  @Checks({"S41", "SOLICITED-ERROR"})
  void anyErrorCompletionCountsAsSolicited() {
    end.queue.requestNotification(true);
    end.queuePair.post(new ReceiveRequest().reset(7));
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);

    assertThat(end.events()).isEqualTo(1);
    assertThat(end.outcomes(end.queue)).containsExactly("7 WR_FLUSH_ERR");
  }

  @Test
  @Checks({"S41", "SOLICITED-ERROR"})
  void anErrorOfASendCountsAsSolicited() {
    CompletionQueue sends =
        end.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(4).withChannel(end.channel));
    QueuePair from = end.newQueuePair(sends, end.queue);
    end.connectPeer(from);
    sends.requestNotification(true);
    from.post(new SendRequest().reset(1).send().segment(0, 8, 0x7777));
    end.settle();

    assertThat(end.channel.pollEvent()).isSameAs(sends);
    assertThat(end.outcomes(sends)).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  @Checks({"ARM-WIDENS", "C50"})
  void armingForAllTakesThePlaceOfArmingForSolicitedOnes() {
    end.queue.requestNotification(true);
    end.queue.requestNotification(false);
    end.message(1);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks({"ARM-WIDENS", "C50"})
  void armingForSolicitedOnesDoesNotNarrowArmingForAll() {
    end.queue.requestNotification(false);
    end.queue.requestNotification(true);
    end.message(1);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  @Checks("ARM-ONE-SHOT")
  void twoArmingsWithoutACompletionBetweenAreOneEvent() {
    end.queue.requestNotification(false);
    end.queue.requestNotification(false);
    end.message(1);
    end.message(2);

    assertThat(end.events()).isEqualTo(1);
  }

  @Test
  void anEventMayComeWithNothingToPoll() {
    end.queue.requestNotification(false);
    end.message(1);
    assertThat(end.ids()).containsExactly(1L);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.ids()).isEmpty();
  }

  @Test
  void armingsWhileEventsWaitToBeTakenMakeFurtherEvents() {
    for (int i = 1; i <= 3; i++) {
      end.queue.requestNotification(false);
      end.message(i);
    }

    assertThat(end.events()).isEqualTo(3);
    assertThat(end.ids()).containsExactly(1L, 2L, 3L);
  }

  @Test
  void anEventIsInTheTraceWhereItIsRaisedBehindItsCompletion() {
    List<TraceEvent> raised = new ArrayList<>();
    List<TraceEvent> completed = new ArrayList<>();
    end.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.CompletionEventRaised) {
                assertThat(completed).hasSize(2);
                raised.add(event);
              } else if (event instanceof TraceEvent.Completed && event.node().equals("end")) {
                completed.add(event);
              }
            });
    end.message(1);
    assertThat(raised).isEmpty();
    end.queue.requestNotification(false);
    end.message(2);
    end.message(3);
    // The first message has taken 20 us, there and back.
    assertThat(raised).containsExactly(new TraceEvent.CompletionEventRaised(30_000, "end", 2, 2));
    assertThat(completed).hasSize(3);
  }

  @Test
  void aQueueWithoutAChannelRaisesNothing() {
    List<TraceEvent> raised = new ArrayList<>();
    end.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.CompletionEventRaised) {
                raised.add(event);
              }
            });
    end.sends.requestNotification(false);
    end.queuePair.post(new SendRequest().reset(1).send());
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);
    assertThat(end.outcomes(end.sends)).containsExactly("1 WR_FLUSH_ERR");
    assertThat(raised).isEmpty();
  }

  @Test
  void queuesThatShareAChannelAreToldApartAndComeInOrder() {
    CompletionQueue other =
        end.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(4).withChannel(end.channel).withAttachment("other"));
    QueuePair onOther = end.newQueuePair(end.sends, other);
    QueuePair peerOfOther = end.connectPeer(onOther);
    other.requestNotification(false);
    end.queue.requestNotification(false);
    end.post(onOther, peerOfOther, 20, new SendRequest().reset(20).send());
    end.settle();
    end.message(1);

    CompletionQueue first = end.channel.awaitEvent();
    CompletionQueue second = end.channel.awaitEvent();
    assertThat(first.attachment()).isEqualTo("other");
    assertThat(second).isSameAs(end.queue);
    assertThat(second.attachment()).isNull();
    assertThat(first.channel()).isSameAs(end.channel);
    assertThat(end.ids(other)).containsExactly(20L);
    assertThat(end.channel.pollEvent()).isNull();
  }

  @Test
  void waitingForAnEventLetsTimePassUpToTheCompletion() {
    end.queue.requestNotification(false);
    end.post(1);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
  }

  @Test
  void anEmptyLookForAnEventGivesTheFabricATurn() {
    end.queue.requestNotification(false);
    end.post(1);

    assertThat(end.channel.pollEvent()).isSameAs(end.queue);
    assertThat(end.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
  }

  @Test
  void aWaitForAnEventThatCannotComeEnds() {
    end.post(1);
    assertThatThrownBy(end.channel::awaitEvent)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("what it waits for does not come");
    assertThat(end.ids()).containsExactly(1L);
  }

  @Test
  void aQueueWithoutAChannelCanBeArmedAndNobodyHears() {
    assertThat(end.sends.channel()).isNull();
    assertThat(end.sends.requestNotification(false)).isFalse();
    end.queuePair.post(new SendRequest().reset(1).send());
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);

    assertThat(end.events()).isZero();
    assertThat(end.sends.requestNotification(false)).isTrue();
  }

  @Test
  void aCompletionThatIsPurgedKeepsItsEvent() {
    end.queue.requestNotification(false);
    end.message(1);
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);

    assertThat(end.channel.awaitEvent()).isSameAs(end.queue);
    assertThat(end.ids()).isEmpty();
  }

  /**
   * Between the calls of the loop the fabric goes on by 0 to 4 events, in every combination, so
   * that the completion falls at each place once.
   */
  @Test
  @Checks({"C50", "CqEventsTestCase.test_cq_events_rc"})
  void noWakeUpIsLostWhereverTheCompletionFalls() {
    int events = 0;
    for (int round = 0; round < 100; round++) {
      end.post(round);
      step(round % 5);
      List<Long> got = new ArrayList<>(end.ids());
      step(round / 5 % 5);
      end.queue.requestNotification(false);
      step(round / 25);
      got.addAll(end.ids());
      while (got.isEmpty()) {
        end.channel.awaitEvent().acknowledgeEvents(1);
        events++;
        got.addAll(end.ids());
      }
      assertThat(got).as("round %d", round).containsExactly((long) round);
      events += end.events();
    }
    assertThat(events).isBetween(1, 100);
    end.queuePair.close();
    end.queue.close();
    assertThat(end.queue.isOpen()).isFalse();
  }

  private void step(int events) {
    for (int i = 0; i < events; i++) {
      end.fabric.step();
    }
  }

  @Test
  @Checks({"C50", "CqEventsTestCase.test_cq_events_rc"})
  void aHundredRoundsThereAndBackAreDrivenByEventsAlone() {
    CompletionQueue replies =
        end.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(4).withChannel(end.channel));
    QueuePair near = end.newQueuePair(replies, replies);
    QueuePair far = end.newQueuePair(end.queue, end.queue);
    Pair.setup().connect(near, far);
    end.queue.requestNotification(false);
    replies.requestNotification(false);
    List<Long> seen = new ArrayList<>();
    for (long id = 0; id < 400; id += 4) {
      near.post(new ReceiveRequest().reset(id));
      far.post(new ReceiveRequest().reset(id + 1));
      near.post(new SendRequest().reset(id + 2).send().signaled());
      awaitId(id + 1, seen);
      far.post(new SendRequest().reset(id + 3).send().signaled());
      awaitId(id, seen);
    }
    awaitId(399, seen);

    assertThat(seen).hasSize(400).doesNotHaveDuplicates();
    assertThat(end.fabric.nanoTime()).isEqualTo(100 * 2 * Pair.LATENCY_NANOS + Pair.LATENCY_NANOS);
  }

  /** The loop of a program: take an event, acknowledge it, arm the queue again, poll it empty. */
  private void awaitId(long id, List<Long> seen) {
    while (!seen.contains(id)) {
      CompletionQueue ready = end.channel.awaitEvent();
      ready.acknowledgeEvents(1);
      ready.requestNotification(false);
      seen.addAll(end.ids(ready));
    }
  }
}

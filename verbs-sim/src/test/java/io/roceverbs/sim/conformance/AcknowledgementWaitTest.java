package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The destruction of an object waits until another thread has acknowledged its events. */
@Timeout(60)
class AcknowledgementWaitTest {
  private static final String ONE_MISSING =
      "asynchronous events of it: taken 1, acknowledged 0; call AsyncEvent.acknowledge() for the"
          + " missing 1 first";

  private final Pair pair = Pair.connected();
  private final List<String> log = new ArrayList<>();

  @AfterEach
  void close() {
    pair.close();
  }

  private static void assertBusy(String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.EBUSY);
  }

  /** An event of the queue pair that was taken and not acknowledged. */
  private AsyncEvent event(QueuePair queuePair) {
    pair.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, queuePair);
    return pair.a.context.getAsyncEvent();
  }

  private AsyncEvent event() {
    return event(pair.a.queuePair);
  }

  private void note(String what) {
    log.add(what + " @" + pair.fabric.nanoTime());
  }

  private void start(String name, Runnable body) {
    pair.a.node.startThread(name, body::run);
  }

  private void sleepNanos(long nanos) {
    pair.fabric.sleep(Duration.ofNanos(nanos));
  }

  private void closeAndNote(AutoCloseable object) {
    try {
      object.close();
      note("closed");
    } catch (VerbsException e) {
      note(e.errno().name());
    } catch (Exception e) {
      throw new AssertionError(e);
    }
  }

  private void acknowledgeAt(long nanos, AsyncEvent event) {
    start(
        "acknowledger",
        () -> {
          sleepNanos(nanos);
          note("acknowledged");
          event.acknowledge();
        });
  }

  // ---- who waits, and how it ends ------------------------------------------------------------

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void theCloseOfAQueuePairWaitsForTheThreadThatHandlesItsEvent() {
    AsyncEvent event = event();
    start("closer", () -> closeAndNote(pair.a.queuePair));
    acknowledgeAt(5_000, event);
    pair.fabric.join();

    assertThat(log).containsExactly("acknowledged @5000", "closed @5000");
    assertThat(pair.a.queuePair.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "C52", "S43"})
  void aQueueWaitsForBothKindsOfItsEvents() {
    CompletionChannel channel = pair.a.context.createCompletionChannel();
    CompletionQueue queue =
        pair.a.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(1).withChannel(channel));
    QueuePair queuePair =
        pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
    Pair.setup().initialize(queuePair);
    queue.requestNotification(false);
    queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    queuePair.post(new ReceiveRequest().reset(1));
    queuePair.post(new ReceiveRequest().reset(2));
    queuePair.close();
    assertThat(channel.awaitEvent()).isSameAs(queue);
    AsyncEvent overrun = pair.a.context.getAsyncEvent();
    assertThat(overrun.type()).isEqualTo(AsyncEventType.CQ_ERR);
    assertBusy(
        "completion events of it: taken 1, acknowledged 0; call"
            + " CompletionQueue.acknowledgeEvents() for the missing 1 first; "
            + ONE_MISSING,
        queue::close);

    start("closer", () -> closeAndNote(queue));
    acknowledgeAt(5_000, overrun);
    start(
        "second acknowledger",
        () -> {
          sleepNanos(7_000);
          queue.acknowledgeEvents(1);
        });
    pair.fabric.join();

    assertThat(log).containsExactly("acknowledged @5000", "closed @7000");
    assertThat(queue.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void aSharedReceiveQueueWaitsToo() {
    SharedReceiveQueue shared = pair.a.domain.createSharedReceiveQueue(1, 1);
    pair.a.node.faults().injectEvent(AsyncEventType.SRQ_ERR, shared);
    AsyncEvent event = pair.a.context.getAsyncEvent();
    start("closer", () -> closeAndNote(shared));
    acknowledgeAt(3_000, event);
    pair.fabric.join();

    assertThat(log).containsExactly("acknowledged @3000", "closed @3000");
    assertThat(shared.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void theMainThreadWaitsWhileTheThreadsOfTheUlpRun() {
    AsyncEvent event = event();
    acknowledgeAt(5_000, event);
    closeAndNote(pair.a.queuePair);
    assertThat(log).containsExactly("acknowledged @5000", "closed @5000");
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void aThreadOfTheUlpWaitsForTheMainThreadThatDoesSomethingElseMeanwhile() {
    AsyncEvent event = event();
    start("closer", () -> closeAndNote(pair.a.queuePair));
    pair.fabric.runFor(Duration.ofNanos(1_000));
    assertThat(log).isEmpty();
    event.acknowledge();
    pair.fabric.join();
    assertThat(log).containsExactly("closed @1000");
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void whenAllOthersHaveEndedTheWaitEndsWithAnErrorAndNothingIsDestroyed() {
    AsyncEvent event = event();
    start("other", () -> sleepNanos(5_000));
    assertBusy(ONE_MISSING, pair.a.queuePair::close);
    assertThat(pair.fabric.nanoTime()).isEqualTo(5_000);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);

    pair.b.postEmptyReceive(1);
    pair.a.queuePair.post(pair.a.request.reset(2).send().signaled());
    pair.run();
    assertThat(Outcomes.words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    event.acknowledge();
    pair.a.queuePair.close();
    assertThat(pair.a.queuePair.isOpen()).isFalse();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void aThreadThatIsAloneIsToldAtOnceAndNoTimePasses() {
    AsyncEvent event = event();
    pair.b.postEmptyReceive(1);
    pair.a.queuePair.post(pair.a.request.reset(2).send().signaled());
    closeAndNote(pair.a.queuePair);
    start("alone", () -> closeAndNote(pair.a.queuePair));
    pair.fabric.join();
    assertThat(log).containsExactly("EBUSY @0", "EBUSY @0");
    event.acknowledge();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void aThreadThatPollsInVainMayStillAcknowledge() {
    AsyncEvent event = event();
    start("closer", () -> closeAndNote(pair.a.queuePair));
    start(
        "poller",
        () -> {
          for (int i = 0; i < 1_000; i++) {
            assertThat(pair.a.pollSends()).isEmpty();
          }
          event.acknowledge();
        });
    pair.fabric.join();
    assertThat(log).containsExactly("closed @0");
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void ofTwoThatWaitForEachOtherOneIsToldSoAndCanEndIt() {
    QueuePair second =
        pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1));
    AsyncEvent ofFirst = event();
    AsyncEvent ofSecond = event(second);
    start(
        "one",
        () -> {
          closeAndNote(pair.a.queuePair);
          ofSecond.acknowledge();
        });
    start(
        "two",
        () -> {
          closeAndNote(second);
          ofFirst.acknowledge();
        });
    pair.fabric.join();
    assertThat(log).containsExactly("EBUSY @0", "closed @0");
    assertThat(pair.a.queuePair.isOpen()).isTrue();
    assertThat(second.isOpen()).isFalse();
    pair.a.queuePair.close();
  }

  // ---- what others do meanwhile --------------------------------------------------------------

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void anotherEventThatIsTakenMeanwhileMakesTheWaitLonger() {
    AsyncEvent event = event();
    start("closer", () -> closeAndNote(pair.a.queuePair));
    start(
        "other",
        () -> {
          sleepNanos(1_000);
          AsyncEvent another = event();
          event.acknowledge();
          sleepNanos(1_000);
          another.acknowledge();
        });
    pair.fabric.join();
    assertThat(log).containsExactly("closed @2000");
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "PARENT-BUSY"})
  void aUserThatComesMeanwhileIsSeenAfterTheWait() {
    CompletionQueue queue = pair.a.context.createCompletionQueue(4);
    pair.a.node.faults().injectEvent(AsyncEventType.CQ_ERR, queue);
    AsyncEvent event = pair.a.context.getAsyncEvent();
    start("closer", () -> assertBusy("1 queue pairs use it", queue::close));
    start(
        "user",
        () -> {
          pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 1, 1));
          event.acknowledge();
        });
    pair.fabric.join();
    assertThat(queue.isOpen()).isTrue();
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void twoThreadsMayCloseTheSameObject() {
    AsyncEvent event = event();
    start("one", () -> closeAndNote(pair.a.queuePair));
    start("two", () -> closeAndNote(pair.a.queuePair));
    acknowledgeAt(5_000, event);
    pair.fabric.join();
    assertThat(log).containsExactly("acknowledged @5000", "closed @5000", "closed @5000");
    pair.a.sendQueue.close();
    pair.a.receiveQueue.close();
    pair.a.domain.close();
    pair.a.context.close();
    assertThat(pair.a.context.isOpen()).isFalse();
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void aHundredRunsOfOneSeedGiveOneTraceHash() {
    Set<Long> hashes = new HashSet<>();
    for (int run = 0; run < 100; run++) {
      try (Pair fresh = Pair.connected()) {
        fresh.a.node.startThread("closer", () -> closeEach(fresh));
        fresh.a.node.startThread("handler", () -> acknowledgeEach(fresh));
        fresh.fabric.join();
        hashes.add(fresh.fabric.trace().hash());
      }
    }
    assertThat(hashes).hasSize(1);
  }

  private static void closeEach(Pair fresh) {
    for (int i = 0; i < 10; i++) {
      QueuePair queuePair =
          fresh.a.domain.createQueuePair(QueuePairInit.reliableConnected(fresh.a.sendQueue, 1, 1));
      fresh.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, queuePair);
      fresh.fabric.sleep(Duration.ofNanos(100));
      queuePair.close();
      assertThat(queuePair.isOpen()).isFalse();
      assertThat(fresh.fabric.nanoTime()).isEqualTo((i + 1) * 300L);
    }
  }

  private static void acknowledgeEach(Pair fresh) {
    for (int i = 0; i < 10; i++) {
      AsyncEvent event = fresh.a.context.getAsyncEvent();
      fresh.fabric.sleep(Duration.ofNanos(300));
      event.acknowledge();
    }
  }

  // ---- where nobody may wait -----------------------------------------------------------------

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void insideAnEventNobodyWaits() {
    AsyncEvent event = event();
    pair.fabric
        .trace()
        .addListener(
            happened -> {
              if (happened instanceof TraceEvent.Completed && log.isEmpty()) {
                closeAndNote(pair.a.queuePair);
              }
            });
    start("other", () -> sleepNanos(1_000_000));
    pair.b.postEmptyReceive(1);
    pair.a.queuePair.post(pair.a.request.reset(2).send().signaled());
    pair.fabric.join();
    assertThat(log).containsExactly("EBUSY @10000");
    event.acknowledge();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void insideAConditionNobodyWaits() {
    AsyncEvent event = event();
    start(
        "waiter",
        () ->
            pair.fabric.await(
                () -> {
                  closeAndNote(pair.a.queuePair);
                  return true;
                }));
    start("other", () -> sleepNanos(1_000_000));
    pair.fabric.join();
    assertThat(log).containsExactly("EBUSY @0");
    event.acknowledge();
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void theEndOfTheFabricEndsTheWait() {
    AsyncEvent event = event();
    start("closer", () -> closeAndNote(pair.a.queuePair));
    start("sleeper", () -> sleepNanos(1_000_000));
    pair.fabric.runFor(Duration.ofNanos(10));
    pair.fabric.close();
    assertThat(log).isEmpty();
    assertThat(event.type()).isEqualTo(AsyncEventType.PATH_MIG);
  }

  // ---- real time -----------------------------------------------------------------------------

  private static Pair realPair() {
    return Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), init -> init);
  }

  private static FutureTask<Boolean> closing(QueuePair queuePair) throws InterruptedException {
    FutureTask<Boolean> task =
        new FutureTask<>(
            () -> {
              queuePair.close();
              return queuePair.isOpen();
            });
    startWaiting(task);
    return task;
  }

  /** Runs on a thread that is not one of the fabric, and returns once it waits. */
  private static Thread startWaiting(FutureTask<Boolean> task) throws InterruptedException {
    Thread thread = new Thread(task, "closer");
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.sleep(1);
    }
    return thread;
  }

  private static Throwable causeOf(FutureTask<?> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("it ended well");
  }

  private static AsyncEvent event(Pair real) {
    real.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, real.a.queuePair);
    return real.a.context.getAsyncEvent();
  }

  @Test
  @Checks({"EVENT-ACKNOWLEDGE", "S43"})
  void inRealTimeAnyThreadWaitsForAnyOther() throws Exception {
    try (Pair real = realPair()) {
      AsyncEvent event = event(real);
      FutureTask<Boolean> one = closing(real.a.queuePair);
      FutureTask<Boolean> two = closing(real.a.queuePair);
      assertThat(real.a.queuePair.isOpen()).isTrue();

      event.acknowledge();

      assertThat(one.get(10, TimeUnit.SECONDS)).isFalse();
      assertThat(two.get(10, TimeUnit.SECONDS)).isFalse();
    }
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void inRealTimeNoCloseIsForgottenHoweverTheThreadsMeet() throws Exception {
    try (Pair real = realPair()) {
      AtomicBoolean isOver = new AtomicBoolean();
      FutureTask<Integer> handler =
          new FutureTask<>(
              () -> {
                int handled = 0;
                while (!isOver.get()) {
                  AsyncEvent event = real.a.context.pollAsyncEvent();
                  if (event != null) {
                    Thread.onSpinWait();
                    event.acknowledge();
                    handled++;
                  }
                }
                return handled;
              });
      new Thread(handler, "handler").start();
      for (int i = 0; i < 500; i++) {
        QueuePair queuePair =
            real.a.domain.createQueuePair(QueuePairInit.reliableConnected(real.a.sendQueue, 1, 1));
        real.a.node.faults().injectEvent(AsyncEventType.PATH_MIG, queuePair);
        Thread.onSpinWait();
        queuePair.close();
        assertThat(queuePair.isOpen()).isFalse();
      }
      isOver.set(true);
      assertThat(handler.get(10, TimeUnit.SECONDS)).isBetween(0, 500);
      assertThat(real.a.context.pollAsyncEvent()).isNull();
    }
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void inRealTimeAnInterruptEndsTheWaitAndNothingIsDestroyed() throws Exception {
    try (Pair real = realPair()) {
      AsyncEvent event = event(real);
      FutureTask<Boolean> task =
          new FutureTask<>(
              () -> {
                real.a.queuePair.close();
                return true;
              });
      startWaiting(task).interrupt();

      assertThat(causeOf(task))
          .isInstanceOf(UlpStoppedException.class)
          .hasMessageContaining("interrupted while it waited for acknowledgements, to close RC")
          .hasMessageContaining(ONE_MISSING);
      assertThat(real.a.queuePair.isOpen()).isTrue();
      event.acknowledge();
      real.a.queuePair.close();
    }
  }

  @Test
  @Checks("EVENT-ACKNOWLEDGE")
  void inRealTimeTheEndOfTheFabricEndsTheWait() throws Exception {
    FutureTask<Boolean> task;
    try (Pair real = realPair()) {
      assertThat(event(real).type()).isEqualTo(AsyncEventType.PATH_MIG);
      task = closing(real.a.queuePair);
    }
    assertThat(causeOf(task))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the fabric is closed");
  }
}

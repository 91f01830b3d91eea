package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.LeakCheck;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.ulp.UlpStoppedException;
import io.roceverbs.sim.ulp.UlpThread;
import io.roceverbs.sim.ulp.UlpThreadException;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In real time, waits really wait, and the threads of a ULP are ordinary ones. */
@Timeout(60)
class RealTimeThreadsTest {
  private final Fabric fabric =
      Fabric.builder().time(FabricTime.REAL).leakCheck(LeakCheck.OFF).build();
  private final Node node = fabric.addNode("a");

  @AfterEach
  void close() {
    fabric.close();
  }

  /** Runs on a thread that is not one of the fabric, and returns once it waits. */
  private static <T> FutureTask<T> waiting(Callable<T> call) throws InterruptedException {
    FutureTask<T> task = new FutureTask<>(call);
    Thread thread = new Thread(task, "waiter");
    thread.setDaemon(true);
    thread.start();
    while (thread.getState() != Thread.State.TIMED_WAITING && thread.isAlive()) {
      Thread.sleep(1);
    }
    return task;
  }

  private static Throwable causeOf(FutureTask<?> task) throws InterruptedException {
    try {
      task.get();
    } catch (ExecutionException e) {
      return e.getCause();
    }
    throw new AssertionError("it ended well");
  }

  @Test
  void aChannelWaitsUntilThereIsAnEvent() throws Exception {
    try (Pair pair =
        Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), init -> init)) {
      CompletionChannel channel = pair.b.context.createCompletionChannel();
      CompletionQueue queue =
          pair.b.context.createCompletionQueue(
              CompletionQueueInit.ofCapacity(4).withChannel(channel));
      QueuePair receiver =
          pair.b.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
      Pair.setup().connect(pair.a.queuePair, receiver);
      receiver.post(new ReceiveRequest().reset(1));
      queue.requestNotification(false);
      FutureTask<CompletionQueue> event = waiting(channel::awaitEvent);
      assertThat(event.isDone()).isFalse();

      pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());

      assertThat(event.get(10, TimeUnit.SECONDS)).isSameAs(queue);
      queue.acknowledgeEvents(1);
    }
  }

  @Test
  void anAsynchronousEventEndsTheWaitForOne() throws Exception {
    DeviceContext context = node.device().open();
    FutureTask<AsyncEvent> event = waiting(context::getAsyncEvent);

    node.linkDown();

    assertThat(event.get(10, TimeUnit.SECONDS).type()).isEqualTo(AsyncEventType.PORT_ERR);
  }

  @Test
  void anInterruptEndsAWaitAndIsKept() throws Exception {
    CompletionChannel channel = node.device().open().createCompletionChannel();
    AtomicBoolean kept = new AtomicBoolean();
    AtomicReference<Thread> thread = new AtomicReference<>();
    FutureTask<Object> event =
        waiting(
            () -> {
              thread.set(Thread.currentThread());
              try {
                return channel.awaitEvent();
              } finally {
                kept.set(Thread.currentThread().isInterrupted());
              }
            });

    thread.get().interrupt();

    assertThat(causeOf(event))
        .isInstanceOf(UlpStoppedException.class)
        .hasMessage(
            "interrupted while it waited for an event of the completion channel of a, which comes"
                + " only from a queue that is armed, and polled after it was armed");
    assertThat(kept).isTrue();
  }

  @Test
  void theEndOfTheFabricEndsAWait() throws Exception {
    CompletionChannel channel = node.device().open().createCompletionChannel();
    FutureTask<CompletionQueue> event = waiting(channel::awaitEvent);

    fabric.close();

    assertThat(causeOf(event))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the fabric is closed");
  }

  @Test
  void ulpThreadsRunAtOnceAndMayWaitForEachOtherAnywhere() {
    CountDownLatch first = new CountDownLatch(1);
    CountDownLatch second = new CountDownLatch(1);
    List<UlpThread> threads = new ArrayList<>();
    threads.add(
        node.startThread(
            "one",
            () -> {
              first.countDown();
              second.await();
            }));
    threads.add(
        node.startThread(
            "two",
            () -> {
              first.await();
              second.countDown();
            }));

    fabric.join();

    assertThat(threads).noneMatch(UlpThread::isAlive);
  }

  @Test
  void aThreadThatFailsEndsTheOthersWhereverTheyBlock() {
    AtomicReference<Throwable> waiter = new AtomicReference<>();
    node.startThread("blocked", () -> new CountDownLatch(1).await());
    node.startThread(
        "waiting",
        () -> {
          try {
            fabric.await(() -> false);
          } catch (UlpStoppedException e) {
            waiter.set(e);
            throw e;
          }
        });
    node.startThread(
        "polling",
        () -> {
          CompletionQueue queue = node.device().open().createCompletionQueue(1);
          WorkCompletions completions = new WorkCompletions(1);
          while (queue.poll(completions) == 0) {
            Thread.onSpinWait();
          }
        });
    UlpThread failing =
        node.startThread(
            "failing",
            () -> {
              throw new IllegalArgumentException("wrong");
            });

    assertThatThrownBy(failing::join)
        .isInstanceOf(UlpThreadException.class)
        .hasMessageContaining("thread \"failing\" of node \"a\" failed at ")
        .hasRootCauseMessage("wrong");
    assertThat(waiter.get()).isInstanceOf(UlpStoppedException.class);
    node.startThread("next", () -> {}).join();
  }

  @Test
  void closingTheFabricInterruptsItsThreads() {
    UlpThread thread = node.startThread("blocked", () -> new CountDownLatch(1).await());

    fabric.close();

    assertThat(thread.isAlive()).isFalse();
  }

  @Test
  void aTimerRunsOnceItsTimeHasCome() throws Exception {
    long before = fabric.nanoTime();
    ScheduledFuture<Long> timer =
        fabric.scheduledExecutor().schedule(fabric::nanoTime, 5, TimeUnit.MILLISECONDS);

    assertThat(timer.get() - before).isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(5));
  }

  @Test
  void aListenerThatFailsIsToldToWhoeverWaitsNext() {
    try (Pair pair =
        Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), init -> init)) {
      pair.connect(Pair.setup(), Pair.setup());
      pair.b.postEmptyReceive(1);
      pair.fabric
          .trace()
          .addListener(
              event -> {
                if (event instanceof TraceEvent.PacketDelivered) {
                  throw new IllegalArgumentException("a bad listener");
                }
              });
      pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());

      assertThatThrownBy(() -> pair.fabric.await(() -> false))
          .isInstanceOf(IllegalArgumentException.class)
          .hasMessage("a bad listener");
    }
  }

  @Test
  void twoFabricsDoNotDisturbEachOther() {
    try (Pair one = Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), i -> i);
        Pair two = Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), i -> i)) {
      for (Pair pair : List.of(one, two)) {
        pair.connect(Pair.setup(), Pair.setup());
        pair.b.postEmptyReceive(1);
        pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());
      }
      one.run();
      one.fabric.close();
      two.run();

      assertThat(two.completions("a")).hasSize(1).first().asString().startsWith("SEND 1 SUCCESS");
      two.fabric.runFor(Duration.ofMillis(1));
      assertThat(two.a.pollSends()).hasSize(1);
    }
  }
}

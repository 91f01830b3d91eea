package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A fabric may be closed at any moment. Fabric.close() itself fails if a frame is then neither in
 * flight nor given back, so each of these tests also looks for lost frames.
 */
class ClosingTest {
  private static final int EVENTS_MAX = 300;

  /**
   * Traffic in both directions, with something held, late, duplicated and lost, and with timers
   * running.
   */
  private static Pair busy() {
    Pair pair = Pair.connected(Pair.setup().withRetries(7, 7));
    pair.impair("behind:a>b/SEND#2");
    pair.impair("delay=3ms:a>b/WRITE#3");
    pair.impair("duplicate=3+1ms:b>a/ACK#1");
    pair.impair("duplicate=2+4packets:a>b/WRITE#2");
    pair.impair("corrupt:b>a/READ_RESPONSE#2");
    pair.impair("drop:b>a/ANY#4-6");
    Side.Memory ofA = pair.a.memory(5000, 1);
    Side.Memory ofB = pair.b.memory(5000, 2);
    pair.b.postReceive(1, pair.b.memory(5000, 0));
    for (int id = 2; id <= 4; id++) {
      pair.a.postSend(id, ofA);
    }
    pair.a.queuePair.post(
        new SendRequest()
            .reset(5)
            .rdmaWrite(ofB.address(), ofB.rkey())
            .segment(ofA.region(), 0, 5000));
    pair.b.queuePair.post(
        new SendRequest()
            .reset(6)
            .rdmaRead(ofA.address(), ofA.rkey())
            .segment(ofB.region(), 0, 5000)
            .signaled());
    return pair;
  }

  @Test
  void afterAnyNumberOfEventsTheFabricClosesWithoutALostFrame() {
    int longest = 0;
    for (int events = 0; events < EVENTS_MAX; events++) {
      Pair pair = busy();
      int happened = 0;
      while (happened < events && pair.fabric.step()) {
        happened++;
      }
      longest = Math.max(longest, happened);
      assertThatCode(pair::close).as("close after %d events", events).doesNotThrowAnyException();
      if (happened < events) {
        break;
      }
    }
    assertThat(longest).isBetween(50, EVENTS_MAX - 1);
  }

  @Test
  void afterAPostWithoutAnyEventTheFabricCloses() {
    Pair pair = busy();
    assertThat(pair.fabric.nanoTime()).isZero();
    pair.close();
    assertThatCode(pair::close).doesNotThrowAnyException();
  }

  @Test
  void everyVerbsCallAfterwardsSaysThatTheFabricIsClosed() {
    Pair pair = Pair.connected();
    Side.FastMemory fast = pair.a.fastMemory(8, 0);
    pair.a.queuePair.modify(
        QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
    AsyncEvent event = pair.a.context.pollAsyncEvent();
    CompletionChannel channel = pair.a.context.createCompletionChannel();
    ExtendedCompletionQueue queue =
        pair.a.context.createExtendedCompletionQueue(CompletionQueueInit.ofCapacity(1));
    ActiveRule rule = pair.impair("drop:a>b/ANY#1");
    pair.close();
    QueuePairAttributes toRts = QueuePairAttributes.to(QueuePairState.RTS).build();
    for (ThrowingCallable call :
        List.<ThrowingCallable>of(
            () -> pair.a.queuePair.post(new SendRequest().send()),
            () -> pair.a.queuePair.post(new ReceiveRequest()),
            () -> pair.a.queuePair.modify(toRts),
            () -> pair.a.queuePair.query(),
            () -> pair.a.queuePair.state(),
            () -> pair.a.sendQueue.poll(new WorkCompletions(1)),
            () -> pair.a.context.pollAsyncEvent(),
            () -> pair.a.context.allocateProtectionDomain(),
            () -> pair.a.context.createCompletionQueue(1),
            () -> pair.a.context.createCompletionChannel(),
            channel::pollEvent,
            channel::awaitEvent,
            queue::startPoll,
            () -> queue.requestNotification(false),
            () -> queue.acknowledgeEvents(0),
            () -> queue.moderate(0, 0),
            () -> queue.resize(2),
            () -> pair.a.domain.registerMemory(ByteBuffer.allocate(1)),
            () -> pair.a.domain.allocateFastRegistrationRegion(1),
            () -> fast.region().map(ByteBuffer.allocate(1)),
            event::acknowledge,
            () -> pair.a.node.device().open(),
            () -> pair.a.node.counters(),
            () -> pair.fabric.step(),
            () -> pair.fabric.run(),
            () -> pair.fabric.nanoTime())) {
      assertThatThrownBy(call)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("the fabric is closed");
    }
    rule.close();
    assertThat(rule.hits()).isZero();
    assertThat(pair.a.queuePair.number()).isEqualTo(0x11);
  }

  @Test
  void anExceptionOfACaptureDoesNotKeepTheFabricOpen() {
    ByteArrayOutputStream capture = new ByteArrayOutputStream();
    Fabric fabric = Fabric.builder().capture(capture).build();
    Pair pair = Pair.unconnected(fabric, init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    pair.a.postSend(1, pair.a.memory(5000, 1));
    pair.close();
    int bytes = capture.size();
    assertThat(bytes).isGreaterThan(5000);
    pair.close();
    assertThat(capture.size()).isEqualTo(bytes);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 1000, 20_000})
  void aThreadThatRunsTheFabricLearnsThatItWasClosed(int events) throws Exception {
    Pair pair = Pair.connected(Pair.setup().withRetries(7, 7));
    // Nothing is ever received: the two keep each other busy for ever.
    pair.a.postSend(1, pair.a.memory(64, 1));
    CountDownLatch reached = new CountDownLatch(events);
    CompletableFuture<Void> runner =
        CompletableFuture.runAsync(
            () -> {
              while (pair.fabric.step()) {
                reached.countDown();
              }
            });
    assertThat(reached.await(30, TimeUnit.SECONDS)).isTrue();
    pair.close();
    assertThatThrownBy(() -> runner.get(30, TimeUnit.SECONDS))
        .isInstanceOf(ExecutionException.class)
        .hasCauseInstanceOf(IllegalStateException.class)
        .hasMessageContaining("the fabric is closed");
  }
}

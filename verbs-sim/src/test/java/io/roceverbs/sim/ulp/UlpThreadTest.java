package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** ULP threads run one at a time, in the same order each time, and time passes only between. */
@Timeout(60)
class UlpThreadTest {
  private static final int MESSAGES = 50;

  /** Polls as on hardware until one completion is there. */
  static WorkCompletion pollOne(CompletionQueue queue) {
    WorkCompletions completions = new WorkCompletions(1);
    while (queue.poll(completions) == 0) {
      Thread.onSpinWait();
    }
    return completions.get(0).requireSuccess().copy();
  }

  /** Sends a number there and back again, each end on a thread of its own. */
  static void pingPong(Pair pair, int messages) {
    Memory ofA = pair.a.memory(8, 0);
    Memory ofB = pair.b.memory(8, 0);
    pair.b.node.startThread("pong", () -> pong(pair.b, ofB, messages));
    pair.a.node.startThread("ping", () -> ping(pair.a, ofA, messages));
  }

  private static void ping(Side side, Memory memory, int messages) {
    for (int i = 0; i < messages; i++) {
      side.postReceive(i, memory);
      memory.bytes().putLong(0, i);
      side.postSend(i, memory);
      assertThat(pollOne(side.sendQueue).id()).isEqualTo(i);
      assertThat(pollOne(side.receiveQueue).id()).isEqualTo(i);
      assertThat(memory.bytes().getLong(0)).isEqualTo(-i);
    }
  }

  private static void pong(Side side, Memory memory, int messages) {
    side.postReceive(0, memory);
    for (int i = 0; i < messages; i++) {
      assertThat(pollOne(side.receiveQueue).id()).isEqualTo(i);
      long value = memory.bytes().getLong(0);
      memory.bytes().putLong(0, -value);
      side.postSend(i, memory);
      assertThat(pollOne(side.sendQueue).id()).isEqualTo(i);
      if (i + 1 < messages) {
        side.postReceive(i + 1, memory);
      }
    }
  }

  @Test
  void twoThreadsThatPollExchangeMessagesInVirtualTime() {
    try (Pair pair = Pair.connected()) {
      pingPong(pair, 1);
      pair.fabric.join();

      assertThat(pair.completions("a"))
          .containsExactly("SEND 0 SUCCESS @20000", "RECV 0 SUCCESS @20000");
      assertThat(pair.completions("b"))
          .containsExactly("RECV 0 SUCCESS @10000", "SEND 0 SUCCESS @30000");
    }
  }

  @Test
  void aThousandRunsOfOneSeedGiveOneTraceHash() {
    Map<Long, Integer> hashes = new TreeMap<>();
    for (int run = 0; run < 1_000; run++) {
      try (Pair pair = Pair.connected()) {
        pingPong(pair, MESSAGES);
        pair.fabric.run();
        hashes.merge(pair.fabric.trace().hash(), 1, Integer::sum);
      }
    }
    assertThat(hashes).hasSize(1);
  }

  @Test
  void threadsRunInTheOrderOfTheirStartAndWakeInTheOrderOfTheirTimes() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      List<String> log = new ArrayList<>();
      for (int i = 1; i <= 4; i++) {
        int number = i;
        node.startThread(
            "t" + i,
            () -> {
              log.add(number + " at " + fabric.nanoTime());
              fabric.sleep(Duration.ofNanos(10L * (number % 2)));
              log.add(number + " at " + fabric.nanoTime());
            });
      }
      assertThat(log).isEmpty();
      fabric.join();
      assertThat(log)
          .containsExactly(
              "1 at 0", "2 at 0", "3 at 0", "4 at 0", "2 at 0", "4 at 0", "1 at 10", "3 at 10");
    }
  }

  @Test
  void ofOneTimePacketsComeBeforeThreadsThatSleepUntilThen() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(8, 0));
      pair.a.node.startThread("sender", () -> pair.a.postSend(2, pair.a.memory(8, 1)));
      List<Integer> found = new ArrayList<>();
      pair.b.node.startThread(
          "sleeper",
          () -> {
            pair.fabric.sleep(Duration.ofNanos(Pair.LATENCY_NANOS));
            found.add(pair.b.pollReceives().size());
          });
      pair.fabric.join();
      assertThat(found).containsExactly(1);
      assertThat(pair.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
    }
  }

  @Test
  void awaitEndsAtTheEventThatMakesItsConditionTrue() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(8, 0));
      List<String> log = new ArrayList<>();
      pair.b.node.startThread(
          "waiter",
          () -> {
            pair.fabric.await(() -> pair.a.node.counters().framesSent() == 1);
            log.add("sent at " + pair.fabric.nanoTime());
            pair.fabric.await(() -> pair.b.node.counters().framesReceived() == 1);
            log.add("received at " + pair.fabric.nanoTime());
            boolean came =
                pair.fabric.await(
                    () -> pair.b.node.counters().framesReceived() == 2, Duration.ofNanos(77));
            log.add(came + " at " + pair.fabric.nanoTime());
          });
      pair.a.node.startThread(
          "sender",
          () -> {
            pair.fabric.sleep(Duration.ofNanos(100));
            pair.a.postSend(2, pair.a.memory(8, 1));
          });
      pair.fabric.join();
      assertThat(log).containsExactly("sent at 100", "received at 10100", "false at 10177");
    }
  }

  @Test
  void aConditionThatPollsTakesWhatIsThereAndDoesNotWait() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(8, 0));
      WorkCompletions completions = new WorkCompletions(1);
      List<Long> ids = new ArrayList<>();
      pair.b.node.startThread(
          "receiver",
          () -> {
            pair.fabric.await(() -> pair.b.receiveQueue.poll(completions) > 0);
            ids.add(completions.get(0).id());
          });
      pair.a.node.startThread("sender", () -> pair.a.postSend(2, pair.a.memory(8, 1)));
      pair.fabric.join();
      assertThat(ids).containsExactly(1L);
      assertThat(pair.fabric.nanoTime()).isEqualTo(Pair.LATENCY_NANOS);
    }
  }

  @Test
  void aThreadThatPollsSeesAtOnceWhatAnotherOneOfItsNodeHasDone() {
    try (Pair pair = Pair.connected()) {
      boolean[] told = new boolean[1];
      long[] seenAt = new long[1];
      pair.a.node.startThread(
          "worker",
          () -> {
            while (!told[0]) {
              pair.a.pollReceives();
            }
            seenAt[0] = pair.fabric.nanoTime();
          });
      pair.a.node.startThread(
          "boss",
          () -> {
            pair.a.postSend(1, pair.a.memory(8, 1)); // no receive: RNR NAKs keep the fabric busy
            told[0] = true;
            pair.a.pollSends();
          });
      pair.fabric.join();
      assertThat(seenAt[0]).isZero();
    }
  }

  @Test
  void aThreadThatPollsKeepsAnEyeOnTheClockWhileOthersAreBusy() {
    try (Pair pair = Pair.connected()) {
      long[] gaveUpAt = new long[1];
      pair.a.node.startThread(
          "impatient",
          () -> {
            long deadline = pair.fabric.nanoTime() + 1_000_000;
            while (pair.fabric.nanoTime() < deadline) {
              pair.a.pollReceives();
            }
            gaveUpAt[0] = pair.fabric.nanoTime();
          });
      pair.b.node.startThread(
          "busy",
          () -> {
            for (int i = 0; i < 2_000; i++) {
              pair.fabric.sleep(Duration.ofNanos(1_000));
            }
          });
      pair.fabric.join();
      assertThat(gaveUpAt[0]).isEqualTo(1_000_000);
    }
  }

  @Test
  void aThreadThatPollsTwoQueuesInTurnLosesNoTimeAtEither() {
    try (Pair pair = Pair.connected()) {
      List<String> log = new ArrayList<>();
      pair.b.postReceive(1, pair.b.memory(8, 0));
      pair.b.node.startThread(
          "both",
          () -> {
            while (log.size() < 2) {
              if (!pair.b.pollSends().isEmpty()) {
                log.add("send at " + pair.fabric.nanoTime());
              }
              if (!pair.b.pollReceives().isEmpty()) {
                log.add("receive at " + pair.fabric.nanoTime());
                pair.b.postSend(3, pair.b.memory(8, 0));
              }
            }
          });
      pair.a.node.startThread(
          "peer",
          () -> {
            pair.a.postReceive(4, pair.a.memory(8, 0));
            pair.a.postSend(2, pair.a.memory(8, 1));
            pollOne(pair.a.sendQueue);
            pollOne(pair.a.receiveQueue);
          });
      pair.fabric.join();
      assertThat(log).containsExactly("receive at 10000", "send at 30000");
    }
  }

  @Test
  void theMainThreadTakesPartWhileItWaits() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(1, pair.b.memory(8, 0));
      Memory answer = pair.a.memory(8, 0);
      pair.b.node.startThread(
          "echo",
          () -> {
            pollOne(pair.b.receiveQueue);
            pair.b.postSend(2, pair.b.memory(8, 7));
            pollOne(pair.b.sendQueue);
          });
      pair.a.postReceive(3, answer);
      pair.a.postSend(4, pair.a.memory(8, 1));

      assertThat(pollOne(pair.a.sendQueue).id()).isEqualTo(4);
      assertThat(pollOne(pair.a.receiveQueue).id()).isEqualTo(3);
      assertThat(answer.bytes().get(0)).isEqualTo((byte) 7);
      assertThat(pair.fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
      pair.fabric.join();
      assertThat(pair.fabric.nanoTime()).isEqualTo(3 * Pair.LATENCY_NANOS);
    }
  }

  @Test
  void runForAndStepLetThreadsRunAsFarAsTheTimeGoes() {
    try (Fabric fabric = Fabric.create()) {
      List<Long> times = new ArrayList<>();
      UlpThread ticker =
          fabric
              .addNode("a")
              .startThread(
                  "ticker",
                  () -> {
                    for (int i = 0; i < 5; i++) {
                      fabric.sleep(Duration.ofNanos(10));
                      times.add(fabric.nanoTime());
                    }
                  });
      fabric.runFor(Duration.ofNanos(25));
      assertThat(times).containsExactly(10L, 20L);
      assertThat(fabric.nanoTime()).isEqualTo(25);
      assertThat(fabric.step()).isTrue();
      assertThat(fabric.nanoTime()).isEqualTo(30);
      assertThat(fabric.runUntil(() -> times.size() == 4, Duration.ofSeconds(1))).isTrue();
      assertThat(fabric.nanoTime()).isEqualTo(40);
      ticker.join();
      assertThat(ticker.isAlive()).isFalse();
      assertThat(fabric.nanoTime()).isEqualTo(50);
      assertThat(fabric.step()).isFalse();
    }
  }

  @Test
  void aThreadMayStartAndJoinAnother() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      List<String> log = new ArrayList<>();
      node.startThread(
          "parent",
          () -> {
            UlpThread child = node.startThread("child", () -> fabric.sleep(Duration.ofNanos(9)));
            log.add("child alive: " + child.isAlive());
            child.join();
            log.add("joined at " + fabric.nanoTime() + ", alive: " + child.isAlive());
          });
      fabric.join();
      assertThat(log).containsExactly("child alive: true", "joined at 9, alive: false");
    }
  }

  @Test
  void noTwoThreadsEverRunAtOnce() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      AtomicInteger running = new AtomicInteger();
      AtomicInteger overlaps = new AtomicInteger();
      for (int i = 0; i < 8; i++) {
        int number = i;
        node.startThread(
            "t" + i,
            () -> {
              for (int k = 0; k < 200; k++) {
                if (running.incrementAndGet() != 1) {
                  overlaps.incrementAndGet();
                }
                running.decrementAndGet();
                fabric.sleep(Duration.ofNanos((k * 7L + number) % 5));
              }
            });
      }
      fabric.join();
      assertThat(overlaps).hasValue(0);
    }
  }

  @Test
  void javaThreadsAreKeptFromRunToRun() {
    Set<Thread> threads = ConcurrentHashMap.newKeySet();
    for (int run = 0; run < 50; run++) {
      try (Fabric fabric = Fabric.create()) {
        Node node = fabric.addNode("a");
        node.startThread("t1", () -> threads.add(Thread.currentThread()));
        node.startThread("t2", () -> threads.add(Thread.currentThread()));
        fabric.join();
      }
    }
    assertThat(threads).hasSizeLessThan(20).allMatch(Thread::isDaemon);
  }

  @Test
  void aFabricTakesNoMoreThreadsThanItsLimit() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      for (int i = 0; i < 1_024; i++) {
        node.startThread("t", () -> {});
      }
      assertThatThrownBy(() -> node.startThread("one more", () -> {}))
          .isInstanceOf(IllegalStateException.class)
          .hasMessage("a fabric runs at most 1024 ULP threads at a time");
      fabric.join();
      node.startThread("one more", () -> {}).join();
    }
  }
}

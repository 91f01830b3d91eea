package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.WorkCompletions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** How the run of ULP threads ends when one fails, blocks, or all wait for what never comes. */
@Timeout(60)
class UlpFailureTest {
  private final List<String> log = new ArrayList<>();

  private void pollForEver(CompletionQueue queue) {
    WorkCompletions completions = new WorkCompletions(1);
    while (queue.poll(completions) == 0) {
      Thread.onSpinWait();
    }
  }

  @Test
  void anExceptionInOneThreadUnwindsTheOthersAndNamesTheThread() {
    try (Pair pair = Pair.connected()) {
      UlpThread poller =
          pair.a.node.startThread(
              "poller",
              () -> {
                try {
                  pollForEver(pair.a.sendQueue);
                } catch (UlpStoppedException e) {
                  log.add(e.getMessage());
                  throw e;
                }
              });
      pair.a.node.startThread(
          "waiter",
          () -> {
            try {
              pair.fabric.await(() -> false);
            } finally {
              log.add("waiter unwound");
            }
          });
      UlpThread reader =
          pair.b.node.startThread(
              "reader",
              () -> {
                pair.fabric.sleep(Duration.ofNanos(700));
                throw new IOException("disk full");
              });

      UlpThreadException e = catchThrowableOfType(UlpThreadException.class, pair.fabric::join);

      assertThat(e)
          .hasMessage(
              "thread \"reader\" of node \"b\" failed at 700 ns: java.io.IOException: disk full")
          .hasCauseInstanceOf(IOException.class);
      assertThat(e.thread()).isSameAs(reader);
      assertThat(e.getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals(UlpFailureTest.class.getName()));
      assertThat(log).containsExactly("the run has ended: " + e.getMessage(), "waiter unwound");
      assertThat(poller.isAlive()).isFalse();
      assertThat(reader.isAlive()).isFalse();
    }
  }

  @Test
  void anAssertionErrorOfAThreadIsTheCause() {
    try (Fabric fabric = Fabric.create()) {
      AssertionError error = new AssertionError("7 is not 8");
      fabric
          .addNode("a")
          .startThread(
              "t",
              () -> {
                throw error;
              });
      assertThatThrownBy(fabric::run).isInstanceOf(UlpThreadException.class).hasCause(error);
    }
  }

  @Test
  void whatAnotherThreadThrowsWhileItIsUnwoundIsSuppressed() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      node.startThread(
          "second",
          () -> {
            try {
              fabric.await(() -> false);
            } finally {
              throwIllegal("cleanup failed");
            }
          });
      node.startThread("first", () -> throwIllegal("cause"));

      UlpThreadException e = catchThrowableOfType(UlpThreadException.class, fabric::join);

      assertThat(e.thread().name()).isEqualTo("first");
      assertThat(e.getSuppressed()).hasSize(1);
      assertThat(e.getSuppressed()[0])
          .hasMessage(
              "thread \"second\" of node \"a\" failed at 0 ns: java.lang.IllegalStateException:"
                  + " cleanup failed");
    }
  }

  private static void throwIllegal(String message) {
    throw new IllegalStateException(message);
  }

  @Test
  void aThreadThatSwallowsTheStopIsStoppedAgainAtItsNextWait() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      node.startThread(
          "stubborn",
          () -> {
            for (int i = 0; i < 3; i++) {
              try {
                fabric.sleep(Duration.ofSeconds(1));
              } catch (UlpStoppedException e) {
                log.add("again");
              }
            }
          });
      node.startThread("bad", () -> throwIllegal("cause"));
      assertThatThrownBy(fabric::join).isInstanceOf(UlpThreadException.class);
      assertThat(log).containsExactly("again", "again", "again");
      assertThat(fabric.nanoTime()).isZero();
    }
  }

  @Test
  void afterAFailedRunTheFabricRunsOtherThreads() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      node.startThread("bad", () -> throwIllegal("cause"));
      assertThatThrownBy(fabric::join).isInstanceOf(UlpThreadException.class);

      node.startThread("good", () -> fabric.sleep(Duration.ofNanos(5)));
      fabric.join();
      assertThat(fabric.nanoTime()).isEqualTo(5);
    }
  }

  @Test
  void threadsThatWaitForEachOtherAreStuckAndTheReportSaysForWhat() {
    try (Pair pair = Pair.connected()) {
      pair.b.node.startThread("target", () -> pollForEver(pair.b.receiveQueue));
      pair.a.node.startThread(
          "initiator",
          () -> {
            pair.a.postReceive(1, pair.a.memory(8, 0));
            pair.fabric.await("a free credit", () -> false);
          });

      UlpStuckException e = catchThrowableOfType(UlpStuckException.class, pair.fabric::join);

      assertThat(e)
          .hasMessageStartingWith(
              "every thread of the ULP waits, and nothing is left to happen on the fabric at 0 ns:"
                  + " what it waits for does not come\n")
          .hasMessageContaining(
              "\n  thread \"target\" of node \"b\" polls CompletionQueue 2 of b with 0 of 64, at "
                  + "io.roceverbs.sim.ulp.UlpFailureTest.pollForEver(UlpFailureTest.java:")
          .hasMessageContaining(
              "\n  thread \"initiator\" of node \"a\" waits for a free credit, at"
                  + " io.roceverbs.sim.ulp.UlpFailureTest.lambda")
          .hasMessageContaining(" waits for the end of all threads, at ")
          .hasMessageContaining(
              "\n  RC queue pair 0x000011 of a in RTS: 0 sends and 1 receives not completed")
          .hasMessageContaining(
              "\n  RC queue pair 0x001011 of b in RTS: 0 sends and 0 receives not completed");
    }
  }

  @Test
  void aThreadThatPollsManyTimesToProveThatNothingComesIsNotStuck() {
    try (Pair pair = Pair.connected()) {
      pair.a.node.startThread(
          "prover",
          () -> {
            for (int i = 0; i < 5_000; i++) {
              assertThat(pair.a.pollSends()).isEmpty();
            }
          });
      pair.fabric.join();
      assertThat(pair.fabric.nanoTime()).isZero();
    }
  }

  @Test
  void aPollLoopOfAnOrdinaryThreadIsStuckAsWell() {
    try (Pair pair = Pair.connected()) {
      pair.a.postReceive(1, pair.a.memory(8, 0));
      assertThatThrownBy(() -> pollForEver(pair.a.receiveQueue))
          .isInstanceOf(UlpStuckException.class)
          .hasMessageMatching(
              "(?s)thread \"[^\"]+\" polls CompletionQueue 2 of a with 0 of 64, and nothing is left to"
                  + " happen on the fabric at 0 ns: what it waits for does not come\n"
                  + "  RC queue pair 0x000011 of a in RTS: 0 sends and 1 receives not completed\n"
                  + "  RC queue pair 0x001011 of b in RTS: 0 sends and 0 receives not completed");
      assertThat(pair.a.pollReceives()).isEmpty();
    }
  }

  @Test
  void theMainThreadThatPollsForEverIsStuckTogetherWithTheOthers() {
    try (Pair pair = Pair.connected()) {
      pair.b.node.startThread("target", () -> pollForEver(pair.b.receiveQueue));
      assertThatThrownBy(() -> pollForEver(pair.a.receiveQueue))
          .isInstanceOf(UlpStuckException.class)
          .hasMessageContaining("thread \"target\" of node \"b\" polls CompletionQueue 2 of b")
          .hasMessageContaining("\" polls CompletionQueue 2 of a with 0 of 64, at ");
    }
  }

  @Test
  void aThreadThatBlocksElsewhereIsReportedWithItsStackAndTheOthersAreUnwound() {
    CountDownLatch never = new CountDownLatch(1);
    try (Fabric fabric = Fabric.builder().blockingLimit(Duration.ofMillis(200)).build()) {
      Node node = fabric.addNode("a");
      node.startThread(
          "waiter",
          () -> {
            try {
              fabric.await(() -> false);
            } finally {
              log.add("waiter unwound");
            }
          });
      UlpThread sleeper = node.startThread("sleeper", never::await);

      UlpBlockedException e = catchThrowableOfType(UlpBlockedException.class, fabric::join);

      assertThat(e)
          .hasMessageStartingWith(
              "thread \"sleeper\" of node \"a\" has kept its turn for 200 ms of real time and is"
                  + " WAITING outside of the fabric's calls")
          .hasMessageContaining("java.util.concurrent.CountDownLatch.await(");
      assertThat(e.getCause().getStackTrace())
          .anyMatch(frame -> frame.getClassName().equals("java.util.concurrent.CountDownLatch"));
      assertThat(sleeper.isAlive()).isFalse();
      assertThat(log).containsExactly("waiter unwound");
    }
  }

  @Test
  void aThreadThatBlocksInsideACallDoesNotKeepTheFabricForEver() {
    Object lock = new Object();
    Fabric fabric = Fabric.builder().blockingLimit(Duration.ofMillis(200)).build();
    Node node = fabric.addNode("a");
    CountDownLatch taken = new CountDownLatch(1);
    Thread owner =
        new Thread(
            () -> {
              synchronized (lock) {
                taken.countDown();
                sleepForALongTime();
              }
            });
    owner.setDaemon(true);
    owner.start();
    fabric
        .trace()
        .addListener(
            event -> {
              awaitUninterruptibly(taken);
              synchronized (lock) {
                log.add("got it");
              }
            });
    node.startThread("blocked", () -> fabric.note(node, "hello"));

    assertThatThrownBy(fabric::join)
        .isInstanceOf(UlpBlockedException.class)
        .hasMessageContaining("is BLOCKED");
    fabric.close();
    assertThat(log).isEmpty();
    owner.interrupt();
  }

  private static void awaitUninterruptibly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      throw new AssertionError(e);
    }
  }

  private static void sleepForALongTime() {
    try {
      Thread.sleep(60_000);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Test
  void aThreadThatIsLeftToItselfCanNeitherWaitNorHoldAnybodyUp() throws Exception {
    CountDownLatch done = new CountDownLatch(1);
    try (Fabric fabric = Fabric.builder().blockingLimit(Duration.ofMillis(100)).build()) {
      Node node = fabric.addNode("a");
      node.startThread(
          "late",
          () -> {
            try {
              Thread.sleep(60_000);
            } catch (InterruptedException e) {
              try {
                fabric.sleep(Duration.ofNanos(1));
              } catch (UlpStoppedException stopped) {
                log.add("stopped");
              }
            }
            done.countDown();
          });
      assertThatThrownBy(fabric::join).isInstanceOf(UlpBlockedException.class);
      done.await();
      assertThat(log).containsExactly("stopped");
      node.startThread("next", () -> fabric.sleep(Duration.ofNanos(1)));
      fabric.join();
      assertThat(fabric.nanoTime()).isEqualTo(1);
    }
  }

  @Test
  void anInterruptOfWhoJoinsEndsTheRun() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      Thread main = Thread.currentThread();
      node.startThread(
          "busy",
          () -> {
            try {
              main.interrupt();
              while (true) {
                fabric.sleep(Duration.ofNanos(1));
              }
            } finally {
              log.add("unwound");
            }
          });
      assertThatThrownBy(fabric::join)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("was interrupted while it waited for the threads of the ULP");
      assertThat(Thread.interrupted()).isTrue();
      assertThat(log).containsExactly("unwound");
    }
  }

  @Test
  void closingUnwindsThreadsThatStillWaitAndNeverStartsNewOnes() {
    Fabric fabric = Fabric.create();
    Node node = fabric.addNode("a");
    UlpThread server =
        node.startThread(
            "server",
            () -> {
              try {
                fabric.await(() -> false);
              } finally {
                log.add("server unwound at " + fabric.nanoTime());
              }
            });
    node.startThread("client", () -> fabric.sleep(Duration.ofNanos(3))).join();
    UlpThread late = node.startThread("late", () -> log.add("late runs"));
    fabric.close();

    assertThat(log).containsExactly("server unwound at 3");
    assertThat(server.isAlive()).isFalse();
    assertThat(late.isAlive()).isFalse();
  }

  @Test
  void aFailureDuringTheCloseIsThrownByIt() {
    Fabric fabric = Fabric.create();
    Node node = fabric.addNode("a");
    node.startThread(
        "server",
        () -> {
          try {
            fabric.await(() -> false);
          } catch (UlpStoppedException e) {
            throwIllegal("cleanup failed");
          }
        });
    fabric.runFor(Duration.ofNanos(1));
    assertThatThrownBy(fabric::close)
        .isInstanceOf(UlpThreadException.class)
        .hasMessageContaining("cleanup failed");
    assertThatThrownBy(fabric::nanoTime).hasMessageStartingWith("the fabric is closed");
  }

  @Test
  void callsThatWouldWaitForTheCallerItselfAreRefused() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      UlpThread[] self = new UlpThread[1];
      self[0] =
          node.startThread(
              "t",
              () -> {
                assertThatThrownBy(fabric::join)
                    .hasMessage(
                        "join waits for the end of all ULP threads, so none of them can call it");
                assertThatThrownBy(fabric::run).hasMessageStartingWith("run waits for");
                assertThatThrownBy(fabric::close).hasMessageStartingWith("close waits for");
                assertThatThrownBy(self[0]::join)
                    .hasMessage("thread \"t\" of node \"a\" can't wait for its own end");
                log.add("refused");
              });
      fabric.join();
      assertThat(log).containsExactly("refused");
    }
  }

  @Test
  void aConditionThatThrowsFailsTheThreadThatWaitsForIt() {
    try (Fabric fabric = Fabric.create()) {
      Node node = fabric.addNode("a");
      node.startThread(
          "waiter",
          () ->
              fabric.await(
                  () -> {
                    if (fabric.nanoTime() == 5) {
                      throw new IllegalArgumentException("five");
                    }
                    return false;
                  }));
      node.startThread("sleeper", () -> fabric.sleep(Duration.ofNanos(5)));
      assertThatThrownBy(fabric::join)
          .isInstanceOf(UlpThreadException.class)
          .hasMessageStartingWith("thread \"waiter\" of node \"a\" failed at 5 ns")
          .hasRootCauseMessage("five");
    }
  }
}

package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.RawPeerFabric;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.Packet;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Any verbs call is legal from the fabric's own loop, from ULP threads and from other threads. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // what is tested is when tasks run, or that they do
class VerbsFromAnywhereTest {
  private DeviceHost host;

  private static List<Verb> verbs() {
    List<Verb> all = new ArrayList<>(List.of(ObjectVerb.values()));
    all.addAll(List.of(QueueVerb.values()));
    return all;
  }

  /** A device that neither sends nor receives. */
  private static final class Silent implements PortClient {
    @Override
    public boolean pollTransmit(long nowNanos, Packet out) {
      return false;
    }

    @Override
    public boolean lastWasRetransmission() {
      return false;
    }

    @Override
    public void handlePacket(long nowNanos, Packet packet) {}
  }

  /** Something that the fabric's loop does at a time. */
  private static final class LoopTask extends DeviceTimer {
    private final Runnable body;

    LoopTask(long timeNanos, Runnable body) {
      this.body = body;
      deadlineNanos(timeNanos);
    }

    @Override
    public void expire(long nowNanos) {
      deadlineNanos(NEVER);
      body.run();
    }
  }

  private Pair pairWithLoop() {
    return pairWithLoop(FabricTime.VIRTUAL);
  }

  private Pair pairWithLoop(FabricTime time) {
    Fabric fabric =
        RawPeerFabric.create(
            time,
            "raw",
            rawHost -> {
              host = rawHost;
              return new Silent();
            });
    Pair pair = Pair.unconnected(fabric, init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    fabric.addNode("raw");
    return pair;
  }

  private void onLoop(long timeNanos, Runnable body) {
    host.enter();
    try {
      host.timerChanged(new LoopTask(timeNanos, body));
    } finally {
      host.exit();
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void eachCallIsLegalInTheFabricsLoopAndLetsNoTimePass(Verb verb) {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          50,
          () -> {
            verb.call(pair);
            times.add(pair.fabric.nanoTime());
          });
      pair.run();
      assertThat(times).containsExactly(50L);
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void eachCallIsLegalInTheLoopWhileUlpThreadsWait(Verb verb) {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          50,
          () -> {
            verb.call(pair);
            times.add(pair.fabric.nanoTime());
          });
      pair.b.node.startThread("sleeper", () -> pair.fabric.sleep(Duration.ofMillis(1)));
      pair.b.node.startThread(
          "poller",
          () -> {
            while (pair.fabric.nanoTime() < 1_000_000) {
              pair.b.pollSends();
            }
          });
      pair.run();
      assertThat(times).containsExactly(50L);
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void eachCallIsLegalOnAUlpThread(Verb verb) {
    try (Pair pair = Pair.connected()) {
      List<String> done = new ArrayList<>();
      pair.a.node.startThread(
          "caller",
          () -> {
            verb.call(pair);
            done.add(verb.toString());
          });
      pair.run();
      assertThat(done).containsExactly(verb.toString());
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void eachCallIsLegalOnAnotherThreadWhileUlpThreadsRun(Verb verb) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (Pair pair = Pair.connected()) {
      AtomicBoolean done = new AtomicBoolean();
      pair.b.node.startThread(
          "busy",
          () -> {
            for (int i = 0; i < 100_000 && !done.get(); i++) {
              pair.fabric.sleep(Duration.ofNanos(1_000));
            }
          });
      Future<?> call =
          executor.submit(
              () -> {
                try {
                  verb.call(pair);
                } finally {
                  done.set(true);
                }
              });
      pair.run();
      call.get(30, TimeUnit.SECONDS);
      pair.run(); // on a busy machine the other thread may have come late
      verb.check(pair);
    } finally {
      executor.shutdownNow();
    }
  }

  @ParameterizedTest
  @MethodSource("verbs")
  void eachCallIsLegalInRealTimeOnAThreadAndInTheLoop(Verb verb) throws Exception {
    try (Pair pair = pairWithLoop(FabricTime.REAL)) {
      verb.call(pair);
    }
    try (Pair pair = pairWithLoop(FabricTime.REAL)) {
      CompletableFuture<String> done = new CompletableFuture<>();
      onLoop(
          pair.fabric.nanoTime(),
          () -> {
            try {
              verb.call(pair);
              done.complete(verb.toString());
            } catch (RuntimeException | AssertionError e) {
              done.completeExceptionally(e);
            }
          });
      assertThat(done.get(30, TimeUnit.SECONDS)).isEqualTo(verb.toString());
    }
  }

  @Test
  void aWaitInsideTheLoopIsRefused() {
    try (Pair pair = pairWithLoop()) {
      onLoop(5, () -> pair.fabric.sleep(Duration.ofNanos(1)));
      assertThatThrownBy(pair::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "a wait for the end of its sleep was begun inside an event of the fabric, such as a"
                  + " completion callback, or inside a condition that somebody waits for; return"
                  + " from it first");
    }
  }

  @Test
  void aPollInsideAnotherCallLetsNoTimePass() {
    try (Pair pair = Pair.connected()) {
      Side b = pair.b;
      b.postReceive(1, b.memory(8, 0));
      List<Long> times = new ArrayList<>();
      pair.fabric
          .trace()
          .addListener(
              event -> {
                if (event instanceof TraceEvent.Posted) {
                  assertThat(b.pollReceives()).isEmpty();
                  times.add(pair.fabric.nanoTime());
                }
              });
      pair.a.postSend(2, pair.a.memory(8, 1));
      pair.a.postSend(3, pair.a.memory(8, 1));
      assertThat(times).containsExactly(0L, 0L);
    }
  }

  @Test
  void aTimerMayBeStartedAndAThreadTooInTheLoop() {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          5,
          () -> {
            pair.a.node.startThread("t", () -> times.add(pair.fabric.nanoTime()));
            pair.fabric
                .scheduledExecutor()
                .schedule(() -> times.add(pair.fabric.nanoTime()), 7, TimeUnit.NANOSECONDS);
          });
      pair.fabric.runFor(Duration.ofNanos(100));
      assertThat(times).containsExactly(5L, 12L);
    }
  }
}

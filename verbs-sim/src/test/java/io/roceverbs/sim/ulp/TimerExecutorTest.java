package io.roceverbs.sim.ulp;

import static java.util.concurrent.TimeUnit.DAYS;
import static java.util.concurrent.TimeUnit.NANOSECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import java.time.Clock;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The timers and the clock of a ULP go by virtual time. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // what is tested is when tasks run, or that they do
class TimerExecutorTest {
  private final Fabric fabric = Fabric.create();
  private final Node node = fabric.addNode("a");
  private final ScheduledExecutorService timers = fabric.scheduledExecutor();
  private final List<String> log = new ArrayList<>();

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private void note(String what) {
    log.add(what + " at " + fabric.nanoTime());
  }

  @Test
  void tasksRunAtTheirTimesAndOfOneTimeInTheOrderInWhichTheyWereHandedOver() {
    timers.schedule(() -> note("late"), 30, NANOSECONDS);
    timers.schedule(() -> note("first of two"), 20, NANOSECONDS);
    timers.schedule(() -> note("second of two"), 20, NANOSECONDS);
    timers.schedule(() -> note("overdue"), -5, NANOSECONDS);
    timers.execute(() -> note("now"));
    fabric.run();
    assertThat(log)
        .containsExactly(
            "overdue at 0", "now at 0", "first of two at 20", "second of two at 20", "late at 30");
  }

  @Test
  void aFutureGivesTheResultInVirtualTime() throws Exception {
    ScheduledFuture<Integer> future = timers.schedule(() -> 7, 40, NANOSECONDS);
    assertThat(future.getDelay(NANOSECONDS)).isEqualTo(40);
    assertThatThrownBy(() -> future.get(39, NANOSECONDS)).isInstanceOf(TimeoutException.class);
    assertThat(fabric.nanoTime()).isEqualTo(39);
    assertThat(future.get()).isEqualTo(7);
    assertThat(fabric.nanoTime()).isEqualTo(40);
    assertThat(timers.submit(() -> 8).get()).isEqualTo(8);
    assertThat(timers.submit(() -> note("ran"), "done").get()).isEqualTo("done");
  }

  @Test
  void aUlpThreadMayWaitForATimerAndATimerForAUlpThread() {
    node.startThread(
        "t",
        () -> {
          assertThat(timers.schedule(() -> "x", 5, NANOSECONDS).get()).isEqualTo("x");
          note("thread");
        });
    timers.schedule(
        () -> {
          fabric.sleep(Duration.ofNanos(100));
          note("task");
        },
        1,
        NANOSECONDS);
    fabric.run();
    assertThat(log).containsExactly("task at 101", "thread at 101");
  }

  @Test
  void aFixedRateGoesByTheStartsAndAFixedDelayByTheEnds() {
    ScheduledFuture<?> rate =
        timers.scheduleAtFixedRate(() -> take("rate", 4), 10, 10, NANOSECONDS);
    fabric.runFor(Duration.ofNanos(35));
    rate.cancel(false);
    timers.scheduleWithFixedDelay(() -> take("delay", 4), 5, 10, NANOSECONDS);
    fabric.runFor(Duration.ofNanos(40));
    assertThat(log)
        .containsExactly(
            "rate at 10", "rate at 20", "rate at 30", "delay at 40", "delay at 54", "delay at 68");
    assertThat(rate.isCancelled()).isTrue();
  }

  private void take(String what, long nanos) {
    note(what);
    fabric.sleep(Duration.ofNanos(nanos));
  }

  @Test
  void aCancelledTaskNeverRunsAndHoldsUpNoTime() {
    ScheduledFuture<?> future = timers.schedule(() -> note("never"), 1, DAYS);
    fabric.runFor(Duration.ofNanos(3));
    assertThat(future.cancel(false)).isTrue();
    fabric.run();
    assertThat(fabric.nanoTime()).isEqualTo(3);
    assertThat(log).isEmpty();
    assertThatThrownBy(future::get).isInstanceOf(CancellationException.class);
  }

  @Test
  void anExceptionOfATaskIsInItsFutureAndEndsItsRepetition() {
    ScheduledFuture<?> future =
        timers.scheduleAtFixedRate(
            () -> {
              note("beat");
              throw new IllegalArgumentException("bad beat");
            },
            1,
            1,
            NANOSECONDS);
    fabric.run();
    assertThat(log).containsExactly("beat at 1");
    assertThatThrownBy(future::get)
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("bad beat");
  }

  @Test
  void anExceptionThatNoFutureTellsEndsTheRun() {
    timers.execute(
        () -> {
          throw new IllegalArgumentException("lost");
        });
    assertThatThrownBy(fabric::run)
        .isInstanceOf(UlpThreadException.class)
        .hasMessage("thread \"timers\" failed at 0 ns: java.lang.IllegalArgumentException: lost");
    timers.execute(() -> note("again"));
    fabric.run();
    assertThat(log).containsExactly("again at 0");
  }

  @Test
  void aShutdownCancelsRepetitionsAndLetsTheRestRun() throws Exception {
    timers.scheduleAtFixedRate(() -> note("beat"), 10, 10, NANOSECONDS);
    timers.schedule(() -> note("once"), 25, NANOSECONDS);
    fabric.runFor(Duration.ofNanos(12));
    timers.shutdown();
    assertThat(timers.isShutdown()).isTrue();
    assertThat(timers.isTerminated()).isFalse();
    assertThatThrownBy(() -> timers.execute(() -> note("late")))
        .isInstanceOf(RejectedExecutionException.class);
    assertThat(timers.awaitTermination(5, NANOSECONDS)).isFalse();
    assertThat(timers.awaitTermination(1, DAYS)).isTrue();
    assertThat(fabric.nanoTime()).isEqualTo(25);
    assertThat(log).containsExactly("beat at 10", "once at 25");
    assertThat(timers.isTerminated()).isTrue();
  }

  @Test
  void shutdownNowHandsBackWhatHasNotRun() {
    timers.schedule(() -> note("never"), 10, NANOSECONDS);
    timers.schedule(() -> note("never"), 20, NANOSECONDS);
    fabric.runFor(Duration.ofNanos(1));
    assertThat(timers.shutdownNow()).hasSize(2);
    assertThat(timers.isTerminated()).isTrue();
    fabric.run();
    assertThat(fabric.nanoTime()).isEqualTo(1);
    assertThat(log).isEmpty();
  }

  @Test
  void allOrAnyOfManyTasksAreWaitedForInVirtualTime() throws Exception {
    List<Future<Integer>> all = timers.invokeAll(List.of(() -> sleepy(5, 1), () -> sleepy(6, 2)));
    assertThat(all.get(0).get() + all.get(1).get()).isEqualTo(3);
    assertThat(fabric.nanoTime()).isEqualTo(11);
    Integer any = timers.invokeAny(List.of(() -> failing(), () -> sleepy(1, 3)));
    assertThat(any).isEqualTo(3);
    assertThat(fabric.nanoTime()).isEqualTo(12);
    assertThatThrownBy(() -> timers.invokeAny(List.of(() -> sleepy(10, 1)), 4, NANOSECONDS))
        .isInstanceOf(TimeoutException.class);
    assertThat(fabric.nanoTime()).isEqualTo(16);
    assertThatThrownBy(() -> timers.invokeAny(List.of(() -> failing())))
        .isInstanceOf(ExecutionException.class)
        .hasRootCauseMessage("failing");
    List<Future<Integer>> some =
        timers.invokeAll(List.of(() -> sleepy(2, 1), () -> sleepy(50, 2)), 10, NANOSECONDS);
    assertThat(some.get(0).get()).isEqualTo(1);
    assertThat(some.get(1).isCancelled()).isTrue();
  }

  private int sleepy(long nanos, int result) {
    fabric.sleep(Duration.ofNanos(nanos));
    return result;
  }

  private static int failing() {
    throw new IllegalStateException("failing");
  }

  @Test
  void joinDoesNotWaitForTimers() {
    timers.scheduleAtFixedRate(() -> note("beat"), 10, 10, NANOSECONDS);
    node.startThread("t", () -> fabric.sleep(Duration.ofNanos(25)));
    fabric.join();
    assertThat(fabric.nanoTime()).isEqualTo(25);
    assertThat(log).containsExactly("beat at 10", "beat at 20");
  }

  @Test
  void aPeriodMustLetTimePass() {
    assertThatThrownBy(() -> timers.scheduleAtFixedRate(() -> note("x"), 0, 0, NANOSECONDS))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> timers.scheduleWithFixedDelay(() -> note("x"), 0, -1, NANOSECONDS))
        .isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void theClockBeginsAtTheEpochOfAllFabricsAndGoesByVirtualTime() {
    Clock clock = fabric.clock();
    assertThat(clock.instant()).isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
    fabric.runFor(Duration.ofMillis(1_500));
    assertThat(clock.instant()).isEqualTo(Instant.parse("2000-01-01T00:00:01.500Z"));
    assertThat(clock.millis()).isEqualTo(Fabric.EPOCH.toEpochMilli() + 1_500);
    assertThat(clock.getZone()).isEqualTo(ZoneOffset.UTC);
    ZoneId zone = ZoneOffset.ofHours(2);
    assertThat(clock.withZone(zone).getZone()).isEqualTo(zone);
    assertThat(clock.withZone(zone).instant()).isEqualTo(clock.instant());
    assertThat(clock.withZone(zone).withZone(ZoneOffset.UTC)).isEqualTo(clock);
  }
}

package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.device.DeviceTimer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class TimerQueueTest {
  private static final class TestTimer extends DeviceTimer {
    private final List<Long> expiries = new ArrayList<>();
    private long period = NEVER;

    void set(long deadline) {
      deadlineNanos(deadline);
    }

    @Override
    public void expire(long nowNanos) {
      expiries.add(nowNanos);
      deadlineNanos(period == NEVER ? NEVER : nowNanos + period);
    }
  }

  @Test
  void timersThatAreReArmedAMillionTimesKeepOneEntryEach() {
    TimerQueue queue = new TimerQueue();
    TestTimer[] timers = new TestTimer[4_096];
    for (int i = 0; i < timers.length; i++) {
      timers[i] = new TestTimer();
    }
    for (int i = 0; i < 1_000_000; i++) {
      TestTimer timer = timers[i % timers.length];
      timer.set(i + 67_000_000L);
      queue.changed(timer, i);
    }

    assertThat(queue.size()).isEqualTo(4_096);
    assertThat(queue.nextDeadlineNanos(FabricCore.NO_BOUND))
        .isEqualTo(1_000_000 - 4_096 + 67_000_000L);
  }

  @Test
  void staleEntriesAndMovedDeadlinesDoNotMoveTheClock() {
    try (TestNetwork network = new TestNetwork()) {
      TestTimer stopped = new TestTimer();
      TestTimer moved = new TestTimer();
      TestTimer earlier = new TestTimer();
      stopped.set(1_000);
      network.core.timerChanged(stopped);
      stopped.set(DeviceTimer.NEVER);
      moved.set(2_000);
      network.core.timerChanged(moved);
      moved.set(9_000);
      earlier.set(20_000);
      network.core.timerChanged(earlier);
      earlier.set(3_000);
      network.core.timerChanged(earlier);

      assertThat(network.core.turn()).isTrue();
      assertThat(network.core.nanoTime()).isEqualTo(3_000);
      assertThat(network.core.turn()).isTrue();
      assertThat(network.core.nanoTime()).isEqualTo(9_000);
      assertThat(network.core.turn()).isFalse();

      assertThat(network.core.nanoTime()).isEqualTo(9_000);
      assertThat(stopped.expiries).isEmpty();
      assertThat(moved.expiries).containsExactly(9_000L);
      assertThat(earlier.expiries).containsExactly(3_000L);
    }
  }

  @Test
  void aTimerThatSetsItselfAgainRunsOutAgain() {
    try (TestNetwork network = new TestNetwork()) {
      TestTimer timer = new TestTimer();
      timer.period = 10;
      timer.set(5);
      network.core.timerChanged(timer);

      network.core.turn();
      network.core.turn();
      network.core.turn();

      assertThat(timer.expiries).containsExactly(5L, 15L, 25L);
    }
  }

  @Test
  void aDeadlineInThePastComesNow() {
    try (TestNetwork network = new TestNetwork()) {
      network.core.turnOrPassTime(100);
      TestTimer timer = new TestTimer();
      timer.set(40);
      network.core.timerChanged(timer);

      network.run();

      assertThat(timer.expiries).containsExactly(100L);
    }
  }

  @Test
  void aFrameComesBeforeATimerOfTheSameTime() {
    try (TestNetwork network = new TestNetwork()) {
      FakeClient alice = network.node("alice");
      FakeClient bob = network.node("bob");
      TestTimer timer = new TestTimer();
      timer.set(10_000);
      network.core.timerChanged(timer);
      List<Integer> expiredAtArrival = new ArrayList<>();
      bob.onPacket = packet -> expiredAtArrival.add(timer.expiries.size());

      alice.send(bob, 1, 100);
      network.run();

      assertThat(expiredAtArrival).containsExactly(0);
      assertThat(timer.expiries).containsExactly(10_000L);
    }
  }
}

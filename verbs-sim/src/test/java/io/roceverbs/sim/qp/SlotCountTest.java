package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** The slots of a queue. */
class SlotCountTest {
  @Test
  void slotsAreClaimedAllOrNone() {
    SlotCount slots = new SlotCount(3, true);
    assertThat(slots.claim(2)).isTrue();
    assertThat(slots.claim(2)).isFalse();
    assertThat(slots.free()).isEqualTo(1);
    assertThat(slots.claim(1)).isTrue();
    assertThat(slots.free()).isZero();
  }

  @Test
  void anOldPositionFreesNothingMoreAndUnusedSlotsComeBack() {
    SlotCount slots = new SlotCount(3, true);
    assertThat(slots.claim(3)).isTrue();
    slots.freeUpTo(2);
    slots.freeUpTo(1);
    assertThat(slots.free()).isEqualTo(2);
    assertThat(slots.claim(2)).isTrue();
    slots.unclaim(1);
    assertThat(slots.free()).isEqualTo(1);
    assertThat(slots.freed()).isEqualTo(2);
  }

  @Test
  void whatWasNeverClaimedIsNotFreed() {
    SlotCount slots = new SlotCount(3, true);
    assertThat(slots.claim(1)).isTrue();
    assertThatThrownBy(() -> slots.freeUpTo(2)).isInstanceOf(AssertionError.class);
  }

  @Test
  void moreSlotsCanBeClaimedAtOnceAndFewerOnceEnoughAreFree() {
    SlotCount slots = new SlotCount(1, true);
    assertThat(slots.claim(1)).isTrue();
    slots.capacity(3);
    assertThat(slots.claim(2)).isTrue();
    slots.capacity(2);
    assertThat(slots.free()).isEqualTo(-1);
    slots.freeUpTo(1);
    assertThat(slots.claim(1)).isFalse();
    slots.freeUpTo(2);
    assertThat(slots.claim(1)).isTrue();
  }

  @Test
  void threadsNeverHoldMoreThanThereAre() throws InterruptedException {
    SlotCount slots = new SlotCount(5, true);
    AtomicLong held = new AtomicLong();
    AtomicLong given = new AtomicLong();
    AtomicLong tooMany = new AtomicLong();
    CountDownLatch start = new CountDownLatch(1);
    List<Thread> threads = new ArrayList<>();
    for (int i = 0; i < 3; i++) {
      int count = i + 1;
      Thread thread =
          new Thread(
              () -> {
                awaitQuietly(start);
                for (int round = 0; round < 20_000; round++) {
                  if (slots.claim(count)) {
                    tooMany.addAndGet(held.addAndGet(count) > 5 ? 1 : 0);
                    held.addAndGet(-count);
                    slots.freeUpTo(given.addAndGet(count));
                  }
                }
              });
      thread.start();
      threads.add(thread);
    }
    start.countDown();
    for (Thread thread : threads) {
      thread.join();
    }
    assertThat(tooMany).hasValue(0);
    assertThat(slots.free()).isEqualTo(5);
    assertThat(slots.freed()).isEqualTo(given.get());
  }

  private static void awaitQuietly(CountDownLatch latch) {
    try {
      latch.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}

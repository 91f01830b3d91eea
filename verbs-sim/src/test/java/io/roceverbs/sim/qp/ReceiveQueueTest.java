package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** The ring of receives. */
class ReceiveQueueTest {
  private static void push(ReceiveQueue queue, long id) {
    assertThat(queue.slots().claim(1)).isTrue();
    queue.nextFree().reset(id);
    queue.push();
  }

  @Test
  void receivesAreTakenInOrderAndFreedAtThePoll() {
    ReceiveQueue queue = new ReceiveQueue(7, 3, false);
    long next = 0;
    for (int round = 0; round < 5; round++) {
      for (int i = 0; i < 3; i++) {
        push(queue, next++);
      }
      assertThat(queue.slots().free()).isZero();
      for (int i = 0; i < 3; i++) {
        assertThat(queue.first().id()).isEqualTo(next - 3 + i);
        assertThat(queue.finish()).isEqualTo(next - 2 + i);
      }
      assertThat(queue.isEmpty()).isTrue();
      assertThat(queue.slots().free()).isZero();
      queue.slots().freeUpTo(next - 1);
      assertThat(queue.slots().free()).isPositive();
      queue.slots().freeUpTo(next);
    }
  }

  @Test
  void clearingEmptiesAndFrees() {
    ReceiveQueue queue = new ReceiveQueue(7, 1, false);
    push(queue, 1);
    queue.clear();
    assertThat(queue.isEmpty()).isTrue();
    assertThat(queue.slots().free()).isPositive();
    push(queue, 2);
    assertThat(queue.first().id()).isEqualTo(2);
  }
}

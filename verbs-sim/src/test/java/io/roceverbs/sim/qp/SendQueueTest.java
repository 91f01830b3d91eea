package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.SendOpcode;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The ring of send requests and its three positions. */
class SendQueueTest {
  private static void push(SendQueue queue, long id) {
    assertThat(queue.slots().claim(1)).isTrue();
    queue.nextFree().reset(id, SendOpcode.SEND, 0);
    queue.push();
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 5, 8})
  void itHoldsExactlyItsCapacityAndWrapsForEver(int capacity) {
    SendQueue queue = new SendQueue(capacity, false, false);
    long next = 0;
    for (int round = 0; round < 10; round++) {
      for (int i = 0; i < capacity; i++) {
        assertThat(queue.slots().free()).isPositive();
        push(queue, next++);
      }
      assertThat(queue.slots().free()).isZero();
      for (int i = 0; i < capacity; i++) {
        assertThat(queue.at(queue.head()).id()).isEqualTo(next - capacity + i);
        queue.advanceHead();
      }
      assertThat(queue.hasIncomplete()).isFalse();
      assertThat(queue.slots().free()).as("complete is not yet free").isZero();
      queue.slots().freeUpTo(queue.head());
    }
    assertThat(queue.tail()).isEqualTo(10L * capacity);
  }

  @Test
  void aPolledCompletionFreesAllBeforeItAndAnOlderOneFreesNothingMore() {
    SendQueue queue = new SendQueue(4, false, false);
    for (int i = 0; i < 4; i++) {
      push(queue, i);
      queue.advanceHead();
    }
    queue.slots().freeUpTo(3);
    queue.slots().freeUpTo(1);
    for (int i = 0; i < 3; i++) {
      assertThat(queue.slots().free()).isPositive();
      push(queue, 10 + i);
    }
    assertThat(queue.slots().free()).isZero();
  }

  @Test
  void clearingForgetsWhatIsInItAndKeepsPositionsGrowing() {
    SendQueue queue = new SendQueue(2, false, false);
    push(queue, 1);
    push(queue, 2);
    queue.clear();
    assertThat(queue.hasIncomplete()).isFalse();
    assertThat(queue.slots().free()).isPositive();
    assertThat(queue.head()).isEqualTo(2);
    push(queue, 3);
    assertThat(queue.at(2).id()).isEqualTo(3);
  }

  @Test
  void positionsOutsideTheIncompletePartAreABug() {
    SendQueue queue = new SendQueue(2, false, false);
    push(queue, 1);
    assertThatThrownBy(() -> queue.at(1)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> queue.at(-1)).isInstanceOf(AssertionError.class);
    assertThatThrownBy(() -> queue.slots().freeUpTo(2)).isInstanceOf(AssertionError.class);
    queue.advanceHead();
    assertThatThrownBy(queue::advanceHead).isInstanceOf(AssertionError.class);
  }

  @Test
  void aSlotIsTheSameObjectEachTime() {
    SendQueue queue = new SendQueue(1, false, false);
    SendWork first = queue.nextFree();
    push(queue, 1);
    queue.advanceHead();
    queue.slots().freeUpTo(1);
    assertThat(queue.slots().claim(1)).isTrue();
    assertThat(queue.nextFree()).isSameAs(first);
  }
}

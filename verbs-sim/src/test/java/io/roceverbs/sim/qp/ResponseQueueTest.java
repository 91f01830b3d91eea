package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The answers that wait to leave. */
class ResponseQueueTest {
  @Test
  void answersLeaveInOrderHoweverTheRingGrows() {
    ResponseQueue queue = new ResponseQueue();
    ArrayDeque<Integer> model = new ArrayDeque<>();
    Random random = new Random(5);
    for (int psn = 0; psn < 20_000; psn++) {
      if (random.nextInt(5) < 3) {
        queue.append().acknowledge(psn, psn, 0, false);
        model.add(psn);
      } else if (!model.isEmpty()) {
        assertThat(queue.first().psn()).isEqualTo(model.remove());
        queue.removeFirst();
      }
      assertThat(queue.isEmpty()).isEqualTo(model.isEmpty());
    }
    while (!model.isEmpty()) {
      assertThat(queue.first().psn()).isEqualTo(model.remove());
      queue.removeFirst();
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void itIsFullAtItsLimitAndNotBefore() {
    ResponseQueue queue = new ResponseQueue();
    for (int i = 0; i < ResponseQueue.CAPACITY_MAX; i++) {
      assertThat(queue.isFull()).isFalse();
      queue.append().acknowledge(i, 0, 0, false);
    }
    assertThat(queue.isFull()).isTrue();
    assertThatThrownBy(queue::append).isInstanceOf(AssertionError.class);
    queue.removeFirst();
    queue.append().acknowledge(4711, 0, 0, true);
    assertThat(queue.isFull()).isTrue();
    queue.clear();
    assertThat(queue.isEmpty()).isTrue();
    assertThatThrownBy(queue::first).isInstanceOf(AssertionError.class);
    assertThatThrownBy(queue::removeFirst).isInstanceOf(AssertionError.class);
  }

  @Test
  void aUsedAnswerKeepsNothingOfItsFormerUse() {
    ResponseQueue queue = new ResponseQueue();
    SavedRequest atomic = new SavedRequest();
    atomic.saveAtomic(7, 3, 99);
    queue.append().acknowledge(1, 1, 0x62, true);
    queue.removeFirst();
    queue.append();
    queue.removeFirst();
    Response again = queue.append();
    again.atomic(atomic, false);
    assertThat(again.isFatal()).isFalse();
    assertThat(again.kind()).isEqualTo(Response.Kind.ATOMIC);
    assertThat(again.originalData()).isEqualTo(99);
    assertThat(again.psn()).isEqualTo(7);
  }
}

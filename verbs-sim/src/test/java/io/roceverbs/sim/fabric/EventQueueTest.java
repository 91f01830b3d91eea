package io.roceverbs.sim.fabric;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

class EventQueueTest {
  private record Event(long time, int number) {}

  @Test
  void itAgreesWithAPriorityQueueWhateverIsAddedAndRemoved() {
    SplittableRandom random = new SplittableRandom(42);
    EventQueue<Event> queue = new EventQueue<>();
    PriorityQueue<Event> model =
        new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparing(Event::number));
    int removed = 0;
    for (int i = 0; i < 50_000; i++) {
      if (model.isEmpty() || random.nextInt(100) < 52) {
        Event event = new Event(random.nextInt(500), i);
        queue.add(event.time(), event);
        model.add(event);
      } else {
        assertThat(queue.firstTimeNanos()).isEqualTo(model.element().time());
        assertThat(queue.removeFirst()).isSameAs(model.remove());
        removed++;
      }
      assertThat(queue.size()).isEqualTo(model.size());
    }
    assertThat(removed).isGreaterThan(20_000);
    while (!model.isEmpty()) {
      assertThat(queue.removeFirst()).isSameAs(model.remove());
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void eventsAddedInOrderAndOutOfOrderShareOneOrder() {
    SplittableRandom random = new SplittableRandom(43);
    EventQueue<Event> queue = new EventQueue<>();
    PriorityQueue<Event> model =
        new PriorityQueue<>(Comparator.comparingLong(Event::time).thenComparing(Event::number));
    long now = 0;
    for (int i = 0; i < 50_000; i++) {
      long delay = random.nextInt(10) == 0 ? random.nextInt(300) : 100;
      Event event = new Event(now + delay, i);
      queue.add(event.time(), event);
      model.add(event);
      if (random.nextInt(100) < 49 || model.size() > 300) {
        now = model.element().time();
        assertThat(queue.first()).isSameAs(model.element());
        assertThat(queue.removeFirst()).isSameAs(model.remove());
      }
    }
    while (!model.isEmpty()) {
      assertThat(queue.removeFirst()).isSameAs(model.remove());
    }
    assertThat(queue.isEmpty()).isTrue();
  }

  @Test
  void anEmptyQueueHasNoFirstEvent() {
    EventQueue<Event> queue = new EventQueue<>();

    assertThat(queue.firstTimeNanos()).isEqualTo(EventQueue.NEVER);
    assertThatThrownBy(queue::first)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("the heap is empty");
  }
}

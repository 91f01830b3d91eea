package io.roceverbs.sim.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * What is going to happen, ordered by time; events of one time stay in the order in which they were
 * added.
 *
 * <p>Most events are added in the order in which they will happen, since links have a constant
 * latency. They stand in a ring and cost no comparison with others; only those that come before the
 * last one of the ring go into a heap. Nothing is allocated once the arrays have grown.
 */
final class EventQueue<T> {
  /** The time of the first event of an empty queue. */
  static final long NEVER = Long.MAX_VALUE;

  /** More waiting events than this mean that something schedules without end. */
  static final int EVENTS_MAX = 1 << 24;

  private static final int INITIAL_CAPACITY = 64;

  private final EventHeap<T> heap = new EventHeap<>();
  private long[] times = new long[INITIAL_CAPACITY];
  private long[] sequences = new long[INITIAL_CAPACITY];
  private @Nullable Object[] events = new @Nullable Object[INITIAL_CAPACITY];
  private int head;
  private int count;
  private long lastTimeNanos;
  private long nextSequence;

  int size() {
    return count + heap.size();
  }

  boolean isEmpty() {
    return size() == 0;
  }

  /** The time of the first event, or {@link #NEVER}. */
  long firstTimeNanos() {
    return count == 0 ? heap.firstTimeNanos() : Math.min(times[head], heap.firstTimeNanos());
  }

  /** The first event of a queue that has one. */
  T first() {
    return isRingFirst() ? ringHead() : heap.first();
  }

  void add(long timeNanos, T event) {
    if (size() >= EVENTS_MAX) {
      throw new IllegalStateException(
          "more than " + EVENTS_MAX + " events wait to happen; something schedules without end");
    }
    long sequence = nextSequence++;
    if (count == 0 || timeNanos >= lastTimeNanos) {
      append(timeNanos, sequence, event);
    } else {
      heap.add(timeNanos, sequence, event);
    }
  }

  private void append(long timeNanos, long sequence, T event) {
    if (count == times.length) {
      grow();
    }
    int tail = (head + count) & (times.length - 1);
    times[tail] = timeNanos;
    sequences[tail] = sequence;
    events[tail] = event;
    lastTimeNanos = timeNanos;
    count++;
  }

  /** Takes the first event out of a queue that has one. */
  T removeFirst() {
    if (!isRingFirst()) {
      return heap.removeFirst();
    }
    T first = ringHead();
    events[head] = null;
    head = (head + 1) & (times.length - 1);
    count--;
    return first;
  }

  private boolean isRingFirst() {
    if (count == 0) {
      return false;
    }
    long time = times[head];
    long heapTime = heap.firstTimeNanos();
    return time < heapTime || (time == heapTime && isRingFirstOfSameTime());
  }

  private boolean isRingFirstOfSameTime() {
    return heap.size() == 0 || sequences[head] < heap.firstSequence();
  }

  @SuppressWarnings("unchecked") // only events of type T are put into the array
  private T ringHead() {
    Object event = events[head];
    if (event == null) {
      throw new IllegalStateException("the ring is empty");
    }
    return (T) event;
  }

  private void grow() {
    int capacity = times.length * 2;
    times = unrolled(times, new long[capacity]);
    sequences = unrolled(sequences, new long[capacity]);
    @Nullable Object[] longer = Arrays.copyOfRange(events, head, head + capacity);
    System.arraycopy(events, 0, longer, events.length - head, head);
    events = longer;
    head = 0;
  }

  private long[] unrolled(long[] full, long[] longer) {
    System.arraycopy(full, head, longer, 0, full.length - head);
    System.arraycopy(full, 0, longer, full.length - head, head);
    return longer;
  }
}

package io.roceverbs.sim.fabric;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Events ordered by time and, within one time, by sequence number.
 *
 * <p>A heap with four children to a node, in parallel arrays, so that adding and removing allocate
 * nothing once the arrays have grown.
 */
final class EventHeap<T> {
  private static final int CHILDREN_SHIFT = 2;
  private static final int CHILDREN = 1 << CHILDREN_SHIFT;
  private static final int INITIAL_CAPACITY = 64;

  private long[] times = new long[INITIAL_CAPACITY];
  private long[] sequences = new long[INITIAL_CAPACITY];
  private @Nullable Object[] events = new @Nullable Object[INITIAL_CAPACITY];
  private int size;

  int size() {
    return size;
  }

  /** The time of the first event, or {@link EventQueue#NEVER}. */
  long firstTimeNanos() {
    return size == 0 ? EventQueue.NEVER : times[0];
  }

  /** The sequence number of the first event of a heap that has one. */
  long firstSequence() {
    return sequences[0];
  }

  /** The first event of a heap that has one. */
  T first() {
    return eventAt(0);
  }

  /** Adds an event with a sequence number higher than all before. */
  void add(long timeNanos, long sequence, T event) {
    if (size == times.length) {
      grow();
    }
    int hole = size++;
    while (hole > 0) {
      int parent = (hole - 1) >> CHILDREN_SHIFT;
      if (times[parent] <= timeNanos) {
        break;
      }
      move(parent, hole);
      hole = parent;
    }
    put(hole, timeNanos, sequence, event);
  }

  /** Takes the first event out of a heap that has one. */
  T removeFirst() {
    T first = eventAt(0);
    int last = --size;
    long time = times[last];
    long sequence = sequences[last];
    Object event = events[last];
    events[last] = null;
    if (last > 0) {
      int hole = holeFor(time, sequence);
      times[hole] = time;
      sequences[hole] = sequence;
      events[hole] = event;
    }
    return first;
  }

  /** Moves smaller children up from the root until the given key fits. */
  private int holeFor(long time, long sequence) {
    int hole = 0;
    while (true) {
      int firstChild = (hole << CHILDREN_SHIFT) + 1;
      if (firstChild >= size) {
        return hole;
      }
      int least = leastChild(firstChild, Math.min(firstChild + CHILDREN, size));
      if (!isBefore(times[least], sequences[least], time, sequence)) {
        return hole;
      }
      move(least, hole);
      hole = least;
    }
  }

  private int leastChild(int from, int end) {
    int least = from;
    for (int child = from + 1; child < end; child++) {
      if (isBefore(times[child], sequences[child], times[least], sequences[least])) {
        least = child;
      }
    }
    return least;
  }

  private static boolean isBefore(long time, long sequence, long otherTime, long otherSequence) {
    return time < otherTime || (time == otherTime && sequence < otherSequence);
  }

  private void move(int from, int to) {
    times[to] = times[from];
    sequences[to] = sequences[from];
    events[to] = events[from];
  }

  private void put(int index, long time, long sequence, T event) {
    times[index] = time;
    sequences[index] = sequence;
    events[index] = event;
  }

  @SuppressWarnings("unchecked") // only events of type T are put into the array
  private T eventAt(int index) {
    Object event = events[index];
    if (event == null) {
      throw new IllegalStateException("the heap is empty");
    }
    return (T) event;
  }

  private void grow() {
    int capacity = size * 2;
    times = Arrays.copyOf(times, capacity);
    sequences = Arrays.copyOf(sequences, capacity);
    events = Arrays.copyOf(events, capacity);
  }
}

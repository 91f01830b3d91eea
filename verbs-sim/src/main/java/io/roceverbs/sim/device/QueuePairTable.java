package io.roceverbs.sim.device;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The queue pairs of a device by their numbers.
 *
 * <p>Numbers count up from the device's first one and come back as late as possible, so that a late
 * packet of a queue pair that is gone finds nobody.
 */
final class QueuePairTable {
  private static final int NUMBER_MAX = 0xFF_FFFE;
  private static final int INITIAL_CAPACITY = 4;

  private final int first;
  private @Nullable SimQueuePair[] entries = new SimQueuePair[INITIAL_CAPACITY];
  private int nextIndex;
  private int used;

  QueuePairTable(int first) {
    this.first = first;
  }

  /** How many numbers there are. */
  int capacity() {
    return NUMBER_MAX - first + 1;
  }

  /** Reserves the next free number. The caller has checked the device's limit of queue pairs. */
  int allocate() {
    int span = capacity();
    for (int tries = 0; tries < span; tries++) {
      int index = nextIndex;
      nextIndex = (nextIndex + 1) % span;
      if (index >= entries.length || entries[index] == null) {
        return first + index;
      }
    }
    throw new AssertionError("the caller has checked that a number is free");
  }

  void put(int number, SimQueuePair queuePair) {
    int index = number - first;
    if (index >= entries.length) {
      entries = Arrays.copyOf(entries, Math.max(index + 1, entries.length * 2));
    }
    entries[index] = queuePair;
    used++;
  }

  void remove(int number) {
    entries[number - first] = null;
    used--;
  }

  /** Does something with each queue pair, in the order of their numbers. */
  void forEach(Consumer<SimQueuePair> action) {
    for (SimQueuePair queuePair : entries) {
      if (queuePair != null) {
        action.accept(queuePair);
      }
    }
  }

  int used() {
    return used;
  }

  @Nullable SimQueuePair find(int number) {
    int index = number - first;
    return index >= 0 && index < entries.length ? entries[index] : null;
  }
}

package io.roceverbs.sim.device;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The objects of one kind of a device by their numbers, which packets name.
 *
 * <p>Numbers count up from the device's first one and come back as late as possible, so that a late
 * packet for an object that is gone finds nobody.
 */
final class NumberTable<T> {
  private static final int NUMBER_MAX = 0xFF_FFFE;

  private final int first;
  private final List<@Nullable T> entries = new ArrayList<>();
  private int nextIndex;
  private int used;

  NumberTable(int first) {
    this.first = first;
  }

  /** How many numbers there are. */
  int capacity() {
    return NUMBER_MAX - first + 1;
  }

  /** Reserves the next free number. The caller has checked the device's limit of objects. */
  int allocate() {
    int span = capacity();
    for (int tries = 0; tries < span; tries++) {
      int index = nextIndex;
      nextIndex = (nextIndex + 1) % span;
      if (index >= entries.size() || entries.get(index) == null) {
        return first + index;
      }
    }
    throw new AssertionError("the caller has checked that a number is free");
  }

  void put(int number, T object) {
    int index = number - first;
    while (entries.size() <= index) {
      entries.add(null);
    }
    entries.set(index, object);
    used++;
  }

  void remove(int number) {
    entries.set(number - first, null);
    used--;
  }

  /** Does something with each object, in the order of their numbers. */
  void forEach(Consumer<T> action) {
    for (T object : entries) {
      if (object != null) {
        action.accept(object);
      }
    }
  }

  int used() {
    return used;
  }

  @Nullable T find(int number) {
    int index = number - first;
    return index >= 0 && index < entries.size() ? entries.get(index) : null;
  }
}

package io.roceverbs.sim.qp;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The requests of a queue by their positions, which count up for ever. One object for each slot,
 * made when the slot is first used and used again ever after.
 *
 * @param <W> the kind of request
 */
final class WorkRing<W extends Work<W>> {
  private final Supplier<W> maker;
  private @Nullable Object[] slots;

  WorkRing(int capacity, Supplier<W> maker) {
    this.maker = maker;
    this.slots = new @Nullable Object[lengthFor(capacity)];
  }

  /** A power of two, so that a slot costs no division. */
  private static int lengthFor(int capacity) {
    return capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1;
  }

  private static int slot(long position, int length) {
    return (int) position & (length - 1);
  }

  /** The request at a position that is in use. */
  W at(long position) {
    W work = find(position);
    if (work == null) {
      throw new AssertionError("a position in use has a request");
    }
    return work;
  }

  /** The object at a position that is about to be used. */
  W fill(long position) {
    W work = find(position);
    if (work == null) {
      work = maker.get();
      slots[slot(position, slots.length)] = work;
    }
    return work;
  }

  @SuppressWarnings("unchecked") // nothing else is ever put into a slot
  private @Nullable W find(long position) {
    return (W) slots[slot(position, slots.length)];
  }

  /**
   * Puts an object into the slot of a position.
   *
   * @return the one that was there, which nobody uses any more, or null if there was none
   */
  @Nullable W exchange(long position, W work) {
    W former = find(position);
    slots[slot(position, slots.length)] = work;
    return former;
  }

  /** How many requests there is room for. */
  int length() {
    return slots.length;
  }

  /**
   * Makes room for more requests, and keeps those from {@code head} up to {@code tail}. It never
   * shrinks, as requests that have a slot may be under way.
   */
  void grow(int capacity, long head, long tail) {
    int length = lengthFor(capacity);
    if (length <= slots.length) {
      return;
    }
    @Nullable Object[] larger = new @Nullable Object[length];
    for (long position = head; position < tail; position++) {
      larger[slot(position, length)] = at(position);
    }
    slots = larger;
  }
}

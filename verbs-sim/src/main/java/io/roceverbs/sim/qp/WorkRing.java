package io.roceverbs.sim.qp;

import java.util.function.IntFunction;
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
  private final IntFunction<@Nullable W[]> arrayMaker;
  private @Nullable W[] slots;

  WorkRing(int capacity, Supplier<W> maker, IntFunction<@Nullable W[]> arrayMaker) {
    this.maker = maker;
    this.arrayMaker = arrayMaker;
    this.slots = arrayMaker.apply(lengthFor(capacity));
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
    W work = slots[slot(position, slots.length)];
    if (work == null) {
      throw new AssertionError("a position in use has a request");
    }
    return work;
  }

  /** The object at a position that is about to be used. */
  W fill(long position) {
    int slot = slot(position, slots.length);
    W work = slots[slot];
    if (work == null) {
      work = maker.get();
      slots[slot] = work;
    }
    return work;
  }

  /**
   * Puts an object into the slot of a position.
   *
   * @return the one that was there, which nobody uses any more, or null if there was none
   */
  @Nullable W exchange(long position, W work) {
    int slot = slot(position, slots.length);
    W former = slots[slot];
    slots[slot] = work;
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
    @Nullable W[] larger = arrayMaker.apply(length);
    for (long position = head; position < tail; position++) {
      larger[slot(position, length)] = at(position);
    }
    slots = larger;
  }
}

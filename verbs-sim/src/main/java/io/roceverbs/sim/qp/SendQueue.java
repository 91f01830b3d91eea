package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * The ring of send requests, with the positions that divide it.
 *
 * <pre>
 *   freed        head           tail
 *     | completed  |  incomplete  |  free
 * </pre>
 *
 * <p>Positions count up for ever. Between {@code freed} and {@code head} stand requests that are
 * complete but whose slot is not free yet: a slot is freed when the completion of its request, or
 * of a later one, is polled (rule SLOT-AT-POLL), unless the device frees it as soon as the request
 * is complete.
 */
final class SendQueue {
  private final int capacity;
  private final boolean freesAtCompletion;
  private final @Nullable SendWork[] ring;
  private long freed;
  private long head;
  private long tail;

  SendQueue(int capacity, boolean freesAtCompletion) {
    this.capacity = capacity;
    this.freesAtCompletion = freesAtCompletion;
    this.ring = new SendWork[Rings.lengthFor(capacity)];
  }

  boolean isFull() {
    return free() == 0;
  }

  /** How many slots are free. */
  int free() {
    return capacity - (int) (tail - freed);
  }

  /** The object of the next free slot, to be filled; {@link #push} then puts it into the queue. */
  SendWork nextFree() {
    assert !isFull() : "the caller checks for room";
    int slot = Rings.slot(tail, ring.length);
    SendWork work = ring[slot];
    if (work == null) {
      work = new SendWork();
      ring[slot] = work;
    }
    return work;
  }

  /** Puts the request filled last into the queue. */
  void push() {
    tail++;
  }

  /** The request at a position between head and tail. */
  SendWork at(long position) {
    assert position >= head && position < tail : "position outside the incomplete part";
    SendWork work = ring[Rings.slot(position, ring.length)];
    if (work == null) {
      throw new AssertionError("a position before the tail has a request");
    }
    return work;
  }

  /** The oldest incomplete request. */
  long head() {
    return head;
  }

  /** The position that the next posted request gets. */
  long tail() {
    return tail;
  }

  boolean hasIncomplete() {
    return head < tail;
  }

  /** Marks the oldest incomplete request as complete. */
  void advanceHead() {
    assert head < tail : "nothing is incomplete";
    head++;
    if (freesAtCompletion) {
      freed = head;
    }
  }

  /** Frees all slots before a position: a completion that implies them was polled. */
  void freeUpTo(long position) {
    assert position <= head : "only completed requests give back their slots";
    freed = Math.max(freed, position);
  }

  /** Forgets everything, without completions (rule RESET-SILENT). */
  void clear() {
    head = tail;
    freed = tail;
  }
}

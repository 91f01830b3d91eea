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
  private final boolean freesAtCompletion;
  private final WorkRing<SendWork> ring;
  private final SlotCount slots;
  private long head;
  private long tail;

  SendQueue(int capacity, boolean freesAtCompletion, boolean isShared) {
    this.freesAtCompletion = freesAtCompletion;
    this.ring = new WorkRing<>(capacity, SendWork::new, SendWork[]::new);
    this.slots = new SlotCount(capacity, isShared);
  }

  /** Its slots, which other threads may claim and free. */
  SlotCount slots() {
    return slots;
  }

  /**
   * The object of the next position, for which a slot was claimed, to be filled; {@link #push} then
   * puts it into the queue.
   */
  SendWork nextFree() {
    assertClaimed();
    return ring.fill(tail);
  }

  /**
   * Takes an object that was filled elsewhere instead.
   *
   * @return one that is of no use here any more, or null
   */
  @Nullable SendWork exchange(SendWork filled) {
    assertClaimed();
    return ring.exchange(tail, filled);
  }

  private void assertClaimed() {
    assert tail - slots.freed() < slots.capacity() : "a slot is claimed before it is filled";
  }

  /** Puts the request filled last into the queue. */
  SendWork push() {
    return ring.at(tail++);
  }

  /** The request at a position between head and tail. */
  SendWork at(long position) {
    assert position >= head && position < tail : "position outside the incomplete part";
    return ring.at(position);
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
      slots.freeUpTo(head);
    }
  }

  /** Forgets everything, without completions (rule RESET-SILENT). */
  void clear() {
    head = tail;
    slots.freeUpTo(tail);
  }
}

package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * The ring of receive requests. Its positions divide it as those of the {@link SendQueue}: complete
 * but not polled, waiting for a message, free.
 */
final class ReceiveQueue implements ReceiveSource {
  private final int domain;
  private final WorkRing<ReceiveWork> ring;
  private final SlotCount slots;
  private long head;
  private long tail;

  ReceiveQueue(int domain, int capacity, boolean isShared) {
    this.domain = domain;
    this.ring = new WorkRing<>(capacity, ReceiveWork::new, ReceiveWork[]::new);
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
  ReceiveWork nextFree() {
    return ring.fill(tail);
  }

  /**
   * Takes an object that was filled elsewhere instead.
   *
   * @return one that is of no use here any more, or null
   */
  @Nullable ReceiveWork exchange(ReceiveWork filled) {
    return ring.exchange(tail, filled);
  }

  /** Puts the request filled last into the queue. */
  void push() {
    assert tail - slots.freed() < slots.capacity() : "a slot is claimed before it is filled";
    tail++;
  }

  @Override
  public boolean isEmpty() {
    return head == tail;
  }

  @Override
  public int size() {
    return (int) (tail - head);
  }

  /** The receive that the next message takes, or that the present one is filling. */
  @Override
  public ReceiveWork first() {
    assert head < tail : "no receive is posted";
    return ring.at(head);
  }

  @Override
  public ReceiveWork take() {
    return first();
  }

  @Override
  public ReceiveWork taken() {
    return first();
  }

  @Override
  public long finish() {
    assert head < tail : "no receive is posted";
    return ++head;
  }

  @Override
  public int domain() {
    return domain;
  }

  @Override
  public boolean isShared() {
    return false;
  }

  /** Forgets everything, without completions (rule RESET-SILENT). */
  void clear() {
    head = tail;
    slots.freeUpTo(tail);
  }
}

package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * The ring of receive requests. Its positions divide it as those of the {@link SendQueue}: complete
 * but not polled, waiting for a message, free.
 */
final class ReceiveQueue implements ReceiveSource {
  private final int domain;
  private final int capacity;
  private final @Nullable ReceiveWork[] ring;
  private long freed;
  private long head;
  private long tail;

  ReceiveQueue(int domain, int capacity) {
    this.domain = domain;
    this.capacity = capacity;
    this.ring = new ReceiveWork[Rings.lengthFor(capacity)];
  }

  boolean isFull() {
    return tail - freed == capacity;
  }

  ReceiveWork nextFree() {
    assert !isFull() : "the caller checks for room";
    int slot = Rings.slot(tail, ring.length);
    ReceiveWork work = ring[slot];
    if (work == null) {
      work = new ReceiveWork();
      ring[slot] = work;
    }
    return work;
  }

  void push() {
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
    ReceiveWork work = ring[Rings.slot(head, ring.length)];
    if (work == null) {
      throw new AssertionError("a position before the tail has a request");
    }
    return work;
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

  void freeUpTo(long position) {
    assert position <= head : "only completed requests give back their slots";
    freed = Math.max(freed, position);
  }

  void clear() {
    head = tail;
    freed = tail;
  }
}

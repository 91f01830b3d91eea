package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue: receives that the messages of several queue pairs take, in the order of
 * posting.
 *
 * <p>Not thread-safe: calls come one at a time.
 */
public final class SharedReceiveEngine {
  /** Hears that few receives are left. */
  public interface Owner {
    /** The limit was reached, and is not armed any more. */
    void limitReached();
  }

  private static final int NOT_ARMED = 0;

  /** No window of type 2 is bound to the queue pairs that come here. */
  private static final int NO_QUEUE_PAIR = 0;

  private final int number;
  private final int domain;
  private final AccessScope scope;
  private final Owner owner;
  private @Nullable ReceiveWork[] ring;
  private int capacity;
  private int limit = NOT_ARMED;
  private long head;
  private long tail;

  /**
   * Makes an empty queue.
   *
   * @param number by which XRC requests name it, or 0
   * @param domain the protection domain through which the memory of all receives is reached
   * @param capacity receives at a time
   */
  public SharedReceiveEngine(int number, int domain, int capacity, Owner owner) {
    this.number = number;
    this.domain = domain;
    this.scope = new AccessScope(domain, NO_QUEUE_PAIR);
    this.capacity = capacity;
    this.owner = owner;
    this.ring = new ReceiveWork[Rings.lengthFor(capacity)];
  }

  /** The number by which XRC requests name it, or 0. */
  int number() {
    return number;
  }

  int domain() {
    return domain;
  }

  /** As whom XRC requests use keys that name this queue. */
  AccessScope scope() {
    return scope;
  }

  /** How many receives wait. */
  public int size() {
    return (int) (tail - head);
  }

  /** How many receives fit. */
  public int capacity() {
    return capacity;
  }

  /** The limit that is armed, or 0. */
  public int limit() {
    return limit;
  }

  /** Whether no slot is free. */
  public boolean isFull() {
    return size() == capacity;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** The next free slot, to be filled; then {@link #push}. */
  public ReceiveWork nextFree() {
    assert !isFull() : "the caller checks for room";
    int slot = Rings.slot(tail, ring.length);
    ReceiveWork work = ring[slot];
    if (work == null) {
      work = new ReceiveWork();
      ring[slot] = work;
    }
    return work;
  }

  /** Takes the receive that was filled in into the queue. */
  public void push() {
    tail++;
  }

  ReceiveWork first() {
    ReceiveWork work = isEmpty() ? null : ring[Rings.slot(head, ring.length)];
    if (work == null) {
      throw new AssertionError("no receive is posted");
    }
    return work;
  }

  /**
   * Takes the first receive out; its slot is free from here on (rule SHARED-SLOT).
   *
   * @param spare goes into the slot instead
   */
  ReceiveWork take(ReceiveWork spare) {
    ReceiveWork work = first();
    ring[Rings.slot(head, ring.length)] = spare;
    head++;
    checkLimit();
    return work;
  }

  /**
   * Arms the limit, or disarms it with 0. One that is above the number of receives is reached at
   * once.
   */
  public void arm(int receives) {
    limit = receives;
    checkLimit();
  }

  /** Rule SHARED-LIMIT: it is reached when fewer receives are left, once, and then not armed. */
  private void checkLimit() {
    if (size() < limit) {
      limit = NOT_ARMED;
      owner.limitReached();
    }
  }

  /** Changes how many receives fit; the caller has checked that those which wait do. */
  public void resize(int newCapacity) {
    assert newCapacity >= size() : "receives that wait would be lost";
    @Nullable ReceiveWork[] larger = new @Nullable ReceiveWork[Rings.lengthFor(newCapacity)];
    for (long position = head; position < tail; position++) {
      larger[Rings.slot(position, larger.length)] = ring[Rings.slot(position, ring.length)];
    }
    ring = larger;
    capacity = newCapacity;
  }
}

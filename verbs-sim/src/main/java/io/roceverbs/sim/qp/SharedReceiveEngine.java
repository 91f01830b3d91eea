package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import org.jspecify.annotations.Nullable;

/**
 * A shared receive queue: receives that the messages of several queue pairs take, in the order of
 * posting.
 *
 * <p>Not thread-safe: calls come one at a time, but for those of {@link #slots}.
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
  private final WorkRing<ReceiveWork> ring;
  private final SlotCount slots;
  private int limit = NOT_ARMED;
  private long head;
  private long tail;

  /**
   * Makes an empty queue.
   *
   * @param number by which XRC requests name it, or 0
   * @param domain the protection domain through which the memory of all receives is reached
   * @param capacity receives at a time
   * @param isShared whether threads claim slots at any time, as {@link EngineContext} says
   */
  public SharedReceiveEngine(int number, int domain, int capacity, boolean isShared, Owner owner) {
    this.number = number;
    this.domain = domain;
    this.scope = new AccessScope(domain, NO_QUEUE_PAIR);
    this.owner = owner;
    this.ring = new WorkRing<>(capacity, ReceiveWork::new, ReceiveWork[]::new);
    this.slots = new SlotCount(capacity, isShared);
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

  /** The limit that is armed, or 0. */
  public int limit() {
    return limit;
  }

  boolean isEmpty() {
    return head == tail;
  }

  /** Its slots, which any thread may claim at any time; taking a receive frees one. */
  public SlotCount slots() {
    return slots;
  }

  /** The object of the next position, for which a slot was claimed; then {@link #push}. */
  public ReceiveWork nextFree() {
    return ring.fill(tail);
  }

  /**
   * Takes an object that was filled elsewhere instead.
   *
   * @return one that is of no use here any more, or null
   */
  public @Nullable ReceiveWork exchange(ReceiveWork filled) {
    return ring.exchange(tail, filled);
  }

  /** Takes the receive that was filled in into the queue. */
  public void push() {
    assert size() < ring.length() : "a slot is claimed before it is filled";
    tail++;
  }

  ReceiveWork first() {
    assert head < tail : "no receive is posted";
    return ring.at(head);
  }

  /**
   * Takes the first receive out; its slot is free from here on (rule SHARED-SLOT).
   *
   * @param spare goes into the slot instead
   */
  ReceiveWork take(ReceiveWork spare) {
    ReceiveWork work = first();
    ring.exchange(head, spare);
    head++;
    slots.freeUpTo(head);
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
    ring.grow(newCapacity, head, tail);
    slots.capacity(newCapacity);
  }
}

package io.roceverbs.sim.qp;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/**
 * The slots of a queue: a request claims one before it is filled in, and the slot is given back
 * when the request is over.
 *
 * <p>Thread-safe, as the one part of a queue that is not only touched by whoever drives the engine:
 * in real time, threads claim slots when they post and give them back when they poll.
 */
public final class SlotCount {
  private static final VarHandle CLAIMED;
  private static final VarHandle FREED;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      CLAIMED = lookup.findVarHandle(SlotCount.class, "claimed", long.class);
      FREED = lookup.findVarHandle(SlotCount.class, "freed", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean isShared;
  private volatile int capacity;

  /** How many were claimed ever, without those that were given back unused. */
  private long claimed;

  /** The queue position before which all slots are free again. */
  private long freed;

  /**
   * Makes the slots of a new queue, all free.
   *
   * @param capacity how many there are
   * @param isShared whether threads come to them at any time; otherwise one call comes after the
   *     other
   */
  public SlotCount(int capacity, boolean isShared) {
    this.capacity = capacity;
    this.isShared = isShared;
  }

  /** How many there are. */
  public int capacity() {
    return capacity;
  }

  /** Changes how many there are; requests that have a slot keep it. */
  void capacity(int slots) {
    capacity = slots;
  }

  /** How many can be claimed now. */
  public int free() {
    if (!isShared) {
      return capacity - (int) (claimed - freed);
    }
    while (true) {
      long freedBefore = freed();
      long taken = (long) CLAIMED.getVolatile(this) - freedBefore;
      if (freed() == freedBefore) { // else the two do not belong together
        return capacity - (int) taken;
      }
    }
  }

  /** The queue position before which all slots are free. */
  public long freed() {
    return isShared ? (long) FREED.getVolatile(this) : freed;
  }

  /**
   * Takes slots, all or none.
   *
   * @return whether there were enough
   */
  public boolean claim(int count) {
    if (isShared) {
      return claimAmongOthers(count);
    }
    if (count > free()) {
      return false;
    }
    claimed += count;
    return true;
  }

  private boolean claimAmongOthers(int count) {
    while (true) {
      long freedBefore = freed();
      long before = (long) CLAIMED.getVolatile(this);
      if (before - freedBefore + count > capacity) {
        if (freed() == freedBefore) { // else some were freed just now
          return false;
        }
      } else if (CLAIMED.compareAndSet(this, before, before + count)) {
        return true;
      }
    }
  }

  /** Gives back slots for which there was nothing to fill in. */
  public void unclaim(int count) {
    if (isShared) {
      CLAIMED.getAndAdd(this, (long) -count);
    } else {
      claimed -= count;
    }
  }

  /** Frees all slots before a position; it never goes back. */
  public void freeUpTo(long position) {
    if (!isShared) {
      assert position <= claimed : "only what was claimed is freed";
      freed = Math.max(freed, position);
      return;
    }
    assert position <= (long) CLAIMED.getVolatile(this) : "only what was claimed is freed";
    long before = freed();
    while (before < position && !FREED.compareAndSet(this, before, position)) {
      before = freed();
    }
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue: completions, each with the queue slots that polling it frees.
 *
 * <pre>
 *   head         read         tail
 *     |  shown    |   unread    |  free
 * </pre>
 *
 * <p>Positions count up for ever. Who drives the device puts completions in at the tail. Those who
 * poll take them out, one poll at a time: a poll holds a lock, which the other side needs only to
 * take entries out itself. Shown are those that a poll has gone over which has not ended; they
 * still take up room.
 *
 * <p>Entries stay in their places and are used again, since to move references from queue to queue
 * costs a garbage collector that works beside the program more than all else here.
 */
final class CompletionRing {
  /** A place of the ring, made when first used. */
  static final class Entry {
    final WorkCompletion completion = new WorkCompletion();
    @Nullable SlotHolder queuePair;
    boolean send;
    long freesUpTo;
    long timeNanos;

    /** Notes whose completion it is; it stays noted when it is over. */
    void of(SlotHolder owner) {
      if (queuePair != owner) {
        queuePair = owner;
      }
    }

    private SlotHolder owner() {
      SlotHolder owner = queuePair;
      if (owner == null) {
        throw new AssertionError("an entry in use has a queue pair");
      }
      return owner;
    }
  }

  private static final VarHandle HEAD;
  private static final VarHandle READ;
  private static final VarHandle TAIL;

  static {
    try {
      MethodHandles.Lookup lookup = MethodHandles.lookup();
      HEAD = lookup.findVarHandle(CompletionRing.class, "head", long.class);
      READ = lookup.findVarHandle(CompletionRing.class, "read", long.class);
      TAIL = lookup.findVarHandle(CompletionRing.class, "tail", long.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final boolean isShared;
  private final SpinLock polls = new SpinLock();
  private volatile int capacity;

  /** Replaced with the lock of the polls; the length is a power of two. */
  private @Nullable Entry[] places;

  /** Written with the lock of the polls. */
  private long head;

  /** Written with the lock of the polls. */
  private long read;

  /** Written by who drives the device. */
  private long tail;

  /**
   * Makes an empty ring.
   *
   * @param capacity how many entries it takes
   * @param isShared whether threads poll at any time; otherwise one call comes after the other
   */
  CompletionRing(int capacity, boolean isShared) {
    this.isShared = isShared;
    this.capacity = capacity;
    this.places = places(capacity);
  }

  private static @Nullable Entry[] places(int capacity) {
    return new Entry[capacity <= 1 ? 1 : Integer.highestOneBit(capacity - 1) << 1];
  }

  // ---- at any time ---------------------------------------------------------------------------

  int capacity() {
    return capacity;
  }

  /** How many entries no poll has gone over yet. */
  int unread() {
    if (!isShared) {
      return (int) (tail - read);
    }
    long from = (long) READ.getAcquire(this); // first: it never overtakes the tail
    return (int) ((long) TAIL.getAcquire(this) - from);
  }

  /** How many entries there are, shown ones included. */
  int size() {
    if (!isShared) {
      return (int) (tail - head);
    }
    long from = (long) HEAD.getAcquire(this); // first: it never overtakes the tail
    return (int) ((long) TAIL.getAcquire(this) - from);
  }

  // ---- who drives the device -----------------------------------------------------------------

  boolean isFull() {
    return size() >= capacity;
  }

  /** The next free place, to be filled; then {@link #append}. */
  Entry blank() {
    assert !isFull() : "the caller checks for room";
    int slot = slot(tail);
    Entry entry = places[slot];
    if (entry == null) {
      entry = new Entry();
      places[slot] = entry;
    }
    return entry;
  }

  /** Puts in the entry that was filled. */
  void append() {
    tail(tail + 1);
  }

  /**
   * Takes out the oldest entry of a ring that is full, to make room.
   *
   * @return whether it is lost, since nobody has read it
   */
  boolean dropOldest() {
    beginPoll();
    try {
      if (!isFull()) {
        return false; // a poll was faster
      }
      if (head < read) {
        releaseFirst();
        return false;
      }
      read(read + 1);
      head(head + 1);
      return true;
    } finally {
      endPoll();
    }
  }

  /**
   * Takes out the unread entries of a queue pair, and forgets it.
   *
   * @return how many they were
   */
  int purge(SlotHolder queuePair) {
    beginPoll();
    try {
      long kept = read;
      for (long position = read; position < tail; position++) {
        Entry entry = at(position);
        if (entry.queuePair == queuePair) {
          continue;
        }
        places[slot(position)] = places[slot(kept)];
        places[slot(kept)] = entry;
        kept++;
      }
      int purged = (int) (tail - kept);
      tail(kept);
      forget(queuePair);
      return purged;
    } finally {
      endPoll();
    }
  }

  /** Forgets whose completions the free places were of. */
  private void forget(SlotHolder queuePair) {
    for (long position = tail; position < head + places.length; position++) {
      Entry entry = places[slot(position)];
      if (entry != null && entry.queuePair == queuePair) {
        entry.queuePair = null;
      }
    }
  }

  /**
   * Moves all entries, in their order, into a ring of another size.
   *
   * @return whether they fit; if not, nothing has changed
   */
  boolean resize(int entries) {
    beginPoll();
    try {
      if (size() > entries) {
        return false;
      }
      @Nullable Entry[] resized = places(entries);
      for (long position = head; position < tail; position++) {
        resized[(int) position & (resized.length - 1)] = at(position);
      }
      places = resized;
      capacity = entries;
      return true;
    } finally {
      endPoll();
    }
  }

  // ---- polls ---------------------------------------------------------------------------------

  /** Begins a poll, which is alone with what follows up to {@link #endPoll}. Not nestable. */
  void beginPoll() {
    if (isShared) {
      polls.lock();
    }
  }

  void endPoll() {
    if (isShared) {
      polls.unlock();
    }
  }

  /** The oldest unread entry, which is shown from now on. */
  Entry showNext() {
    assert unread() > 0 : "nothing is unread";
    Entry entry = at(read);
    read(read + 1);
    return entry;
  }

  /** Takes out all shown entries, and frees the queue slots of their requests. */
  void releaseShown() {
    while (head < read) {
      releaseFirst();
    }
  }

  /**
   * Gives back first the place and then the slots: who posts as soon as there are slots again finds
   * that the completion has its place. From then on the entry may be filled anew.
   */
  private void releaseFirst() {
    Entry entry = at(head);
    SlotHolder owner = entry.owner();
    boolean send = entry.send;
    long freesUpTo = entry.freesUpTo;
    head(head + 1);
    owner.polled(send, freesUpTo);
  }

  private void head(long position) {
    if (isShared) {
      HEAD.setRelease(this, position);
    } else {
      head = position;
    }
  }

  private void read(long position) {
    if (isShared) {
      READ.setRelease(this, position);
    } else {
      read = position;
    }
  }

  private void tail(long position) {
    if (isShared) {
      TAIL.setRelease(this, position);
    } else {
      tail = position;
    }
  }

  private Entry at(long position) {
    Entry entry = places[slot(position)];
    if (entry == null) {
      throw new AssertionError("a position before the tail has an entry");
    }
    return entry;
  }

  private int slot(long position) {
    return (int) position & (places.length - 1);
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jctools.queues.atomic.SpscGrowableAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue: completions, each with the queue slots that polling it frees.
 *
 * <p>Who drives the device puts completions in. Those who poll take them out, one at a time: a poll
 * holds {@link #polls()}, a lock that the other side needs only to take entries out itself. An
 * entry is unread, then shown to a poll that has not ended, in which it still takes up room, then
 * released.
 */
final class CompletionRing {
  /** A completion in the ring; the objects are used again and again. */
  static final class Entry {
    final WorkCompletion completion = new WorkCompletion();
    @Nullable SlotHolder queuePair;
    boolean send;
    long freesUpTo;
    long timeNanos;

    /** Frees the queue slots of the request: its completion was polled. */
    private void release() {
      SlotHolder owner = queuePair;
      if (owner == null) {
        throw new AssertionError("an entry in use has a queue pair");
      }
      owner.polled(send, freesUpTo);
      queuePair = null;
    }
  }

  private static final int CAPACITY_AT_FIRST = 16;

  private final SpinLock polls = new SpinLock();
  private final ArrayDeque<Entry> shown = new ArrayDeque<>();
  private volatile int capacity;
  private volatile int shownCount;
  private volatile SpscGrowableAtomicArrayQueue<Entry> unread;
  private volatile SpscGrowableAtomicArrayQueue<Entry> blanks;

  CompletionRing(int capacity) {
    this.capacity = capacity;
    this.unread = queue(capacity);
    this.blanks = queue(capacity);
  }

  private static SpscGrowableAtomicArrayQueue<Entry> queue(int capacity) {
    // The smallest limit that it takes is twice what it begins with.
    return new SpscGrowableAtomicArrayQueue<>(
        CAPACITY_AT_FIRST, Math.max(2 * CAPACITY_AT_FIRST, capacity));
  }

  // ---- at any time ---------------------------------------------------------------------------

  int capacity() {
    return capacity;
  }

  /** How many entries no poll has gone over yet. */
  int unread() {
    return unread.size();
  }

  boolean isEmpty() {
    return unread.isEmpty();
  }

  /** How many entries there are, shown ones included. */
  int size() {
    // In this order, as one that is shown meanwhile must not count twice: the ring is not full.
    int shownBefore = shownCount;
    return shownBefore + unread.size();
  }

  boolean isFull() {
    return size() >= capacity;
  }

  // ---- who drives the device -----------------------------------------------------------------

  /** An entry to be filled; then {@link #append}. */
  Entry blank() {
    Entry blank = blanks.poll();
    return blank == null ? new Entry() : blank;
  }

  /** Puts in an entry, for which there is room. */
  void append(Entry entry) {
    if (!unread.offer(entry)) {
      throw new AssertionError("the caller checks for room");
    }
  }

  /**
   * Takes out the oldest entry, to make room.
   *
   * @return whether it is lost, since nobody has read it
   */
  boolean dropOldest() {
    polls.lock();
    try {
      if (shownCount > 0) {
        releaseFirst();
        return false;
      }
      Entry oldest = unread.poll();
      if (oldest == null) {
        return false; // a poll was faster
      }
      forget(oldest);
      return true;
    } finally {
      polls.unlock();
    }
  }

  /**
   * Takes out the unread entries of a queue pair.
   *
   * @return how many they were
   */
  int purge(SlotHolder queuePair) {
    polls.lock();
    try {
      List<Entry> all = takeUnread();
      int purged = 0;
      for (Entry entry : all) {
        if (entry.queuePair == queuePair) {
          forget(entry);
          purged++;
        } else {
          append(entry);
        }
      }
      return purged;
    } finally {
      polls.unlock();
    }
  }

  /**
   * Moves all entries, in their order, into a ring of another size.
   *
   * @return whether they fit; if not, nothing has changed
   */
  boolean resize(int entries) {
    polls.lock();
    try {
      if (size() > entries) {
        return false;
      }
      List<Entry> all = takeUnread();
      unread = queue(entries);
      blanks = queue(entries);
      all.forEach(this::append);
      capacity = entries;
      return true;
    } finally {
      polls.unlock();
    }
  }

  private List<Entry> takeUnread() {
    List<Entry> all = new ArrayList<>();
    for (Entry entry = unread.poll(); entry != null; entry = unread.poll()) {
      all.add(entry);
    }
    return all;
  }

  // ---- polls, with their lock ----------------------------------------------------------------

  /** The lock that a poll holds while it calls what follows. */
  SpinLock polls() {
    return polls;
  }

  /** The oldest unread entry, which is shown from now on. */
  Entry showNext() {
    Entry entry = unread.poll();
    if (entry == null) {
      throw new AssertionError("nothing is unread");
    }
    shown.add(entry);
    shownCount = shown.size();
    return entry;
  }

  /** Takes out all shown entries, and frees the queue slots of their requests. */
  void releaseShown() {
    while (!shown.isEmpty()) {
      releaseFirst();
    }
  }

  private void releaseFirst() {
    Entry entry = shown.remove();
    shownCount = shown.size();
    entry.release();
    blanks.offer(entry);
  }

  private void forget(Entry entry) {
    entry.queuePair = null;
    blanks.offer(entry);
  }
}

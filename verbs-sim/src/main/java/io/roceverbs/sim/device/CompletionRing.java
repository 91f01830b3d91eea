package io.roceverbs.sim.device;

import io.roceverbs.verbs.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/**
 * The ring of a completion queue: completions, each with the queue slots that polling it frees.
 *
 * <pre>
 *   head       head + shown       head + size
 *     |  shown  |      unread        |  free
 * </pre>
 *
 * <p>Shown are those that a poll has gone over which has not ended; they still take up room.
 */
final class CompletionRing {
  /** A place of the ring, made when first used. */
  static final class Entry {
    final WorkCompletion completion = new WorkCompletion();
    @Nullable SimQueuePair queuePair;
    boolean send;
    long freesUpTo;
    long timeNanos;

    /** Frees the queue slots of the request: its completion was polled. */
    private void release() {
      SimQueuePair owner = queuePair;
      if (owner == null) {
        throw new AssertionError("an entry in use has a queue pair");
      }
      owner.polled(send, freesUpTo);
      queuePair = null;
    }
  }

  private static final VarHandle HAS_UNREAD;

  static {
    try {
      HAS_UNREAD =
          MethodHandles.lookup().findVarHandle(CompletionRing.class, "hasUnread", boolean.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private @Nullable Entry[] places;

  /** Whether anything is unread, for those who look without the fabric's lock. */
  @SuppressWarnings("UnusedVariable") // read through its handle
  private boolean hasUnread;

  private int head;
  private int size;
  private int shown;

  CompletionRing(int capacity) {
    this.places = new Entry[capacity];
  }

  int capacity() {
    return places.length;
  }

  /** How many entries there are, shown ones included. */
  int size() {
    return size;
  }

  boolean isFull() {
    return size == places.length;
  }

  /** How many entries no poll has gone over yet. */
  int unread() {
    return size - shown;
  }

  /** Whether nothing is unread, as a thread sees it that has not entered the host. */
  boolean looksEmpty() {
    return !(boolean) HAS_UNREAD.getAcquire(this);
  }

  private void unreadChanged() {
    HAS_UNREAD.setRelease(this, size > shown);
  }

  /** Adds an entry, which the caller fills. */
  Entry append() {
    assert !isFull() : "the caller checks for room";
    Entry entry = entry(slot(head + size));
    size++;
    unreadChanged();
    return entry;
  }

  /** The oldest unread entry, which is shown from now on. */
  Entry showNext() {
    assert unread() > 0 : "nothing is unread";
    Entry entry = entry(slot(head + shown));
    shown++;
    unreadChanged();
    return entry;
  }

  /** Takes out all shown entries, and frees the queue slots of their requests. */
  void releaseShown() {
    while (shown > 0) {
      releaseFirst();
    }
  }

  private void releaseFirst() {
    entry(head).release();
    shown--;
    removeFirst();
  }

  /**
   * Takes out the oldest entry, to make room.
   *
   * @return whether it is lost, since nobody has read it
   */
  boolean dropOldest() {
    if (shown > 0) {
      releaseFirst();
      return false;
    }
    entry(head).queuePair = null;
    removeFirst();
    unreadChanged();
    return true;
  }

  private void removeFirst() {
    head = slot(head + 1);
    size--;
  }

  /**
   * Takes out the unread entries of a queue pair.
   *
   * @return how many they were
   */
  int purge(SimQueuePair queuePair) {
    int kept = shown;
    for (int i = shown; i < size; i++) {
      int from = slot(head + i);
      Entry entry = entry(from);
      if (entry.queuePair == queuePair) {
        entry.queuePair = null;
        continue;
      }
      int to = slot(head + kept);
      places[from] = places[to];
      places[to] = entry;
      kept++;
    }
    int purged = size - kept;
    size = kept;
    unreadChanged();
    return purged;
  }

  /** Moves all entries, in their order, into a ring of another size, which they fit into. */
  void resize(int capacity) {
    assert size <= capacity : "the caller checks for room";
    @Nullable Entry[] resized = new Entry[capacity];
    for (int i = 0; i < size; i++) {
      resized[i] = places[slot(head + i)];
    }
    places = resized;
    head = 0;
  }

  private int slot(int position) {
    return position < places.length ? position : position - places.length;
  }

  private Entry entry(int slot) {
    Entry entry = places[slot];
    if (entry == null) {
      entry = new Entry();
      places[slot] = entry;
    }
    return entry;
  }
}

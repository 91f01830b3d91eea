package io.roceverbs.verbs;

/**
 * A reusable batch of completions: the {@code struct ibv_wc[]} that {@code ibv_poll_cq()} fills.
 *
 * <pre>{@code
 * int count = completionQueue.poll(completions);
 * for (int i = 0; i < count; i++) {
 *   handle(completions.get(i).requireSuccess());
 * }
 * }</pre>
 *
 * <p>Its entries are made once and overwritten by the next poll into the same object; {@link
 * WorkCompletion#copy()} keeps one for longer. Polling allocates nothing, unless a completion
 * reports an error.
 *
 * <p>Not thread-safe: each polling thread has a batch of its own.
 *
 * <p>Source: ibv_poll_cq(3).
 */
public final class WorkCompletions {
  private final WorkCompletion[] entries;
  private int size;

  /**
   * Makes an empty batch.
   *
   * @param capacity the most completions one poll may return, at least 1
   * @throws IllegalArgumentException if the capacity is less than 1
   */
  public WorkCompletions(int capacity) {
    if (capacity < 1) {
      throw new IllegalArgumentException("capacity " + capacity + " is less than 1");
    }
    entries = new WorkCompletion[capacity];
    for (int i = 0; i < capacity; i++) {
      entries[i] = new WorkCompletion();
    }
  }

  /**
   * {@return how many completions one poll may bring, the {@code num_entries} of ibv_poll_cq(3)}
   */
  public int capacity() {
    return entries.length;
  }

  /** {@return how many completions the last poll brought, 0 to {@link #capacity()}} */
  public int size() {
    return size;
  }

  /**
   * Returns one completion.
   *
   * @param index 0 to {@code size() - 1}; completions of one queue are in the order in which they
   *     were generated
   * @return the entry, valid until the next poll into this object
   * @throws IndexOutOfBoundsException if the last poll brought no such entry
   */
  public WorkCompletion get(int index) {
    if (index < 0 || index >= size) {
      throw new IndexOutOfBoundsException("completion " + index + " of " + size);
    }
    return entries[index];
  }

  /** Forgets all completions. A provider calls it at the start of each poll. */
  public void clear() {
    size = 0;
  }

  /**
   * Adds a blank entry; for providers, which fill it.
   *
   * @return the new last entry, blank until it is filled
   * @throws IllegalStateException if the batch is full
   */
  public WorkCompletion append() {
    if (size == entries.length) {
      throw new IllegalStateException("all " + size + " entries are in use");
    }
    WorkCompletion entry = entries[size++];
    entry.clear();
    return entry;
  }

  @Override
  public String toString() {
    StringBuilder text = new StringBuilder("[");
    for (int i = 0; i < size; i++) {
      text.append(i == 0 ? "" : ", ").append(entries[i]);
    }
    return text.append("]").toString();
  }
}

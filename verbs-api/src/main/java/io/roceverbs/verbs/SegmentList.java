package io.roceverbs.verbs;

import java.util.Arrays;

/**
 * The scatter/gather list of a reusable request: {@code struct ibv_sge[]} as three arrays, which
 * grow to the longest list seen and are kept by {@link #clear()}, so a warm request allocates
 * nothing.
 */
final class SegmentList {
  /** More than any device takes; a longer list is a request that was never reset. */
  static final int SEGMENTS_MAX = 1024;

  private static final int INITIAL_CAPACITY = 4;

  private long[] addresses = new long[INITIAL_CAPACITY];
  private int[] lengths = new int[INITIAL_CAPACITY];
  private int[] lkeys = new int[INITIAL_CAPACITY];
  private int count;

  void clear() {
    count = 0;
  }

  void add(long address, int length, int lkey) {
    if (count == addresses.length) {
      grow();
    }
    addresses[count] = address;
    lengths[count] = length;
    lkeys[count] = lkey;
    count++;
  }

  private void grow() {
    if (count == SEGMENTS_MAX) {
      throw new IllegalStateException(
          "a request holds at most " + SEGMENTS_MAX + " segments; was reset(id) forgotten?");
    }
    int capacity = Math.min(2 * count, SEGMENTS_MAX);
    addresses = Arrays.copyOf(addresses, capacity);
    lengths = Arrays.copyOf(lengths, capacity);
    lkeys = Arrays.copyOf(lkeys, capacity);
  }

  int count() {
    return count;
  }

  long address(int index) {
    return addresses[checked(index)];
  }

  long length(int index) {
    return Integer.toUnsignedLong(lengths[checked(index)]);
  }

  int lkey(int index) {
    return lkeys[checked(index)];
  }

  /** The arrays are longer than the list, so their own bounds check is not enough. */
  private int checked(int index) {
    if (index < 0 || index >= count) {
      throw new IndexOutOfBoundsException("segment " + index + " of " + count);
    }
    return index;
  }
}

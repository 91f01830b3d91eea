package io.roceverbs.sim.memory;

import java.util.Arrays;

/**
 * Gives out key indices, each with a variant that it did not have before.
 *
 * <p>An index that was given back rests for a while and comes again with the next variant.
 */
final class KeyIndices {
  /**
   * An index rests until this many others were freed after it, so that a stale key stays stale for
   * long.
   */
  static final int REUSE_DISTANCE = 1024;

  private static final int INITIAL_CAPACITY = 16;

  private final int first;
  private final int variantMask;
  private byte[] variants = new byte[INITIAL_CAPACITY];
  private int[] freed = new int[INITIAL_CAPACITY];
  private int freedHead;
  private int freedCount;
  private int next;

  KeyIndices(int first, int variantMask) {
    this.first = first;
    this.next = first;
    this.variantMask = variantMask;
  }

  /** How many can still be given out. */
  int room() {
    return KeyTable.INDEX_MAX - next + 1 + freedCount;
  }

  /** A key with an index that no other has. The caller has checked that there is room. */
  int newKey() {
    int index = take();
    int place = index - first;
    variants[place] = (byte) ((variants[place] + 1) & variantMask);
    return KeyTable.key(index, variants[place]);
  }

  private int take() {
    if (freedCount > REUSE_DISTANCE || (freedCount > 0 && next > KeyTable.INDEX_MAX)) {
      int index = freed[freedHead];
      freedHead = (freedHead + 1) % freed.length;
      freedCount--;
      return index;
    }
    if (next > KeyTable.INDEX_MAX) {
      throw new AssertionError("the caller has checked that an index is free");
    }
    if (next - first == variants.length) {
      variants = Arrays.copyOf(variants, variants.length * 2);
    }
    return next++;
  }

  /** Takes back the index of a key. */
  void giveBack(int key) {
    int index = KeyTable.index(key);
    variants[index - first] = (byte) key;
    if (freedCount == freed.length) {
      int[] larger = new int[freed.length * 2];
      for (int i = 0; i < freedCount; i++) {
        larger[i] = freed[(freedHead + i) % freed.length];
      }
      freed = larger;
      freedHead = 0;
    }
    freed[(freedHead + freedCount) % freed.length] = index;
    freedCount++;
  }
}

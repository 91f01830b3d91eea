package io.roceverbs.sim.memory;

import io.roceverbs.verbs.AccessFlag;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All memory keys of one device, and every access that goes through one.
 *
 * <p>A key is a 24-bit index and, in its low byte, a variant. The indices of a device begin at a
 * number of its own, so that a key of one device is not valid on another by luck. A user region has
 * two indices, one for its lkey and one for its rkey, so that a ULP that hands out the wrong one
 * finds out. An index that was given back rests for a while and comes again with the next variant.
 *
 * <p>Every access method checks and, when all is well, copies; it keeps nothing.
 */
public final class KeyTable {
  /** Key indices are 24 bits wide. */
  public static final int INDEX_MAX = (1 << 24) - 1;

  /**
   * An index rests until this many others were freed after it, so that a stale key stays stale for
   * long.
   */
  static final int REUSE_DISTANCE = 1024;

  private static final int VARIANT_BITS = 8;
  private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
  private static final int INITIAL_CAPACITY = 16;

  private @Nullable Registration[] entries = new Registration[INITIAL_CAPACITY];
  private byte[] variants = new byte[INITIAL_CAPACITY];
  private int[] freed = new int[INITIAL_CAPACITY];
  private int freedHead;
  private int freedCount;
  private final int firstIndex;
  private int nextIndex;
  private final byte[] word = new byte[Long.BYTES];

  /**
   * Makes an empty table.
   *
   * @param firstIndex the index of the first key, 1 or more: index 0 is never handed out
   */
  public KeyTable(int firstIndex) {
    assert firstIndex >= 1 && firstIndex <= INDEX_MAX : "an index is 24 bits and not 0";
    this.firstIndex = firstIndex;
    this.nextIndex = firstIndex;
  }

  /** The index in a key. */
  public static int index(int key) {
    return key >>> VARIANT_BITS;
  }

  /** The same index with the next variant, as {@code ibv_inc_rkey} makes it. */
  public static int nextVariant(int key) {
    return (key & ~VARIANT_MASK) | ((key + 1) & VARIANT_MASK);
  }

  /** Whether so many further keys can be made. */
  public boolean hasRoom(int keys) {
    return INDEX_MAX - nextIndex + 1 + freedCount >= keys;
  }

  /** Makes a user region, valid at once, with two keys of its own. */
  public Registration registerUser(int protectionDomain, int access, MemoryMapping mapping) {
    int lkey = newKey();
    int rkey = newKey();
    Registration registration = Registration.ofUser(protectionDomain, lkey, rkey, access, mapping);
    entries[slot(lkey)] = registration;
    entries[slot(rkey)] = registration;
    return registration;
  }

  /** Makes a fast registration region in the free state. */
  public Registration allocateFast(int protectionDomain, int pagesMax) {
    int key = newKey();
    Registration registration = Registration.ofFast(protectionDomain, pagesMax, key);
    entries[slot(key)] = registration;
    return registration;
  }

  /** Takes a region and its keys out of use, whatever still refers to them. */
  public void deregister(Registration registration) {
    registration.deregister();
    giveBack(registration.lkey());
    if (index(registration.rkey()) != index(registration.lkey())) {
      giveBack(registration.rkey());
    }
  }

  private int newKey() {
    int index = takeIndex();
    int slot = index - firstIndex;
    variants[slot]++;
    return index << VARIANT_BITS | (variants[slot] & VARIANT_MASK);
  }

  private int slot(int key) {
    return index(key) - firstIndex;
  }

  private int takeIndex() {
    if (freedCount > REUSE_DISTANCE || (freedCount > 0 && nextIndex > INDEX_MAX)) {
      int index = freed[freedHead];
      freedHead = (freedHead + 1) % freed.length;
      freedCount--;
      return index;
    }
    if (nextIndex > INDEX_MAX) {
      throw new AssertionError("the caller has checked that an index is free");
    }
    if (nextIndex - firstIndex == entries.length) {
      entries = Arrays.copyOf(entries, entries.length * 2);
      variants = Arrays.copyOf(variants, variants.length * 2);
    }
    return nextIndex++;
  }

  private void giveBack(int key) {
    entries[slot(key)] = null;
    variants[slot(key)] = (byte) key;
    if (freedCount == freed.length) {
      int[] larger = new int[freed.length * 2];
      for (int i = 0; i < freedCount; i++) {
        larger[i] = freed[(freedHead + i) % freed.length];
      }
      freed = larger;
      freedHead = 0;
    }
    freed[(freedHead + freedCount) % freed.length] = index(key);
    freedCount++;
  }

  private @Nullable Registration entry(int key) {
    int slot = slot(key);
    return slot >= 0 && slot < entries.length ? entries[slot] : null;
  }

  /** Checks a local access through an lkey: index, key, domain, right, state, range. */
  public KeyFault checkLocal(int lkey, int domain, boolean write, long address, long length) {
    Registration registration = entry(lkey);
    if (registration == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (registration.lkey() != lkey) {
      return registration.rkey() == lkey ? KeyFault.RKEY_FOR_LKEY : KeyFault.STALE_KEY;
    }
    int right = write ? AccessFlag.LOCAL_WRITE.value() : 0;
    return registration.check(domain, right, address, length);
  }

  /** Checks an access by the peer through an rkey, in the order of rule KEY-CHECK-ORDER. */
  public KeyFault checkRemote(int rkey, int domain, AccessFlag right, long address, long length) {
    Registration registration = entry(rkey);
    if (registration == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (registration.rkey() != rkey) {
      return registration.lkey() == rkey ? KeyFault.LKEY_FOR_RKEY : KeyFault.STALE_KEY;
    }
    return registration.check(domain, right.value(), address, length);
  }

  /** Gathers bytes through an lkey, as the memory is now. */
  public KeyFault readLocal(
      int lkey, int domain, long address, int length, byte[] target, int targetOffset) {
    KeyFault fault = checkLocal(lkey, domain, false, address, length);
    if (fault == KeyFault.NONE) {
      mapping(lkey).read(address, target, targetOffset, length);
    }
    return fault;
  }

  /** Scatters bytes through an lkey. */
  public KeyFault writeLocal(
      int lkey, int domain, long address, int length, byte[] source, int sourceOffset) {
    KeyFault fault = checkLocal(lkey, domain, true, address, length);
    if (fault == KeyFault.NONE) {
      mapping(lkey).write(address, source, sourceOffset, length);
    }
    return fault;
  }

  /** Reads bytes for the peer's READ, as the memory is now. */
  public KeyFault readRemote(
      int rkey, int domain, long address, int length, byte[] target, int targetOffset) {
    KeyFault fault = checkRemote(rkey, domain, AccessFlag.REMOTE_READ, address, length);
    if (fault == KeyFault.NONE) {
      mapping(rkey).read(address, target, targetOffset, length);
    }
    return fault;
  }

  /** Places bytes of the peer's WRITE. */
  public KeyFault writeRemote(
      int rkey, int domain, long address, int length, byte[] source, int sourceOffset) {
    KeyFault fault = checkRemote(rkey, domain, AccessFlag.REMOTE_WRITE, address, length);
    if (fault == KeyFault.NONE) {
      mapping(rkey).write(address, source, sourceOffset, length);
    }
    return fault;
  }

  /**
   * The eight bytes at a remote address that {@link #checkRemote} allowed, as the host's integer.
   */
  public long readLong(int rkey, long address) {
    return mapping(rkey).readLong(address);
  }

  /** Stores the host's integer at a remote address that {@link #checkRemote} allowed. */
  public void writeLong(int rkey, long address, long value) {
    mapping(rkey).writeLong(address, value);
  }

  /**
   * An integer as the bytes that a host has in its memory, least significant first.
   *
   * @return an array that the next call uses again
   */
  public byte[] hostOrder(long value) {
    for (int i = 0; i < Long.BYTES; i++) {
      word[i] = (byte) (value >>> (Byte.SIZE * i));
    }
    return word;
  }

  /** Executes a fast registration on behalf of a queue pair of {@code domain}. */
  public KeyFault register(
      Registration registration, int domain, int key, int access, @Nullable MemoryMapping mapping) {
    return registration.register(domain, key, access, mapping);
  }

  /** Executes an invalidation by the owner (LOCAL_INV) or by the peer (SEND_WITH_INV). */
  public KeyFault invalidate(int key, int domain, boolean remote) {
    Registration registration = entry(key);
    if (registration == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (registration.rkey() != key) {
      return registration.lkey() == key ? KeyFault.LKEY_FOR_RKEY : KeyFault.STALE_KEY;
    }
    return registration.invalidate(domain, remote);
  }

  private MemoryMapping mapping(int key) {
    Registration registration = entry(key);
    MemoryMapping mapping = registration == null ? null : registration.mapping();
    if (mapping == null) {
      throw new AssertionError("the key was checked before its mapping is used");
    }
    return mapping;
  }
}

package io.roceverbs.sim.memory;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.verbs.AccessFlag;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * All memory keys of one device, and every access that goes through one.
 *
 * <p>A key is a 24-bit index and, in its low byte, a variant. The indices of a device begin at a
 * number of its own, so that a key of one device is not valid on another by luck. Where the profile
 * does not say otherwise, a user region has two indices, one for its lkey and one for its rkey, so
 * that a ULP that hands out the wrong one finds out.
 *
 * <p>Every access method checks and, when all is well, copies; it keeps nothing.
 */
public final class KeyTable {
  /** Key indices are 24 bits wide. */
  public static final int INDEX_MAX = (1 << 24) - 1;

  private static final int VARIANT_BITS = 8;
  private static final int VARIANT_MASK = (1 << VARIANT_BITS) - 1;
  private static final int INITIAL_CAPACITY = 16;
  private static final int REMOTE_RIGHTS =
      AccessFlag.REMOTE_READ.value()
          | AccessFlag.REMOTE_WRITE.value()
          | AccessFlag.REMOTE_ATOMIC.value();

  private final int firstIndex;
  private final int variantMask;
  private final ErrorSwitch.UserRegionKeys userRegionKeys;
  private final boolean freeCountsAsInvalidated;
  private final boolean swapsAtomics;
  private final KeyIndices indices;
  private @Nullable KeyTarget[] targets = new KeyTarget[INITIAL_CAPACITY];
  private final byte[] word = new byte[Long.BYTES];

  /**
   * Makes an empty table.
   *
   * @param firstIndex the index of the first key, 1 or more: index 0 is never handed out
   * @param profile what kind of device it is of
   */
  public KeyTable(int firstIndex, DeviceProfile profile) {
    assert firstIndex >= 1 && firstIndex <= INDEX_MAX : "an index is 24 bits and not 0";
    this.firstIndex = firstIndex;
    this.variantMask =
        switch (profile.get(Quirk.KeyVariant.class)) {
          case EIGHT_BITS -> VARIANT_MASK;
          case TWO_BITS -> 3;
        };
    this.userRegionKeys = profile.get(ErrorSwitch.UserRegionKeys.class);
    this.freeCountsAsInvalidated = profile.is(ErrorSwitch.InvalidateFree.ACCEPT_REGION);
    this.swapsAtomics = profile.is(Quirk.AtomicByteOrder.SWAPPED);
    this.indices = new KeyIndices(firstIndex, variantMask);
  }

  /** The index in a key. */
  public static int index(int key) {
    return key >>> VARIANT_BITS;
  }

  static int key(int index, int variant) {
    return index << VARIANT_BITS | (variant & VARIANT_MASK);
  }

  /**
   * The same index with the next variant, as {@code ibv_inc_rkey} makes it; modulo 4 on a device
   * whose keys have two bits of variant.
   */
  public int nextVariant(int key) {
    return (key & ~VARIANT_MASK) | ((key + 1) & variantMask);
  }

  // ---- making and ending targets -------------------------------------------------------------

  /** Whether so many further keys can be made. */
  public boolean hasRoom(int keys) {
    return indices.room() >= keys;
  }

  /** Makes a user region, valid at once, with keys of its own. */
  public Registration registerUser(int protectionDomain, int access, MemoryMapping mapping) {
    Registration registration = Registration.ofUser(protectionDomain, access, mapping);
    int lkey = newKey(registration);
    int rkey =
        switch (userRegionKeys) {
          case DIFFERENT -> newKey(registration);
          case EQUAL -> lkey;
          case EQUAL_OR_NO_RKEY -> rkeyOrNone(lkey, access);
        };
    registration.keys(lkey, rkey);
    return registration;
  }

  private static int rkeyOrNone(int lkey, int access) {
    return (access & REMOTE_RIGHTS) == 0 ? 0 : lkey;
  }

  /** Changes a user region in place, under the same keys. */
  public void reregister(
      Registration registration, int protectionDomain, int access, MemoryMapping mapping) {
    registration.reregister(protectionDomain, access, mapping);
    if (userRegionKeys == ErrorSwitch.UserRegionKeys.EQUAL_OR_NO_RKEY) {
      registration.keys(registration.lkey(), rkeyOrNone(registration.lkey(), access));
    }
  }

  /** Makes a fast registration region in the free state. */
  public Registration allocateFast(int protectionDomain, int pagesMax) {
    int key = indices.newKey();
    Registration registration = Registration.ofFast(protectionDomain, pagesMax, key);
    put(key, registration);
    return registration;
  }

  /** Makes a window that is not bound. */
  public Window allocateWindow(Window.Kind kind, int protectionDomain) {
    int key = indices.newKey();
    Window window = new Window(kind, protectionDomain, key);
    put(key, window);
    return window;
  }

  /** Takes a region and its keys out of use, whatever still refers to them. */
  public void deregister(Registration registration) {
    registration.deregister();
    remove(registration.lkey());
    if (registration.rkey() != 0 && index(registration.rkey()) != index(registration.lkey())) {
      remove(registration.rkey());
    }
  }

  /** Takes a window out of use, bound or not. */
  public void deallocate(Window window) {
    window.unbind();
    remove(window.rkey());
  }

  private int newKey(Registration registration) {
    int key = indices.newKey();
    put(key, registration);
    return key;
  }

  private void put(int key, KeyTarget target) {
    int slot = slot(key);
    if (slot >= targets.length) {
      targets = Arrays.copyOf(targets, targets.length * 2);
    }
    targets[slot] = target;
  }

  private void remove(int key) {
    targets[slot(key)] = null;
    indices.giveBack(key);
  }

  private int slot(int key) {
    return index(key) - firstIndex;
  }

  private @Nullable KeyTarget find(int key) {
    int slot = slot(key);
    return slot >= 0 && slot < targets.length ? targets[slot] : null;
  }

  private KeyTarget checked(int key) {
    KeyTarget target = find(key);
    if (target == null) {
      throw new AssertionError("the key was checked before its memory is used");
    }
    return target;
  }

  // ---- checks --------------------------------------------------------------------------------

  /** Checks a local access through an lkey: index, key, domain, right, state, range. */
  public KeyFault checkLocal(int lkey, int domain, boolean write, long address, long length) {
    KeyTarget target = find(lkey);
    if (target == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (target.lkey() != lkey) {
      return target.rkey() == lkey ? target.rkeyForLkey() : KeyFault.STALE_KEY;
    }
    int right = write ? AccessFlag.LOCAL_WRITE.value() : 0;
    return target.checkLocal(domain, right, address, length);
  }

  /** Checks an access by the peer through an rkey, in the order of rule KEY-CHECK-ORDER. */
  public KeyFault checkRemote(
      int rkey, AccessScope asker, AccessFlag right, long address, long length) {
    KeyTarget target = find(rkey);
    if (target == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (target.rkey() != rkey) {
      return staleRkey(target, rkey);
    }
    return target.checkRemote(asker, right.value(), address, length);
  }

  private static KeyFault staleRkey(KeyTarget target, int rkey) {
    return target.lkey() == rkey ? KeyFault.LKEY_FOR_RKEY : KeyFault.STALE_KEY;
  }

  /** The memory behind an rkey that {@link #checkRemote} allowed. */
  public MemoryMapping mapping(int rkey) {
    return checked(rkey).mapping();
  }

  /** Where an address behind an rkey lies in that memory. */
  public long toMapping(int rkey, long address) {
    return checked(rkey).toMapping(address);
  }

  /** The memory that a piece of a posted request means, or null if its lkey does not allow it. */
  public @Nullable MemoryMapping pin(int lkey, int domain, long address, long length) {
    return checkLocal(lkey, domain, false, address, length) == KeyFault.NONE
        ? checked(lkey).mapping()
        : null;
  }

  // ---- access --------------------------------------------------------------------------------

  /** Gathers bytes through an lkey, as the memory is now. */
  public KeyFault readLocal(
      int lkey, int domain, long address, int length, byte[] target, int targetOffset) {
    KeyFault fault = checkLocal(lkey, domain, false, address, length);
    if (fault == KeyFault.NONE) {
      checked(lkey).mapping().read(address, target, targetOffset, length);
    }
    return fault;
  }

  /** Scatters bytes through an lkey. */
  public KeyFault writeLocal(
      int lkey, int domain, long address, int length, byte[] source, int sourceOffset) {
    KeyFault fault = checkLocal(lkey, domain, true, address, length);
    if (fault == KeyFault.NONE) {
      checked(lkey).mapping().write(address, source, sourceOffset, length);
    }
    return fault;
  }

  /** Reads bytes for the peer's READ, as the memory is now. */
  public KeyFault readRemote(
      int rkey, AccessScope asker, long address, int length, byte[] target, int targetOffset) {
    KeyFault fault = checkRemote(rkey, asker, AccessFlag.REMOTE_READ, address, length);
    if (fault == KeyFault.NONE) {
      KeyTarget source = checked(rkey);
      source.mapping().read(source.toMapping(address), target, targetOffset, length);
    }
    return fault;
  }

  /** Places bytes of the peer's WRITE. */
  public KeyFault writeRemote(
      int rkey, AccessScope asker, long address, int length, byte[] source, int sourceOffset) {
    KeyFault fault = checkRemote(rkey, asker, AccessFlag.REMOTE_WRITE, address, length);
    if (fault == KeyFault.NONE) {
      KeyTarget target = checked(rkey);
      target.mapping().write(target.toMapping(address), source, sourceOffset, length);
    }
    return fault;
  }

  /**
   * The eight bytes at a remote address that {@link #checkRemote} allowed, as the host's integer.
   */
  public long readLong(int rkey, long address) {
    KeyTarget target = checked(rkey);
    return target.mapping().readLong(target.toMapping(address));
  }

  /** Stores the host's integer at a remote address that {@link #checkRemote} allowed. */
  public void writeLong(int rkey, long address, long value) {
    KeyTarget target = checked(rkey);
    target.mapping().writeLong(target.toMapping(address), value);
  }

  /**
   * The old value of an atomic as the requester's memory gets it: least significant byte first, or
   * last on a device that swaps.
   *
   * @return an array that the next call uses again
   */
  public byte[] atomicResult(long value) {
    long ordered = swapsAtomics ? Long.reverseBytes(value) : value;
    for (int i = 0; i < Long.BYTES; i++) {
      word[i] = (byte) (ordered >>> (Byte.SIZE * i));
    }
    return word;
  }

  // ---- work requests -------------------------------------------------------------------------

  /** Executes a fast registration on behalf of a queue pair of {@code domain}. */
  public KeyFault register(
      Registration registration, int domain, int key, int access, @Nullable MemoryMapping mapping) {
    return registration.register(domain, key, access, mapping);
  }

  /** Executes a bind of the window whose key it names. */
  public KeyFault bind(AccessScope asker, WindowBind bind) {
    if (!(find(bind.oldKey()) instanceof Window window)) {
      return KeyFault.NOT_A_WINDOW;
    }
    KeyTarget region = find(bind.regionKey());
    return window.bind(
        asker,
        bind,
        region instanceof Registration found && found.lkey() == bind.regionKey() ? found : null);
  }

  /** Executes an invalidation by the owner (LOCAL_INV) or by the peer (SEND_WITH_INV). */
  public KeyFault invalidate(int key, AccessScope asker, boolean remote) {
    KeyTarget target = find(key);
    if (target == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (target.rkey() != key) {
      return staleRkey(target, key);
    }
    return target.invalidate(asker, remote, freeCountsAsInvalidated);
  }
}

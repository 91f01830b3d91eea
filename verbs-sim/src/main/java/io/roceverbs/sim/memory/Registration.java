package io.roceverbs.sim.memory;

import io.roceverbs.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * A memory region as the adapter knows it: its keys, its protection domain, its rights, its state
 * and its mapping.
 *
 * <p>A user region is valid from registration to deregistration. A fast registration region goes
 * between free and valid by work requests, and takes its mapping, its rights and the low byte of
 * its key from each registration.
 */
public final class Registration {
  private final boolean fast;
  private final int protectionDomain;
  private final int pagesMax;
  private int lkey;
  private int rkey;
  private int access;
  private boolean valid;
  private boolean registered = true;
  private @Nullable MemoryMapping mapping;

  private Registration(
      boolean fast, int protectionDomain, int pagesMax, int lkey, int rkey, int access) {
    this.fast = fast;
    this.protectionDomain = protectionDomain;
    this.pagesMax = pagesMax;
    this.lkey = lkey;
    this.rkey = rkey;
    this.access = access;
  }

  static Registration ofUser(
      int protectionDomain, int lkey, int rkey, int access, MemoryMapping mapping) {
    Registration registration = new Registration(false, protectionDomain, 1, lkey, rkey, access);
    registration.mapping = mapping;
    registration.valid = true;
    return registration;
  }

  static Registration ofFast(int protectionDomain, int pagesMax, int key) {
    return new Registration(true, protectionDomain, pagesMax, key, key, 0);
  }

  /** The key for local use. */
  public int lkey() {
    return lkey;
  }

  /**
   * The key for the peer's use; differs from the lkey for user regions, equals it for fast
   * registration regions.
   */
  public int rkey() {
    return rkey;
  }

  /** Whether the keys may be used now. */
  public boolean isValid() {
    return valid;
  }

  /** How many pages a fast registration region can map. */
  public int pagesMax() {
    return pagesMax;
  }

  /** The addresses and buffers behind the keys, or null before the first registration. */
  public @Nullable MemoryMapping mapping() {
    return mapping;
  }

  /** Takes the region out of use for good; whoever still holds it finds its keys dead. */
  void deregister() {
    registered = false;
    valid = false;
  }

  /** The checks behind the key comparison, in order: domain, right, state, range. */
  KeyFault check(int domain, int right, long address, long length) {
    if (domain != protectionDomain) {
      return KeyFault.WRONG_PROTECTION_DOMAIN;
    }
    if ((access & right) != right) {
      return KeyFault.RIGHT_MISSING;
    }
    MemoryMapping now = mapping;
    if (!valid || now == null) {
      return KeyFault.NOT_VALID;
    }
    return now.contains(address, length) ? KeyFault.NONE : KeyFault.OUT_OF_RANGE;
  }

  /**
   * Executes REG_MR: free becomes valid, with a new key, new rights and a new mapping.
   *
   * @param domain protection domain of the queue pair
   * @param key the new key; its upper 24 bits must be the region's
   */
  KeyFault register(int domain, int key, int newAccess, @Nullable MemoryMapping newMapping) {
    if (!registered) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (domain != protectionDomain) {
      return KeyFault.WRONG_PROTECTION_DOMAIN;
    }
    if (KeyTable.index(key) != KeyTable.index(rkey)) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (valid) {
      return KeyFault.ALREADY_VALID;
    }
    if (!isLegalAccess(newAccess)) {
      return KeyFault.ILLEGAL_ACCESS;
    }
    if (newMapping == null) {
      return KeyFault.NOT_MAPPED;
    }
    if ((newAccess & AccessFlag.LOCAL_WRITE.value()) != 0 && !newMapping.isWritable()) {
      return KeyFault.READ_ONLY;
    }
    lkey = key;
    rkey = key;
    access = newAccess;
    mapping = newMapping;
    valid = true;
    return KeyFault.NONE;
  }

  /**
   * Executes an invalidation: valid becomes free.
   *
   * @param remote whether the peer asks for it, who can only take away what it had rights to
   */
  KeyFault invalidate(int domain, boolean remote) {
    if (!fast) {
      return KeyFault.NOT_INVALIDATABLE;
    }
    if (domain != protectionDomain) {
      return KeyFault.WRONG_PROTECTION_DOMAIN;
    }
    if (!valid) {
      return KeyFault.NOT_VALID;
    }
    if (remote && (access & REMOTE_RIGHTS) == 0) {
      return KeyFault.RIGHT_MISSING;
    }
    valid = false;
    return KeyFault.NONE;
  }

  private static final int REMOTE_RIGHTS =
      AccessFlag.REMOTE_READ.value()
          | AccessFlag.REMOTE_WRITE.value()
          | AccessFlag.REMOTE_ATOMIC.value();

  private static final int NEEDS_LOCAL_WRITE =
      AccessFlag.REMOTE_WRITE.value() | AccessFlag.REMOTE_ATOMIC.value();

  /** Remote write and remote atomic access need local write access. */
  public static boolean isLegalAccess(int access) {
    return (access & NEEDS_LOCAL_WRITE) == 0 || (access & AccessFlag.LOCAL_WRITE.value()) != 0;
  }
}

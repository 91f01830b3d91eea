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
public final class Registration extends KeyTarget {
  private static final int REMOTE_RIGHTS =
      AccessFlag.REMOTE_READ.value()
          | AccessFlag.REMOTE_WRITE.value()
          | AccessFlag.REMOTE_ATOMIC.value();

  private static final int NEEDS_LOCAL_WRITE =
      AccessFlag.REMOTE_WRITE.value() | AccessFlag.REMOTE_ATOMIC.value();

  /** Bits that a device may ignore when it does not know them. */
  private static final int OPTIONAL_RIGHTS = 0x3FF0_0000;

  private static final int KNOWN_RIGHTS = knownRights() | OPTIONAL_RIGHTS;

  private final boolean fast;
  private final int pagesMax;
  private boolean registered = true;
  private int boundWindows;

  private Registration(boolean fast, int protectionDomain, int pagesMax) {
    super(protectionDomain);
    this.fast = fast;
    this.pagesMax = pagesMax;
  }

  static Registration ofUser(int protectionDomain, int access, MemoryMapping mapping) {
    Registration registration = new Registration(false, protectionDomain, 1);
    registration.access(access);
    registration.openAll(mapping);
    return registration;
  }

  static Registration ofFast(int protectionDomain, int pagesMax, int key) {
    Registration registration = new Registration(true, protectionDomain, pagesMax);
    registration.keys(key, key);
    return registration;
  }

  private void openAll(MemoryMapping mapping) {
    open(mapping, mapping.address(), mapping.length(), 0, null);
  }

  /** How many pages a fast registration region can map. */
  public int pagesMax() {
    return pagesMax;
  }

  /** Whether windows are bound to it, which then can't be taken out of use. */
  public boolean hasWindows() {
    return boundWindows != 0;
  }

  void addWindow() {
    boundWindows++;
  }

  void removeWindow() {
    assert boundWindows > 0 : "more windows were unbound than bound";
    boundWindows--;
  }

  /** Takes the region out of use for good; whoever still holds it finds its keys dead. */
  void deregister() {
    assert boundWindows == 0 : "the caller has checked that no window is bound";
    registered = false;
    shut();
  }

  /** Changes a user region in place; its keys stay. */
  void reregister(int protectionDomain, int access, MemoryMapping mapping) {
    protectionDomain(protectionDomain);
    access(access);
    openAll(mapping);
  }

  @Override
  KeyFault refusal(AccessScope asker, @Nullable AccessScope owner) {
    return KeyFault.WRONG_PROTECTION_DOMAIN;
  }

  @Override
  KeyFault inOwnWords(KeyFault fault) {
    return fault;
  }

  @Override
  KeyFault rkeyForLkey() {
    return KeyFault.RKEY_FOR_LKEY;
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
    if (domain != protectionDomain()) {
      return KeyFault.WRONG_PROTECTION_DOMAIN;
    }
    if (KeyTable.index(key) != KeyTable.index(rkey())) {
      return KeyFault.UNKNOWN_KEY;
    }
    if (isValid()) {
      return KeyFault.ALREADY_VALID;
    }
    if (!isLegalAccess(newAccess) || !isKnownAccess(newAccess)) {
      return KeyFault.ILLEGAL_ACCESS;
    }
    if (newMapping == null) {
      return KeyFault.NOT_MAPPED;
    }
    if ((newAccess & AccessFlag.LOCAL_WRITE.value()) != 0 && !newMapping.isWritable()) {
      return KeyFault.READ_ONLY;
    }
    keys(key, key);
    access(newAccess);
    openAll(newMapping);
    return KeyFault.NONE;
  }

  @Override
  KeyFault invalidate(AccessScope asker, boolean remote, boolean freeIsFine) {
    if (!fast) {
      return KeyFault.NOT_INVALIDATABLE;
    }
    KeyFault fault = checkScope(asker);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    if (!isValid()) {
      return freeIsFine ? KeyFault.NONE : KeyFault.NOT_VALID;
    }
    if (remote && (access() & REMOTE_RIGHTS) == 0) {
      return KeyFault.RIGHT_MISSING;
    }
    // Rule WINDOW-KEEPS-REGION: as long as a window is bound to it, a region stays as it is.
    if (hasWindows()) {
      return KeyFault.WINDOWS_BOUND;
    }
    shut();
    return KeyFault.NONE;
  }

  /** What must hold of a region that a window is to be bound to. */
  KeyFault checkBinding(AccessScope asker, WindowBind bind) {
    KeyFault fault = checkScope(asker);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    // Rule BIND-REGION: the region is valid, counts addresses from its own, and has MW_BIND.
    if (!isValid()) {
      return KeyFault.NOT_VALID;
    }
    if ((access() & AccessFlag.ZERO_BASED.value()) != 0) {
      return KeyFault.ZERO_BASED_REGION;
    }
    if ((access() & AccessFlag.MW_BIND.value()) == 0) {
      return KeyFault.NO_BIND_RIGHT;
    }
    // Rule BIND-ACCESS: a window to write through needs a region that the adapter may write; the
    // region's own remote rights mean nothing here.
    if ((bind.access() & NEEDS_LOCAL_WRITE) != 0
        && (access() & AccessFlag.LOCAL_WRITE.value()) == 0) {
      return KeyFault.ILLEGAL_ACCESS;
    }
    // Rule BIND-RANGE: inside the region, without wrap-around.
    return contains(bind.address(), bind.length()) ? KeyFault.NONE : KeyFault.OUT_OF_RANGE;
  }

  /** Remote write and remote atomic access need local write access. */
  public static boolean isLegalAccess(int access) {
    return (access & NEEDS_LOCAL_WRITE) == 0 || (access & AccessFlag.LOCAL_WRITE.value()) != 0;
  }

  /** Whether all rights are known, or of those that a device may ignore. */
  public static boolean isKnownAccess(int access) {
    return (access & ~KNOWN_RIGHTS) == 0;
  }

  private static int knownRights() {
    int rights = 0;
    for (AccessFlag flag : AccessFlag.values()) {
      rights |= flag.value();
    }
    return rights;
  }
}

package io.roceverbs.sim.memory;

import org.jspecify.annotations.Nullable;

/**
 * What a key stands for: bytes, the rights on them, and who has these rights. A region or a window
 * on a region.
 */
public abstract sealed class KeyTarget permits Registration, Window {
  private int lkey;
  private int rkey;
  private int protectionDomain;
  private int access;
  private boolean valid;
  private long start;
  private long length;

  /** Where an address of this target lies in the mapping, less that address. */
  private long shift;

  private @Nullable MemoryMapping mapping;

  /** The one queue pair that it is for; null for all of the protection domain. */
  private @Nullable AccessScope boundTo;

  KeyTarget(int protectionDomain) {
    this.protectionDomain = protectionDomain;
  }

  /** The key for local use; 0 for a window, which has none. */
  public final int lkey() {
    return lkey;
  }

  /** The key for the peer's use; equals the lkey for fast registration regions. */
  public final int rkey() {
    return rkey;
  }

  /** Whether the keys may be used now. */
  public final boolean isValid() {
    return valid;
  }

  final int protectionDomain() {
    return protectionDomain;
  }

  final int access() {
    return access;
  }

  final void keys(int newLkey, int newRkey) {
    lkey = newLkey;
    rkey = newRkey;
  }

  final void protectionDomain(int number) {
    protectionDomain = number;
  }

  final void access(int rights) {
    access = rights;
  }

  /** Opens it for a range of a mapping. */
  final void open(
      MemoryMapping newMapping,
      long newStart,
      long newLength,
      long newShift,
      @Nullable AccessScope queuePair) {
    mapping = newMapping;
    start = newStart;
    length = newLength;
    shift = newShift;
    boundTo = queuePair;
    valid = true;
  }

  /** Closes it: no access until it is opened again. */
  final void shut() {
    valid = false;
    boundTo = null;
  }

  /** The memory behind it, which was checked to be there. */
  final MemoryMapping mapping() {
    MemoryMapping now = mapping;
    if (now == null) {
      throw new AssertionError("the key was checked before its mapping is used");
    }
    return now;
  }

  /** Where an address of this target lies in the mapping. */
  final long toMapping(long address) {
    return address + shift;
  }

  /**
   * The checks of an access by this side behind the key comparison: domain, right, state, range.
   */
  final KeyFault checkLocal(int domain, int right, long address, long count) {
    return domain != protectionDomain
        ? KeyFault.WRONG_PROTECTION_DOMAIN
        : inOwnWords(checkRange(right, address, count));
  }

  /** The same for an access by the peer, which comes through a queue pair. */
  final KeyFault checkRemote(AccessScope asker, int right, long address, long count) {
    KeyFault fault = checkScope(asker);
    return fault == KeyFault.NONE ? inOwnWords(checkRange(right, address, count)) : fault;
  }

  /** Whether a queue pair may use it at all. */
  final KeyFault checkScope(AccessScope asker) {
    boolean own =
        asker.protectionDomain() == protectionDomain && (boundTo == null || boundTo == asker);
    return own ? KeyFault.NONE : refusal(asker, boundTo);
  }

  private KeyFault checkRange(int right, long address, long count) {
    if ((access & right) != right) {
      return KeyFault.RIGHT_MISSING;
    }
    if (!valid) {
      return KeyFault.NOT_VALID;
    }
    return contains(address, count) ? KeyFault.NONE : KeyFault.OUT_OF_RANGE;
  }

  /**
   * Whether {@code count} bytes from {@code from} on lie inside; written so that nothing overflows.
   */
  final boolean contains(long from, long count) {
    return Long.compareUnsigned(count, length) <= 0
        && Long.compareUnsigned(from - start, length - count) <= 0;
  }

  /**
   * What to tell a queue pair that is not the one, or not of the domain, that it was opened for.
   *
   * @return the fault, or NONE if it may come in all the same
   */
  abstract KeyFault refusal(AccessScope asker, @Nullable AccessScope owner);

  /** The fault of an access as it is told of this kind of target. */
  abstract KeyFault inOwnWords(KeyFault fault);

  /** What to tell this side about a key that is this target's rkey and no lkey. */
  abstract KeyFault rkeyForLkey();

  /**
   * Executes an invalidation by the owner or by the peer.
   *
   * @param remote whether the peer asks for it, who can only take away what it had rights to
   * @param freeIsFine whether a target that is free already counts as invalidated
   */
  abstract KeyFault invalidate(AccessScope asker, boolean remote, boolean freeIsFine);
}

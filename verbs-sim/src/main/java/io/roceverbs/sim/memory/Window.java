package io.roceverbs.sim.memory;

import io.roceverbs.verbs.AccessFlag;
import org.jspecify.annotations.Nullable;

/**
 * A memory window as the adapter knows it: a key for a part of a region, as long as it is bound.
 */
public final class Window extends KeyTarget {
  /** How a window is bound, and who may come in through it. */
  public enum Kind {
    /** Type 1: bound again at will; for all queue pairs of the domain. */
    TYPE_1,
    /** Type 2A: for the queue pair number that it was bound on, whoever has it. */
    TYPE_2A,
    /** Type 2B: for the queue pair that it was bound on. */
    TYPE_2B
  }

  private static final int RIGHTS =
      AccessFlag.REMOTE_READ.value()
          | AccessFlag.REMOTE_WRITE.value()
          | AccessFlag.REMOTE_ATOMIC.value();

  private static final int RIGHTS_OF_TYPE_2 = RIGHTS | AccessFlag.ZERO_BASED.value();

  private final Kind kind;
  private @Nullable Registration region;

  Window(Kind kind, int protectionDomain, int rkey) {
    super(protectionDomain);
    this.kind = kind;
    keys(0, rkey);
  }

  /** Which rights a binding of such a window may have. */
  public static int rights(Kind kind) {
    return kind == Kind.TYPE_1 ? RIGHTS : RIGHTS_OF_TYPE_2;
  }

  @Override
  KeyFault refusal(AccessScope asker, @Nullable AccessScope owner) {
    // Rule WINDOW-SCOPE: type 2B looks at queue pair and domain, type 2A at the number of the queue
    // pair alone, type 1 at the domain alone.
    boolean sameNumber = owner != null && owner.queuePair() == asker.queuePair();
    if (kind == Kind.TYPE_2A && sameNumber) {
      return KeyFault.NONE;
    }
    return asker.protectionDomain() != protectionDomain()
        ? KeyFault.WRONG_PROTECTION_DOMAIN
        : KeyFault.WRONG_QUEUE_PAIR;
  }

  @Override
  KeyFault inOwnWords(KeyFault fault) {
    if (fault == KeyFault.NONE) {
      return fault;
    }
    if (fault == KeyFault.RIGHT_MISSING) {
      return KeyFault.WINDOW_RIGHT_MISSING;
    }
    return fault == KeyFault.NOT_VALID ? KeyFault.NOT_BOUND : KeyFault.OUTSIDE_WINDOW;
  }

  @Override
  KeyFault rkeyForLkey() {
    return KeyFault.WINDOW_FOR_LKEY;
  }

  /**
   * Executes a bind on behalf of a queue pair. A fault leaves the binding as it was.
   *
   * @param target the region that the bind names, or null if there is none
   */
  KeyFault bind(AccessScope asker, WindowBind bind, @Nullable Registration target) {
    KeyFault fault = checkBind(asker, bind);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    if (bind.length() == 0) {
      unbind();
      keys(0, bind.newKey());
      return KeyFault.NONE;
    }
    if (target == null) {
      return KeyFault.UNKNOWN_KEY;
    }
    fault = target.checkBinding(asker, bind);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    unbind();
    keys(0, bind.newKey());
    access(bind.access());
    boolean zeroBased = (bind.access() & AccessFlag.ZERO_BASED.value()) != 0;
    open(
        target.mapping(),
        zeroBased ? 0 : bind.address(),
        bind.length(),
        zeroBased ? bind.address() : 0,
        kind == Kind.TYPE_1 ? null : asker);
    region = target;
    target.addWindow();
    return KeyFault.NONE;
  }

  private KeyFault checkBind(AccessScope asker, WindowBind bind) {
    // Rule BIND-DOMAIN: queue pair, window and region are of one domain.
    if (asker.protectionDomain() != protectionDomain()) {
      return KeyFault.WRONG_PROTECTION_DOMAIN;
    }
    // Rule BIND-KEY: the program knows the present key, and keeps its index; the low byte is free.
    if (bind.oldKey() != rkey()) {
      return KeyFault.STALE_KEY;
    }
    if (KeyTable.index(bind.newKey()) != KeyTable.index(rkey())) {
      return KeyFault.UNKNOWN_KEY;
    }
    if ((bind.access() & ~rights(kind)) != 0) {
      return KeyFault.WINDOW_RIGHT;
    }
    // Rule BIND-STATE: type 1 is bound again at will, and unbound by a length of 0; type 2 must be
    // free, and needs a length.
    if (kind != Kind.TYPE_1) {
      if (isValid()) {
        return KeyFault.STILL_BOUND;
      }
      if (bind.length() == 0) {
        return KeyFault.EMPTY_BINDING;
      }
    }
    return KeyFault.NONE;
  }

  @Override
  KeyFault invalidate(AccessScope asker, boolean remote, boolean freeIsFine) {
    // Rule WINDOW-INVALIDATE: type 2 only, through the queue pair that it is bound to, and only
    // while it is bound.
    if (kind == Kind.TYPE_1) {
      return KeyFault.NOT_INVALIDATABLE;
    }
    KeyFault fault = checkScope(asker);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    if (!isValid()) {
      return KeyFault.NOT_BOUND;
    }
    unbind();
    return KeyFault.NONE;
  }

  /** Lets go of its region. */
  void unbind() {
    shut();
    if (region != null) {
      region.removeWindow();
      region = null;
    }
  }
}

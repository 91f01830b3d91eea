package io.roceverbs.sim.memory;

/**
 * The check between a key and the memory behind it that failed, in the order in which an adapter
 * makes them.
 */
public enum KeyFault {
  NONE("no fault"),
  UNKNOWN_KEY("no region has this key index"),
  STALE_KEY("the region of this key index has another key by now"),
  LKEY_FOR_RKEY("this is the region's lkey; the peer needs its rkey"),
  RKEY_FOR_LKEY("this is the region's rkey; local access needs its lkey"),
  WINDOW_FOR_LKEY("this is the rkey of a window; local access needs the lkey of its region"),
  WRONG_PROTECTION_DOMAIN("the region belongs to another protection domain than the queue pair"),
  RIGHT_MISSING("the region was registered without the right that this access needs"),
  WINDOW_RIGHT_MISSING("the window was bound without the right that this access needs"),
  WRONG_QUEUE_PAIR("the window is bound to another queue pair"),
  NOT_VALID("the region is in the free state: invalidated, or not registered yet"),
  NOT_BOUND("the window is not bound: invalidated, unbound, or not bound yet"),
  OUT_OF_RANGE("the access leaves the region"),
  OUTSIDE_WINDOW("the access leaves the window"),
  MISALIGNED("the address of an atomic is not a multiple of 8"),
  NOT_INVALIDATABLE("only fast registration regions and windows of type 2 can be invalidated"),
  WINDOWS_BOUND("windows are bound to the region: they must be unbound first"),
  ALREADY_VALID("the region is registered already: it must be invalidated first"),
  ILLEGAL_ACCESS(
      "remote write and remote atomic access need local write access; unknown rights don't exist"),
  NOT_A_WINDOW("the key to replace is not that of a window"),
  STILL_BOUND("the window is bound already: it must be invalidated first"),
  EMPTY_BINDING("a window of type 2 can't be bound to no bytes"),
  WINDOW_RIGHT("a window has only remote read, write and atomic rights; type 2 may be zero-based"),
  ZERO_BASED_REGION("a window can't be bound to a zero-based region"),
  NO_BIND_RIGHT("the region was registered without MW_BIND"),
  NOT_MAPPED("nothing was mapped into the region"),
  READ_ONLY("a mapped buffer is read-only and can't be registered with local write access");

  private final String text;

  KeyFault(String text) {
    this.text = text;
  }

  /** One sentence, without the values. */
  public String text() {
    return text;
  }
}

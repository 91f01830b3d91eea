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
  WRONG_PROTECTION_DOMAIN("the region belongs to another protection domain than the queue pair"),
  RIGHT_MISSING("the region was registered without the right that this access needs"),
  NOT_VALID("the region is in the free state: invalidated, or not registered yet"),
  OUT_OF_RANGE("the access leaves the region"),
  MISALIGNED("the address of an atomic is not a multiple of 8"),
  NOT_INVALIDATABLE("only a fast registration region can be invalidated"),
  ALREADY_VALID("the region is registered already: it must be invalidated first"),
  ILLEGAL_ACCESS("remote write and remote atomic access need local write access"),
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

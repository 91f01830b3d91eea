package io.roceverbs.sim.memory;

/** The arguments of a bind, kept from post to execution; reused with its request. */
public final class WindowBind {
  private int oldKey;
  private int newKey;
  private int regionKey;
  private long address;
  private long length;
  private int access;

  /** Makes an empty bind. */
  public WindowBind() {}

  /**
   * Fills it in.
   *
   * @param oldKey the window's key as the program knows it
   * @param newKey the window's key from then on
   * @param regionKey lkey of the region
   * @param address I/O virtual address of the first byte in the region
   * @param length number of bytes; 0 to unbind
   * @param access the rights of the peer
   */
  public void set(int oldKey, int newKey, int regionKey, long address, long length, int access) {
    this.oldKey = oldKey;
    this.newKey = newKey;
    this.regionKey = regionKey;
    this.address = address;
    this.length = length;
    this.access = access;
  }

  /** The window's key as the program knows it. */
  public int oldKey() {
    return oldKey;
  }

  /** The window's key from then on. */
  public int newKey() {
    return newKey;
  }

  int regionKey() {
    return regionKey;
  }

  long address() {
    return address;
  }

  /** Number of bytes; 0 to unbind. */
  public long length() {
    return length;
  }

  int access() {
    return access;
  }
}

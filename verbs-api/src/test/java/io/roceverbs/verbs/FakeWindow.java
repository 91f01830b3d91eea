package io.roceverbs.verbs;

/** A window that has a key, and no memory. */
record FakeWindow(MemoryWindowType type, int rkey) implements MemoryWindow {
  @Override
  public ProtectionDomain protectionDomain() {
    throw new UnsupportedOperationException("a fake window has no protection domain");
  }

  @Override
  public int nextRkey() {
    return rkey + 1;
  }

  @Override
  public void restoreRkey(int key) {
    throw new UnsupportedOperationException("the key of a fake window is fixed");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("a fake window is never closed");
  }
}

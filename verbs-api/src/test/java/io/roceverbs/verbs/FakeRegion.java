package io.roceverbs.verbs;

/** A region that has keys and an address, and no memory. */
record FakeRegion(int lkey, int rkey, long address, long length) implements MemoryRegion {
  @Override
  public ProtectionDomain protectionDomain() {
    throw new UnsupportedOperationException("a fake region has no protection domain");
  }

  @Override
  public AccessFlags access() {
    return AccessFlags.NONE;
  }

  @Override
  public void reregister(MemoryRegionChange change) {
    throw new UnsupportedOperationException("a fake region never changes");
  }

  @Override
  public boolean isOpen() {
    return true;
  }

  @Override
  public void close() {
    throw new UnsupportedOperationException("a fake region is never closed");
  }
}

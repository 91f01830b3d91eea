package io.roceverbs.verbs;

import java.nio.ByteBuffer;

/** A fast registration region that has a key and an address, and no memory. */
record FakeFastRegistrationRegion(int lkey, long address, long length)
    implements FastRegistrationRegion {
  @Override
  public ProtectionDomain protectionDomain() {
    throw new UnsupportedOperationException("a fake region has no protection domain");
  }

  @Override
  public int rkey() {
    return lkey;
  }

  @Override
  public int nextKey() {
    throw new UnsupportedOperationException("the key of a fake region is fixed");
  }

  @Override
  public int map(ByteBuffer... segments) {
    throw new UnsupportedOperationException("the mapping of a fake region is fixed");
  }

  @Override
  public int map(long ioVirtualAddress, ByteBuffer... segments) {
    throw new UnsupportedOperationException("the mapping of a fake region is fixed");
  }

  @Override
  public int pagesMax() {
    return 1;
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

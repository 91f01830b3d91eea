package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;

/** How much memory of its own a device has, and how much of it is given out. */
final class DeviceMemoryPool {
  private final long size;
  private long used;

  DeviceMemoryPool(long size) {
    this.size = size;
  }

  /** Gives out a piece, in the name of {@code call}. */
  void reserve(String call, long length) {
    if (size == 0) {
      throw new VerbsException(Errno.EOPNOTSUPP, call, "the device has no memory of its own");
    }
    if (length < 1 || length > size) {
      throw new VerbsException(Errno.EINVAL, call, length + " bytes are not in 1.." + size);
    }
    if (length > size - used) {
      throw new VerbsException(
          Errno.ENOMEM,
          call,
          "of the device's " + size + " bytes " + used + " are in use; give others back first");
    }
    used += length;
  }

  void release(long length) {
    used -= length;
    assert used >= 0 : "more was given back than given out";
  }
}

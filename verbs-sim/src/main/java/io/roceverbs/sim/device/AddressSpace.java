package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.VerbsException;
import java.util.Locale;

/**
 * Gives the I/O virtual addresses that registered buffers get when the ULP does not choose.
 *
 * <p>A Java buffer has no address that would be the same in each run, so each registration gets a
 * fresh one: on a page, with an unmapped page behind it, and in a range of its node's own. An
 * address of one node is never valid on another by luck.
 */
final class AddressSpace {
  private static final long PAGE_BYTES = FastRegistrationRegion.PAGE_BYTES;
  private static final long BASE = 0x7F00_0000_0000L;

  /** Width of a node's range: 2^48 bytes, more than a run hands out. */
  private static final int NODE_SHIFT = 48;

  private long next;

  AddressSpace(int nodeSalt) {
    this.next = BASE + ((long) nodeSalt << NODE_SHIFT) + PAGE_BYTES;
  }

  /** The address for a region of {@code length} bytes. */
  long allocate(long length) {
    long address = next;
    long pages = (length + PAGE_BYTES - 1) / PAGE_BYTES + 1;
    next += pages * PAGE_BYTES;
    return address;
  }

  /** Refuses, in the name of {@code call}, a range that does not end before the addresses do. */
  static void requireInside(String call, long address, long length) {
    if (address != 0 && Long.compareUnsigned(address, -length) > 0) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          String.format(
              Locale.ROOT,
              "%d bytes from 0x%x on run over the end of the addresses",
              length,
              address));
    }
  }

  /** Whether an address that the ULP chose has the buffer's place in a page, which is its start. */
  static boolean isPageAligned(long address) {
    return (address & (PAGE_BYTES - 1)) == 0;
  }
}

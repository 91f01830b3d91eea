package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.memory.MemoryMapping;
import java.util.Arrays;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The scatter/gather list of a posted request: a message as a row of pieces of memory, each with
 * its lkey.
 *
 * <p>Reused with its request. The keys are looked at only when bytes move, so each time anew.
 */
public final class SegmentList {
  private static final int INITIAL_SEGMENTS = 1;

  private long[] addresses = new long[INITIAL_SEGMENTS];
  private long[] lengths = new long[INITIAL_SEGMENTS];
  private int[] lkeys = new int[INITIAL_SEGMENTS];
  private int count;
  private long totalBytes;
  private int faultSegment;

  /** The memory of each piece as it was at post, on a device that does not look at it again. */
  private @Nullable MemoryMapping @Nullable [] pinned;

  /** Empties the list. */
  public void clear() {
    count = 0;
    totalBytes = 0;
    pinned = null;
  }

  /** Appends a piece. */
  public void add(long address, long length, int lkey) {
    if (count == addresses.length) {
      addresses = Arrays.copyOf(addresses, count * 2);
      lengths = Arrays.copyOf(lengths, count * 2);
      lkeys = Arrays.copyOf(lkeys, count * 2);
    }
    addresses[count] = address;
    lengths[count] = length;
    lkeys[count] = lkey;
    count++;
    totalBytes += length;
  }

  /** Keeps the memory behind each piece, so that the lkeys are not needed to read it. */
  public void pin(KeyTable keys, int domain) {
    @Nullable MemoryMapping[] memory = new @Nullable MemoryMapping[count];
    for (int i = 0; i < count; i++) {
      memory[i] = keys.pin(lkeys[i], domain, addresses[i], lengths[i]);
    }
    pinned = memory;
  }

  /** Sum of the pieces' lengths. */
  public long totalBytes() {
    return totalBytes;
  }

  /** How many pieces. */
  int count() {
    return count;
  }

  /** Copies a part of the message out of memory. */
  KeyFault gather(
      KeyTable keys, int domain, long messageOffset, byte[] target, int targetOffset, int length) {
    return copy(true, keys, domain, messageOffset, target, targetOffset, length);
  }

  /** Copies a part of a message into memory; the caller knows that it fits. */
  KeyFault scatter(
      KeyTable keys, int domain, long messageOffset, byte[] source, int sourceOffset, int length) {
    return copy(false, keys, domain, messageOffset, source, sourceOffset, length);
  }

  private KeyFault copy(
      boolean isGather,
      KeyTable keys,
      int domain,
      long messageOffset,
      byte[] buffer,
      int bufferOffset,
      int length) {
    long skip = messageOffset;
    int done = 0;
    for (int i = 0; done < length; i++) {
      assert i < count : "the list is shorter than the message";
      if (skip >= lengths[i]) {
        skip -= lengths[i];
        continue;
      }
      int part = (int) Math.min(lengths[i] - skip, length - done);
      long address = addresses[i] + skip;
      int at = bufferOffset + done;
      KeyFault fault =
          isGather
              ? read(i, keys, domain, address, part, buffer, at)
              : keys.writeLocal(lkeys[i], domain, address, part, buffer, at);
      if (fault != KeyFault.NONE) {
        faultSegment = i;
        return fault;
      }
      done += part;
      skip = 0;
    }
    return KeyFault.NONE;
  }

  private KeyFault read(
      int segment,
      KeyTable keys,
      int domain,
      long address,
      int length,
      byte[] target,
      int targetOffset) {
    MemoryMapping memory = pinned == null ? null : pinned[segment];
    if (memory == null) {
      return keys.readLocal(lkeys[segment], domain, address, length, target, targetOffset);
    }
    memory.read(address, target, targetOffset, length);
    return KeyFault.NONE;
  }

  /** Says in words what the last failed gather or scatter hit. */
  String describe(KeyFault fault) {
    return String.format(
        Locale.ROOT,
        "segment %d: lkey 0x%08x, address 0x%x, length %d: %s",
        faultSegment,
        lkeys[faultSegment],
        addresses[faultSegment],
        lengths[faultSegment],
        fault.text());
  }
}

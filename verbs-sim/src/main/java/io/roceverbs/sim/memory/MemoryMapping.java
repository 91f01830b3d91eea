package io.roceverbs.sim.memory;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Arrays;

/**
 * A range of I/O virtual addresses and the buffers behind it, in order and without a hole.
 *
 * <p>The buffers are the ULP's own: views of them, so that later changes of position and limit have
 * no effect, but not of their bytes.
 */
public final class MemoryMapping {
  /** No memory: every address, zeros to read, and nowhere to write to. */
  public static final MemoryMapping NULL = new MemoryMapping();

  private final long address;
  private final long length;
  private final ByteBuffer[] segments;

  /**
   * Maps the bytes between position and limit of each buffer.
   *
   * @param address I/O virtual address of the first byte
   * @param count how many of {@code buffers} are mapped, from the first
   */
  public MemoryMapping(long address, ByteBuffer[] buffers, int count) {
    this.address = address;
    this.segments = new ByteBuffer[count];
    long total = 0;
    for (int i = 0; i < count; i++) {
      segments[i] = buffers[i].slice().order(ByteOrder.LITTLE_ENDIAN);
      total += segments[i].capacity();
    }
    this.length = total;
  }

  private MemoryMapping() {
    address = 0;
    length = -1;
    segments = new ByteBuffer[0];
  }

  /** I/O virtual address of the first byte. */
  public long address() {
    return address;
  }

  /** Number of bytes, unsigned. */
  public long length() {
    return length;
  }

  /** Whether the bytes may be changed: false if one of the buffers is read-only. */
  public boolean isWritable() {
    for (ByteBuffer segment : segments) {
      if (segment.isReadOnly()) {
        return false;
      }
    }
    return true;
  }

  /** Copies bytes out, as the memory is now. The range was checked. */
  public void read(long from, byte[] target, int targetOffset, int count) {
    long offset = from - address;
    if (segments.length == 1) {
      segments[0].get((int) offset, target, targetOffset, count);
      return;
    }
    if (segments.length == 0) {
      Arrays.fill(target, targetOffset, targetOffset + count, (byte) 0);
      return;
    }
    int done = 0;
    for (int i = 0; done < count; i++) {
      int capacity = segments[i].capacity();
      if (offset < capacity) {
        int part = (int) Math.min(capacity - offset, count - done);
        segments[i].get((int) offset, target, targetOffset + done, part);
        done += part;
        offset += part;
      }
      offset -= capacity;
    }
  }

  /** Copies bytes in. The range was checked. */
  public void write(long to, byte[] source, int sourceOffset, int count) {
    long offset = to - address;
    if (segments.length == 1) {
      segments[0].put((int) offset, source, sourceOffset, count);
      return;
    }
    int done = 0;
    for (int i = 0; i < segments.length && done < count; i++) {
      int capacity = segments[i].capacity();
      if (offset < capacity) {
        int part = (int) Math.min(capacity - offset, count - done);
        segments[i].put((int) offset, source, sourceOffset + done, part);
        done += part;
        offset += part;
      }
      offset -= capacity;
    }
  }

  /** The eight bytes at an address as the host's (little-endian) integer. The range was checked. */
  long readLong(long from) {
    long offset = from - address;
    if (segments.length == 1) {
      return segments[0].getLong((int) offset);
    }
    long value = 0;
    for (int i = Long.BYTES - 1; i >= 0; i--) {
      value = value << Byte.SIZE | (byteAt(offset + i) & 0xFF);
    }
    return value;
  }

  /** Stores an integer as the host does, least significant byte first. The range was checked. */
  void writeLong(long to, long value) {
    long offset = to - address;
    if (segments.length == 1) {
      segments[0].putLong((int) offset, value);
      return;
    }
    for (int i = 0; i < Long.BYTES; i++) {
      byteAt(offset + i, (byte) (value >>> (Byte.SIZE * i)));
    }
  }

  private byte byteAt(long offset) {
    int segment = 0;
    long rest = offset;
    while (rest >= segments[segment].capacity()) {
      rest -= segments[segment++].capacity();
    }
    return segments[segment].get((int) rest);
  }

  private void byteAt(long offset, byte value) {
    int segment = 0;
    long rest = offset;
    while (rest >= segments[segment].capacity()) {
      rest -= segments[segment++].capacity();
    }
    segments[segment].put((int) rest, value);
  }
}

package io.roceverbs.sim.wire;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** Reads and writes the multi-byte fields of a packet in a byte array, without allocation. */
final class BigEndian {
  private static final VarHandle SHORTS =
      MethodHandles.byteArrayViewVarHandle(short[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle INTS =
      MethodHandles.byteArrayViewVarHandle(int[].class, ByteOrder.BIG_ENDIAN);
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

  private BigEndian() {}

  static int get8(byte[] buffer, int offset) {
    return buffer[offset] & 0xFF;
  }

  static int get16(byte[] buffer, int offset) {
    return (short) SHORTS.get(buffer, offset) & 0xFFFF;
  }

  static int get24(byte[] buffer, int offset) {
    return (get8(buffer, offset) << 16) | get16(buffer, offset + 1);
  }

  static int get32(byte[] buffer, int offset) {
    return (int) INTS.get(buffer, offset);
  }

  /** The unsigned value of 32 bits. */
  static long getUnsigned32(byte[] buffer, int offset) {
    return get32(buffer, offset) & 0xFFFF_FFFFL;
  }

  static long get64(byte[] buffer, int offset) {
    return (long) LONGS.get(buffer, offset);
  }

  static void put16(byte[] buffer, int offset, int value) {
    SHORTS.set(buffer, offset, (short) value);
  }

  static void put32(byte[] buffer, int offset, int value) {
    INTS.set(buffer, offset, value);
  }

  static void put64(byte[] buffer, int offset, long value) {
    LONGS.set(buffer, offset, value);
  }
}

package io.roceverbs.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** A mapping lays buffers end to end under one range of addresses. */
class MemoryMappingTest {
  private static final long ADDRESS = 0x7000_0000_1000L;

  private final ByteBuffer heap = ByteBuffer.allocate(10);
  private final ByteBuffer direct = ByteBuffer.allocateDirect(7);
  private final ByteBuffer single = ByteBuffer.allocate(1);
  private final ByteBuffer last = ByteBuffer.allocate(14);
  private final ByteBuffer[] buffers = {heap, direct, single, last};

  private MemoryMapping mapAll() {
    return new MemoryMapping(ADDRESS, buffers, 4);
  }

  private static byte[] bytes(int from, int count) {
    byte[] bytes = new byte[count];
    for (int i = 0; i < count; i++) {
      bytes[i] = (byte) (from + i);
    }
    return bytes;
  }

  @Test
  void itIsAsLongAsItsBuffersTogether() {
    assertThat(mapAll().length()).isEqualTo(32);
    assertThat(mapAll().address()).isEqualTo(ADDRESS);
    assertThat(new MemoryMapping(ADDRESS, buffers, 2).length()).isEqualTo(17);
  }

  @Test
  void everyRangeIsReadAndWrittenOverAllJoints() {
    for (int from = 0; from <= 32; from++) {
      for (int count = 0; from + count <= 32; count++) {
        MemoryMapping mapping = mapAll();
        mapping.write(ADDRESS, new byte[32], 0, 32);
        mapping.write(ADDRESS + from, bytes(100, count + 2), 1, count);
        byte[] all = new byte[34];
        mapping.read(ADDRESS, all, 1, 32);
        byte[] expected = new byte[34];
        System.arraycopy(bytes(101, count), 0, expected, 1 + from, count);
        assertThat(all).as("%d bytes at %d", count, from).isEqualTo(expected);
        byte[] part = new byte[count];
        mapping.read(ADDRESS + from, part, 0, count);
        assertThat(part).isEqualTo(bytes(101, count));
      }
    }
  }

  @Test
  void theBytesLieInTheBuffersThemselves() {
    mapAll().write(ADDRESS + 9, bytes(1, 10), 0, 10);
    assertThat(heap.get(9)).isEqualTo((byte) 1);
    assertThat(direct.get(0)).isEqualTo((byte) 2);
    assertThat(direct.get(6)).isEqualTo((byte) 8);
    assertThat(single.get(0)).isEqualTo((byte) 9);
    assertThat(last.get(0)).isEqualTo((byte) 10);
    heap.put(9, (byte) 77);
    byte[] one = new byte[1];
    mapAll().read(ADDRESS + 9, one, 0, 1);
    assertThat(one[0]).isEqualTo((byte) 77);
  }

  @Test
  void integersAreLittleEndianOverEveryJointWhateverTheOrderOfTheBuffers() {
    heap.order(ByteOrder.BIG_ENDIAN);
    Random random = new Random(1);
    for (int at = 0; at <= 24; at++) {
      MemoryMapping mapping = mapAll();
      long value = random.nextLong();
      mapping.writeLong(ADDRESS + at, value);
      assertThat(mapping.readLong(ADDRESS + at)).as("at %d", at).isEqualTo(value);
      byte[] eight = new byte[8];
      mapping.read(ADDRESS + at, eight, 0, 8);
      assertThat(ByteBuffer.wrap(eight).order(ByteOrder.LITTLE_ENDIAN).getLong()).isEqualTo(value);
    }
    MemoryMapping one = new MemoryMapping(ADDRESS, new ByteBuffer[] {heap}, 1);
    one.writeLong(ADDRESS + 2, 0x0102030405060708L);
    assertThat(heap.get(2)).isEqualTo((byte) 8);
    assertThat(one.readLong(ADDRESS + 2)).isEqualTo(0x0102030405060708L);
  }

  @Test
  void onlyPositionToLimitIsMappedAndLaterChangesOfThemHaveNoEffect() {
    ByteBuffer buffer = ByteBuffer.wrap(bytes(0, 20));
    buffer.position(5).limit(15);
    MemoryMapping mapping = new MemoryMapping(ADDRESS, new ByteBuffer[] {buffer}, 1);
    buffer.clear().position(19);
    assertThat(mapping.length()).isEqualTo(10);
    byte[] all = new byte[10];
    mapping.read(ADDRESS, all, 0, 10);
    assertThat(all).isEqualTo(bytes(5, 10));
  }

  @Test
  void aSliceOfABufferIsMappedAtItsOwnBytes() {
    byte[] array = bytes(0, 30);
    ByteBuffer slice = ByteBuffer.wrap(array, 10, 10).slice();
    slice.position(2);
    MemoryMapping mapping = new MemoryMapping(ADDRESS, new ByteBuffer[] {slice, direct}, 2);
    mapping.write(ADDRESS, bytes(50, 9), 0, 9);
    assertThat(mapping.length()).isEqualTo(15);
    assertThat(array[12]).isEqualTo((byte) 50);
    assertThat(array[19]).isEqualTo((byte) 57);
    assertThat(array[20]).isEqualTo((byte) 20);
    assertThat(direct.get(0)).isEqualTo((byte) 58);
  }

  @Test
  void oneReadOnlyBufferMakesItUnwritable() {
    assertThat(mapAll().isWritable()).isTrue();
    buffers[2] = single.asReadOnlyBuffer();
    assertThat(mapAll().isWritable()).isFalse();
    byte[] one = new byte[1];
    mapAll().read(ADDRESS + 17, one, 0, 1);
    assertThat(one[0]).isZero();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, ADDRESS, -32, -4096, Long.MAX_VALUE - 15, Long.MIN_VALUE})
  void rangesAreCheckedWithoutWrapAround(long address) {
    MemoryMapping mapping = new MemoryMapping(address, buffers, 4);
    Registration region = Registration.ofUser(1, 0, mapping);
    assertThat(region.contains(address, 32)).isTrue();
    assertThat(region.contains(address, 0)).isTrue();
    assertThat(region.contains(address + 32, 0)).isTrue();
    assertThat(region.contains(address + 31, 1)).isTrue();
    assertThat(region.contains(address + 31, 2)).isFalse();
    assertThat(region.contains(address + 32, 1)).isFalse();
    assertThat(region.contains(address - 1, 1)).isFalse();
    assertThat(region.contains(address - 1, 2)).isFalse();
    assertThat(region.contains(address, 33)).isFalse();
    assertThat(region.contains(address, Long.MAX_VALUE)).isFalse();
    assertThat(region.contains(address, -1)).isFalse();
    assertThat(region.contains(address + 1, 32)).isFalse();
    assertThat(region.contains(address + Long.MIN_VALUE, 1)).isFalse();
  }

  @Test
  void noMemoryReadsAsZerosAndForgetsWhatIsWritten() {
    byte[] bytes = {1, 2, 3, 4};
    MemoryMapping.NULL.write(0x1234, bytes, 0, 4);
    MemoryMapping.NULL.read(0x1234, bytes, 1, 2);
    assertThat(bytes).containsExactly(1, 0, 0, 4);
    Registration region = Registration.ofUser(1, 0, MemoryMapping.NULL);
    assertThat(region.contains(0, 1L << 31)).isTrue();
    assertThat(region.contains(-16, 8)).isTrue();
  }
}

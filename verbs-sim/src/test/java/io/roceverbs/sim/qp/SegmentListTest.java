package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.memory.MemoryMapping;
import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;

/** A message as a row of pieces of memory. */
class SegmentListTest {
  private static final int DOMAIN = 1;
  private static final long ADDRESS = 0x10_0000;

  private final KeyTable keys = new KeyTable(1, DeviceProfile.strict());
  private final ByteBuffer buffer = ByteBuffer.allocate(64);
  private final Registration region =
      keys.registerUser(
          DOMAIN,
          AccessFlag.LOCAL_WRITE.value(),
          new MemoryMapping(ADDRESS, new ByteBuffer[] {buffer}, 1));
  private final SegmentList list = new SegmentList();

  SegmentListTest() {
    for (int i = 0; i < 64; i++) {
      buffer.put(i, (byte) i);
    }
  }

  private void addThreePieces() {
    list.add(ADDRESS + 40, 5, region.lkey());
    list.add(0xDEAD, 0, 0xBAD);
    list.add(ADDRESS + 10, 7, region.lkey());
    list.add(ADDRESS, 1, region.lkey());
  }

  @Test
  void everyPartOfTheMessageIsGathered() {
    addThreePieces();
    byte[] message = {40, 41, 42, 43, 44, 10, 11, 12, 13, 14, 15, 16, 0};
    assertThat(list.totalBytes()).isEqualTo(13);
    assertThat(list.count()).isEqualTo(4);
    for (int from = 0; from <= 13; from++) {
      for (int count = 0; from + count <= 13; count++) {
        byte[] target = new byte[count + 1];
        assertThat(list.gather(keys, DOMAIN, from, target, 1, count)).isEqualTo(KeyFault.NONE);
        for (int i = 0; i < count; i++) {
          assertThat(target[1 + i]).isEqualTo(message[from + i]);
        }
      }
    }
  }

  @Test
  void everyPartOfTheMessageIsScattered() {
    addThreePieces();
    byte[] source = {0, 101, 102, 103, 104, 105};
    assertThat(list.scatter(keys, DOMAIN, 3, source, 1, 5)).isEqualTo(KeyFault.NONE);
    assertThat(buffer.get(42)).isEqualTo((byte) 42);
    assertThat(buffer.get(43)).isEqualTo((byte) 101);
    assertThat(buffer.get(44)).isEqualTo((byte) 102);
    assertThat(buffer.get(45)).isEqualTo((byte) 45);
    assertThat(buffer.get(10)).isEqualTo((byte) 103);
    assertThat(buffer.get(12)).isEqualTo((byte) 105);
    assertThat(buffer.get(13)).isEqualTo((byte) 13);
  }

  @Test
  void aBadPieceFailsOnlyWhenItsBytesAreReached() {
    list.add(ADDRESS, 8, region.lkey());
    list.add(ADDRESS, 8, region.rkey());
    byte[] target = new byte[16];
    assertThat(list.gather(keys, DOMAIN, 0, target, 0, 8)).isEqualTo(KeyFault.NONE);
    assertThat(list.gather(keys, DOMAIN, 0, target, 0, 9)).isEqualTo(KeyFault.RKEY_FOR_LKEY);
    assertThat(list.describe(KeyFault.RKEY_FOR_LKEY))
        .startsWith(String.format("segment 1: lkey 0x%08x", region.rkey()))
        .contains("length 8");
  }

  @Test
  void aListIsUsedAgainAfterClear() {
    addThreePieces();
    list.clear();
    assertThat(list.totalBytes()).isZero();
    assertThat(list.count()).isZero();
    list.add(ADDRESS + 1, 0xFFFF_FFFFL, region.lkey());
    list.add(ADDRESS + 1, 0xFFFF_FFFFL, region.lkey());
    assertThat(list.totalBytes()).isEqualTo(2 * 0xFFFF_FFFFL);
  }
}

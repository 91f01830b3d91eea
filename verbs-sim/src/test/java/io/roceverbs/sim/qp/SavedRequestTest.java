package io.roceverbs.sim.qp;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import org.junit.jupiter.api.Test;

/** What is kept of a READ or atomic, and which repetition it answers. */
class SavedRequestTest {
  private static final int MTU = 1024;
  private static final AccessScope ASKER = new AccessScope(1, 0x11);
  private static final int FIRST = 0xFFFFFE;
  private static final long ADDRESS = 0x7000;
  private static final int RKEY = 0x1234;

  private static Packet read(int psn, long address, int rkey, int length) {
    Packet packet = new Packet().opcode(Opcode.RC_READ_REQUEST).psn(psn);
    packet.reth().remoteAddress(address).rkey(rkey).dmaLength(length);
    return packet;
  }

  private static SavedRequest saved(int length, int count) {
    SavedRequest saved = new SavedRequest();
    saved.saveRead(read(FIRST, ADDRESS, RKEY, length), ASKER, count, 5);
    return saved;
  }

  @Test
  void itContainsItsPsnsOverTheWrap() {
    SavedRequest saved = saved(4000, 4);
    assertThat(saved.contains(0xFFFFFD)).isFalse();
    assertThat(saved.contains(0xFFFFFE)).isTrue();
    assertThat(saved.contains(0xFFFFFF)).isTrue();
    assertThat(saved.contains(0)).isTrue();
    assertThat(saved.contains(1)).isTrue();
    assertThat(saved.contains(2)).isFalse();
    assertThat(saved.contains(0x7FFFFE)).isFalse();
  }

  @Test
  void everyPartAtItsOwnPsnIsCovered() {
    SavedRequest saved = saved(4000, 4);
    for (int packet = 0; packet < 4; packet++) {
      int psn = (FIRST + packet) & 0xFFFFFF;
      long address = ADDRESS + (long) packet * MTU;
      int rest = 4000 - packet * MTU;
      assertThat(saved.covers(read(psn, address, RKEY, rest), MTU)).isTrue();
      assertThat(saved.covers(read(psn, address, RKEY, 1), MTU)).isTrue();
      assertThat(saved.covers(read(psn, address, RKEY, rest + 1), MTU)).isFalse();
      assertThat(saved.covers(read(psn, address + 1, RKEY, rest - 1), MTU)).isFalse();
      assertThat(saved.covers(read(psn, address, RKEY + 1, rest), MTU)).isFalse();
      assertThat(saved.covers(read(psn, address, RKEY, 0), MTU)).isFalse();
    }
  }

  @Test
  void aReadOfNothingIsCoveredByItselfOnly() {
    SavedRequest saved = saved(0, 1);
    assertThat(saved.covers(read(FIRST, ADDRESS, RKEY, 0), MTU)).isTrue();
    assertThat(saved.covers(read(FIRST, ADDRESS, RKEY, 1), MTU)).isFalse();
  }

  @Test
  void anAtomicIsAnsweredOnceItsAnswerHasLeft() {
    SavedRequest saved = new SavedRequest();
    assertThat(saved.contains(0)).isFalse();
    saved.saveAtomic(9, 2, -1);
    assertThat(saved.isRead()).isFalse();
    assertThat(saved.isAnswered()).isFalse();
    saved.markAnswered();
    assertThat(saved.isAnswered()).isTrue();
    assertThat(saved.contains(9)).isTrue();
    assertThat(saved.contains(10)).isFalse();
    assertThat(saved.originalData()).isEqualTo(-1);
    saved.saveRead(read(FIRST, ADDRESS, RKEY, 10), ASKER, 1, 3);
    assertThat(saved.isAnswered()).isFalse();
    assertThat(saved.isRead()).isTrue();
    saved.markAnswered();
    assertThat(saved.isAnswered()).isTrue();
    assertThat(saved.messageSequenceNumber()).isEqualTo(3);
  }
}

package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;

class SendRequestTest {
  private static final FakeRegion REGION = new FakeRegion(0x100, 0x200, 0x10000, 4096);
  private static final FakeFastRegistrationRegion FAST =
      new FakeFastRegistrationRegion(0x301, 0x20000, 8192);

  private static final FakeWindow WINDOW = new FakeWindow(MemoryWindowType.TYPE_2, 0x501);
  private static final MemoryWindowBinding BINDING =
      new MemoryWindowBinding(null, 0x100, 0x10040, 64, AccessFlags.of(AccessFlag.REMOTE_READ));

  private final SendRequest request = new SendRequest();

  @Test
  void eachOperationTakesExactlyItsFields() {
    assertOperation(r -> r.send(), SendOpcode.SEND, 0, 0, 0, 0);
    assertOperation(r -> r.sendWithImmediate(5), SendOpcode.SEND_WITH_IMM, 0, 0, 5, 0);
    assertOperation(r -> r.sendWithInvalidate(6), SendOpcode.SEND_WITH_INV, 0, 0, 0, 6);
    assertOperation(r -> r.rdmaWrite(7, 8), SendOpcode.RDMA_WRITE, 7, 8, 0, 0);
    assertOperation(
        r -> r.rdmaWriteWithImmediate(7, 8, 5), SendOpcode.RDMA_WRITE_WITH_IMM, 7, 8, 5, 0);
    assertOperation(r -> r.rdmaRead(7, 8), SendOpcode.RDMA_READ, 7, 8, 0, 0);
    assertOperation(r -> r.compareAndSwap(7, 8, 1, 2), SendOpcode.ATOMIC_CMP_AND_SWP, 7, 8, 0, 0);
    assertOperation(r -> r.fetchAndAdd(7, 8, 1), SendOpcode.ATOMIC_FETCH_AND_ADD, 7, 8, 0, 0);
    assertOperation(r -> r.localInvalidate(6), SendOpcode.LOCAL_INV, 0, 0, 0, 6);
    assertOperation(
        r -> r.registerMemory(FAST, 9, AccessFlag.REMOTE_READ), SendOpcode.REG_MR, 0, 0, 0, 0);
    assertOperation(
        r -> r.bindMemoryWindow(WINDOW, 0x502, BINDING), SendOpcode.BIND_MW, 0, 0, 0, 0);
  }

  private void assertOperation(
      UnaryOperator<SendRequest> operation,
      SendOpcode opcode,
      long remoteAddress,
      int rkey,
      int immediate,
      int invalidateKey) {
    assertThat(operation.apply(request.reset(1))).isSameAs(request);
    assertThat(request.opcode()).isEqualTo(opcode);
    assertThat(request.remoteAddress()).isEqualTo(remoteAddress);
    assertThat(request.rkey()).isEqualTo(rkey);
    assertThat(request.immediate()).isEqualTo(immediate);
    assertThat(request.invalidateKey()).isEqualTo(invalidateKey);
  }

  @Test
  void atomicsKeepTheirOperands() {
    request.reset(1).compareAndSwap(7, 8, 10, 20);
    assertThat(request.compare()).isEqualTo(10);
    assertThat(request.swapOrAdd()).isEqualTo(20);

    request.reset(2).fetchAndAdd(7, 8, -1);
    assertThat(request.compare()).isZero();
    assertThat(request.swapOrAdd()).isEqualTo(-1);
  }

  @Test
  void aRegistrationKeepsRegionKeyAndAccess() {
    request.reset(1).registerMemory(FAST, 0x302, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);

    assertThat(request.registrationRegion()).isSameAs(FAST);
    assertThat(request.registrationKey()).isEqualTo(0x302);
    assertThat(request.registrationAccess()).isEqualTo(AccessFlags.fromValue(3));
  }

  @Test
  void aBindKeepsWindowKeyAndBindingUntilTheReset() {
    request.reset(1).bindMemoryWindow(WINDOW, 0x502, BINDING);

    assertThat(request.memoryWindow()).isSameAs(WINDOW);
    assertThat(request.memoryWindowRkey()).isEqualTo(0x502);
    assertThat(request.memoryWindowBinding()).isSameAs(BINDING);

    request.reset(2);
    assertThat(request.memoryWindow()).isNull();
    assertThat(request.memoryWindowRkey()).isZero();
    assertThat(request.memoryWindowBinding()).isSameAs(MemoryWindowBinding.NONE);
  }

  @Test
  void aSecondOperationIsRefusedAndChangesNothing() {
    request.reset(4).rdmaWrite(0x1000, 0x200);

    assertThatThrownBy(() -> request.sendWithImmediate(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "request 4 is already RDMA_WRITE, so it cannot become SEND_WITH_IMM;"
                + " call reset(id) first, or chain a second request with next(...)");
    assertThatThrownBy(() -> request.rdmaRead(0x5000, 0x600))
        .isInstanceOf(IllegalStateException.class);
    assertThat(request.opcode()).isEqualTo(SendOpcode.RDMA_WRITE);
    assertThat(request.immediate()).isZero();
    assertThat(request.remoteAddress()).isEqualTo(0x1000);
    assertThat(request.rkey()).isEqualTo(0x200);
  }

  @Test
  void segmentsAreAddressLengthAndKey() {
    request
        .reset(1)
        .send()
        .segment(REGION, 64, 16)
        .segment(FAST, 4096, 32)
        .segment(0x30000, -1, 0x400);

    assertThat(request.segmentCount()).isEqualTo(3);
    assertSegment(0, 0x10040, 16, 0x100);
    assertSegment(1, 0x21000, 32, 0x301);
    assertSegment(2, 0x30000, 0xffff_ffffL, 0x400);
  }

  private void assertSegment(int index, long address, long length, int lkey) {
    assertThat(request.segmentAddress(index)).isEqualTo(address);
    assertThat(request.segmentLength(index)).isEqualTo(length);
    assertThat(request.segmentLkey(index)).isEqualTo(lkey);
  }

  @Test
  void aSegmentOutsideTheRegionIsLeftToTheAdapter() {
    request.reset(1).send().segment(REGION, -16, 8192);

    assertSegment(0, 0xfff0, 8192, 0x100);
  }

  @Test
  void theListGrowsAndReadsOnlyWhatWasAdded() {
    request.reset(1).send();
    for (int i = 0; i < 33; i++) {
      request.segment(i, i + 1, i + 2);
    }

    assertThat(request.segmentCount()).isEqualTo(33);
    assertSegment(32, 32, 33, 34);
    assertThatThrownBy(() -> request.segmentAddress(33))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("segment 33 of 33");
    assertThatThrownBy(() -> request.reset(2).segmentLkey(0))
        .isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aRequestThatIsNeverResetDoesNotGrowForEver() {
    request.reset(1).send();
    for (int i = 0; i < 1024; i++) {
      request.segment(0, 1, 2);
    }

    assertThatThrownBy(() -> request.segment(0, 1, 2))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("a request holds at most 1024 segments; was reset(id) forgotten?");
    assertThat(request.segmentCount()).isEqualTo(1024);
  }

  @Test
  void flagsAddUp() {
    assertThat(request.reset(1).send().flags()).isZero();
    assertThat(request.fenced().signaled().solicited().signaled().flags()).isEqualTo(7);
    assertThat(request.hasFlag(SendFlag.FENCE)).isTrue();
    assertThat(request.hasFlag(SendFlag.INLINE)).isFalse();
    assertThat(request.ipChecksum().flags()).isEqualTo(7 + 16);
  }

  @Test
  void theQueueOfAnXrcRequestIsForgottenByReset() {
    assertThat(request.reset(1).send().sharedReceiveQueueNumber()).isZero();
    assertThat(request.toSharedReceiveQueue(0xABCDEF).sharedReceiveQueueNumber())
        .isEqualTo(0xABCDEF);
    assertThat(request.reset(2).sharedReceiveQueueNumber()).isZero();
  }

  @Test
  void inlineDataSetsTheFlagAndKeepsTheBufferAsItIs() {
    ByteBuffer first = ByteBuffer.wrap(new byte[] {1, 2, 3, 4}).position(1).limit(3);
    ByteBuffer second = ByteBuffer.allocate(0);
    ByteBuffer third = ByteBuffer.allocate(8);

    request.reset(1).send().inlineData(first).inlineData(second).inlineData(third);

    assertThat(request.hasFlag(SendFlag.INLINE)).isTrue();
    assertThat(request.inlineCount()).isEqualTo(3);
    assertThat(request.inlineData(0)).isSameAs(first);
    assertThat(request.inlineData(2)).isSameAs(third);
    assertThat(first.position()).isEqualTo(1);
    assertThatThrownBy(() -> request.inlineData(3))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("inline piece 3 of 3");
  }

  @Test
  void inlineDataAndSegmentsDoNotMix() {
    request.reset(3).send().segment(REGION, 0, 8);
    assertThatThrownBy(() -> request.inlineData(ByteBuffer.allocate(8)))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "request 3 would mix inline data and segments; INLINE holds for a whole request");

    request.reset(4).send().inlineData(ByteBuffer.allocate(8));
    assertThatThrownBy(() -> request.segment(REGION, 0, 8))
        .isInstanceOf(IllegalStateException.class);
    assertThat(request.segmentCount()).isZero();
  }

  @Test
  void resetLeavesNothingBehind() {
    request
        .reset(1)
        .compareAndSwap(7, 8, 9, 10)
        .segment(REGION, 0, 8)
        .signaled()
        .fenced()
        .next(new SendRequest());
    request.reset(2).registerMemory(FAST, 9, AccessFlag.LOCAL_WRITE);
    request.reset(3).rdmaWriteWithImmediate(1, 2, 3).inlineData(ByteBuffer.allocate(4));

    assertThat(request.reset(-5).id()).isEqualTo(-5);
    assertThat(request.opcode()).isNull();
    assertThat(request.flags()).isZero();
    assertThat(request.segmentCount()).isZero();
    assertThat(request.inlineCount()).isZero();
    assertThat(request.remoteAddress()).isZero();
    assertThat(request.rkey()).isZero();
    assertThat(request.immediate()).isZero();
    assertThat(request.invalidateKey()).isZero();
    assertThat(request.compare()).isZero();
    assertThat(request.swapOrAdd()).isZero();
    assertThat(request.registrationRegion()).isNull();
    assertThat(request.registrationKey()).isZero();
    assertThat(request.registrationAccess()).isSameAs(AccessFlags.NONE);
    assertThat(request.next()).isNull();
  }

  @Test
  void aChainCannotBiteItsTail() {
    SendRequest second = new SendRequest();
    SendRequest third = new SendRequest();
    request.reset(1).send().next(second.reset(2).send().next(third.reset(3).send()));

    assertThat(request.next()).isSameAs(second);
    assertThat(second.next()).isSameAs(third);
    assertThatThrownBy(() -> third.next(request))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("request 3 is already in that chain; link each request once");
    assertThatThrownBy(() -> request.next(request)).isInstanceOf(IllegalArgumentException.class);
    assertThat(third.next()).isNull();
  }

  @Test
  void aReceiveIsFilledAndReusedTheSameWay() {
    ReceiveRequest second = new ReceiveRequest();
    ReceiveRequest receive =
        new ReceiveRequest()
            .reset(1)
            .segment(REGION, 64, 16)
            .segment(FAST, 0, 32)
            .segment(0x30000, -1, 0x400)
            .next(second.reset(2));

    assertThat(receive.id()).isEqualTo(1);
    assertThat(receive.segmentCount()).isEqualTo(3);
    assertThat(receive.segmentAddress(0)).isEqualTo(0x10040);
    assertThat(receive.segmentLkey(1)).isEqualTo(0x301);
    assertThat(receive.segmentLength(2)).isEqualTo(0xffff_ffffL);
    assertThat(receive.next()).isSameAs(second);
    assertThatThrownBy(() -> second.next(receive)).isInstanceOf(IllegalArgumentException.class);
    assertThat(receive.reset(3).segmentCount()).isZero();
    assertThat(receive.next()).isNull();
  }
}

package io.roceverbs.sim.device;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Registering memory: by call and by work request. */
class RegistrationTest {
  private static final int PAGE = FastRegistrationRegion.PAGE_BYTES;
  private static final AccessFlags ALL =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private final Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  // ---- by call -------------------------------------------------------------------------------

  @Test
  @Checks("MRTest.test_reg_mr_bad_flags")
  void remoteWritingNeedsLocalWriting() {
    ByteBuffer buffer = ByteBuffer.allocate(8);
    for (AccessFlag right : List.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_ATOMIC)) {
      assertErrno(Errno.EINVAL, () -> pair.a.domain.registerMemory(buffer, right));
      assertThatCode(
              () -> pair.a.domain.registerMemory(buffer, right, AccessFlag.LOCAL_WRITE).close())
          .doesNotThrowAnyException();
    }
    assertThatCode(() -> pair.a.domain.registerMemory(buffer, AccessFlag.REMOTE_READ).close())
        .doesNotThrowAnyException();
  }

  @Test
  void buffersWithoutBytesAndReadOnlyBuffersToWriteToAreRefused() {
    ByteBuffer empty = ByteBuffer.allocate(8).position(8);
    assertErrno(Errno.EINVAL, () -> pair.a.domain.registerMemory(empty));
    ByteBuffer readOnly = ByteBuffer.allocate(8).asReadOnlyBuffer();
    assertErrno(Errno.EINVAL, () -> pair.a.domain.registerMemory(readOnly, AccessFlag.LOCAL_WRITE));
    try (MemoryRegion region = pair.a.domain.registerMemory(readOnly, AccessFlag.REMOTE_READ)) {
      assertThat(region.length()).isEqualTo(8);
    }
  }

  @Test
  void rightsWithoutTheCapabilityAreNotSupported() {
    ByteBuffer buffer = ByteBuffer.allocate(8);
    for (AccessFlag flag :
        List.of(AccessFlag.ON_DEMAND, AccessFlag.FLUSH_GLOBAL, AccessFlag.FLUSH_PERSISTENT)) {
      assertErrno(Errno.EOPNOTSUPP, () -> pair.a.domain.registerMemory(buffer, flag));
    }
  }

  @Test
  void aChosenAddressLiesOnAPageAndDoesNotWrap() {
    ByteBuffer buffer = ByteBuffer.allocate(2 * PAGE);
    assertErrno(Errno.EINVAL, () -> pair.a.domain.registerMemory(buffer, 4097, ALL));
    assertErrno(Errno.EINVAL, () -> pair.a.domain.registerMemory(buffer, -PAGE, ALL));
    try (MemoryRegion last = pair.a.domain.registerMemory(buffer, -2L * PAGE, ALL);
        MemoryRegion zero = pair.a.domain.registerMemory(buffer, 0, ALL)) {
      assertThat(last.address()).isEqualTo(-2L * PAGE);
      assertThat(zero.address()).isZero();
    }
    assertThatCode(pair.a.context::queryDevice).doesNotThrowAnyException();
  }

  @Test
  void thePeerReachesTheLastByteOfTheAddressSpaceAndNotOneFurther() {
    ByteBuffer buffer = ByteBuffer.allocate(PAGE);
    MemoryRegion region = pair.b.domain.registerMemory(buffer, -PAGE, ALL);
    Side.Memory data = pair.a.memory(2, 5);
    write(1, -1, region.rkey(), data, 1);
    write(2, -1, region.rkey(), data, 2);
    pair.run();
    List<WorkCompletion> completions = pair.a.pollSends();
    assertThat(completions.get(0).status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(completions.get(1).status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    assertThat(buffer.get(PAGE - 1)).isEqualTo((byte) 5);
    assertThat(buffer.get(0)).isZero();
  }

  private void write(long id, long address, int rkey, Side.Memory data, int length) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(address, rkey)
            .segment(data.region(), 0, length)
            .signaled());
  }

  // ---- by work request -----------------------------------------------------------------------

  @Test
  @Checks("MAP-JOINTS")
  void mappingStopsBehindTheFirstSegmentThatIsNotWholePages() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(8);
    assertThat(region.address()).isZero();
    assertThat(region.length()).isZero();
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    ByteBuffer two = ByteBuffer.allocateDirect(2 * PAGE);
    ByteBuffer part = ByteBuffer.allocate(100);
    assertThat(region.map(page, two, part)).isEqualTo(3);
    assertThat(region.length()).isEqualTo(3 * PAGE + 100);
    assertThat(region.map(page, part, two)).isEqualTo(2);
    assertThat(region.length()).isEqualTo(PAGE + 100);
    assertThat(region.map(part, page)).isEqualTo(1);
    assertThat(region.length()).isEqualTo(100);
    assertThat(region.map(0x4000, page)).isEqualTo(1);
    assertThat(region.address()).isEqualTo(0x4000);
  }

  @Test
  void mappingNothingIsRefusedAndKeepsTheOldMapping() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(2);
    region.map(ByteBuffer.allocate(10));
    long address = region.address();
    assertErrno(Errno.EINVAL, () -> region.map());
    assertErrno(Errno.EINVAL, () -> region.map(ByteBuffer.allocate(0)));
    assertErrno(Errno.EINVAL, () -> region.map(ByteBuffer.allocate(PAGE), ByteBuffer.allocate(0)));
    assertThat(region.address()).isEqualTo(address);
    assertThat(region.length()).isEqualTo(10);
  }

  @Test
  void aMappingThatWrapsAroundTheAddressesIsRefused() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(2);
    assertErrno(Errno.EINVAL, () -> region.map(-8, ByteBuffer.allocate(16)));
    assertThat(region.map(-16, ByteBuffer.allocate(16))).isEqualTo(1);
  }

  @Test
  void aSegmentLimitOutsideTheDevicesIsRefused() {
    int max = pair.a.context.queryDevice().maxFastRegistrationPages();
    assertErrno(Errno.EINVAL, () -> pair.a.domain.allocateFastRegistrationRegion(0));
    assertErrno(Errno.EINVAL, () -> pair.a.domain.allocateFastRegistrationRegion(max + 1));
    assertThat(pair.a.domain.allocateFastRegistrationRegion(max).pagesMax()).isEqualTo(max);
  }

  @Test
  void keysStepThroughAllVariantsAndBack() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(1);
    int first = region.rkey();
    for (int i = 1; i < 256; i++) {
      int next = region.nextKey();
      assertThat(next).isEqualTo((first & ~0xFF) | ((first + i) & 0xFF));
      assertThat(region.rkey()).isEqualTo(next);
      assertThat(region.lkey()).isEqualTo(next);
    }
    assertThat(region.nextKey()).isEqualTo(first);
  }

  @Test
  void aClosedFastRegionDoesNothingMore() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(1);
    region.close();
    region.close();
    assertThat(region.isOpen()).isFalse();
    assertErrno(Errno.EINVAL, () -> region.map(ByteBuffer.allocate(8)));
    assertErrno(Errno.EINVAL, () -> region.map(0x1000, ByteBuffer.allocate(8)));
    assertErrno(Errno.EINVAL, region::nextKey);
  }

  @Test
  void theMappingCountsAsItWasAtThePost() {
    Side.FastMemory fast = pair.b.fastMemory(64, 1);
    ByteBuffer other = ByteBuffer.allocate(64);
    pair.b.postRegister(1, fast);
    long address = fast.address();
    fast.region().map(other);
    pair.run();
    write(2, address, fast.key(), pair.a.memory(64, 9), 64);
    pair.run();
    assertThat(pair.a.pollSends().get(0).isSuccess()).isTrue();
    assertThat(fast.memory().bytes().get(63)).isEqualTo((byte) 9);
    assertThat(other.get(63)).isZero();
  }

  @Test
  void aWriteOverTheJointsOfAFastRegionLandsInAllItsBuffers() {
    ByteBuffer heap = ByteBuffer.allocate(PAGE);
    ByteBuffer direct = ByteBuffer.allocateDirect(PAGE);
    ByteBuffer rest = ByteBuffer.allocate(10);
    FastRegistrationRegion region = pair.b.domain.allocateFastRegistrationRegion(3);
    assertThat(region.map(heap, direct, rest)).isEqualTo(3);
    pair.b.queuePair.post(
        pair.b.request.reset(1).registerMemory(region, region.nextKey(), ALL).signaled());
    pair.run();
    write(2, region.address() + 1, region.rkey(), pair.a.memory(2 * PAGE + 9, 6), 2 * PAGE + 9);
    Side.Memory result = pair.a.memory(8, 0);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(3)
            .fetchAndAdd(region.address() + PAGE, region.rkey(), 1)
            .segment(result.region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(pair.a.pollSends()).allSatisfy(c -> assertThat(c.isSuccess()).isTrue()).hasSize(2);
    assertThat(heap.get(0)).isZero();
    assertThat(heap.get(1)).isEqualTo((byte) 6);
    assertThat(direct.get(0)).isEqualTo((byte) 7);
    assertThat(direct.get(PAGE - 1)).isEqualTo((byte) 6);
    assertThat(rest.get(9)).isEqualTo((byte) 6);
    assertThat(result.bytes().getLong(0)).isEqualTo(0x0606060606060606L);
  }

  @Test
  void anAtomicWorksOverTheJointOfTwoBuffers() {
    ByteBuffer page = ByteBuffer.allocate(PAGE);
    ByteBuffer rest = ByteBuffer.allocate(PAGE);
    FastRegistrationRegion region = pair.b.domain.allocateFastRegistrationRegion(2);
    region.map(0x1_0000_0004L, page, rest);
    pair.b.queuePair.post(
        pair.b.request.reset(1).registerMemory(region, region.nextKey(), ALL).signaled());
    pair.run();
    Side.Memory result = pair.a.memory(8, 1);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(3)
            .fetchAndAdd(0x1_0000_1000L, region.rkey(), 0x1122334455667788L)
            .segment(result.region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(pair.a.pollSends().get(0).isSuccess()).isTrue();
    assertThat(page.get(PAGE - 4)).isEqualTo((byte) 0x88);
    assertThat(page.get(PAGE - 1)).isEqualTo((byte) 0x55);
    assertThat(rest.get(0)).isEqualTo((byte) 0x44);
    assertThat(rest.get(3)).isEqualTo((byte) 0x11);
    assertThat(result.bytes().getLong(0)).isZero();
  }

  @Test
  void aReadOnlyBufferRegisteredForWritingFailsAtItsOwnerAndHarmsNobody() {
    FastRegistrationRegion region = pair.b.domain.allocateFastRegistrationRegion(1);
    region.map(ByteBuffer.allocate(64).asReadOnlyBuffer());
    pair.b.queuePair.post(
        pair.b.request.reset(1).registerMemory(region, region.nextKey(), ALL).signaled());
    write(2, region.address(), region.rkey(), pair.a.memory(64, 9), 64);
    pair.run();
    assertThat(pair.b.pollSends().get(0).status()).isEqualTo(CompletionStatus.MW_BIND_ERR);
  }

  @Test
  void aMappingCoversNoMorePagesThanTheRegionWasAllocatedFor() {
    FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(3);
    ByteBuffer onePage = ByteBuffer.allocate(4096);
    ByteBuffer twoPages = ByteBuffer.allocate(4097);

    assertThat(region.map(onePage, twoPages)).isEqualTo(2);
    assertThat(region.length()).isEqualTo(4096 + 4097);
    assertThat(region.map(onePage, onePage, twoPages)).isEqualTo(2);
    assertThat(region.length()).isEqualTo(2 * 4096);
    assertErrno(Errno.ENOMEM, () -> region.map(ByteBuffer.allocate(3 * 4096 + 1)));
    assertThat(region.length()).isEqualTo(2 * 4096);
  }
}

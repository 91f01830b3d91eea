package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.ReceiveRequest;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The rows of rdma-core's tests about regions, and what else holds of regions by call. */
class RdmaCoreMemoryRegionTest {
  private static final int BYTES = 1024;
  private static final AccessFlags ALL =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;

  @AfterEach
  void close() {
    pair.close();
  }

  private static MemoryRegionChange access(AccessFlag... flags) {
    return MemoryRegionChange.NONE.withAccess(AccessFlags.of(flags));
  }

  // ---- test_mr.py: flags ---------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {2, 8, 2 | 4, 8 | 4, 2 | 8})
  @Checks({
    "MRTest.test_reg_mr_bad_flags",
    "MRTest.test_reg_mrex_bad_flags",
    "C41",
    "REGISTER-ACCESS"
  })
  void remoteWriteAndAtomicNeedLocalWrite(int flags) {
    AccessFlags access = AccessFlags.fromValue(flags);
    assertErrno(Errno.EINVAL, () -> b.domain.registerMemory(ByteBuffer.allocate(8), access));
    assertErrno(Errno.EINVAL, () -> b.domain.registerMemory(ByteBuffer.allocate(8), 0, access));
    b.domain.registerMemory(
        ByteBuffer.allocate(8), AccessFlags.fromValue(flags | AccessFlag.LOCAL_WRITE.value()));
  }

  @Test
  @Checks("MRTest.test_reg_mrex_inval_params")
  void contradictoryParametersAreRefused() {
    assertErrno(
        Errno.EINVAL,
        () -> b.domain.registerMemory(ByteBuffer.allocate(8192), 4097, AccessFlags.NONE));
    assertErrno(
        Errno.EINVAL,
        () -> b.domain.registerMemory(ByteBuffer.allocate(8192), -4096, AccessFlags.NONE));
    assertErrno(
        Errno.EINVAL,
        () ->
            b.domain.registerMemory(
                ByteBuffer.allocate(8).asReadOnlyBuffer(), AccessFlag.LOCAL_WRITE));
    assertErrno(Errno.EINVAL, () -> b.domain.registerMemory(ByteBuffer.allocate(0)));
  }

  @ParameterizedTest
  @ValueSource(ints = {10, 11, 19, 30, 31})
  @Checks("REGISTER-UNKNOWN")
  void unknownBitsAreRefused(int bit) {
    AccessFlags access = AccessFlags.fromValue(1 << bit | AccessFlag.LOCAL_WRITE.value());
    assertErrno(Errno.EINVAL, () -> b.domain.registerMemory(ByteBuffer.allocate(8), access));
  }

  @ParameterizedTest
  @ValueSource(ints = {7, 20, 21, 29})
  @Checks("REGISTER-UNKNOWN")
  void hintsAreAcceptedAndIgnored(int bit) {
    AccessFlags access = AccessFlags.fromValue(1 << bit);
    try (MemoryRegion region = b.domain.registerMemory(ByteBuffer.allocate(8), access)) {
      assertThat(region.access()).isEqualTo(access);
    }
  }

  @Test
  @Checks("REGISTER-UNKNOWN")
  void aFastRegistrationWithUnknownBitsFails() {
    Side.FastMemory fast = b.fastMemory(64, 0);
    b.queuePair.post(
        b.request
            .reset(1)
            .registerMemory(fast.region(), fast.region().nextKey(), AccessFlags.fromValue(1 << 12))
            .signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 MW_BIND_ERR");
  }

  // ---- test_relaxed_ordering.py --------------------------------------------------------------

  @Test
  @Checks({"RoTestCase.test_ro_rc_traffic", "RoTestCase.test_ro_mr_ex_traffic"})
  void trafficOverARegionWithRelaxedOrderingIsRight() {
    Memory received = b.memory(3000, 0, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING);
    Memory sent = a.memory(3000, 0, AccessFlag.LOCAL_WRITE, AccessFlag.RELAXED_ORDERING);
    for (int i = 1; i <= 10; i++) {
      sent.fill(i);
      b.postReceive(i, received);
      a.postSend(i, sent);
      pair.run();
      assertThat(words(a.pollSends())).containsExactly(i + " SUCCESS");
      assertThat(words(b.pollReceives())).containsExactly(i + " SUCCESS");
      assertThat(received.slice(0, 3000)).containsOnly(i);
    }
  }

  // ---- test_buf.py: several regions over one buffer ------------------------------------------

  @Test
  @Checks({
    "BufAPITest.test_multiple_mrs_one_buf_plain_pd_reg_buf_mr",
    "BufAPITest.test_multiple_mrs_one_buf_plain_pd_reg_mr_ex"
  })
  void severalRegionsOverOneBufferHaveKeysAndAddressesOfTheirOwn() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    Set<Integer> keys = new HashSet<>();
    Set<Long> addresses = new HashSet<>();
    for (int i = 0; i < 5; i++) {
      MemoryRegion region = b.domain.registerMemory(buffer, ALL);
      keys.add(region.lkey());
      keys.add(region.rkey());
      addresses.add(region.address());
    }
    assertThat(keys).hasSize(10);
    assertThat(addresses).hasSize(5);
  }

  @Test
  @Checks("BufTrafficTest.test_buf_rc_send_mr_subrange_cc_pd_reg_buf_mr")
  void aRegionOverAPartOfABufferReachesThatPartOnly() {
    ByteBuffer buffer = ByteBuffer.allocate(4096);
    MemoryRegion part = b.domain.registerMemory(buffer.slice(1000, 500), ALL);
    assertThat(part.length()).isEqualTo(500);
    a.postWrite(1, a.memory(500, 3), 500, part.address(), part.rkey());
    a.postWrite(2, a.memory(501, 4), 501, part.address(), part.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
    assertThat(buffer.get(999)).isZero();
    assertThat(buffer.get(1000)).isEqualTo((byte) 3);
    assertThat(buffer.get(1499)).isEqualTo((byte) 3);
    assertThat(buffer.get(1500)).isZero();
  }

  @Test
  @Checks({
    "BufTrafficTest.test_buf_rc_send_plain_pd_reg_buf_mr",
    "BufTrafficTest.test_buf_rc_send_cc_pd_reg_mr_ex",
    "BufTrafficTest.test_buf_rc_send_cc_pd_reg_buf_mr",
    "BufTrafficTest.test_buf_rc_send_large_msg_cc_pd_reg_buf_mr"
  })
  void aMessageOfManyPagesGoesFromOneRegionOfABufferIntoTwoOfAnother() {
    int half = 3 * 4096 + 100;
    ByteBuffer buffer = ByteBuffer.allocate(2 * half);
    MemoryRegion low = b.domain.registerMemory(buffer.slice(0, half), AccessFlag.LOCAL_WRITE);
    MemoryRegion high = b.domain.registerMemory(buffer.slice(half, half), AccessFlag.LOCAL_WRITE);
    Memory sent = a.memory(2 * half, 0x2A);
    b.queuePair.post(new ReceiveRequest().reset(10).segment(high, 0, half).segment(low, 0, half));
    a.postSend(1, sent);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(b.pollReceives().get(0).byteLength()).isEqualTo(2 * half);
    for (int i = 0; i < 2 * half; i++) {
      assertThat(buffer.get(i)).isEqualTo((byte) 0x2A);
    }
  }

  @Test
  @Checks({
    "BufTrafficTest.test_buf_rc_rdma_write_imm_cc_pd_reg_buf_mr",
    "BufTrafficTest.test_buf_rc_rdma_read_cc_pd_reg_buf_mr",
    "BufTrafficTest.test_buf_rc_atomic_fetch_add_cc_pd_reg_buf_mr"
  })
  void oneBufferIsWrittenReadAndAddedToThroughThreeRegions() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    MemoryRegion writable = b.domain.registerMemory(buffer, ALL);
    MemoryRegion readable = b.domain.registerMemory(buffer, AccessFlag.REMOTE_READ);
    MemoryRegion countable =
        b.domain.registerMemory(buffer, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC);
    b.postEmptyReceive(10);
    a.queuePair.post(
        a.request
            .reset(1)
            .rdmaWriteWithImmediate(writable.address(), writable.rkey(), 0x77)
            .segment(a.memory(BYTES, 2).region(), 0, BYTES)
            .signaled());
    Memory sum = a.memory(8, 0);
    a.queuePair.post(
        a.request
            .reset(2)
            .fetchAndAdd(countable.address() + 8, countable.rkey(), 3)
            .segment(sum.region(), 0, 8)
            .signaled());
    Memory sink = a.memory(BYTES, 0);
    a.postRead(3, sink, BYTES, readable.address(), readable.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(b.pollReceives().get(0).immediate()).isEqualTo(0x77);
    assertThat(sum.slice(0, 8)).containsOnly(2);
    assertThat(sink.bytes().get(8)).isEqualTo((byte) 5);
    assertThat(sink.slice(9, BYTES)).containsOnly(2);
  }

  @Test
  @Checks({
    "BufAPITest.test_buf_reg_length_exceeds_buffer_fails_plain_pd",
    "BufAPITest.test_buf_reg_offset_length_exceeds_buffer_fails_plain_pd"
  })
  void aPartOutsideOfABufferCantEvenBeNamed() {
    ByteBuffer buffer = ByteBuffer.allocate(BYTES);
    assertThatThrownBy(() -> b.domain.registerMemory(buffer.slice(0, BYTES + 1)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertThatThrownBy(() -> b.domain.registerMemory(buffer.slice(8, BYTES)))
        .isInstanceOf(IndexOutOfBoundsException.class);
    assertErrno(Errno.EINVAL, () -> b.domain.registerMemory(buffer.slice(8, 0)));
  }

  // ---- null regions --------------------------------------------------------------------------

  @Test
  void aNullRegionReadsAsZerosAndDiscardsWhatIsWritten() {
    MemoryRegion nothing = a.domain.allocateNullMemoryRegion();
    Memory remote = b.memory(BYTES, 6);
    a.queuePair.post(
        a.request
            .reset(1)
            .rdmaRead(remote.address(), remote.rkey())
            .segment(nothing, 0x1234_5678_9ABCL, BYTES)
            .signaled());
    a.queuePair.post(
        a.request
            .reset(2)
            .rdmaWrite(remote.address(), remote.rkey())
            .segment(nothing, -5000, BYTES)
            .signaled());
    a.postEmptyReceive(3);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(remote.slice(0, BYTES)).containsOnly(0);
  }

  @Test
  void aNullRegionIsForLocalUseOnly() {
    MemoryRegion nothing = b.domain.allocateNullMemoryRegion();
    assertThat(nothing.access()).isEqualTo(AccessFlags.of(AccessFlag.LOCAL_WRITE));
    assertThat(nothing.address()).isZero();
    assertErrno(Errno.EINVAL, () -> nothing.reregister(access(AccessFlag.REMOTE_READ)));
    a.postRead(1, a.memory(8, 0), 8, 0, nothing.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    nothing.close();
    assertThat(nothing.isOpen()).isFalse();
  }

  // ---- limits --------------------------------------------------------------------------------

  @Test
  void aDeviceGivesNoMoreRegionsThanItSaysInAllItsDomains() {
    try (Pair small = Pair.connected(MemoryLimits.of(2, 0, 0))) {
      MemoryRegion first = small.a.domain.registerMemory(ByteBuffer.allocate(8));
      small.a.context.allocateProtectionDomain().allocateFastRegistrationRegion(1);
      assertErrno(Errno.ENOMEM, () -> small.a.domain.registerMemory(ByteBuffer.allocate(8)));
      assertErrno(Errno.ENOMEM, () -> small.a.domain.allocateNullMemoryRegion());
      first.close();
      small.a.domain.allocateNullMemoryRegion();
    }
  }
}

package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ReceiveRequest;
import java.nio.ByteBuffer;
import java.util.Arrays;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Memory of the device: its own calls, and traffic through zero-based regions over it. */
class DeviceMemoryTest {
  private static final int BYTES = 4096;
  private static final AccessFlags ZERO_BASED =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC,
          AccessFlag.ZERO_BASED);

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;
  private final DeviceMemory memory = b.context.allocateDeviceMemory(BYTES);

  @AfterEach
  void close() {
    pair.close();
  }

  private byte[] read(int offset, int length) {
    ByteBuffer target = ByteBuffer.allocate(length);
    memory.copyOut(offset, target);
    assertThat(target.position()).isZero();
    return target.array();
  }

  private void fill(int value) {
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) value);
    memory.copyIn(0, ByteBuffer.wrap(bytes));
  }

  private MemoryRegion whole() {
    return b.domain.registerDeviceMemory(memory, 0, BYTES, ZERO_BASED);
  }

  // ---- allocation ----------------------------------------------------------------------------

  @Test
  @Checks({"DMTest.test_create_dm", "DMTest.test_destroy_dm", "DMTest.test_destroy_dm_bad_flow"})
  void itIsAllocatedAndFreedAndFreedTwice() {
    long max = b.context.queryDevice().maxDeviceMemoryBytes();
    assertThat(max).isEqualTo(1 << 17);
    assertThat(memory.length()).isEqualTo(BYTES);
    assertThat(memory.context()).isSameAs(b.context);
    assertThat(read(0, BYTES)).containsOnly(0);
    memory.close();
    memory.close();
    assertThat(memory.isOpen()).isFalse();
    assertErrno(Errno.EINVAL, () -> memory.copyIn(0, ByteBuffer.allocate(4)));
    b.context.allocateDeviceMemory(max).close();
  }

  @ParameterizedTest
  @ValueSource(longs = {0, -1, (1 << 17) + 1, 1L << 32, Long.MIN_VALUE})
  @Checks("DMTest.test_create_dm_bad_flow")
  void moreThanThereIsAndLessThanOneByteAreRefused(long length) {
    assertErrno(Errno.EINVAL, () -> b.context.allocateDeviceMemory(length));
  }

  @Test
  void whatIsGivenOutIsNotGivenOutAgain() {
    long max = b.context.queryDevice().maxDeviceMemoryBytes();
    assertErrno(Errno.ENOMEM, () -> b.context.allocateDeviceMemory(max));
    DeviceMemory rest = b.context.allocateDeviceMemory(max - BYTES);
    assertErrno(Errno.ENOMEM, () -> b.context.allocateDeviceMemory(1));
    rest.close();
    b.context.allocateDeviceMemory(1);
  }

  @Test
  void aDeviceWithoutMemorySaysSo() {
    try (Pair none = Pair.connected(MemoryLimits.of(8, 0, 0))) {
      assertErrno(Errno.EOPNOTSUPP, () -> none.a.context.allocateDeviceMemory(4));
    }
  }

  @Test
  @Checks("PARENT-BUSY")
  void itIsBusyWhileARegionIsOverItAndKeepsItsContextBusy() {
    MemoryRegion region = whole();
    MemoryRegion second = whole();
    assertErrno(Errno.EBUSY, memory::close);
    region.close();
    assertErrno(Errno.EBUSY, memory::close);
    second.close();
    memory.close();
    DeviceMemory other = a.node.device().open().allocateDeviceMemory(8);
    assertErrno(Errno.EBUSY, other.context()::close);
    other.close();
    other.context().close();
  }

  // ---- copies --------------------------------------------------------------------------------

  @Test
  @Checks({"DMTest.test_dm_write", "DMTest.test_dm_read"})
  void whatIsCopiedInIsCopiedOut() {
    ByteBuffer source = ByteBuffer.allocateDirect(100);
    for (int i = 0; i < 100; i++) {
      source.put(i, (byte) i);
    }
    source.position(4).limit(24);
    memory.copyIn(1000, source);
    assertThat(source.position()).isEqualTo(4);
    byte[] back = read(996, 28);
    assertThat(back[3]).isZero();
    assertThat(back[4]).isEqualTo((byte) 4);
    assertThat(back[23]).isEqualTo((byte) 23);
    assertThat(back[24]).isZero();
    memory.copyIn(BYTES, ByteBuffer.allocate(0));
  }

  @ParameterizedTest
  @CsvSource({
    "1, 4",
    "2, 4",
    "3, 4",
    "0, 3",
    "4, 6",
    "-4, 4",
    "4096, 4",
    "4092, 8",
    "0, 4100",
    "9223372036854775804, 4"
  })
  @Checks({
    "DMTest.test_dm_write_bad_flow",
    "DeviceMemoryAPITest.test_dm_bad_access",
    "DEVICE-MEMORY-COPY"
  })
  void aCopyThatIsNotAlignedOrNotInsideIsRefused(long offset, int length) {
    ByteBuffer bytes = ByteBuffer.allocate(length);
    bytes.put(0, (byte) 1);
    assertErrno(Errno.EINVAL, () -> memory.copyIn(offset, bytes));
    assertErrno(Errno.EINVAL, () -> memory.copyOut(offset, bytes));
    assertThat(bytes.get(0)).isEqualTo((byte) 1);
    assertThat(read(0, BYTES)).containsOnly(0);
  }

  // ---- regions -------------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {10, 50, 100})
  @Checks({"DeviceMemoryAPITest.test_create_dm_mr", "DEVICE-MEMORY-REGION"})
  void aRegionCoversAPartOrAll(int percent) {
    int length = BYTES * percent / 100;
    MemoryRegion region = b.domain.registerDeviceMemory(memory, BYTES - length, length, ZERO_BASED);
    assertThat(region.address()).isZero();
    assertThat(region.length()).isEqualTo(length);
    a.postWrite(1, a.memory(1, 9), 1, length - 1, region.rkey());
    a.postWrite(2, a.memory(1, 9), 1, length, region.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
    assertThat(read(BYTES - 4, 4)).containsExactly(0, 0, 0, 9);
  }

  @ParameterizedTest
  @CsvSource({"0, 4097", "1, 4096", "4096, 1", "-1, 4", "0, 0", "0, -1", "4, 9223372036854775807"})
  @Checks({"DeviceMemoryAPITest.test_dm_bad_registration", "DEVICE-MEMORY-REGION"})
  void aRegionThatLeavesTheMemoryIsRefused(long offset, long length) {
    assertErrno(
        Errno.EINVAL, () -> b.domain.registerDeviceMemory(memory, offset, length, ZERO_BASED));
    memory.close();
  }

  @Test
  @Checks("DEVICE-MEMORY-REGION")
  void aRegionMustBeZeroBasedAndOfOpenMemoryOfItsContext() {
    assertErrno(
        Errno.EINVAL,
        () -> b.domain.registerDeviceMemory(memory, 0, 4, AccessFlags.of(AccessFlag.LOCAL_WRITE)));
    assertErrno(
        Errno.EINVAL,
        () ->
            b.domain.registerDeviceMemory(
                memory, 0, 4, AccessFlags.of(AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED)));
    assertErrno(Errno.EINVAL, () -> a.domain.registerDeviceMemory(memory, 0, 4, ZERO_BASED));
    memory.close();
    assertErrno(Errno.EINVAL, () -> b.domain.registerDeviceMemory(memory, 0, 4, ZERO_BASED));
  }

  @Test
  void aRegionOverItIsNotChangedAndTakesNoWindow() {
    AccessFlags bindable =
        AccessFlags.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND, AccessFlag.ZERO_BASED);
    MemoryRegion region = b.domain.registerDeviceMemory(memory, 0, BYTES, bindable);
    assertErrno(
        Errno.EINVAL, () -> region.reregister(MemoryRegionChange.NONE.withAccess(ZERO_BASED)));
    b.postBind(
        1,
        b.window(MemoryWindowType.TYPE_2),
        MemoryWindowBinding.of(region, 0, 8, AccessFlags.of(AccessFlag.REMOTE_WRITE)));
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 MW_BIND_ERR");
  }

  // ---- traffic -------------------------------------------------------------------------------

  @Test
  @Checks("DeviceMemoryTest.test_dm_traffic")
  void sendsRunOutOfItAndIntoIt() {
    DeviceMemory ofA = a.context.allocateDeviceMemory(BYTES);
    MemoryRegion regionOfA = a.domain.registerDeviceMemory(ofA, 0, BYTES, ZERO_BASED);
    MemoryRegion region = whole();
    byte[] bytes = new byte[BYTES];
    Arrays.fill(bytes, (byte) 0x4D);
    ofA.copyIn(0, ByteBuffer.wrap(bytes));
    b.queuePair.post(new ReceiveRequest().reset(10).segment(region, 0, BYTES));
    a.queuePair.post(a.request.reset(1).send().segment(regionOfA, 0, BYTES).signaled());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(b.pollReceives().get(0).byteLength()).isEqualTo(BYTES);
    assertThat(read(0, BYTES)).containsOnly(0x4D);
  }

  @Test
  @Checks({
    "DeviceMemoryTest.test_dm_remote_traffic",
    "DeviceMemoryTest.test_dm_remote_write_traffic_imm",
    "DeviceMemoryTest.test_dm_remote_read_traffic"
  })
  void writesAndReadsOfThePeerReachIt() {
    MemoryRegion region = whole();
    fill(1);
    b.postEmptyReceive(10);
    a.postWrite(1, a.memory(1000, 2), 1000, 100, region.rkey());
    a.queuePair.post(
        a.request
            .reset(2)
            .rdmaWriteWithImmediate(2000, region.rkey(), 0x99)
            .segment(a.memory(1000, 3).region(), 0, 1000)
            .signaled());
    Memory sink = a.memory(BYTES, 0);
    a.postRead(3, sink, BYTES, 0, region.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(b.pollReceives().get(0).immediate()).isEqualTo(0x99);
    assertThat(read(0, 100)).containsOnly(1);
    assertThat(read(100, 1000)).containsOnly(2);
    assertThat(read(2000, 1000)).containsOnly(3);
    assertThat(sink.slice(100, 1100)).containsOnly(2);
    assertThat(sink.slice(3000, BYTES)).containsOnly(1);
  }

  @Test
  @Checks({"DeviceMemoryTest.test_dm_atomic_fetch_add", "DeviceMemoryTest.test_dm_atomic_cmp_swp"})
  void atomicsOfThePeerWorkOnIt() {
    MemoryRegion region = whole();
    memory.copyIn(8, ByteBuffer.wrap(new byte[] {5, 0, 0, 0, 0, 0, 0, 0}));
    Memory result = a.memory(16, 0);
    a.queuePair.post(
        a.request
            .reset(1)
            .fetchAndAdd(8, region.rkey(), 3)
            .segment(result.region(), 0, 8)
            .signaled());
    a.queuePair.post(
        a.request
            .reset(2)
            .compareAndSwap(8, region.rkey(), 8, 0x0102030405060708L)
            .segment(result.region(), 8, 8)
            .signaled());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(result.bytes().get(0)).isEqualTo((byte) 5);
    assertThat(result.bytes().get(8)).isEqualTo((byte) 8);
    assertThat(read(8, 8)).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
  }
}

package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Regions that are changed: the rows of rdma-core's test_mr.py, and what else holds. */
class ReregistrationTest {
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

  /** Both queue pairs go through RESET to RTS again. */
  private void recover() {
    for (Side side : List.of(a, b)) {
      side.modifyToError();
      side.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    }
    pair.connect(Pair.setup(), Pair.setup());
  }

  private String lastStatusTextOfA() {
    pair.run();
    List<WorkCompletion> completions = a.pollSends();
    return completions.get(completions.size() - 1).status().text();
  }

  private static MemoryRegionChange access(AccessFlag... flags) {
    return MemoryRegionChange.NONE.withAccess(AccessFlags.of(flags));
  }

  // ---- test_mr.py: rereg ---------------------------------------------------------------------

  @Test
  @Checks({"MRTest.test_mr_rereg_addr", "MRTest.test_mrex_rereg_addr", "REREGISTER-QUEUED"})
  void aReceivePostedBeforeItsRegionMovedFailsTheSender() {
    Memory receive = b.memory(BYTES, 0);
    Memory sent = a.memory(BYTES, 0x31);
    b.postReceive(10, receive);
    ByteBuffer moved = ByteBuffer.allocate(BYTES);
    long oldAddress = receive.address();
    int oldLkey = receive.lkey();
    receive.region().reregister(MemoryRegionChange.NONE.withBuffer(moved));
    assertThat(receive.address()).isNotEqualTo(oldAddress);
    assertThat(receive.lkey()).isEqualTo(oldLkey);
    assertThat(receive.region().length()).isEqualTo(BYTES);
    a.postSend(1, sent);
    assertThat(lastStatusTextOfA()).isEqualTo("remote operation error");
    assertThat(words(b.pollReceives())).containsExactly("10 LOC_PROT_ERR");

    recover();
    b.postReceive(11, receive);
    a.postSend(2, sent);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(words(b.pollReceives())).containsExactly("11 SUCCESS");
    assertThat(moved.get(BYTES - 1)).isEqualTo((byte) 0x31);
    assertThat(receive.slice(0, BYTES)).containsOnly(0);
  }

  @Test
  @Checks("MRTest.test_mr_rereg_atomic")
  void aRegionThatLosesTheAtomicRightRefusesAndWithItTakesAtomicsAgain() {
    Memory remote = b.memory(8, 0);
    remote.region().reregister(access(AccessFlag.LOCAL_WRITE));
    postFetchAdd(1, remote);
    assertThat(lastStatusTextOfA()).isEqualTo("remote access error");
    assertThat(remote.bytes().get(0)).isZero();

    remote.region().reregister(access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_ATOMIC));
    recover();
    postFetchAdd(2, remote);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(remote.bytes().get(0)).isEqualTo((byte) 1);
  }

  private void postFetchAdd(long id, Memory remote) {
    Memory result = a.memory(8, 0);
    a.queuePair.post(
        a.request
            .reset(id)
            .fetchAndAdd(remote.address(), remote.rkey(), 1)
            .segment(result.region(), 0, 8)
            .signaled());
  }

  @Test
  @Checks({"MRTest.test_mr_rereg_access", "MRTest.test_mrex_rereg_access"})
  void aRegionThatGainsTheWriteRightTakesWrites() {
    Memory remote = b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE);
    AccessFlags writable = AccessFlags.of(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    long address = remote.address();
    remote.region().reregister(MemoryRegionChange.NONE.withAccess(writable));
    assertThat(remote.region().access()).isEqualTo(writable);
    assertThat(remote.address()).isEqualTo(address);
    a.postWrite(1, a.memory(BYTES, 5), BYTES, remote.address(), remote.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(remote.slice(0, BYTES)).containsOnly(5);
  }

  @Test
  @Checks("MRTest.test_mr_rereg_access_bad_flow")
  void aRegionThatLosesTheWriteRightRefusesWrites() {
    Memory remote = b.memory(BYTES, 0);
    remote.region().reregister(access(AccessFlag.LOCAL_WRITE));
    a.postWrite(1, a.memory(BYTES, 5), BYTES, remote.address(), remote.rkey());
    assertThat(lastStatusTextOfA()).isEqualTo("remote access error");
    assertThat(remote.slice(0, BYTES)).containsOnly(0);
  }

  @Test
  @Checks({"MRTest.test_mr_rereg_pd", "REREGISTER-QUEUED"})
  void aRegionInAnotherDomainIsOfNoUseUntilItIsMovedBack() {
    Memory receive = b.memory(BYTES, 0);
    Memory sent = a.memory(BYTES, 0x31);
    ProtectionDomain other = b.context.allocateProtectionDomain();
    b.postReceive(10, receive);
    b.postReceive(11, receive);
    receive.region().reregister(MemoryRegionChange.NONE.withProtectionDomain(other));
    assertThat(receive.region().protectionDomain()).isSameAs(other);
    assertErrno(Errno.EBUSY, other::close);
    a.postSend(1, sent);
    assertThat(lastStatusTextOfA()).isEqualTo("remote operation error");
    assertThat(pair.completions("b"))
        .containsExactly("RECV 10 LOC_PROT_ERR @10000", "RECV 11 WR_FLUSH_ERR @10000");

    receive.region().reregister(MemoryRegionChange.NONE.withProtectionDomain(b.domain));
    other.close();
    recover();
    assertThat(b.pollReceives()).as("purged at RESET").isEmpty();
    b.postReceive(12, receive);
    a.postSend(2, sent);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(receive.slice(0, BYTES)).containsOnly(0x31);
  }

  @Test
  void severalThingsAreChangedAtOnce() {
    Memory remote = b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE);
    ByteBuffer moved = ByteBuffer.allocateDirect(2 * BYTES);
    ProtectionDomain other = b.context.allocateProtectionDomain();
    remote.region().reregister(new MemoryRegionChange(moved, other, ALL));
    assertThat(remote.region().length()).isEqualTo(2 * BYTES);
    assertThat(remote.region().access()).isEqualTo(ALL);
    SecondConnection second = new SecondConnection(pair, a.domain, other);
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(1)
            .rdmaWrite(remote.address() + 2 * BYTES - 8, remote.rkey())
            .segment(a.memory(8, 7).region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(second.a.poll()).containsExactly("1 SUCCESS");
    assertThat(moved.get(2 * BYTES - 1)).isEqualTo((byte) 7);
  }

  @Test
  @Checks("REREGISTER-QUEUED")
  void aRetransmissionReadsTheMovedRegionAndFindsItsOldAddressGone() {
    Memory sent = a.memory(BYTES, 1);
    b.postReceive(10, b.memory(BYTES, 0));
    pair.impair("drop:a>b/SEND#1");
    a.postSend(1, sent);
    pair.runFor(1000);
    sent.region().reregister(MemoryRegionChange.NONE.withBuffer(ByteBuffer.allocate(BYTES)));
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly("SEND 1 LOC_PROT_ERR @" + Pair.ACK_TIMEOUT_NANOS);
  }

  @Test
  void aRefusedChangeChangesNothing() {
    MemoryRegion region = b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE).region();
    long address = region.address();
    ProtectionDomain closed = b.context.allocateProtectionDomain();
    closed.close();
    ProtectionDomain elsewhere = a.domain;
    AccessFlags illegal = AccessFlags.of(AccessFlag.REMOTE_WRITE);
    ByteBuffer empty = ByteBuffer.allocate(0);
    ByteBuffer other = ByteBuffer.allocate(8);
    List<MemoryRegionChange> refused =
        List.of(
            MemoryRegionChange.NONE,
            MemoryRegionChange.NONE.withProtectionDomain(closed),
            MemoryRegionChange.NONE.withProtectionDomain(elsewhere).withBuffer(other),
            MemoryRegionChange.NONE.withAccess(illegal).withBuffer(other),
            MemoryRegionChange.NONE.withAccess(AccessFlags.fromValue(1 << 10)),
            MemoryRegionChange.NONE.withAccess(AccessFlags.of(AccessFlag.ZERO_BASED)),
            MemoryRegionChange.NONE.withBuffer(empty).withProtectionDomain(b.domain),
            MemoryRegionChange.NONE.withBuffer(other.asReadOnlyBuffer()));
    for (MemoryRegionChange change : refused) {
      assertErrno(Errno.EINVAL, () -> region.reregister(change));
    }
    assertErrno(Errno.EOPNOTSUPP, () -> region.reregister(access(AccessFlag.ON_DEMAND)));
    assertThat(region.address()).isEqualTo(address);
    assertThat(region.length()).isEqualTo(BYTES);
    assertThat(region.protectionDomain()).isSameAs(b.domain);
    assertThat(region.access()).isEqualTo(AccessFlags.of(AccessFlag.LOCAL_WRITE));
    region.close();
    assertErrno(Errno.EINVAL, () -> region.reregister(access(AccessFlag.LOCAL_WRITE)));
  }

  @Test
  void aRegionOverAReadOnlyBufferDoesNotGainLocalWrite() {
    MemoryRegion region = b.domain.registerMemory(ByteBuffer.allocate(8).asReadOnlyBuffer());
    assertErrno(Errno.EINVAL, () -> region.reregister(access(AccessFlag.LOCAL_WRITE)));
    region.reregister(access(AccessFlag.LOCAL_WRITE).withBuffer(ByteBuffer.allocate(8)));
    assertThat(region.access()).isEqualTo(AccessFlags.of(AccessFlag.LOCAL_WRITE));
  }

  @Test
  @Checks("WINDOW-KEEPS-REGION")
  void aRegionWithWindowsIsNotChanged() {
    Memory memory = b.windowed(BYTES, 0);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(1, window, memory, 0, BYTES, AccessFlag.REMOTE_WRITE);
    pair.run();
    assertErrno(Errno.EINVAL, () -> memory.region().reregister(access(AccessFlag.LOCAL_WRITE)));
    window.close();
    memory.region().reregister(access(AccessFlag.LOCAL_WRITE));
  }

  @Test
  void zeroBasedComesWithABuffer() {
    Memory memory = b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE);
    memory
        .region()
        .reregister(
            access(AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED)
                .withBuffer(memory.bytes()));
    assertThat(memory.address()).isZero();
    a.postWrite(1, a.memory(8, 4), 8, BYTES - 8, memory.rkey());
    a.postWrite(2, a.memory(9, 4), 9, BYTES - 8, memory.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
    assertThat(memory.bytes().get(BYTES - 1)).isEqualTo((byte) 4);
  }
}

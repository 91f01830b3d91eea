package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each operation of an RC queue pair with its bytes, its completions and its receive. */
class OperationRowsTest {
  private static final int BYTES = 1024;

  private Pair pair = Pair.connected();

  @AfterEach
  void close() {
    pair.close();
  }

  private SendRequest request() {
    return pair.a.request.reset(1);
  }

  private void post(SendRequest request, Memory memory, int length) {
    pair.a.queuePair.post(request.segment(memory.region(), 0, length).signaled());
    pair.run();
  }

  private void assertSent(CompletionOpcode opcode) {
    WorkCompletion sent = pair.a.pollSends().get(0).requireSuccess();
    assertThat(sent.id()).isEqualTo(1);
    assertThat(sent.opcode()).isEqualTo(opcode);
    assertThat(sent.queuePairNumber()).isEqualTo(pair.a.queuePair.number());
  }

  private WorkCompletion received(CompletionOpcode opcode) {
    List<WorkCompletion> received = pair.b.pollReceives();
    assertThat(received).hasSize(1);
    assertThat(received.get(0).requireSuccess().opcode()).isEqualTo(opcode);
    return received.get(0);
  }

  @Test
  void aSendMovesTheBytes() {
    Memory landing = pair.b.memory(BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request().send(), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    assertThat(received(CompletionOpcode.RECV).byteLength()).isEqualTo(BYTES);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  void anImmediateArrivesUnchangedWithItsFlag() {
    Memory landing = pair.b.memory(BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request().sendWithImmediate(0x89ABCDEF), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    WorkCompletion received = received(CompletionOpcode.RECV);
    assertThat(received.flags()).isEqualTo(CompletionFlag.WITH_IMM.value());
    assertThat(received.immediate()).isEqualTo(0x89ABCDEF);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  void aWritePlacesTheBytesAndConsumesNoReceive() {
    Memory target = pair.b.memory(BYTES, 0);
    pair.b.postEmptyReceive(10);
    post(request().rdmaWrite(target.address(), target.rkey()), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.RDMA_WRITE);
    assertThat(pair.b.pollReceives()).isEmpty();
    assertThat(target.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  void aWriteWithImmediateConsumesAReceiveAndItsDataIsAtTheTarget() {
    Memory target = pair.b.memory(BYTES, 0);
    Memory landing = pair.b.memory(BYTES, 0x55);
    pair.b.postReceive(10, landing);
    post(
        request().rdmaWriteWithImmediate(target.address(), target.rkey(), 5),
        pair.a.memory(BYTES, 0x61),
        BYTES);

    assertSent(CompletionOpcode.RDMA_WRITE);
    WorkCompletion received = received(CompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(received.byteLength()).isEqualTo(BYTES);
    assertThat(received.immediate()).isEqualTo(5);
    assertThat(target.slice(0, BYTES)).containsOnly(0x61);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x55);
  }

  @Test
  void aWriteOfNothingSucceeds() {
    Memory target = pair.b.memory(BYTES, 0);
    pair.a.queuePair.post(request().rdmaWrite(target.address(), target.rkey()).signaled());
    pair.run();

    assertSent(CompletionOpcode.RDMA_WRITE);
    assertThat(target.slice(0, BYTES)).containsOnly(0);
  }

  @Test
  void aReadFetchesTheBytes() {
    Memory source = pair.b.memory(BYTES, 0x62);
    Memory sink = pair.a.memory(BYTES, 0);
    post(request().rdmaRead(source.address(), source.rkey()), sink, BYTES);

    assertSent(CompletionOpcode.RDMA_READ);
    assertThat(sink.slice(0, BYTES)).containsOnly(0x62);
  }

  @Test
  void aReadOfNothingSucceeds() {
    Memory source = pair.b.memory(BYTES, 0x62);
    pair.a.queuePair.post(request().rdmaRead(source.address(), source.rkey()).signaled());
    pair.run();

    WorkCompletion read = pair.a.pollSends().get(0).requireSuccess();
    assertThat(read.opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
    assertThat(read.byteLength()).isZero();
  }

  // ---- atomics -------------------------------------------------------------------------------

  private static Memory word(Side side, long value, AccessFlag... access) {
    Memory memory = side.memory(8, 0, access);
    memory.bytes().order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    return memory;
  }

  private static Memory word(Side side, long value) {
    return word(
        side,
        value,
        AccessFlag.LOCAL_WRITE,
        AccessFlag.REMOTE_READ,
        AccessFlag.REMOTE_WRITE,
        AccessFlag.REMOTE_ATOMIC);
  }

  private static long value(Memory memory) {
    return memory.bytes().getLong(0);
  }

  @ParameterizedTest
  @CsvSource({"5, 9, 7", "7, 9, 9"})
  @Checks("AtomicTest.test_atomic_cmp_and_swap")
  void aSwapHappensOnlyOnAMatchAndReturnsTheOldValue(long compare, long swap, long after) {
    Memory target = word(pair.b, 7);
    Memory result = word(pair.a, -1);
    post(request().compareAndSwap(target.address(), target.rkey(), compare, swap), result, 8);

    assertSent(CompletionOpcode.COMP_SWAP);
    assertThat(value(result)).isEqualTo(7);
    assertThat(value(target)).isEqualTo(after);
  }

  @Test
  @Checks("AtomicTest.test_atomic_fetch_and_add")
  void aSumIsStoredAndTheOldValueComesBack() {
    Memory target = word(pair.b, 0x0102030405060708L);
    Memory result = word(pair.a, -1);
    post(request().fetchAndAdd(target.address(), target.rkey(), 0x10), result, 8);

    assertSent(CompletionOpcode.FETCH_ADD);
    assertThat(value(result)).isEqualTo(0x0102030405060708L);
    assertThat(value(target)).isEqualTo(0x0102030405060718L);
  }

  private void assertFails(CompletionStatus status) {
    List<WorkCompletion> completions = pair.a.pollSends();
    assertThat(completions).hasSize(1);
    assertThat(completions.get(0).status()).isEqualTo(status);
  }

  @Test
  @Checks({"AtomicTest.test_atomic_invalid_qp_access", "S33"})
  void anAtomicThatTheQueuePairDoesNotAllowIsAnInvalidRequest() {
    pair.close();
    pair = Pair.connected(Pair.setup().withAccess(AccessFlags.of(AccessFlag.REMOTE_WRITE)));
    Memory target = word(pair.b, 7);
    post(request().fetchAndAdd(target.address(), target.rkey(), 1), word(pair.a, -1), 8);

    assertFails(CompletionStatus.REM_INV_REQ_ERR);
    assertThat(value(target)).isEqualTo(7);
  }

  @Test
  @Checks({"AtomicTest.test_atomic_invalid_mr_access", "S33"})
  void anAtomicThatTheRegionDoesNotAllowIsARemoteAccessError() {
    Memory target = word(pair.b, 7, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    post(request().fetchAndAdd(target.address(), target.rkey(), 1), word(pair.a, -1), 8);

    assertFails(CompletionStatus.REM_ACCESS_ERR);
    assertThat(value(target)).isEqualTo(7);
  }

  @Test
  @Checks("AtomicTest.test_atomic_non_aligned_addr")
  void anAtomicBesideAMultipleOfEightIsRefusedAtThePost() {
    Memory target = word(pair.b, 7);
    PostException refused =
        catchThrowableOfType(
            PostException.class,
            () ->
                post(
                    request().fetchAndAdd(target.address() + 1, target.rkey(), 1),
                    word(pair.a, -1),
                    8));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused).hasMessageContaining("multiple of 8");
    assertThat(value(target)).isEqualTo(7);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_lkey")
  void anAtomicWhoseResultCannotBeStoredHasChangedTheMemoryAllTheSame() {
    Memory target = word(pair.b, 7);
    Memory result = word(pair.a, -1);
    pair.a.queuePair.post(
        request()
            .fetchAndAdd(target.address(), target.rkey(), 1)
            .segment(result.address(), 8, result.lkey() + 1)
            .signaled());
    pair.run();

    assertFails(CompletionStatus.LOC_PROT_ERR);
    assertThat(value(target)).isEqualTo(8);
    assertThat(value(result)).isEqualTo(-1);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_rkey")
  void anAtomicWithABadRkeyIsARemoteAccessError() {
    Memory target = word(pair.b, 7);
    post(request().fetchAndAdd(target.address(), target.rkey() + 1, 1), word(pair.a, -1), 8);

    assertFails(CompletionStatus.REM_ACCESS_ERR);
    assertThat(value(target)).isEqualTo(7);
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Each operation posted by a batch, as the tests of the extended queue pair do. */
class SendBatchRowsTest {
  private static final int BYTES = 1024;
  private static final int HEADER_BYTES = 40;

  private Pair pair = connected(QueuePairType.RC);

  private static Pair connected(QueuePairType type) {
    SendOperation[] operations =
        switch (type) {
          case UD -> new SendOperation[] {SendOperation.SEND, SendOperation.SEND_WITH_IMM};
          default ->
              new SendOperation[] {
                SendOperation.SEND,
                SendOperation.SEND_WITH_IMM,
                SendOperation.RDMA_WRITE,
                SendOperation.RDMA_WRITE_WITH_IMM,
                SendOperation.RDMA_READ,
                SendOperation.ATOMIC_CMP_AND_SWP,
                SendOperation.ATOMIC_FETCH_AND_ADD,
                SendOperation.BIND_MW
              };
        };
    UnaryOperator<QueuePairInit> shape = init -> init.withType(type).withSendOperations(operations);
    return Pair.connected(Pair.setup(), shape);
  }

  @AfterEach
  void close() {
    pair.close();
  }

  private void post(Consumer<SendRequest> filled) {
    SendBatch batch = pair.a.queuePair.createSendBatch();
    filled.accept(batch.begin(1).signaled());
    batch.complete();
    pair.run();
  }

  private void post(UnaryOperator<SendRequest> operation, Memory memory, int length) {
    post(request -> operation.apply(request).segment(memory.region(), 0, length));
  }

  private void assertSent(CompletionOpcode opcode) {
    List<WorkCompletion> sent = pair.a.pollSends();
    assertThat(sent).hasSize(1);
    assertThat(sent.get(0).requireSuccess().opcode()).isEqualTo(opcode);
    assertThat(sent.get(0).id()).isEqualTo(1);
  }

  private WorkCompletion received(CompletionOpcode opcode) {
    List<WorkCompletion> received = pair.b.pollReceives();
    assertThat(received).hasSize(1);
    assertThat(received.get(0).requireSuccess().opcode()).isEqualTo(opcode);
    return received.get(0);
  }

  // ---- RC ------------------------------------------------------------------------------------

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_send")
  void aSendMovesTheBytes() {
    Memory landing = pair.b.memory(BYTES, 0);
    pair.b.postReceive(10, landing);
    post(SendRequest::send, pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    assertThat(received(CompletionOpcode.RECV).byteLength()).isEqualTo(BYTES);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_send_imm")
  void anImmediateArrivesUnchangedWithItsFlag() {
    Memory landing = pair.b.memory(BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request -> request.sendWithImmediate(0x89ABCDEF), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    WorkCompletion received = received(CompletionOpcode.RECV);
    assertThat(received.flags()).isEqualTo(CompletionFlag.WITH_IMM.value());
    assertThat(received.immediate()).isEqualTo(0x89ABCDEF);
    assertThat(landing.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_rdma_write")
  void aWritePlacesTheBytesAndConsumesNoReceive() {
    Memory target = pair.b.memory(BYTES, 0);
    pair.b.postEmptyReceive(10);
    post(r -> r.rdmaWrite(target.address(), target.rkey()), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.RDMA_WRITE);
    assertThat(pair.b.pollReceives()).isEmpty();
    assertThat(target.slice(0, BYTES)).containsOnly(0x61);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_rdma_write_imm")
  void aWriteWithImmediateConsumesAReceiveAndItsDataIsAtTheTarget() {
    Memory target = pair.b.memory(BYTES, 0);
    Memory landing = pair.b.memory(BYTES, 0x55);
    pair.b.postReceive(10, landing);
    post(
        r -> r.rdmaWriteWithImmediate(target.address(), target.rkey(), 5),
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
  @Checks("QpExTestCase.test_qp_ex_rc_rdma_write_zero_size")
  void aWriteOfNothingSucceeds() {
    Memory target = pair.b.memory(BYTES, 0);
    post(request -> request.rdmaWrite(target.address(), target.rkey()));

    assertSent(CompletionOpcode.RDMA_WRITE);
    assertThat(target.slice(0, BYTES)).containsOnly(0);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_rdma_read")
  void aReadFetchesTheBytes() {
    Memory source = pair.b.memory(BYTES, 0x62);
    Memory sink = pair.a.memory(BYTES, 0);
    post(request -> request.rdmaRead(source.address(), source.rkey()), sink, BYTES);

    assertSent(CompletionOpcode.RDMA_READ);
    assertThat(sink.slice(0, BYTES)).containsOnly(0x62);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_rdma_read_zero_size")
  void aReadOfNothingSucceeds() {
    Memory source = pair.b.memory(BYTES, 0x62);
    post(request -> request.rdmaRead(source.address(), source.rkey()));

    WorkCompletion read = pair.a.pollSends().get(0).requireSuccess();
    assertThat(read.opcode()).isEqualTo(CompletionOpcode.RDMA_READ);
    assertThat(read.byteLength()).isZero();
  }

  private static Memory word(Side side, long value) {
    Memory memory = side.memory(8, 0);
    memory.bytes().order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
    return memory;
  }

  @ParameterizedTest
  @CsvSource({"5, 9, 7", "7, 9, 9"})
  @Checks("QpExTestCase.test_qp_ex_rc_atomic_cmp_swp")
  void aSwapHappensOnlyOnAMatchAndReturnsTheOldValue(long compare, long swap, long after) {
    Memory target = word(pair.b, 7);
    Memory result = word(pair.a, -1);
    post(r -> r.compareAndSwap(target.address(), target.rkey(), compare, swap), result, 8);

    assertSent(CompletionOpcode.COMP_SWAP);
    assertThat(result.bytes().getLong(0)).isEqualTo(7);
    assertThat(target.bytes().getLong(0)).isEqualTo(after);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_atomic_fetch_add")
  void aSumIsStoredAndTheOldValueComesBack() {
    Memory target = word(pair.b, 0x0102030405060708L);
    Memory result = word(pair.a, -1);
    post(request -> request.fetchAndAdd(target.address(), target.rkey(), 0x10), result, 8);

    assertSent(CompletionOpcode.FETCH_ADD);
    assertThat(result.bytes().getLong(0)).isEqualTo(0x0102030405060708L);
    assertThat(target.bytes().getLong(0)).isEqualTo(0x0102030405060718L);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_rc_bind_mw")
  void aWriteThroughAWindowWithoutTheRightFailsThoughTheRegionHasIt() {
    Memory writable =
        pair.b.memory(
            BYTES, 0, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.MW_BIND);
    MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
    MemoryWindowBinding binding =
        MemoryWindowBinding.of(writable.region(), 0, BYTES, AccessFlags.of(AccessFlag.REMOTE_READ));
    SendBatch bind = pair.b.queuePair.createSendBatch();
    bind.begin(7).bindMemoryWindow(window, window.nextRkey(), binding).signaled();
    bind.complete();
    pair.run();
    assertThat(pair.b.pollSends().get(0).requireSuccess().opcode())
        .isEqualTo(CompletionOpcode.BIND_MW);

    post(r -> r.rdmaWrite(writable.address(), window.rkey()), pair.a.memory(BYTES, 1), BYTES);
    assertThat(pair.a.pollSends().get(0).status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    assertThat(writable.slice(0, BYTES)).containsOnly(0);
  }

  // ---- UD ------------------------------------------------------------------------------------

  private void useDatagrams() {
    pair.close();
    pair = connected(QueuePairType.UD);
  }

  private SendRequest toB(SendRequest request) {
    AddressHandle handle = pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid()));
    return request.to(handle, pair.b.queuePair.number(), ConnectionSetup.DEFAULT_QUEUE_KEY);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_ud_send")
  void aDatagramMovesTheBytes() {
    useDatagrams();
    Memory landing = pair.b.memory(BYTES + HEADER_BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request -> toB(request.send()), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    assertThat(received(CompletionOpcode.RECV).byteLength()).isEqualTo(BYTES + HEADER_BYTES);
    assertThat(landing.slice(HEADER_BYTES, HEADER_BYTES + BYTES)).containsOnly(0x61);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_ud_send_imm")
  void anImmediateOfADatagramArrivesUnchangedWithItsFlag() {
    useDatagrams();
    Memory landing = pair.b.memory(BYTES + HEADER_BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request -> toB(request.sendWithImmediate(-2)), pair.a.memory(BYTES, 0x61), BYTES);

    assertSent(CompletionOpcode.SEND);
    WorkCompletion received = received(CompletionOpcode.RECV);
    assertThat(received.flags())
        .isEqualTo(CompletionFlag.WITH_IMM.value() | CompletionFlag.GRH.value());
    assertThat(received.immediate()).isEqualTo(-2);
  }

  @Test
  @Checks("QpExTestCase.test_qp_ex_ud_zero_size")
  void aDatagramOfNothingCompletesOnBothSides() {
    useDatagrams();
    pair.b.postReceive(10, pair.b.memory(HEADER_BYTES, 0));
    post(request -> toB(request.send()));

    assertSent(CompletionOpcode.SEND);
    assertThat(received(CompletionOpcode.RECV).byteLength()).isEqualTo(HEADER_BYTES);
  }

  @Test
  void theChecksumFlagIsIgnoredByADeviceWithoutTheCapability() {
    useDatagrams();
    Memory landing = pair.b.memory(BYTES + HEADER_BYTES, 0);
    pair.b.postReceive(10, landing);
    post(request -> toB(request.send().ipChecksum()), pair.a.memory(BYTES, 0x61), BYTES);
    assertThat(received(CompletionOpcode.RECV).flags()).isEqualTo(CompletionFlag.GRH.value());
    assertThat(landing.slice(HEADER_BYTES, HEADER_BYTES + BYTES)).containsOnly(0x61);
  }

  // ---- state ---------------------------------------------------------------------------------

  @Test
  @Checks("QpExTestCase.test_post_send_qp_state_bad_flow")
  void aSendInResetIsInvalidWhenTheBatchIsCompleted() {
    pair.close();
    pair = Pair.unconnected(init -> init.withSendOperations(SendOperation.SEND));
    SendBatch batch = pair.a.queuePair.createSendBatch();
    batch.begin(1).send();
    VerbsException refused = catchThrowableOfType(VerbsException.class, batch::complete);
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused).hasMessageContaining("the queue pair is in RESET");
  }
}

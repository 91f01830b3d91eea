package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Keys, rights and ranges, between two sides of ours. */
class ProtectionTest {
  private static final int BAD_KEY = 0xDEADBE00;

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;

  @AfterEach
  void close() {
    pair.close();
  }

  private SendRequest request(String operation, long address, int rkey, int length) {
    SendRequest request = a.request.reset(1);
    switch (operation) {
      case "WRITE" -> request.rdmaWrite(address, rkey);
      case "WRITE_WITH_IMM" -> request.rdmaWriteWithImmediate(address, rkey, 0x1234);
      case "READ" -> request.rdmaRead(address, rkey);
      case "FETCH_ADD" -> request.fetchAndAdd(address, rkey, 1);
      default -> throw new AssertionError(operation);
    }
    if (length > 0) {
      request.segment(a.memory(length, 0x55).region(), 0, length);
    }
    return request.signaled();
  }

  private List<String> answersOfB() {
    return pair.journal.from("b").stream().map(packet -> packet.summary()).toList();
  }

  /**
   * The requester hears of the true reason after one round trip; the responder's receives are
   * flushed.
   */
  private void assertAccessRefused(String operation) {
    assertThat(answersOfB()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
    assertThat(pair.completions("a")).containsExactly(operation + " 1 REM_ACCESS_ERR @20000");
    assertThat(a.state()).isEqualTo(QueuePairState.ERR);
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(a.pollEvents()).isEmpty();
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
  }

  @ParameterizedTest
  @CsvSource({
    "REMOTE_WRITE, false",
    "REMOTE_ATOMIC, false",
    "LOCAL_WRITE|REMOTE_WRITE, true",
    "LOCAL_WRITE|REMOTE_ATOMIC, true",
    "REMOTE_READ, true",
    "NONE, true"
  })
  @Checks({"C41", "REGISTER-ACCESS", "MRTest.test_reg_mr_bad_flags"})
  void remoteWritingNeedsLocalWritingAtRegistration(String access, boolean legal) {
    AccessFlags flags = AccessFlags.NONE;
    if (!access.equals("NONE")) {
      for (String name : access.split("\\|", -1)) {
        flags = AccessFlags.fromValue(flags.value() | AccessFlag.valueOf(name).value());
      }
    }
    AccessFlags asked = flags;
    ByteBuffer buffer = ByteBuffer.allocate(8);
    if (legal) {
      assertThatCode(() -> b.domain.registerMemory(buffer, asked)).doesNotThrowAnyException();
    } else {
      assertThatThrownBy(() -> b.domain.registerMemory(buffer, asked))
          .isInstanceOfSatisfying(
              VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }
  }

  @Test
  @Checks("C42")
  void theLkeyOfARegionIsNotItsRkeyAndIsRefused() {
    Side.Memory memory = b.memory(64, 7, AccessFlag.REMOTE_READ);
    assertThat(memory.lkey()).isNotEqualTo(memory.rkey());
    a.queuePair.post(request("READ", memory.address(), memory.lkey(), 64));
    pair.run();
    assertAccessRefused("RDMA_READ");
  }

  @Test
  @Checks("C42")
  void theRkeyOfARegionReadsIt() {
    Side.Memory memory = b.memory(64, 7, AccessFlag.REMOTE_READ);
    a.queuePair.post(request("READ", memory.address(), memory.rkey(), 64));
    pair.run();
    assertThat(pair.completions("a")).containsExactly("RDMA_READ 1 SUCCESS @20000");
  }

  @ParameterizedTest
  @CsvSource({
    "WRITE, 0xFFFFFFFFFFFFFC00, 1024",
    "WRITE, 0xFFFFFFFFFFFFFC00, 1025",
    "READ, 0xFFFFFFFFFFFFFC00, 1024",
    "READ, 0xFFFFFFFFFFFFFFFF, 1"
  })
  @Checks({"C45", "S31"})
  void aRangeAtTheEndOfTheAddressesDoesNotWrap(String operation, String address, int length) {
    Side.Memory memory = b.memory(4096, 7);
    long start = Long.parseUnsignedLong(address.substring(2), 16);
    a.queuePair.post(request(operation, start, memory.rkey(), length));
    pair.run();
    assertThat(answersOfB()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
    assertThat(a.pollSends().get(0).status().value()).isEqualTo(10);
    assertThat(memory.slice(0, 4096)).containsOnly(7);
  }

  @ParameterizedTest
  @CsvSource({"WRITE, 1", "WRITE, 4096", "READ, 1", "READ, 4096", "READ, 2000"})
  @Checks("C45")
  void oneByteBehindTheRegionIsOutsideOfIt(String operation, int length) {
    Side.Memory memory = b.memory(4096, 7);
    long start = memory.address() + 4096 - length + 1;
    a.queuePair.post(request(operation, start, memory.rkey(), length));
    pair.run();
    assertThat(answersOfB()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
    assertThat(a.pollSends().get(0).status().value()).isEqualTo(10);
    assertThat(memory.slice(0, 4096)).containsOnly(7);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ"})
  @Checks("C45")
  void theLastByteOfTheRegionIsInsideOfIt(String operation) {
    Side.Memory memory = b.memory(4096, 7);
    a.queuePair.post(request(operation, memory.address() + 4095, memory.rkey(), 1));
    pair.run();
    assertThat(pair.completions("a")).containsExactly("RDMA_" + operation + " 1 SUCCESS @20000");
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ"})
  @Checks({"C46", "FAULT-REPORT"})
  void aBadKeyIsAnsweredAtOnceAndTheResponderGetsOneEvent(String operation) {
    b.postReceive(11, b.memory(64, 0));
    a.queuePair.post(request(operation, 0x1000, BAD_KEY, 3000));
    pair.run();
    assertAccessRefused("RDMA_" + operation);
    assertThat(pair.completions("b")).containsExactly("RECV 11 WR_FLUSH_ERR @10000");
    assertThat(b.node.transport().fatalNaksSent()).isEqualTo(1);
  }

  @Test
  @Checks({"C46", "FAULT-REPORT"})
  void aBadKeyOfAWriteWithImmediateIsReportedOnTheReceive() {
    b.postReceive(11, b.memory(64, 0));
    b.postReceive(12, b.memory(64, 0));
    a.queuePair.post(request("WRITE_WITH_IMM", 0x1000, BAD_KEY, 8));
    pair.run();

    assertThat(answersOfB()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
    assertThat(pair.completions("a"))
        .containsExactly("RDMA_WRITE_WITH_IMM 1 REM_ACCESS_ERR @20000");
    assertThat(pair.completions("b"))
        .containsExactly("RECV 11 LOC_ACCESS_ERR @10000", "RECV 12 WR_FLUSH_ERR @10000");
    assertThat(b.pollEvents()).isEmpty();
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "WRITE_WITH_IMM", "READ"})
  @Checks({"KEY-ZERO-LENGTH", "C13", "S32"})
  void nothingNeedsNoKey(String operation) {
    b.postReceive(11, b.memory(64, 0x33));
    a.queuePair.post(request(operation, 0xDEAD_BEEF_0000_0001L, BAD_KEY, 0));
    pair.run();

    assertThat(pair.completions("a")).containsExactly("RDMA_" + operation + " 1 SUCCESS @20000");
    assertThat(pair.journal.psns("a")).containsExactly(0x100);
    List<WorkCompletion> received = b.pollReceives();
    if (operation.equals("WRITE_WITH_IMM")) {
      assertThat(received).hasSize(1);
      assertThat(received.get(0).opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
      assertThat(received.get(0).byteLength()).isZero();
      assertThat(received.get(0).immediate()).isEqualTo(0x1234);
    } else {
      assertThat(received).isEmpty();
    }
  }

  @Test
  @Checks("KEY-ZERO-LENGTH")
  void anAtomicAlwaysNeedsItsKey() {
    a.queuePair.post(request("FETCH_ADD", 0x1000, BAD_KEY, 8));
    pair.run();
    assertAccessRefused("ATOMIC_FETCH_AND_ADD");
  }

  @Test
  @Checks("KEY-CHECK-ORDER")
  void aRegionOfAnotherContextOfTheDeviceIsOfAnotherProtectionDomain() {
    try (Pair other = Pair.connected()) {
      ProtectionDomain second = other.a.node.device().open().allocateProtectionDomain();
      MemoryRegion foreign = second.registerMemory(ByteBuffer.allocate(8), AccessFlag.LOCAL_WRITE);
      other.b.postEmptyReceive(1);
      other.a.queuePair.post(other.a.request.reset(2).send().segment(foreign, 0, 8).signaled());
      other.run();

      assertThat(other.completions("a")).containsExactly("SEND 2 LOC_PROT_ERR @0");
      assertThat(other.a.pollSends().get(0).detail()).contains("another protection domain");
      assertThat(other.journal.all()).isEmpty();
    }
  }
}

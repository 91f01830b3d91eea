package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Faults that a responder finds in its memory and its receives, and where it reports them. */
class ResponderFaultTest {
  private static final int BAD_KEY = 0xDEADBE00;

  @Test
  @Checks({"RNR-BEFORE-KEY", "FAULT-REPORT", "S34"})
  void aWriteWithImmediateFirstLacksItsReceiveAndThenItsKey() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(
          Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE, 0x000100, 4, 1, RawPeer.reth(0x1000, BAD_KEY, 4));
      raw.run();
      assertThat(raw.received()).containsExactly("RNR_NAK(12) psn=0x000100 msn=0");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.b.pollEvents()).isEmpty();

      raw.clear();
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.b.postReceive(2, raw.b.memory(8, 0));
      raw.send(
          Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE, 0x000100, 4, 1, RawPeer.reth(0x1000, BAD_KEY, 4));
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
      assertThat(raw.completions()).containsExactly("RECV 1 LOC_ACCESS_ERR", "RECV 2 WR_FLUSH_ERR");
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  @Test
  @Checks("RNR-BEFORE-KEY")
  void theLastPacketOfALongWriteWithImmediateLacksItsReceiveToo() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory target = raw.b.memory(2048, 0);
      raw.send(Opcode.RC_WRITE_FIRST, 0x000100, 1024, 1, RawPeer.reth(target, 0, 2048));
      raw.send(Opcode.RC_WRITE_LAST_WITH_IMMEDIATE, 0x000101, 1024, 2);
      raw.run();
      assertThat(raw.received())
          .containsExactly("ACK psn=0x000100 msn=0", "RNR_NAK(12) psn=0x000101 msn=0");
      assertThat(target.slice(1024, 2048)).containsOnly(0);

      raw.clear();
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_WRITE_LAST_WITH_IMMEDIATE, 0x000101, 1024, 2);
      raw.run();
      assertThat(raw.received()).containsExactly("ACK psn=0x000101 msn=1");
      assertThat(raw.completions()).containsExactly("RECV_RDMA_WITH_IMM 1 SUCCESS");
      assertThat(target.slice(1024, 2048)).containsOnly(2);
    }
  }

  @Test
  @Checks("RNR-BEFORE-KEY")
  void aMissingReceiveIsFoundBeforeAWrongLengthToo() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.send(Opcode.RC_SEND_FIRST, 0x000100, 7, 1);
      raw.run();
      assertThat(raw.received()).containsExactly("RNR_NAK(12) psn=0x000100 msn=0");
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"KEY-EACH-PACKET", "FAULT-REPORT"})
  void aWriteStopsAtThePacketBeforeWhichItsRegionWasDeregistered() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory target = raw.b.memory(3072, 0);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_WRITE_FIRST, 0x000100, 1024, 1, RawPeer.reth(target, 0, 3072));
      raw.send(Opcode.RC_WRITE_MIDDLE, 0x000101, 1024, 2);
      raw.run();
      target.region().close();
      raw.send(Opcode.RC_WRITE_LAST, 0x000102, 1024, 3);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000100 msn=0",
              "ACK psn=0x000101 msn=0",
              "NAK(REMOTE_ACCESS_ERROR) psn=0x000102 msn=0");
      assertThat(target.slice(0, 1024)).containsOnly(1);
      assertThat(target.slice(1024, 2048)).containsOnly(2);
      assertThat(target.slice(2048, 3072)).containsOnly(0);
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
    }
  }

  @Test
  @Checks({"KEY-EACH-PACKET", "S30"})
  void aWriteStopsAtThePacketBeforeWhichItsKeyWasInvalidatedAndRegisteredAnew() {
    try (RawPeer raw = RawPeer.connected();
        RegisteredMemory target = new RegisteredMemory(raw)) {
      raw.send(
          Opcode.RC_WRITE_FIRST,
          0x000100,
          1024,
          1,
          RawPeer.reth(target.address(), target.key(), 2048));
      raw.runRoundTrip();
      target.registerAnew();
      raw.send(Opcode.RC_WRITE_LAST, 0x000101, 1024, 2);
      raw.run();

      assertThat(raw.received())
          .containsExactly("ACK psn=0x000100 msn=0", "NAK(REMOTE_ACCESS_ERROR) psn=0x000101 msn=0");
      assertThat(target.bytes(0, 1024)).containsOnly(1);
      assertThat(target.bytes(1024, 2048)).containsOnly(0);
    }
  }

  /** A fast registration region of {@code b} whose key is valid. */
  private record RegisteredMemory(RawPeer raw, Side.FastMemory fast) implements AutoCloseable {
    RegisteredMemory(RawPeer raw) {
      this(raw, raw.b.fastMemory(2048, 0));
      raw.b.postRegister(100, fast);
    }

    void registerAnew() {
      raw.b.queuePair.post(raw.b.request.reset(101).localInvalidate(key()).signaled());
      raw.b.postRegister(102, fast);
      assertThat(raw.completions())
          .containsExactly("REG_MR 100 SUCCESS", "LOCAL_INV 101 SUCCESS", "REG_MR 102 SUCCESS");
    }

    long address() {
      return fast.address();
    }

    int key() {
      return fast.key();
    }

    byte[] bytes(int from, int to) {
      return fast.memory().slice(from, to);
    }

    @Override
    public void close() {
      fast.region().close();
    }
  }

  @Test
  @Checks({"RECEIVE-FAULT", "FAULT-REPORT"})
  void aReceiveIntoMemoryWithoutLocalWriteFailsOnBothSides() {
    try (Pair pair = Pair.connected()) {
      pair.b.postReceive(11, pair.b.memory(16, 0, AccessFlag.REMOTE_READ));
      pair.b.postReceive(12, pair.b.memory(16, 0));
      pair.a.postSend(1, pair.a.memory(16, 7));
      pair.a.postSend(2, pair.a.memory(16, 8));
      pair.run();

      assertThat(pair.journal.from("b"))
          .extracting("summary")
          .containsExactly("NAK(REMOTE_OPERATIONAL_ERROR) psn=0x000100 msn=0");
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 REM_OP_ERR @20000", "SEND 2 WR_FLUSH_ERR @20000");
      assertThat(pair.completions("b"))
          .containsExactly("RECV 11 LOC_PROT_ERR @10000", "RECV 12 WR_FLUSH_ERR @10000");
      assertThat(pair.b.pollEvents()).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  @ParameterizedTest
  @CsvSource({"16, 17", "0, 16"})
  @Checks({"RECEIVE-FAULT", "S36"})
  void aReceiveWhoseSegmentIsNotItsKeysMemoryFailsOnBothSides(int rightKeyBytes, int length) {
    try (Pair pair = Pair.connected()) {
      Side.Memory memory = pair.b.memory(16, 0);
      int lkey = rightKeyBytes == 0 ? memory.rkey() : memory.lkey();
      pair.b.queuePair.post(new ReceiveRequest().reset(11).segment(memory.address(), length, lkey));
      pair.a.postSend(1, pair.a.memory(length, 7));
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 REM_OP_ERR @20000");
      assertThat(pair.completions("b")).containsExactly("RECV 11 LOC_PROT_ERR @10000");
      assertThat(memory.slice(0, 16)).containsOnly(0);
    }
  }

  @Test
  @Checks("RECEIVE-FAULT")
  void aReceiveMayFailInTheMiddleOfAMessage() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory memory = raw.b.memory(2048, 0);
      raw.b.postReceive(1, memory);
      raw.send(Opcode.RC_SEND_FIRST, 0x000100, 1024, 1);
      raw.run();
      memory.region().close();
      raw.send(Opcode.RC_SEND_LAST, 0x000101, 1024, 2);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000100 msn=0", "NAK(REMOTE_OPERATIONAL_ERROR) psn=0x000101 msn=0");
      assertThat(raw.completions()).containsExactly("RECV 1 LOC_PROT_ERR");
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(memory.slice(1024, 2048)).containsOnly(0);
    }
  }

  @Test
  @Checks("RECEIVE-FAULT")
  void anImmediateLeavesABadReceiveAlone() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory target = raw.b.memory(8, 0);
      raw.b.queuePair.post(new ReceiveRequest().reset(1).segment(0x1000, 8, BAD_KEY));
      raw.send(Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE, 0x000100, 4, 9, RawPeer.reth(target, 0, 4));
      raw.run();
      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
      assertThat(raw.completions()).containsExactly("RECV_RDMA_WITH_IMM 1 SUCCESS");
      assertThat(target.slice(0, 5)).containsExactly(9, 9, 9, 9, 0);
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {"RC_WRITE_ONLY", "RC_READ_REQUEST", "RC_COMPARE_SWAP", "RC_FETCH_ADD"})
  @Checks({"FAULT-REPORT", "KEY-CHECK-ORDER", "S33"})
  void anOperationThatTheQueuePairDoesNotAllowIsAnInvalidRequestWhateverItsKey(Opcode opcode) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withAccess(AccessFlags.NONE))) {
      raw.b.postReceive(1, raw.b.memory(8, 0));
      int length = opcode.isWrite() ? 8 : 0;
      raw.send(opcode, 0x000100, length, 1, RawPeer.reth(0x1000, BAD_KEY, 8));
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR");
    }
  }

  @Test
  @Checks({"FAULT-REPORT", "KEY-ZERO-LENGTH", "S32"})
  void aWriteOfNothingStillNeedsTheQueuePairsAccess() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withAccess(AccessFlags.NONE))) {
      raw.send(Opcode.RC_WRITE_ONLY, 0x000100, RawPeer.reth(0, 0, 0));
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
    }
  }
}

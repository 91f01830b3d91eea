package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** FIRST, MIDDLE, LAST and ONLY in and out of place, and opcodes that nobody has defined. */
class ResponderSequenceTest {
  private final RawPeer raw = RawPeer.connected();
  private final Side.Memory target = raw.b.memory(8192, 0);

  @BeforeEach
  void postReceives() {
    raw.b.postReceive(1, raw.b.memory(8192, 0));
    raw.b.postReceive(2, raw.b.memory(8192, 0));
  }

  @AfterEach
  void close() {
    raw.close();
  }

  private void send(Opcode opcode, int psn) {
    boolean full = !opcode.endsMessage();
    int length = opcode.isSend() || opcode.isWrite() ? (full ? RawPeer.MTU : 8) : 0;
    raw.send(opcode, psn, length, 0x55, RawPeer.reth(target, 0, full ? 2 * RawPeer.MTU : 8));
  }

  private void assertRefusedWithoutAReceive(String nak) {
    assertThat(raw.received()).containsExactly(nak);
    assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
    assertThat(raw.completions()).containsExactly("RECV 1 WR_FLUSH_ERR", "RECV 2 WR_FLUSH_ERR");
    assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {
        "RC_SEND_MIDDLE",
        "RC_SEND_LAST",
        "RC_SEND_LAST_WITH_IMMEDIATE",
        "RC_SEND_LAST_WITH_INVALIDATE",
        "RC_WRITE_MIDDLE",
        "RC_WRITE_LAST",
        "RC_WRITE_LAST_WITH_IMMEDIATE"
      })
  @Checks({"OPCODE-SEQUENCE", "FAULT-REPORT"})
  void middleAndLastOutsideAMessageAreRefused(Opcode opcode) {
    send(opcode, 0x000100);
    raw.run();
    assertRefusedWithoutAReceive("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {
        "RC_SEND_FIRST",
        "RC_SEND_ONLY",
        "RC_SEND_ONLY_WITH_IMMEDIATE",
        "RC_SEND_ONLY_WITH_INVALIDATE",
        "RC_WRITE_FIRST",
        "RC_WRITE_MIDDLE",
        "RC_WRITE_LAST",
        "RC_WRITE_LAST_WITH_IMMEDIATE",
        "RC_WRITE_ONLY",
        "RC_WRITE_ONLY_WITH_IMMEDIATE",
        "RC_READ_REQUEST",
        "RC_COMPARE_SWAP",
        "RC_FETCH_ADD"
      })
  @Checks({"OPCODE-SEQUENCE", "FAULT-REPORT"})
  void insideASendOnlyItsOwnMiddleAndLastAreTaken(Opcode opcode) {
    send(Opcode.RC_SEND_FIRST, 0x000100);
    send(opcode, 0x000101);
    raw.run();

    assertThat(raw.received())
        .containsExactly("ACK psn=0x000100 msn=0", "NAK(INVALID_REQUEST) psn=0x000101 msn=0");
    assertThat(raw.completions()).containsExactly("RECV 1 REM_INV_REQ_ERR", "RECV 2 WR_FLUSH_ERR");
    assertThat(raw.b.pollEvents()).isEmpty();
    assertThat(raw.b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(target.slice(0, 8)).containsOnly(0);
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {
        "RC_WRITE_FIRST",
        "RC_WRITE_ONLY",
        "RC_WRITE_ONLY_WITH_IMMEDIATE",
        "RC_SEND_FIRST",
        "RC_SEND_MIDDLE",
        "RC_SEND_LAST",
        "RC_SEND_LAST_WITH_IMMEDIATE",
        "RC_SEND_LAST_WITH_INVALIDATE",
        "RC_SEND_ONLY",
        "RC_SEND_ONLY_WITH_IMMEDIATE",
        "RC_SEND_ONLY_WITH_INVALIDATE",
        "RC_READ_REQUEST",
        "RC_COMPARE_SWAP",
        "RC_FETCH_ADD"
      })
  @Checks({"OPCODE-SEQUENCE", "FAULT-REPORT"})
  void insideAWriteOnlyItsOwnMiddleAndLastAreTaken(Opcode opcode) {
    send(Opcode.RC_WRITE_FIRST, 0x000100);
    raw.run();
    assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=0");
    raw.clear();

    send(opcode, 0x000101);
    raw.run();
    assertRefusedWithoutAReceive("NAK(INVALID_REQUEST) psn=0x000101 msn=0");
    assertThat(target.slice(1024, 2048)).containsOnly(0);
  }

  @Test
  @Checks("OPCODE-SEQUENCE")
  void messagesOfSeveralPacketsAreTakenOneAfterTheOther() {
    send(Opcode.RC_SEND_FIRST, 0x000100);
    send(Opcode.RC_SEND_MIDDLE, 0x000101);
    send(Opcode.RC_SEND_LAST, 0x000102);
    send(Opcode.RC_WRITE_FIRST, 0x000103);
    raw.send(Opcode.RC_WRITE_LAST_WITH_IMMEDIATE, 0x000104, RawPeer.MTU, 0x66);
    raw.run();

    assertThat(raw.received())
        .containsExactly(
            "ACK psn=0x000100 msn=0",
            "ACK psn=0x000101 msn=0",
            "ACK psn=0x000102 msn=1",
            "ACK psn=0x000103 msn=1",
            "ACK psn=0x000104 msn=2");
    assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS", "RECV_RDMA_WITH_IMM 2 SUCCESS");
    assertThat(raw.b.pollEvents()).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(ints = {0x15, 0x18, 0x19, 0x1A, 0x1B, 0x1E, 0x1F})
  @Checks({"OPCODE-RESERVED", "FAULT-REPORT"})
  void anOpcodeThatNobodyHasDefinedIsRefused(int value) {
    raw.send(Opcode.RC_RESERVED, 0x000100, packet -> packet.opcodeValue(value));
    raw.run();
    assertRefusedWithoutAReceive("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {"RC_FLUSH", "RC_ATOMIC_WRITE"})
  @Checks("OPCODE-RESERVED")
  void anOperationThatTheDeviceDoesNotOfferIsRefused(Opcode opcode) {
    int length = opcode.carriesPayload() ? 8 : 0;
    raw.send(opcode, 0x000100, length, 0x55, RawPeer.reth(target, 0, 8));
    raw.run();
    assertRefusedWithoutAReceive("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
    assertThat(target.slice(0, 8)).containsOnly(0);
  }

  @Test
  @Checks({"OPCODE-RESERVED", "PSN-FIRST"})
  void aReservedOpcodeIsRefusedOnlyAtTheExpectedPsn() {
    raw.send(Opcode.RC_RESERVED, 0x0000FF, packet -> packet.opcodeValue(0x18));
    raw.run();
    assertThat(raw.received()).isEmpty();
    raw.send(Opcode.RC_RESERVED, 0x000101, packet -> packet.opcodeValue(0x18));
    raw.run();
    assertThat(raw.received()).containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0");
    assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  @Checks("FAULT-REPORT")
  void aQueuePairThatHasRefusedIsSilentAndReportsOnce() {
    send(Opcode.RC_SEND_LAST, 0x000100);
    send(Opcode.RC_SEND_LAST, 0x000100);
    send(Opcode.RC_SEND_ONLY, 0x0000FF);
    raw.run();
    assertRefusedWithoutAReceive("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
    assertThat(raw.b.node.transport().droppedWrongState()).isEqualTo(2);
  }
}

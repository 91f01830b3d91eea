package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** A queue pair that goes through RESET remembers nothing of its former connection. */
class ResponderRestartTest {
  private final ConnectionSetup setup = Pair.setup();
  private final RawPeer raw = RawPeer.connected();

  @AfterEach
  void close() {
    raw.close();
  }

  @Test
  @Checks({"RESET-SILENT", "OPCODE-SEQUENCE"})
  void aHalfReceivedMessageIsForgotten() {
    raw.b.postReceive(1, raw.b.memory(2048, 0));
    raw.send(Opcode.RC_SEND_FIRST, 0x000100, 1024, 1);
    raw.run();
    raw.reconnect(setup.withFirstPsn(0x000101));
    raw.b.postReceive(2, raw.b.memory(2048, 0));
    raw.clear();
    raw.send(Opcode.RC_SEND_LAST, 0x000101, 1024, 1);
    raw.run();

    assertThat(raw.received()).containsExactly("NAK(INVALID_REQUEST) psn=0x000101 msn=0");
    assertThat(raw.completions()).containsExactly("RECV 2 WR_FLUSH_ERR");
    assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
  }

  @Test
  @Checks({"RESET-SILENT", "READ-REPLAY-INSIDE"})
  void savedRequestsAreForgotten() {
    Side.Memory memory = raw.b.memory(8, 0);
    raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(memory, 0, 8));
    raw.send(Opcode.RC_FETCH_ADD, 0x000101, RawPeer.reth(memory, 0, 0));
    raw.run();
    raw.reconnect(setup.withFirstPsn(0x000102));
    raw.clear();
    raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(memory, 0, 8));
    raw.send(Opcode.RC_FETCH_ADD, 0x000101, RawPeer.reth(memory, 0, 0));
    raw.run();
    assertThat(raw.received()).isEmpty();
  }

  @Test
  @Checks({"RESET-SILENT", "NAK-ONCE-PER-GAP"})
  void anOpenGapIsForgotten() {
    raw.send(Opcode.RC_SEND_ONLY, 0x000105, 4, 1);
    raw.run();
    raw.reconnect(setup);
    raw.send(Opcode.RC_SEND_ONLY, 0x000105, 4, 1);
    raw.run();
    assertThat(raw.received())
        .containsExactly(
            "NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0",
            "NAK(PSN_SEQUENCE_ERROR) psn=0x000100 msn=0");
  }

  @Test
  @Checks("RESET-SILENT")
  void theMessageSequenceNumberAndTheRequestersPsnBeginAnew() {
    raw.b.postReceive(1, raw.b.memory(8, 0));
    raw.b.postSend(2, raw.b.memory(4, 2));
    raw.send(Opcode.RC_SEND_ONLY, 0x000100, 4, 1);
    raw.runRoundTrip();
    raw.reconnect(setup.withFirstPsn(0xABCDEF));
    raw.clear();
    raw.b.postReceive(3, raw.b.memory(8, 0));
    raw.b.postSend(4, raw.b.memory(4, 4));
    raw.send(Opcode.RC_SEND_ONLY, 0xABCDEF, 4, 1);
    raw.acknowledge(0x000100, 0x1F);
    raw.runRoundTrip();

    assertThat(raw.received())
        .containsExactly("SEND_ONLY psn=0xabcdef ackreq len=4", "ACK psn=0xabcdef msn=1");
    assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS", "RECV 3 SUCCESS");
    assertThat(raw.b.node.transport().staleResponses()).isEqualTo(1);
  }

  @Test
  @Checks("COMM-EST")
  void communicationIsEstablishedOnceForEachEntryToRtr() {
    for (int entry = 0; entry < 2; entry++) {
      raw.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      raw.initialize(setup);
      raw.readyToReceive(setup);
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(0, 0, 0));
      raw.send(Opcode.RC_READ_REQUEST, 0x000101, RawPeer.reth(0, 0, 0));
      raw.run();
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.COMM_EST);
    }
  }
}

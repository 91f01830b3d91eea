package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteOrder;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Packets that arrive twice: executed once, answered twice. */
class DuplicateTest {
  /**
   * What one device sent, without the copies that the fabric made: opcode, PSN and what an answer
   * adds.
   */
  private static List<String> sentByTheDevice(Pair pair, String node) {
    return pair.journal.from(node).stream()
        .filter(packet -> !packet.faults().startsWith("duplicate of"))
        .map(packet -> packet.summary().replaceAll(" ackreq.*| len=.*", ""))
        .toList();
  }

  @Test
  @Checks({"C70", "DUPLICATE-ACK", "DUPLICATE-READ", "ATOMIC-ONCE", "RESPONSE-GHOST"})
  void everythingThatTheFabricDuplicatesIsExecutedOnce() {
    try (Pair pair = Pair.connected()) {
      Side a = pair.a;
      Side b = pair.b;
      Side.FastMemory invalidated = b.fastMemory(64, 0);
      b.postRegister(90, invalidated);
      for (int i = 11; i <= 16; i++) {
        b.postReceive(i, b.memory(8, 0));
      }
      Side.Memory remote = b.memory(24, 0);
      remote.bytes().order(ByteOrder.LITTLE_ENDIAN).putLong(0, 5);
      remote.bytes().putLong(8, 0x1111111111111111L);
      Side.Memory local = a.memory(32, 0x44);
      pair.impair("duplicate=1+3packets:*>*/ANY");

      for (int i = 1; i <= 3; i++) {
        a.queuePair.post(a.request.reset(i).send().segment(local.region(), 0, 8).signaled());
      }
      a.queuePair.post(
          a.request
              .reset(4)
              .rdmaWrite(remote.address() + 16, remote.rkey())
              .segment(local.region(), 0, 8)
              .signaled());
      a.queuePair.post(
          a.request
              .reset(5)
              .sendWithInvalidate(invalidated.key())
              .segment(local.region(), 0, 8)
              .signaled());
      a.queuePair.post(
          a.request
              .reset(6)
              .rdmaRead(remote.address() + 8, remote.rkey())
              .segment(local.region(), 16, 8)
              .signaled());
      a.queuePair.post(
          a.request
              .reset(7)
              .fetchAndAdd(remote.address(), remote.rkey(), 3)
              .segment(local.region(), 24, 8)
              .signaled());
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @20000",
              "SEND 2 SUCCESS @20000",
              "SEND 3 SUCCESS @20000",
              "RDMA_WRITE 4 SUCCESS @20000",
              "SEND_WITH_INV 5 SUCCESS @20000",
              "RDMA_READ 6 SUCCESS @20000",
              "ATOMIC_FETCH_AND_ADD 7 SUCCESS @20000");
      assertThat(pair.completions("b"))
          .containsExactly(
              "REG_MR 90 SUCCESS @0",
              "RECV 11 SUCCESS @10000",
              "RECV 12 SUCCESS @10000",
              "RECV 13 SUCCESS @10000",
              "RECV 14 SUCCESS @10000");
      List<WorkCompletion> received = b.pollReceives();
      assertThat(received.get(3).invalidatedRkey()).isEqualTo(invalidated.key());
      assertThat(sentByTheDevice(pair, "a"))
          .containsExactly(
              "SEND_ONLY psn=0x000100",
              "SEND_ONLY psn=0x000101",
              "SEND_ONLY psn=0x000102",
              "WRITE_ONLY psn=0x000103",
              "SEND_ONLY_WITH_INVALIDATE psn=0x000104",
              "READ_REQUEST psn=0x000105",
              "FETCH_ADD psn=0x000106");
      // The copy of PSN 100 comes behind 103, and so on; the last three come when nothing has
      // followed for 1 ms.
      assertThat(sentByTheDevice(pair, "b"))
          .containsExactly(
              "ACK psn=0x000100 msn=1",
              "ACK psn=0x000101 msn=2",
              "ACK psn=0x000102 msn=3",
              "ACK psn=0x000103 msn=4",
              "ACK psn=0x000103 msn=4",
              "ACK psn=0x000104 msn=5",
              "ACK psn=0x000104 msn=5",
              "READ_RESPONSE_ONLY psn=0x000105 msn=6",
              "ACK psn=0x000104 msn=6",
              "ATOMIC_ACKNOWLEDGE psn=0x000106 msn=7 original=0x5",
              "ACK psn=0x000106 msn=7",
              "ACK psn=0x000106 msn=7",
              "READ_RESPONSE_ONLY psn=0x000105 msn=6",
              "ATOMIC_ACKNOWLEDGE psn=0x000106 msn=7 original=0x5");
      assertThat(b.node.transport().duplicateRequests()).isEqualTo(7);
      assertThat(remote.bytes().order(ByteOrder.LITTLE_ENDIAN).getLong(0)).isEqualTo(8);
      assertThat(local.slice(16, 24)).containsOnly(0x11);
      assertThat(local.slice(24, 32)).containsExactly(5, 0, 0, 0, 0, 0, 0, 0);
      assertThat(a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(a.pollEvents()).isEmpty();
      assertThat(b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks({"DUPLICATE-ACK", "S21"})
  void aRepeatedSendTakesNoReceiveAndIsAcknowledgedThoughItDoesNotAsk() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory first = raw.b.memory(4, 0);
      Side.Memory second = raw.b.memory(4, 0);
      raw.b.postReceive(1, first);
      raw.b.postReceive(2, second);
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 4, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 4, 9, packet -> packet.ackRequest(false));
      raw.run();

      assertThat(raw.received())
          .containsExactly("ACK psn=0x000100 msn=1", "ACK psn=0x000100 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS");
      assertThat(first.slice(0, 4)).containsOnly(1);
      assertThat(second.slice(0, 4)).containsOnly(0);
    }
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void aRequestThatDoesNotAskForAnAcknowledgementGetsNoneTheFirstTime() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.b.postReceive(1, raw.b.memory(4, 0));
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 4, 1, packet -> packet.ackRequest(false));
      raw.run();
      assertThat(raw.received()).isEmpty();
      assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS");
    }
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void aRepeatedWriteTouchesNeitherMemoryNorKey() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory target = raw.b.memory(2048, 0);
      raw.send(Opcode.RC_WRITE_FIRST, 0x000100, 1024, 1, RawPeer.reth(target, 0, 2048));
      raw.send(Opcode.RC_WRITE_LAST, 0x000101, 1024, 2);
      raw.run();
      raw.clear();
      target.fill(0x77);
      target.region().close();
      raw.send(Opcode.RC_WRITE_FIRST, 0x000100, 1024, 1, RawPeer.reth(target, 0, 2048));
      raw.send(Opcode.RC_WRITE_LAST, 0x000101, 1024, 2);
      raw.run();

      assertThat(raw.received())
          .containsExactly("ACK psn=0x000101 msn=1", "ACK psn=0x000101 msn=1");
      assertThat(target.slice(0, 2048)).containsOnly(0x77);
      assertThat(raw.b.pollEvents()).isEmpty();
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void aRepeatedPacketInTheMiddleOfAMessageDoesNotDisturbIt() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory receive = raw.b.memory(3072, 0);
      raw.b.postReceive(1, receive);
      raw.send(Opcode.RC_SEND_FIRST, 0x000100, 1024, 1, packet -> packet.ackRequest(false));
      raw.send(Opcode.RC_SEND_MIDDLE, 0x000101, 1024, 2, packet -> packet.ackRequest(false));
      raw.send(Opcode.RC_SEND_FIRST, 0x000100, 1024, 8);
      raw.send(Opcode.RC_SEND_LAST, 0x000102, 1000, 3);
      raw.send(Opcode.RC_SEND_LAST, 0x000102, 1000, 9);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000101 msn=0", "ACK psn=0x000102 msn=1", "ACK psn=0x000102 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS");
      assertThat(receive.slice(0, 1024)).containsOnly(1);
      assertThat(receive.slice(1024, 2048)).containsOnly(2);
      assertThat(receive.slice(2048, 3048)).containsOnly(3);
    }
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void aRepeatedSendWithInvalidateLeavesARegionThatIsRegisteredAgainAlone() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.FastMemory region = raw.b.fastMemory(64, 0);
      raw.b.postRegister(90, region);
      int key = region.key();
      raw.b.postReceive(1, raw.b.memory(4, 0));
      raw.b.postReceive(2, raw.b.memory(4, 0));
      raw.send(
          Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
          0x000100,
          4,
          1,
          packet -> packet.invalidateRkey(key));
      raw.run();
      raw.b.postRegister(91, region);
      int newKey = region.key();
      raw.send(
          Opcode.RC_SEND_ONLY_WITH_INVALIDATE,
          0x000100,
          4,
          1,
          packet -> packet.invalidateRkey(newKey));
      raw.send(Opcode.RC_WRITE_ONLY, 0x000101, 4, 5, RawPeer.reth(region.address(), newKey, 4));
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000100 msn=1", "ACK psn=0x000100 msn=1", "ACK psn=0x000101 msn=2");
      assertThat(raw.completions())
          .containsExactly("REG_MR 90 SUCCESS", "RECV 1 SUCCESS", "REG_MR 91 SUCCESS");
      assertThat(region.memory().slice(0, 4)).containsOnly(5);
    }
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void anAcknowledgementGivenAgainNeverClaimsAReadThatIsUnanswered() {
    try (RawPeer raw = RawPeer.connected()) {
      Side.Memory memory = raw.b.memory(16, 0);
      raw.send(Opcode.RC_WRITE_ONLY, 0x000100, 4, 1, RawPeer.reth(memory, 0, 4));
      raw.send(Opcode.RC_READ_REQUEST, 0x000101, RawPeer.reth(memory, 0, 4));
      raw.send(Opcode.RC_WRITE_ONLY, 0x000100, 4, 1, RawPeer.reth(memory, 0, 4));
      raw.run();
      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000100 msn=1",
              "READ_RESPONSE_ONLY psn=0x000101 msn=2 len=4",
              "ACK psn=0x000100 msn=2");
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Packets that a queue pair does not even look at, and what its state has to do with it. */
class ResponderFilterTest {
  private static void sendTo(RawPeer raw, Consumer<Packet> fields) {
    raw.b.postReceive(1, raw.b.memory(1024, 0));
    raw.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 4, 1, fields);
    raw.run();
  }

  private static void assertUntouched(RawPeer raw) {
    assertThat(raw.received()).isEmpty();
    assertThat(raw.completions()).isEmpty();
    assertThat(raw.b.pollEvents()).isEmpty();
  }

  @Test
  @Checks("PEER-ADDRESS")
  void aRequestFromAnotherAddressThanThePeersIsDropped() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> packet.network().sourceLow(packet.network().sourceLow() + 77));
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedWrongPeer()).isEqualTo(1);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks("PEER-ADDRESS")
  void thePeersOtherAddressIsAnotherAddress() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withGidIndex(1))) {
      sendTo(raw, packet -> {});
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedWrongPeer()).isEqualTo(1);
    }
  }

  @Test
  @Checks("PEER-ADDRESS")
  void aResponseFromAnotherAddressThanThePeersIsDropped() {
    try (RawPeer raw = RawPeer.connected()) {
      raw.b.postSend(1, raw.b.memory(4, 1));
      raw.runRoundTrip();
      raw.send(
          Opcode.RC_ACKNOWLEDGE,
          RawPeer.PSN,
          packet -> {
            packet.aeth().syndrome(0x61);
            packet.network().sourceLow(packet.network().sourceLow() + 77);
          });
      raw.runRoundTrip();
      assertThat(raw.completions()).isEmpty();
      assertThat(raw.b.node.transport().droppedWrongPeer()).isEqualTo(1);

      raw.acknowledge(RawPeer.PSN, 0x1F);
      raw.run();
      assertThat(raw.completions()).containsExactly("SEND 1 SUCCESS");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = Opcode.class,
      names = {"UC_SEND_ONLY", "UC_WRITE_ONLY", "UD_SEND_ONLY"})
  @Checks("RECEIVE-FILTER")
  void aPacketOfAnotherTransportIsDropped(Opcode opcode) {
    try (RawPeer raw = RawPeer.connected()) {
      raw.b.postReceive(1, raw.b.memory(64, 0));
      raw.send(opcode, RawPeer.PSN, 16, 1);
      raw.run();
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedWrongState()).isEqualTo(1);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {0x0000, 0x8000, 0x1234, 0xFFFE})
  @Checks("RECEIVE-FILTER")
  void aPacketOfAForeignPartitionIsDropped(int partitionKey) {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> packet.partitionKey(partitionKey));
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedPartitionKey()).isEqualTo(1);
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void aLimitedMemberOfTheSamePartitionIsHeard() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> packet.partitionKey(0x7FFF));
      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void bitsThatAReceiverIgnoresAreIgnored() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(
          raw,
          packet ->
              packet
                  .migrated(false)
                  .fecn(true)
                  .becn(true)
                  .reserved6(0x3F)
                  .reserved7(0x7F)
                  .network()
                  .sourcePort(0)
                  .trafficClass(3)
                  .hopLimit(1));
      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void aPacketForANumberThatIsNotInUseIsDropped() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> packet.destinationQueuePair(packet.destinationQueuePair() + 1));
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedUnknownQueuePair()).isEqualTo(1);
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void aPacketOfAnotherTransportVersionIsDropped() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> packet.transportVersion(1));
      assertUntouched(raw);
      assertThat(raw.b.node.counters().undecodable())
          .containsOnlyKeys(DecodeStatus.WRONG_TRANSPORT_VERSION)
          .containsValue(1L);
    }
  }

  @ParameterizedTest
  @CsvSource({"RESET", "INIT", "ERR"})
  @Checks("RECEIVE-FILTER")
  void aRequestIsDroppedOutsideOfRtrAndRts(QueuePairState state) {
    try (RawPeer raw = RawPeer.unconnected()) {
      if (state != QueuePairState.RESET) {
        raw.initialize(Pair.setup());
      }
      if (state == QueuePairState.ERR) {
        raw.readyToReceive(Pair.setup());
        raw.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
      }
      assertThat(raw.b.state()).isEqualTo(state);
      raw.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 4, 1);
      raw.run();
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedWrongState()).isEqualTo(1);
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void inRtrRequestsAreTakenAndResponsesAreNot() {
    ConnectionSetup setup = Pair.setup();
    try (RawPeer raw = RawPeer.unconnected()) {
      raw.initialize(setup);
      raw.readyToReceive(setup);
      raw.acknowledge(RawPeer.PSN, 0x61);
      raw.run();
      assertUntouched(raw);
      assertThat(raw.b.node.transport().droppedWrongState()).isEqualTo(1);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTR);

      sendTo(raw, packet -> {});
      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
      assertThat(raw.completions()).containsExactly("RECV 1 SUCCESS");
    }
  }

  @Test
  @Checks("COMM-EST")
  void theFirstNewRequestInRtrSaysThatCommunicationIsEstablished() {
    ConnectionSetup setup = Pair.setup();
    try (RawPeer raw = RawPeer.unconnected()) {
      raw.initialize(setup);
      raw.readyToReceive(setup);
      raw.send(Opcode.RC_SEND_ONLY, 0x0000FF, 4, 1);
      raw.send(Opcode.RC_SEND_ONLY, 0x000101, 4, 1);
      raw.run();
      assertThat(raw.b.pollEvents()).isEmpty();

      Side.Memory target = raw.b.memory(8, 0);
      raw.send(Opcode.RC_WRITE_ONLY, 0x000100, 4, 1, RawPeer.reth(target, 0, 4));
      raw.send(Opcode.RC_WRITE_ONLY, 0x000101, 4, 1, RawPeer.reth(target, 4, 4));
      raw.run();
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.COMM_EST);

      setup.readyToSend(raw.b.queuePair);
      raw.send(Opcode.RC_WRITE_ONLY, 0x000102, 4, 1, RawPeer.reth(target, 0, 4));
      raw.run();
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void aQueuePairThatIsInRtsBeforeTheFirstRequestRaisesNothing() {
    try (RawPeer raw = RawPeer.connected()) {
      sendTo(raw, packet -> {});
      assertThat(raw.received()).containsExactly("ACK psn=0x000100 msn=1");
      assertThat(raw.b.pollEvents()).isEmpty();
    }
  }
}

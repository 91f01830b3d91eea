package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.SendOpcode;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Where bytes are read from and written to, on each kind of device. */
class PayloadSwitchTest {
  private static Pair with(ProfileSwitch... values) {
    return Pair.connected(DeviceProfile.strict().with(values));
  }

  // ---- the key of a WRITE --------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"EACH_PACKET, 1 REM_ACCESS_ERR, 0", "FIRST_ONLY, 1 SUCCESS, 7"})
  @Checks({"KEY-EACH-PACKET", "DEREGISTER-AT-ONCE"})
  void aWriteWhoseKeyDiesInTheMiddle(
      WireSwitch.WriteKeyRecheck value, String completion, int lastByte) {
    try (Pair pair =
        Pair.unconnected(
            Fabric.builder()
                .profile(DeviceProfile.strict().with(value))
                .link(LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L))
                .build(),
            init -> init)) {
      pair.connect(Pair.setup(), Pair.setup());
      Memory target = pair.b.memory(4096, 0);
      pair.a.postWrite(1, pair.a.memory(4096, 7), 4096, target.address(), target.rkey());
      while (pair.b.node.transport().receivedPackets() < 2) {
        assertThat(pair.fabric.step()).isTrue();
      }
      target.region().close();
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly(completion);
      assertThat(target.slice(0, 2048)).containsOnly(7);
      assertThat(target.slice(2048, 4096)).containsOnly(lastByte);
    }
  }

  @Test
  @Checks("KEY-EACH-PACKET")
  void aDeviceThatLooksOnceLooksAtTheFirstPacketOfEachWriteAndAtItsWholeRange() {
    try (Pair pair = with(WireSwitch.WriteKeyRecheck.FIRST_ONLY)) {
      Memory target = pair.b.windowed(4096, 0);
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      pair.b.postBind(9, window, target, 100, 3000, AccessFlag.REMOTE_WRITE, AccessFlag.ZERO_BASED);
      pair.a.postWrite(1, pair.a.memory(3000, 7), 3000, 0, window.rkey());
      pair.a.postWrite(2, pair.a.memory(3001, 8), 3001, 0, window.rkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
      assertThat(target.slice(100, 3100)).containsOnly(7);
      assertThat(target.bytes().get(99)).isZero();
      assertThat(target.bytes().get(3100)).isZero();
    }
  }

  // ---- where the payload comes from ----------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"REREAD, 1 LOC_PROT_ERR", "PINNED, 1 SUCCESS"})
  @Checks("PAYLOAD-REREAD")
  void aRetransmissionOutOfADeregisteredRegion(ErrorSwitch.PayloadSource value, String completion) {
    try (Pair pair = with(value)) {
      Memory source = pair.a.memory(2000, 1);
      Memory received = pair.b.memory(2000, 0);
      pair.b.postReceive(10, received);
      pair.impair("drop:a>b/SEND#1");
      pair.impair("drop:a>b/SEND#2");
      pair.a.postSend(1, source);
      pair.runFor(1000);
      source.region().close();
      source.fill(2);
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly(completion);
      assertThat(received.bytes().get(1999))
          .isEqualTo((byte) (value == ErrorSwitch.PayloadSource.PINNED ? 2 : 0));
    }
  }

  @Test
  void pinningABadLkeyStillFailsWhenThePacketIsMade() {
    try (Pair pair = with(ErrorSwitch.PayloadSource.PINNED)) {
      Memory source = pair.a.memory(64, 1);
      pair.a.queuePair.post(
          pair.a.request.reset(1).send().segment(source.address(), 65, source.lkey()).signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
      assertThat(pair.journal.all()).isEmpty();
    }
  }

  // ---- placement -----------------------------------------------------------------------------

  /** A pair whose packets take so long on the wire that they arrive one by one. */
  private static Pair slowPair(ProfileSwitch value, long seed) {
    Pair pair =
        Pair.unconnected(
            Fabric.builder()
                .seed(seed)
                .profile(DeviceProfile.strict().with(value))
                .link(LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L))
                .build(),
            init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  /** Begins to move eight packets into a memory, by a READ into that of {@code a}. */
  private static Memory begin(Pair pair, SendOpcode opcode) {
    Side at = opcode == SendOpcode.RDMA_READ ? pair.a : pair.b;
    Memory target = at.memory(8192, 0);
    if (opcode == SendOpcode.RDMA_READ) {
      Memory source = pair.b.memory(8192, 7);
      pair.a.postRead(1, target, 8192, source.address(), source.rkey());
    } else if (opcode == SendOpcode.RDMA_WRITE) {
      pair.a.postWrite(1, pair.a.memory(8192, 7), 8192, target.address(), target.rkey());
    } else {
      pair.b.postReceive(10, target);
      pair.a.postSend(1, pair.a.memory(8192, 7));
    }
    return target;
  }

  private static void runUntilReceived(Pair pair, SendOpcode opcode, int packets) {
    Side at = opcode == SendOpcode.RDMA_READ ? pair.a : pair.b;
    while (at.node.transport().receivedPackets() < packets) {
      assertThat(pair.fabric.step()).isTrue();
    }
  }

  /** Looks at the memory after each packet: which of those that have come are in it. */
  private static List<Boolean> laterBytesBeforeEarlier(
      ProfileSwitch value, SendOpcode opcode, long seed) {
    try (Pair pair = slowPair(value, seed)) {
      Memory target = begin(pair, opcode);
      List<Boolean> seen = new ArrayList<>();
      for (int packets = 1; packets <= 8; packets++) {
        runUntilReceived(pair, opcode, packets);
        for (int i = 0; i < packets; i++) {
          seen.add(target.bytes().get(i * 1024) == 7);
        }
      }
      // The last packet brings all that was held back.
      assertThat(target.slice(0, 8192)).containsOnly(7);
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
      return seen;
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SendOpcode.class,
      names = {"SEND", "RDMA_WRITE", "RDMA_READ"})
  void bytesArePlacedInOrderUnlessTheDeviceShufflesThem(SendOpcode opcode) {
    assertThat(laterBytesBeforeEarlier(Quirk.Placement.IN_ORDER, opcode, 1)).containsOnly(true);
    List<Boolean> shuffled = laterBytesBeforeEarlier(Quirk.Placement.SHUFFLED, opcode, 1);
    assertThat(shuffled).contains(true, false);
    assertThat(laterBytesBeforeEarlier(Quirk.Placement.SHUFFLED, opcode, 1)).isEqualTo(shuffled);
    assertThat(laterBytesBeforeEarlier(Quirk.Placement.SHUFFLED, opcode, 2)).isNotEqualTo(shuffled);
  }

  @ParameterizedTest
  @EnumSource(Quirk.Placement.class)
  @Checks("DEREGISTER-AT-ONCE")
  void aReadWhoseOwnKeyDiesBeforeItsLastPacketFails(Quirk.Placement value) {
    try (Pair pair = slowPair(value, 1)) {
      Memory target = begin(pair, SendOpcode.RDMA_READ);
      runUntilReceived(pair, SendOpcode.RDMA_READ, 7);
      target.region().close();
      byte[] before = target.slice(0, 8192);
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
      assertThat(target.slice(0, 8192)).isEqualTo(before);
    }
  }

  @Test
  void theRestOfAShuffledReadBringsWhatIsHeldBack() {
    try (Pair pair = with(Quirk.Placement.SHUFFLED)) {
      Memory sink = pair.a.memory(20_000, 0);
      Memory next = pair.a.memory(3_000, 0);
      Memory source = pair.b.memory(20_000, 5);
      pair.impair("drop:b>a/READ_RESPONSE#7");
      pair.a.postRead(1, sink, 20_000, source.address(), source.rkey());
      pair.a.postRead(2, next, 3_000, source.address(), source.rkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS");
      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "READ_REQUEST 000114",
              "READ_REQUEST 000106",
              "READ_REQUEST 000114");
      assertThat(sink.slice(0, 20_000)).containsOnly(5);
      assertThat(next.slice(0, 3_000)).containsOnly(5);
    }
  }

  @Test
  void shuffledMessagesArriveWholeUnderLoss() {
    try (Pair pair = with(Quirk.Placement.SHUFFLED)) {
      Memory received = pair.b.memory(20_000, 0);
      Memory target = pair.b.memory(40_000, 0);
      pair.b.postReceive(10, received);
      pair.impair("drop:a>b/SEND@0x105~1");
      pair.impair("drop:a>b/WRITE@0x120~1");
      pair.a.postSend(1, pair.a.memory(20_000, 3));
      pair.a.postWrite(2, pair.a.memory(40_000, 4), 40_000, target.address(), target.rkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS");
      assertThat(received.slice(0, 20_000)).containsOnly(3);
      assertThat(target.slice(0, 40_000)).containsOnly(4);
    }
  }
}

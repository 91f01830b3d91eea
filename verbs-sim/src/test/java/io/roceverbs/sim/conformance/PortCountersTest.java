package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What is counted at which port of a device with two. */
class PortCountersTest {
  private static final Map<String, Long> NONE = Map.of();

  private final Fabric fabric =
      Fabric.builder()
          .profile(DeviceProfile.strict().withCapability(DeviceCapability.CHANGE_PHY_PORT))
          .build();
  private final Side a = side("a");
  private final Side b = side("b");

  private Side side(String name) {
    return new Side(
        fabric,
        NodeConfiguration.named(name).withPorts(2),
        (send, receive) ->
            QueuePairInit.reliableConnected(send, 16, 16).withReceiveCompletionQueue(receive));
  }

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private static Map<String, Long> at(Side side, int port) {
    return side.node.port(port).hardwareCounters().nonZero();
  }

  private void write(long id) {
    Side.Memory target = b.memory(8, 0);
    a.postWrite(id, a.memory(8, 1), 8, target.address(), target.rkey());
  }

  private static void modify(QueuePair queuePair, QueuePairState state) {
    queuePair.modify(QueuePairAttributes.to(state).build());
  }

  /** Changes the way of a queue pair, which has nothing outstanding, through SQD. */
  private static void redirect(QueuePair queuePair, AddressVector way) {
    modify(queuePair, QueuePairState.SQD);
    queuePair.modify(QueuePairAttributes.builder().addressVector(way).build());
    modify(queuePair, QueuePairState.RTS);
  }

  private static void moveToSecondPort(QueuePair queuePair, Node peer) {
    redirect(queuePair, AddressVector.to(peer.port(2).gid()).withPort(2));
  }

  private List<String> completionsOfA() {
    return a.pollSends().stream().map(done -> done.id() + " " + done.status()).toList();
  }

  @Test
  @Checks("PORT-COUNTERS")
  void afterAFailoverTheCountersOfTheFirstPortStandStill() {
    Pair.setup().connect(a.queuePair, b.queuePair);
    write(1);
    fabric.run();
    a.node.linkDown();
    write(2);
    fabric.runFor(Duration.ofNanos(Pair.ACK_TIMEOUT_NANOS / 2));
    a.node.linkUp();
    fabric.run();
    a.node.linkDown();
    Map<String, Long> firstOfA =
        Map.of(
            "sent_pkts", 3L,
            "rcvd_pkts", 2L,
            "local_ack_timeout_err", 1L,
            "completer_retry_err", 1L,
            "link_downed", 2L);
    Map<String, Long> firstOfB = Map.of("rx_write_requests", 2L, "sent_pkts", 2L, "rcvd_pkts", 2L);
    assertThat(at(a, 1)).isEqualTo(firstOfA);
    assertThat(at(b, 1)).isEqualTo(firstOfB);
    assertThat(at(a, 2)).isEqualTo(NONE);
    assertThat(at(b, 2)).isEqualTo(NONE);

    moveToSecondPort(a.queuePair, b.node);
    moveToSecondPort(b.queuePair, a.node);
    fabric.impair(Rule.parse("drop:b.2>a.2/ACK#1"));
    write(3);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(at(a, 1)).isEqualTo(firstOfA);
    assertThat(at(b, 1)).isEqualTo(firstOfB);
    assertThat(at(a, 2))
        .isEqualTo(
            Map.of(
                "sent_pkts", 2L,
                "rcvd_pkts", 1L,
                "local_ack_timeout_err", 1L,
                "completer_retry_err", 1L));
    assertThat(at(b, 2))
        .isEqualTo(
            Map.of(
                "rx_write_requests", 1L,
                "duplicate_request", 1L,
                "sent_pkts", 2L,
                "rcvd_pkts", 2L));
    assertThat(a.node.hardwareCounters().nonZero())
        .isEqualTo(
            Map.of(
                "sent_pkts", 5L,
                "rcvd_pkts", 3L,
                "local_ack_timeout_err", 2L,
                "completer_retry_err", 2L,
                "link_downed", 2L));
    assertThat(a.node.port(1).transport().retransmittedPackets()).isEqualTo(1);
    assertThat(a.node.port(2).transport().retransmittedPackets()).isEqualTo(1);
    assertThat(a.node.transport().retransmittedPackets()).isEqualTo(2);
  }

  @Test
  @Checks("PORT-COUNTERS")
  void whatIsForNobodyOrForAnotherPortIsCountedWhereItArrives() {
    Pair.setup().connect(a.queuePair, b.queuePair);
    redirect(a.queuePair, AddressVector.to(b.node.port(2).gid()));
    write(1);
    fabric.run();
    assertThat(b.node.port(2).transport().droppedWrongState()).isEqualTo(4);
    assertThat(b.node.port(1).transport().droppedWrongState()).isZero();
    assertThat(b.node.transport().droppedWrongState()).isEqualTo(4);
  }

  @Test
  @Checks("PORT-COUNTERS")
  void aQueuePairInResetLeavesWhatItCountedWithItsPort() {
    Pair.setup().withPort(2).connect(a.queuePair, b.queuePair);
    write(1);
    fabric.run();
    modify(b.queuePair, QueuePairState.RESET);
    write(2);
    fabric.run();
    assertThat(completionsOfA()).containsExactly("1 SUCCESS", "2 RETRY_EXC_ERR");
    assertThat(b.node.port(2).transport().droppedWrongState()).isEqualTo(4);
    assertThat(at(b, 2))
        .isEqualTo(Map.of("rx_write_requests", 1L, "sent_pkts", 1L, "rcvd_pkts", 5L));
    assertThat(at(b, 1)).isEqualTo(NONE);
  }

  @Test
  void aPortHasTheCountersOfTheLinuxFolderUnderItsNames() {
    Pair.setup().withPort(2).connect(a.queuePair, b.queuePair);
    fabric.impair(Rule.parse("corrupt:a.2>b.2/WRITE#1"));
    write(1);
    fabric.run();
    b.node.port(2).linkDown();
    // Two WRITEs of 14 + 20 + 8 + 12 + 16 + 8 + 4 = 82 bytes, and an ACK of 62.
    assertThat(a.node.port(2).counters().byLinuxName())
        .containsExactly(
            Map.entry("port_xmit_data", 41L),
            Map.entry("port_xmit_packets", 2L),
            Map.entry("port_rcv_data", 15L),
            Map.entry("port_rcv_packets", 1L),
            Map.entry("port_rcv_errors", 0L),
            Map.entry("link_downed", 0L));
    assertThat(b.node.port(2).counters().byLinuxName())
        .containsEntry("port_rcv_errors", 1L)
        .containsEntry("port_rcv_packets", 2L)
        .containsEntry("link_downed", 1L);
    assertThat(b.node.counters().byLinuxName().values()).containsOnly(0L);
  }
}

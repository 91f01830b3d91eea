package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/** The same exchange over the IPv6 entries of the GID tables. */
class PathIpv6Test {
  @Test
  @Checks({"GO-BACK-N", "NAK-ONCE-PER-GAP"})
  void aLossIsHealedOverIpv6AtTheLargestPathMtuAsOverIpv4() {
    try (Pair pair = Pair.unconnected(init -> init)) {
      Pair.setup()
          .withGidIndex(1)
          .withPathMtu(PathMtu.MTU_4096)
          .connect(pair.a.queuePair, pair.b.queuePair);
      Memory source = pair.a.memory(10_000, 0x5A);
      Memory target = pair.b.memory(10_000, 0);
      pair.b.postEmptyReceive(1);
      pair.impair("drop:a>b/WRITE#2~1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaWriteWithImmediate(target.address(), target.rkey(), 0xCAFE)
              .segment(source.region(), 0, 10_000)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_FIRST 000100",
              "WRITE_MIDDLE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000102",
              "WRITE_MIDDLE 000101",
              "WRITE_LAST_WITH_IMMEDIATE 000102");
      assertThat(pair.journal.words("b"))
          .containsExactly("NAK(PSN_SEQUENCE_ERROR) 000101", "ACK 000102");
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE_WITH_IMM 2 SUCCESS @40000");
      assertThat(pair.completions("b")).containsExactly("RECV_RDMA_WITH_IMM 1 SUCCESS @30000");
      assertThat(target.slice(0, 10_000)).containsOnly(0x5A);
    }
  }

  @Test
  @Checks("PEER-ADDRESS")
  void aPeerThatSpeaksFromItsOtherAddressIsNotHeard() {
    try (Pair pair = Pair.unconnected(init -> init)) {
      var ipv6 = Pair.setup().withGidIndex(1);
      var ipv4 = Pair.setup();
      ipv6.initialize(pair.a.queuePair);
      ipv4.initialize(pair.b.queuePair);
      ipv6.readyToReceive(pair.a.queuePair, pair.b.node.ipv6Gid(), pair.b.queuePair.number());
      ipv4.readyToReceive(pair.b.queuePair, pair.a.node.gid(), pair.a.queuePair.number());
      ipv6.readyToSend(pair.a.queuePair);
      ipv4.readyToSend(pair.b.queuePair);
      pair.b.postEmptyReceive(1);
      pair.a.queuePair.post(pair.a.request.reset(2).send().signaled());
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly("SEND 2 RETRY_EXC_ERR @" + 4 * Pair.ACK_TIMEOUT_NANOS);
      assertThat(pair.b.node.transport().droppedWrongPeer()).isEqualTo(4);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairState;
import org.junit.jupiter.api.Test;

/** C65: path MTUs that differ, or that the network does not carry. */
class PathTest {
  private static void send(Pair pair, long id, int length) {
    pair.a.postSend(id, pair.a.memory(length, (int) id));
  }

  private static void write(Pair pair, long id, Side.Memory target, int length) {
    Side.Memory source = pair.a.memory(length, (int) id);
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(target.address(), target.rkey())
            .segment(source.region(), 0, length)
            .signaled());
  }

  @Test
  @Checks({"C65", "PACKET-LENGTH", "FAULT-REPORT"})
  void anOnlyPacketThatIsLongerThanTheRespondersPathMtuIsRefused() {
    try (Pair pair = Pair.connected(Pair.setup().withPathMtu(PathMtu.MTU_4096), Pair.setup())) {
      for (int i = 11; i <= 13; i++) {
        pair.b.postReceive(i, pair.b.memory(4096, 0));
      }
      send(pair, 1, 1024);
      pair.run();
      send(pair, 2, 4096);
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000101");
      assertThat(pair.journal.from("b"))
          .extracting("summary")
          .containsExactly("ACK psn=0x000100 msn=1", "NAK(INVALID_REQUEST) psn=0x000101 msn=1");
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @20000", "SEND 2 REM_INV_REQ_ERR @40000");
      assertThat(pair.completions("b"))
          .containsExactly(
              "RECV 11 SUCCESS @10000",
              "RECV 12 LOC_LEN_ERR @30000",
              "RECV 13 WR_FLUSH_ERR @30000");
      assertThat(pair.b.pollEvents()).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
    }
  }

  @Test
  @Checks({"C65", "PACKET-LENGTH", "FAULT-REPORT"})
  void aFirstPacketThatIsShorterThanTheRespondersPathMtuIsRefused() {
    try (Pair pair = Pair.connected(Pair.setup(), Pair.setup().withPathMtu(PathMtu.MTU_4096))) {
      Side.Memory target = pair.b.memory(4096, 0);
      write(pair, 1, target, 1024);
      pair.run();
      write(pair, 2, target, 4096);
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "WRITE_ONLY 000100",
              "WRITE_FIRST 000101",
              "WRITE_MIDDLE 000102",
              "WRITE_MIDDLE 000103",
              "WRITE_LAST 000104");
      assertThat(pair.journal.from("b"))
          .extracting("summary")
          .containsExactly("ACK psn=0x000100 msn=1", "NAK(INVALID_REQUEST) psn=0x000101 msn=1");
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "RDMA_WRITE 2 REM_INV_REQ_ERR @40000");
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(target.slice(0, 1024)).containsOnly(1);
      assertThat(target.slice(1024, 4096)).containsOnly(0);
    }
  }

  @Test
  @Checks("C65")
  void packetsThatTheNetworkDoesNotCarryVanishUntilTheRetriesAreSpent() {
    Fabric narrow = Fabric.builder().link(LinkConfiguration.DEFAULT.withMtu(1500)).build();
    try (Pair pair = Pair.unconnected(narrow, init -> init)) {
      pair.connect(
          Pair.setup().withPathMtu(PathMtu.MTU_4096), Pair.setup().withPathMtu(PathMtu.MTU_4096));
      pair.b.postReceive(11, pair.b.memory(4096, 0));
      pair.b.postReceive(12, pair.b.memory(4096, 0));
      send(pair, 1, 1024);
      pair.run();
      send(pair, 2, 4096);
      pair.run();

      assertThat(pair.completions("a"))
          .containsExactly(
              "SEND 1 SUCCESS @20000",
              "SEND 2 RETRY_EXC_ERR @" + (20_000 + 4 * Pair.ACK_TIMEOUT_NANOS));
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
      assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x101, 0x101, 0x101, 0x101);
      assertThat(pair.journal.words("b")).containsExactly("ACK 000100");
      assertThat(pair.a.node.counters().droppedTooLong()).isEqualTo(4);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }
}

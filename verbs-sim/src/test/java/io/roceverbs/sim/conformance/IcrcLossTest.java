package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.DecodeStatus;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C68: a packet with a wrong ICRC has no word in anything. */
class IcrcLossTest {
  private final Pair pair = Pair.connected();

  @AfterEach
  void close() {
    pair.close();
  }

  private void assertOneIcrcError() {
    assertThat(pair.b.node.counters().undecodable())
        .containsOnlyKeys(DecodeStatus.BAD_ICRC)
        .containsValue(1L);
    assertThat(pair.a.node.counters().undecodable()).isEmpty();
    assertThat(pair.a.node.counters().corrupted()).isEqualTo(1);
  }

  @Test
  @Checks("C68")
  void aSpoiltSendIsDroppedInSilenceAndSentAgainByTheTimeout() {
    Side.Memory receive = pair.b.memory(100, 0);
    pair.b.postReceive(11, receive);
    pair.b.postReceive(12, pair.b.memory(100, 0));
    pair.impair("corrupt:a>b/SEND~1");
    pair.a.postSend(1, pair.a.memory(100, 0x41));
    pair.runFor(Pair.ACK_TIMEOUT_NANOS - 1);
    assertThat(pair.journal.from("b")).isEmpty();
    assertThat(pair.completions("b")).isEmpty();
    assertThat(receive.slice(0, 100)).containsOnly(0);
    assertOneIcrcError();

    pair.run();
    long again = Pair.ACK_TIMEOUT_NANOS;
    assertThat(pair.journal.words("a")).containsExactly("SEND_ONLY 000100", "SEND_ONLY 000100");
    assertThat(pair.journal.words("b")).containsExactly("ACK 000100");
    assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + (again + 20_000));
    assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @" + (again + 10_000));
    assertThat(receive.slice(0, 100)).containsOnly(0x41);
    assertOneIcrcError();
  }

  @Test
  @Checks("C68")
  void aSpoiltPacketOfAWriteIsAGapForTheOneBehindIt() {
    Side.Memory source = pair.a.memory(4096, 0x42);
    Side.Memory target = pair.b.memory(4096, 0);
    pair.impair("corrupt=200:a>b/WRITE@0x000101~1");
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaWrite(target.address(), target.rkey())
            .segment(source.region(), 0, 4096)
            .signaled());
    pair.run();

    assertThat(pair.journal.words("a"))
        .containsExactly(
            "WRITE_FIRST 000100",
            "WRITE_MIDDLE 000101",
            "WRITE_MIDDLE 000102",
            "WRITE_LAST 000103",
            "WRITE_MIDDLE 000101",
            "WRITE_MIDDLE 000102",
            "WRITE_LAST 000103");
    assertThat(pair.journal.from("b"))
        .extracting("summary")
        .containsExactly("NAK(PSN_SEQUENCE_ERROR) psn=0x000101 msn=0", "ACK psn=0x000103 msn=1");
    assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 1 SUCCESS @40000");
    assertThat(target.slice(0, 4096)).containsOnly(0x42);
    assertOneIcrcError();
  }
}

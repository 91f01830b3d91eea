package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** C75: what a fence waits for, and what happens to a READ that is not followed by one. */
class RequesterFenceTest {
  private static final long LATE_NANOS = 1_000_000;

  private final Pair pair = Pair.connected();
  private final Side.Memory word = pair.b.memory(1, 0x11);
  private final Side.Memory result = pair.a.memory(1, 0);
  private final Side.Memory source = pair.a.memory(1, 0x22);

  @AfterEach
  void close() {
    pair.close();
  }

  private void postRead(long id) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaRead(word.address(), word.rkey())
            .segment(result.region(), 0, 1)
            .signaled());
  }

  private SendRequest write(long id) {
    return pair.a
        .request
        .reset(id)
        .rdmaWrite(word.address(), word.rkey())
        .segment(source.region(), 0, 1)
        .signaled();
  }

  private List<Long> timesOfA() {
    return pair.journal.from("a").stream().map(TraceEvent.PacketSent::timeNanos).toList();
  }

  @Test
  @Checks({"C75", "DUPLICATE-READ", "NAK-IMPLIED"})
  void aRepeatedReadSeesTheWriteThatFollowedItWithoutAFence() {
    pair.impair("drop:b>a/READ_RESPONSE#1");
    postRead(1);
    pair.a.queuePair.post(write(2));
    pair.run();

    assertThat(pair.journal.words("a"))
        .containsExactly(
            "READ_REQUEST 000100", "WRITE_ONLY 000101", "READ_REQUEST 000100", "WRITE_ONLY 000101");
    assertThat(timesOfA()).containsExactly(0L, 0L, 20_000L, 20_000L);
    assertThat(pair.completions("a"))
        .containsExactly("RDMA_READ 1 SUCCESS @40000", "RDMA_WRITE 2 SUCCESS @40000");
    assertThat(result.slice(0, 1)).containsExactly(0x22);
    assertThat(word.slice(0, 1)).containsExactly(0x22);
  }

  @Test
  @Checks({"C75", "FENCE-READ"})
  void aFencedWriteWaitsForTheReadBeforeItHoweverLongThatTakes() {
    pair.impair("drop:b>a/READ_RESPONSE#1");
    postRead(1);
    pair.a.queuePair.post(write(2).fenced());
    pair.run();

    long again = Pair.ACK_TIMEOUT_NANOS;
    assertThat(pair.journal.words("a"))
        .containsExactly("READ_REQUEST 000100", "READ_REQUEST 000100", "WRITE_ONLY 000101");
    assertThat(timesOfA()).containsExactly(0L, again, again + 20_000);
    assertThat(pair.completions("a"))
        .containsExactly(
            "RDMA_READ 1 SUCCESS @" + (again + 20_000),
            "RDMA_WRITE 2 SUCCESS @" + (again + 40_000));
    assertThat(result.slice(0, 1)).containsExactly(0x11);
    assertThat(word.slice(0, 1)).containsExactly(0x22);
  }

  @Test
  @Checks({"C75", "FENCE-READ"})
  void aFencedWriteDoesNotWaitForAWrite() {
    pair.impair("delay=1ms:b>a/ACK#1");
    pair.a.queuePair.post(write(1));
    pair.a.queuePair.post(write(2).fenced());
    pair.run();

    assertThat(pair.journal.words("a")).containsExactly("WRITE_ONLY 000100", "WRITE_ONLY 000101");
    assertThat(timesOfA()).containsExactly(0L, 0L);
    assertThat(pair.completions("a"))
        .containsExactly("RDMA_WRITE 1 SUCCESS @20000", "RDMA_WRITE 2 SUCCESS @20000");
  }

  @Test
  @Checks({"C75", "FENCE-INVALIDATE"})
  void aFencedLocalInvalidationWaitsForAWriteToo() {
    Side.FastMemory region = pair.a.fastMemory(64, 0);
    pair.a.postRegister(1, region);
    List<Long> invalidated = new ArrayList<>();
    pair.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.KeyChanged change && !change.valid()) {
                invalidated.add(change.timeNanos());
              }
            });
    pair.impair("delay=1ms:b>a/ACK#1");
    pair.a.queuePair.post(write(2));
    pair.a.queuePair.post(
        pair.a.request.reset(3).localInvalidate(region.key()).fenced().signaled());
    pair.run();

    assertThat(invalidated).containsExactly(20_000 + LATE_NANOS);
    assertThat(pair.completions("a"))
        .containsExactly(
            "REG_MR 1 SUCCESS @0",
            "RDMA_WRITE 2 SUCCESS @" + (20_000 + LATE_NANOS),
            "LOCAL_INV 3 SUCCESS @" + (20_000 + LATE_NANOS));
    assertThat(pair.journal.words("a")).containsExactly("WRITE_ONLY 000100");
  }
}

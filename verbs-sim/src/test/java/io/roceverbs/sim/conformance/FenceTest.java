package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.SendRequest;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What a fence waits for, and what it lets pass. */
class FenceTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  @Test
  @Checks("FENCE-READ")
  void aFencedWriteLeavesAfterTheReadIsDoneAndHoldsBackWhatIsBehindIt() {
    try (Pair pair = Pair.connected()) {
      Memory remote = pair.b.memory(8, 0x11);
      Memory local = pair.a.memory(8, 0);
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(pair.a.write(2, pair.a.memory(8, 0x22), remote).fenced());
      pair.a.postSend(3, pair.a.memory(8, 0x33));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "READ_REQUEST 000100",
              "WRITE_ONLY 000101",
              "SEND_ONLY 000102");
      assertThat(pair.journal.times("a")).containsExactly(0L, T, T + 20_000, T + 20_000);
      assertThat(local.slice(0, 8)).containsOnly(0x11);
      assertThat(remote.slice(0, 8)).containsOnly(0x22);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @" + (T + 20_000),
              "RDMA_WRITE 2 SUCCESS @" + (T + 40_000),
              "SEND 3 SUCCESS @" + (T + 40_000));
    }
  }

  @Test
  @Checks({"FENCE-READ", "NAK-IMPLIED", "DUPLICATE-READ"})
  void anUnfencedWriteOvertakesTheReadWhoseResponseWasLost() {
    try (Pair pair = Pair.connected()) {
      Memory remote = pair.b.memory(8, 0x11);
      Memory local = pair.a.memory(8, 0);
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.a.queuePair.post(pair.a.read(1, remote, local));
      pair.a.queuePair.post(pair.a.write(2, pair.a.memory(8, 0x22), remote));
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "WRITE_ONLY 000101",
              "READ_REQUEST 000100",
              "WRITE_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L);
      assertThat(local.slice(0, 8)).containsOnly(0x22);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @40000", "RDMA_WRITE 2 SUCCESS @40000");
    }
  }

  @Test
  @Checks("FENCE-READ")
  void aFenceWaitsForAtomics() {
    try (Pair pair = Pair.connected()) {
      Memory word = pair.b.memory(8, 0);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .fetchAndAdd(word.address(), word.rkey(), 5)
              .segment(pair.a.memory(8, 0).region(), 0, 8)
              .signaled());
      pair.a.queuePair.post(pair.a.write(2, pair.a.memory(8, 0x22), pair.b.memory(8, 0)).fenced());
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("FETCH_ADD 000100", "WRITE_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L);
      assertThat(pair.completions("a"))
          .containsExactly("ATOMIC_FETCH_AND_ADD 1 SUCCESS @20000", "RDMA_WRITE 2 SUCCESS @40000");
    }
  }

  @Test
  @Checks({"FENCE-READ", "S39"})
  void aFenceDoesNotWaitForSendsAndWrites() {
    try (Pair pair = Pair.connected()) {
      Memory remote = pair.b.memory(8, 0);
      Memory local = pair.a.memory(8, 0x22);
      pair.impair("delay=1ms:b>a/ACK#1");
      pair.impair("drop:b>a/ACK#2+");
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.queuePair.post(pair.a.write(1, local, remote));
      pair.a.queuePair.post(pair.a.write(2, local, remote).fenced());
      pair.a.queuePair.post(pair.a.read(3, remote, local).fenced());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("WRITE_ONLY 000100", "WRITE_ONLY 000101", "READ_REQUEST 000102");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 0L);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_WRITE 1 SUCCESS @20000",
              "RDMA_WRITE 2 SUCCESS @20000",
              "RDMA_READ 3 SUCCESS @20000");
    }
  }

  @Test
  @Checks("FENCE-READ")
  void aFencedRegistrationWaitsForTheRead() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = pair.a.fastMemory(64, 0);
      List<String> changes = keyChanges(pair);
      pair.a.queuePair.post(pair.a.read(1, pair.b.memory(8, 0x11), pair.a.memory(8, 0)));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .registerMemory(region.region(), region.region().nextKey())
              .fenced()
              .signaled());
      pair.run();

      assertThat(changes).containsExactly("REG_MR @20000");
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @20000", "REG_MR 2 SUCCESS @20000");
    }
  }

  @Test
  @Checks({"FENCE-INVALIDATE", "S28", "S39"})
  void aFencedInvalidationWaitsForAWriteWithoutAnAck() {
    try (Pair pair = Pair.connected()) {
      FastMemory source = pair.a.fastMemory(8, 0x22);
      Memory remote = pair.b.memory(8, 0);
      List<String> changes = keyChanges(pair);
      pair.impair("drop:a>b/WRITE#1");
      pair.a.postRegister(1, source);
      pair.a.queuePair.post(writeThrough(pair, 2, remote, source));
      pair.a.queuePair.post(
          pair.a.request.reset(3).localInvalidate(source.key()).fenced().signaled());
      pair.a.queuePair.post(pair.a.write(4, pair.a.memory(8, 0x33), pair.b.memory(8, 0)));
      pair.run();

      assertThat(changes).containsExactly("REG_MR @0", "LOCAL_INV @" + (T + 20_000));
      assertThat(remote.slice(0, 8)).containsOnly(0x22);
      assertThat(pair.journal.words("a"))
          .containsExactly("WRITE_ONLY 000100", "WRITE_ONLY 000100", "WRITE_ONLY 000101");
      assertThat(pair.journal.times("a")).containsExactly(0L, T, T + 20_000);
      assertThat(pair.completions("a"))
          .containsExactly(
              "REG_MR 1 SUCCESS @0",
              "RDMA_WRITE 2 SUCCESS @" + (T + 20_000),
              "LOCAL_INV 3 SUCCESS @" + (T + 20_000),
              "RDMA_WRITE 4 SUCCESS @" + (T + 40_000));
    }
  }

  @Test
  @Checks({"S28", "FENCE-INVALIDATE", "PAYLOAD-REREAD", "FAULT-IN-ORDER"})
  void anUnfencedInvalidationRunsAtOnceAndBreaksTheRetransmissionBeforeIt() {
    try (Pair pair = Pair.connected()) {
      FastMemory source = pair.a.fastMemory(8, 0x22);
      Memory remote = pair.b.memory(8, 0);
      List<String> changes = keyChanges(pair);
      pair.impair("drop:a>b/WRITE#1");
      pair.a.postRegister(1, source);
      pair.a.queuePair.post(writeThrough(pair, 2, remote, source));
      pair.a.queuePair.post(pair.a.request.reset(3).localInvalidate(source.key()).signaled());
      pair.run();

      assertThat(changes).containsExactly("REG_MR @0", "LOCAL_INV @0");
      assertThat(pair.journal.words("a")).containsExactly("WRITE_ONLY 000100");
      assertThat(remote.slice(0, 8)).containsOnly(0);
      assertThat(pair.completions("a"))
          .containsExactly(
              "REG_MR 1 SUCCESS @0",
              "RDMA_WRITE 2 LOC_PROT_ERR @" + T,
              "LOCAL_INV 3 WR_FLUSH_ERR @" + T);
    }
  }

  @Test
  @Checks("FENCE-INVALIDATE")
  void withoutLossAnUnfencedInvalidationIsHarmlessAndCompletesInItsPlace() {
    try (Pair pair = Pair.connected()) {
      FastMemory source = pair.a.fastMemory(8, 0x22);
      Memory remote = pair.b.memory(8, 0);
      List<String> changes = keyChanges(pair);
      pair.a.postRegister(1, source);
      pair.a.queuePair.post(writeThrough(pair, 2, remote, source));
      pair.a.queuePair.post(pair.a.request.reset(3).localInvalidate(source.key()).signaled());
      pair.run();

      assertThat(changes).containsExactly("REG_MR @0", "LOCAL_INV @0");
      assertThat(remote.slice(0, 8)).containsOnly(0x22);
      assertThat(pair.completions("a"))
          .containsExactly(
              "REG_MR 1 SUCCESS @0", "RDMA_WRITE 2 SUCCESS @20000", "LOCAL_INV 3 SUCCESS @20000");
    }
  }

  @Test
  @Checks("FENCE-INVALIDATE")
  void anUnfencedInvalidationOfAReadsSinkMakesItsResponseFail() {
    try (Pair pair = Pair.connected()) {
      FastMemory sink = pair.a.fastMemory(8, 0);
      Memory remote = pair.b.memory(8, 0x11);
      pair.a.postRegister(1, sink);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(sink.region(), 0, 8)
              .signaled());
      pair.a.queuePair.post(pair.a.request.reset(3).localInvalidate(sink.key()).signaled());
      pair.run();

      assertThat(sink.memory().slice(0, 8)).containsOnly(0);
      assertThat(pair.completions("a"))
          .containsExactly(
              "REG_MR 1 SUCCESS @0",
              "RDMA_READ 2 LOC_PROT_ERR @20000",
              "LOCAL_INV 3 WR_FLUSH_ERR @20000");
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  private static SendRequest writeThrough(Pair pair, long id, Memory target, FastMemory source) {
    return pair.a
        .request
        .reset(id)
        .rdmaWrite(target.address(), target.rkey())
        .segment(source.region(), 0, 8)
        .signaled();
  }

  /** Notes when REG_MR and LOCAL_INV of A are executed. */
  private static List<String> keyChanges(Pair pair) {
    List<String> changes = new ArrayList<>();
    pair.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.KeyChanged change
                  && !change.cause().equals("registerMemory")) {
                changes.add(change.cause() + " @" + change.timeNanos());
              }
            });
    return changes;
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** How many READs and atomics may be under way, at either end. */
class ReadDepthTest {
  private static final LinkConfiguration SLOW =
      LinkConfiguration.DEFAULT.withBandwidth(1_000_000_000L);

  private static Consumer<Packet> add(Side.Memory memory, long value) {
    return RawPeer.fetchAdd(memory, 0, value);
  }

  private static SendRequest read(Pair pair, long id, Side.Memory from, Side.Memory to, int bytes) {
    return pair.a
        .request
        .reset(id)
        .rdmaRead(from.address(), from.rkey())
        .segment(to.region(), 0, bytes)
        .signaled();
  }

  @ParameterizedTest
  @CsvSource({"RC_READ_REQUEST", "RC_FETCH_ADD", "RC_COMPARE_SWAP"})
  @Checks({"READ-DEPTH-EXCEEDED", "RESPONSE-ORDER", "FAULT-REPORT"})
  void whateverComesBeyondTheDepthIsRefusedAndNotExecuted(Opcode opcode) {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withReadDepth(2), SLOW)) {
      Side.Memory word = raw.b.memory(2048, 0);
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(word, 0, 2048));
      raw.send(Opcode.RC_FETCH_ADD, 0x000102, add(word, 1));
      raw.send(opcode, 0x000103, RawPeer.reth(word, 0, 8));
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_FIRST psn=0x000100 msn=1 len=1024",
              "READ_RESPONSE_LAST psn=0x000101 msn=1 len=1024",
              "ATOMIC_ACKNOWLEDGE psn=0x000102 msn=2 original=0x0",
              "NAK(INVALID_REQUEST) psn=0x000103 msn=2");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(word.slice(0, 8)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  @Checks({"READ-DEPTH-EXCEEDED", "ATOMIC-ONCE"})
  void anAtomicWhoseAnswerStillWaitsTakesItsPlaceInTheDepth() {
    try (RawPeer raw = RawPeer.connected(Pair.setup().withReadDepth(2), SLOW)) {
      Side.Memory word = raw.b.memory(1024, 0);
      // The answer to the READ keeps the link busy while the atomics arrive.
      raw.send(Opcode.RC_READ_REQUEST, 0x000100, RawPeer.reth(word, 0, 1024));
      raw.send(Opcode.RC_FETCH_ADD, 0x000101, add(word, 1));
      raw.send(Opcode.RC_FETCH_ADD, 0x000102, add(word, 1));
      raw.send(Opcode.RC_FETCH_ADD, 0x000103, add(word, 1));
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "READ_RESPONSE_ONLY psn=0x000100 msn=1 len=1024",
              "ATOMIC_ACKNOWLEDGE psn=0x000101 msn=2 original=0x0",
              "ATOMIC_ACKNOWLEDGE psn=0x000102 msn=3 original=0x1",
              "NAK(INVALID_REQUEST) psn=0x000103 msn=3");
      assertThat(word.slice(0, 8)).containsExactly(2, 0, 0, 0, 0, 0, 0, 0);
    }
  }

  @Test
  @Checks("READ-DEPTH")
  void readsAndAtomicsTogetherNeverExceedTheDepthAndHoldBackEverythingBehind() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(2))) {
      Side.Memory remote = pair.b.memory(2048, 0);
      Side.Memory local = pair.a.memory(4096, 0);
      pair.a.queuePair.post(read(pair, 1, remote, local, 2048));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .fetchAndAdd(remote.address(), remote.rkey(), 1)
              .segment(local.region(), 2048, 8)
              .signaled());
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(3)
              .fetchAndAdd(remote.address(), remote.rkey(), 1)
              .segment(local.region(), 2056, 8)
              .signaled());
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(4)
              .rdmaWrite(remote.address() + 8, remote.rkey())
              .segment(local.region(), 0, 8)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100", "FETCH_ADD 000102", "FETCH_ADD 000103", "WRITE_ONLY 000104");
      assertThat(pair.journal.times("a")).containsExactly(0L, 0L, 20_000L, 20_000L);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @20000",
              "ATOMIC_FETCH_AND_ADD 2 SUCCESS @20000",
              "ATOMIC_FETCH_AND_ADD 3 SUCCESS @40000",
              "RDMA_WRITE 4 SUCCESS @40000");
    }
  }

  @Test
  @Checks({"READ-DEPTH", "READ-RESUME"})
  void aReadThatIsAskedForAgainStillCountsOnce() {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(2))) {
      Side.Memory remote = pair.b.memory(2048, 7);
      Side.Memory local = pair.a.memory(2048, 0);
      pair.impair("drop:b>a/READ_RESPONSE@0x100~1");
      for (int i = 1; i <= 4; i++) {
        pair.a.queuePair.post(read(pair, i, remote, local, 2048));
      }
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "READ_REQUEST 000102",
              "READ_REQUEST 000100",
              "READ_REQUEST 000102",
              "READ_REQUEST 000104",
              "READ_REQUEST 000106");
      assertThat(pair.journal.times("a"))
          .containsExactly(0L, 0L, 20_000L, 20_000L, 40_000L, 40_000L);
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 SUCCESS @40000",
              "RDMA_READ 2 SUCCESS @40000",
              "RDMA_READ 3 SUCCESS @60000",
              "RDMA_READ 4 SUCCESS @60000");
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks("READ-DEPTH")
  void withADepthOfZeroReadsAndAtomicsAreRefusedAtPost(boolean atomic) {
    try (Pair pair = Pair.connected(Pair.setup().withReadDepth(0))) {
      Side.Memory local = pair.a.memory(8, 0);
      SendRequest request = pair.a.request.reset(1);
      SendRequest refused = atomic ? request.fetchAndAdd(0, 1, 1) : request.rdmaRead(0, 1);
      assertThatExceptionOfType(PostException.class)
          .isThrownBy(() -> pair.a.queuePair.post(refused.segment(local.region(), 0, 8)))
          .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL))
          .withMessageContaining("maxReadAtomic 0");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks("MODIFY-ATOMIC")
  void aDepthAboveTheDevicesIsRefused() {
    try (Pair pair = Pair.unconnected(init -> init)) {
      int max = pair.a.context.queryDevice().maxReadAtomicPerQueuePair();
      Pair.setup().initialize(pair.a.queuePair);
      assertThatExceptionOfType(VerbsException.class)
          .isThrownBy(
              () ->
                  Pair.setup()
                      .withReadDepth(max + 1)
                      .readyToReceive(pair.a.queuePair, pair.b.node.gid(), 1))
          .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.INIT);
      Pair.setup()
          .withReadDepth(max)
          .readyToReceive(pair.a.queuePair, pair.b.node.gid(), pair.b.queuePair.number());
      assertThatExceptionOfType(VerbsException.class)
          .isThrownBy(() -> Pair.setup().withReadDepth(max + 1).readyToSend(pair.a.queuePair))
          .satisfies(e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTR);
    }
  }

  @Test
  @Checks({"DUPLICATE-ACK", "RESPONSE-ORDER"})
  void aRepeatedSendClaimsNoReadBehindItHoweverLateItComes() {
    try (RawPeer raw = RawPeer.connected(Pair.setup(), SLOW)) {
      Side.Memory memory = raw.b.memory(3000, 0);
      raw.b.postReceive(1, raw.b.memory(8, 0));
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.send(Opcode.RC_READ_REQUEST, 0x000101, RawPeer.reth(memory, 0, 3000));
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.run();
      raw.send(Opcode.RC_SEND_ONLY, 0x000100, 8, 1);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ACK psn=0x000100 msn=1",
              "READ_RESPONSE_FIRST psn=0x000101 msn=2 len=1024",
              "READ_RESPONSE_MIDDLE psn=0x000102 len=1024",
              "READ_RESPONSE_LAST psn=0x000103 msn=2 len=952",
              "ACK psn=0x000100 msn=2",
              "ACK psn=0x000100 msn=2");
    }
  }

  @Test
  @Checks({"DUPLICATE-ACK", "NAK-IMPLIED", "RESPONSE-GHOST"})
  void aRepeatedSendIsAcknowledgedWithoutTheReadWhoseAnswerWasLost() {
    try (Pair pair = Pair.connected()) {
      Side.Memory remote = pair.b.memory(8, 7);
      Side.Memory local = pair.a.memory(8, 0);
      pair.b.postEmptyReceive(10);
      pair.impair("drop:b>a/READ_RESPONSE#1");
      pair.impair("duplicate=1+30us:a>b/SEND#1");
      pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());
      pair.a.queuePair.post(read(pair, 2, remote, local, 8));
      pair.run();

      // The second ACK, at 50 us, is for PSN 100 and says nothing about the READ, which waits for
      // its timeout.
      assertThat(pair.journal.words("b"))
          .containsExactly(
              "ACK 000100", "READ_RESPONSE_ONLY 000101", "ACK 000100", "READ_RESPONSE_ONLY 000101");
      long answered = 20_000 + Pair.ACK_TIMEOUT_NANOS + 20_000;
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 SUCCESS @20000", "RDMA_READ 2 SUCCESS @" + answered);
    }
  }
}

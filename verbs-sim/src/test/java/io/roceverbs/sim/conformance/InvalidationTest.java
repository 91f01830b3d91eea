package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys that a peer takes away with SEND_WITH_INV: when they die, and what dies with them. */
class InvalidationTest {
  @Test
  @Checks({"C04", "DUPLICATE-READ", "READ-RESUME", "FLUSH-IN-ORDER"})
  void anUnfencedInvalidationKillsTheKeyOfAReadWhoseResponseWasLost() {
    try (Pair pair = Pair.connected()) {
      FastMemory source = registered(pair.b, 4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.a.postEmptyReceive(20);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(read(pair.a, 1, source, sink));
      pair.a.queuePair.post(pair.a.request.reset(2).sendWithInvalidate(source.key()).signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100",
              "SEND_ONLY_WITH_INVALIDATE 000104",
              "READ_REQUEST 000101",
              "SEND_ONLY_WITH_INVALIDATE 000104");
      assertThat(pair.journal.from("a").get(2).summary())
          .contains(String.format(" va=0x%x ", source.address() + 1024))
          .endsWith(" len=3072");
      assertThat(pair.journal.words("b"))
          .containsExactly(
              "READ_RESPONSE_FIRST 000100",
              "READ_RESPONSE_MIDDLE 000101",
              "READ_RESPONSE_MIDDLE 000102",
              "READ_RESPONSE_LAST 000103",
              "ACK 000104",
              "NAK(REMOTE_ACCESS_ERROR) 000101");
      assertThat(pair.completions("a"))
          .containsExactly(
              "RDMA_READ 1 REM_ACCESS_ERR @40000",
              "SEND_WITH_INV 2 WR_FLUSH_ERR @40000",
              "RECV 20 WR_FLUSH_ERR @40000");
      assertThat(pair.completions("b"))
          .containsExactly(
              "REG_MR 9 SUCCESS @0", "RECV 10 SUCCESS @10000", "RECV 11 WR_FLUSH_ERR @30000");
      assertInvalidated(pair.b.pollReceives().get(0), source.key());
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents()).isEmpty();
      assertThat(pair.b.pollEvents()).isEmpty();
      assertThat(sink.slice(1024, 4096)).containsOnly(0);
    }
  }

  @Test
  @Checks({"C04", "FENCE-READ", "READ-RESUME"})
  void aFencedInvalidationWaitsForTheWholeRead() {
    try (Pair pair = Pair.connected()) {
      FastMemory source = registered(pair.b, 4096, 0x33);
      Memory sink = pair.a.memory(4096, 0);
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.impair("drop:b>a/READ_RESPONSE@0x101~1");
      pair.a.queuePair.post(read(pair.a, 1, source, sink));
      pair.a.queuePair.post(
          pair.a.request.reset(2).sendWithInvalidate(source.key()).fenced().signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly(
              "READ_REQUEST 000100", "READ_REQUEST 000101", "SEND_ONLY_WITH_INVALIDATE 000104");
      assertThat(pair.journal.times("a")).containsExactly(0L, 20_000L, 40_000L);
      assertThat(pair.completions("a"))
          .containsExactly("RDMA_READ 1 SUCCESS @40000", "SEND_WITH_INV 2 SUCCESS @60000");
      assertThat(pair.completions("b"))
          .containsExactly("REG_MR 9 SUCCESS @0", "RECV 10 SUCCESS @50000");
      assertInvalidated(pair.b.pollReceives().get(0), source.key());
      assertThat(sink.slice(0, 4096)).containsOnly(0x33);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"INVALIDATE-BEFORE-COMPLETION", "S25"})
  void theDataIsPlacedThenTheKeyDiesThenTheReceiveCompletesThenTheAckLeaves() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = registered(pair.b, 4096, 0);
      Memory received = pair.b.memory(1500, 0);
      pair.b.postReceive(10, received);
      List<String> story = new ArrayList<>();
      pair.fabric.trace().addListener(event -> tell(event, received, story));
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .sendWithInvalidate(region.key())
              .segment(pair.a.memory(1500, 0x44).region(), 0, 1500)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_FIRST 000100", "SEND_LAST_WITH_INVALIDATE 000101");
      assertThat(story)
          .containsExactly(
              "@10000 key " + region.key() + " valid false, last byte 68",
              "@10000 RECV 10 SUCCESS",
              "@10000 ACK");
      assertThat(received.slice(0, 1500)).containsOnly(0x44);
      WorkCompletion completion = pair.b.pollReceives().get(0);
      assertInvalidated(completion, region.key());
      assertThat(completion.byteLength()).isEqualTo(1500);
    }
  }

  private static void tell(TraceEvent event, Memory received, List<String> story) {
    if (!event.node().equals("b")) {
      return;
    }
    String at = "@" + event.timeNanos() + " ";
    if (event instanceof TraceEvent.KeyChanged key) {
      int last = received.bytes().get(received.bytes().capacity() - 1);
      story.add(at + "key " + key.key() + " valid " + key.valid() + ", last byte " + last);
    } else if (event instanceof TraceEvent.Completed completed) {
      story.add(
          at + completed.operation() + " " + completed.requestId() + " " + completed.status());
    } else if (event instanceof TraceEvent.PacketSent packet) {
      story.add(at + packet.summary().split(" ", 2)[0]);
    }
  }

  @Test
  @Checks("INVALIDATE-BEFORE-COMPLETION")
  void theKeyStaysAliveUntilTheLastPacketOfTheSendHasCome() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = registered(pair.b, 4096, 0);
      pair.b.postReceive(10, pair.b.memory(2048, 0));
      List<TraceEvent.KeyChanged> deaths = keyChanges(pair, "b");
      pair.impair("drop:a>b/SEND@0x101~1");
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .sendWithInvalidate(region.key())
              .segment(pair.a.memory(2048, 0x44).region(), 0, 2048)
              .signaled());
      pair.run();

      assertThat(deaths)
          .extracting(
              TraceEvent.KeyChanged::timeNanos,
              TraceEvent.KeyChanged::key,
              TraceEvent.KeyChanged::valid)
          .containsExactly(tuple(Pair.ACK_TIMEOUT_NANOS + 10_000, region.key(), false));
      assertThat(pair.completions("a")).containsExactly("SEND_WITH_INV 1 SUCCESS @67128864");
    }
  }

  @Test
  @Checks({"INVALIDATE-BEFORE-COMPLETION", "RNR-NAK"})
  void withoutAReceiveNothingIsInvalidatedBeforeTheRetry() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = registered(pair.b, 4096, 0);
      List<TraceEvent.KeyChanged> deaths = keyChanges(pair, "b");
      pair.a.queuePair.post(pair.a.request.reset(1).sendWithInvalidate(region.key()).signaled());
      pair.runFor(20_000);
      assertThat(pair.journal.words("b")).containsExactly("RNR_NAK(12) 000100");
      assertThat(deaths).isEmpty();
      pair.b.postEmptyReceive(10);
      pair.run();

      assertThat(deaths).extracting(TraceEvent.KeyChanged::timeNanos).containsExactly(670_000L);
      assertInvalidated(pair.b.pollReceives().get(0), region.key());
      assertThat(pair.completions("a")).containsExactly("SEND_WITH_INV 1 SUCCESS @680000");
    }
  }

  @Test
  @Checks({"DUPLICATE-ACK", "INVALIDATE-BEFORE-COMPLETION", "S24"})
  void aRepeatedInvalidationLeavesANewRegistrationAlone() {
    try (Pair pair = Pair.connected()) {
      FastMemory region = registered(pair.b, 4096, 0);
      int oldKey = region.key();
      pair.b.postEmptyReceive(10);
      pair.b.postEmptyReceive(11);
      pair.impair("drop:b>a/ACK#1");
      pair.a.queuePair.post(pair.a.request.reset(1).sendWithInvalidate(oldKey).signaled());
      pair.runFor(10_000);
      List<TraceEvent.KeyChanged> changes = keyChanges(pair, "b");
      pair.b.postRegister(12, region);
      pair.run();

      assertThat(region.key()).isEqualTo(oldKey + 1);
      assertThat(changes)
          .extracting(TraceEvent.KeyChanged::key, TraceEvent.KeyChanged::valid)
          .containsExactly(tuple(region.key(), true));
      assertThat(pair.journal.words("a"))
          .containsExactly("SEND_ONLY_WITH_INVALIDATE 000100", "SEND_ONLY_WITH_INVALIDATE 000100");
      assertThat(pair.completions("a")).containsExactly("SEND_WITH_INV 1 SUCCESS @67128864");
      assertThat(pair.b.pollReceives()).extracting(WorkCompletion::id).containsExactly(10L);

      Memory source = pair.a.memory(8, 0x66);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(2)
              .rdmaWrite(region.address(), region.key())
              .segment(source.region(), 0, 8)
              .signaled());
      pair.run();
      assertThat(region.memory().slice(0, 8)).containsOnly(0x66);
      assertThat(pair.a.pollSends())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(
              tuple(1L, CompletionStatus.SUCCESS), tuple(2L, CompletionStatus.SUCCESS));
    }
  }

  /** Keys of the peer that a SEND_WITH_INV may not take away. */
  private enum RefusedKey {
    UNKNOWN(side -> 0x00ABCD01),
    OF_A_USER_REGION(side -> side.memory(64, 0).rkey()),
    FREE(side -> side.fastMemory(64, 0).key()),
    WITH_AN_OLD_VARIANT(side -> registered(side, 64, 0).key() - 1),
    WITHOUT_REMOTE_RIGHTS(InvalidationTest::registeredForLocalUse),
    OF_ANOTHER_DOMAIN(InvalidationTest::registeredInAnotherDomain);

    private final ToIntFunction<Side> key;

    RefusedKey(ToIntFunction<Side> key) {
      this.key = key;
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"S26", "S27", "INVALIDATE-REFUSED", "RETRY-COUNT"})
  void aRefusedInvalidationIsAcknowledgedAndEndsTheConnection(RefusedKey refused) {
    try (Pair pair = Pair.connected()) {
      int key = refused.key.applyAsInt(pair.b);
      Memory received = pair.b.memory(100, 0);
      pair.b.postReceive(10, received);
      pair.b.postEmptyReceive(11);
      List<TraceEvent.KeyChanged> changes = keyChanges(pair, "b");
      Memory sent = pair.a.memory(100, 0x44);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .sendWithInvalidate(key)
              .segment(sent.region(), 0, 100)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("b")).containsExactly("ACK 000100");
      assertThat(pair.journal.from("b").get(0).summary()).endsWith(" msn=0");
      assertThat(received.slice(0, 100)).containsOnly(0x44);
      assertThat(pair.completions("a")).containsExactly("SEND_WITH_INV 1 SUCCESS @20000");
      assertThat(pair.b.pollReceives())
          .extracting(WorkCompletion::id, WorkCompletion::status)
          .containsExactly(
              tuple(10L, CompletionStatus.REM_INV_REQ_ERR),
              tuple(11L, CompletionStatus.WR_FLUSH_ERR));
      assertThat(changes).isEmpty();
      assertThat(pair.b.pollEvents()).isEmpty();
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);

      pair.a.postSend(2, sent);
      pair.run();
      assertThat(pair.journal.words("a"))
          .containsExactly(
              "SEND_ONLY_WITH_INVALIDATE 000100",
              "SEND_ONLY 000101",
              "SEND_ONLY 000101",
              "SEND_ONLY 000101",
              "SEND_ONLY 000101");
      assertThat(pair.completions("a"))
          .containsExactly("SEND_WITH_INV 1 SUCCESS @20000", "SEND 2 RETRY_EXC_ERR @268455456");
      assertThat(pair.journal.words("b")).containsExactly("ACK 000100");
    }
  }

  private static int registeredForLocalUse(Side side) {
    FastMemory memory = side.fastMemory(64, 0);
    side.queuePair.post(
        side.request
            .reset(9)
            .registerMemory(memory.region(), memory.region().nextKey(), AccessFlag.LOCAL_WRITE));
    return memory.key();
  }

  /** A registration needs a queue pair of its domain; this one is connected to itself. */
  private static int registeredInAnotherDomain(Side side) {
    ProtectionDomain domain = side.context.allocateProtectionDomain();
    CompletionQueue queue = side.context.createCompletionQueue(4);
    QueuePair loop = domain.createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
    ConnectionSetup setup = Pair.setup();
    setup.initialize(loop);
    setup.readyToReceive(loop, side.node.gid(), loop.number());
    setup.readyToSend(loop);
    FastRegistrationRegion region = domain.allocateFastRegistrationRegion(1);
    region.map(ByteBuffer.allocate(64));
    loop.post(
        side.request
            .reset(9)
            .registerMemory(
                region, region.nextKey(), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE)
            .signaled());
    side.fabric.run();
    WorkCompletions completions = new WorkCompletions(1);
    assertThat(queue.poll(completions)).isEqualTo(1);
    assertThat(completions.get(0).status()).isEqualTo(CompletionStatus.SUCCESS);
    return region.rkey();
  }

  private static FastMemory registered(Side side, int bytes, int fill) {
    FastMemory memory = side.fastMemory(bytes, fill);
    side.postRegister(9, memory);
    side.fabric.run();
    assertThat(side.pollSends())
        .extracting(WorkCompletion::id, WorkCompletion::status, WorkCompletion::opcode)
        .containsExactly(tuple(9L, CompletionStatus.SUCCESS, CompletionOpcode.REG_MR));
    return memory;
  }

  private static SendRequest read(Side side, long id, FastMemory source, Memory sink) {
    int length = sink.bytes().capacity();
    return side.request
        .reset(id)
        .rdmaRead(source.address(), source.key())
        .segment(sink.region(), 0, length)
        .signaled();
  }

  private static List<TraceEvent.KeyChanged> keyChanges(Pair pair, String node) {
    List<TraceEvent.KeyChanged> changes = new ArrayList<>();
    pair.fabric
        .trace()
        .addListener(
            event -> {
              if (event instanceof TraceEvent.KeyChanged change && change.node().equals(node)) {
                changes.add(change);
              }
            });
    return changes;
  }

  private static void assertInvalidated(WorkCompletion completion, int key) {
    assertThat(completion.status()).isEqualTo(CompletionStatus.SUCCESS);
    assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECV);
    assertThat(completion.withInvalidate()).isTrue();
    assertThat(completion.withImmediate()).isFalse();
    assertThat(completion.invalidatedRkey()).isEqualTo(key);
  }
}

package io.roceverbs.sim.device;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * What a post refuses at once: the errno, the request that is named, and that nothing else is
 * changed.
 */
class PostErrorsTest {
  private Pair pair = Pair.connected();

  @AfterEach
  void closeFabric() {
    pair.close();
  }

  private void connect(int sends, int receives, int sendSegments, int inline) {
    pair.close();
    UnaryOperator<QueuePairInit> shape =
        init ->
            init.withCapacities(new QueuePairCapacities(sends, receives, sendSegments, 2, inline));
    pair = Pair.connected(Pair.setup(), shape);
  }

  private static SendRequest request(long id) {
    return new SendRequest().reset(id);
  }

  private static ReceiveRequest receive(long id) {
    return new ReceiveRequest().reset(id);
  }

  private void assertRefused(SendRequest first, Errno errno, int index, String word) {
    QueuePairAttributes before = pair.a.queuePair.query();
    PostException refused =
        catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(first));
    assertThat(refused).as("post of %s", first).isNotNull();
    assertThat(refused.errno()).isEqualTo(errno);
    assertThat(refused.badRequestIndex()).isEqualTo(index);
    assertThat(refused).hasMessageContaining(word);
    assertThat(pair.a.queuePair.query()).isEqualTo(before);
  }

  /** A refused single request leaves no packet, no completion and no taken slot behind. */
  private void assertRefusedAlone(SendRequest only, String word) {
    assertRefused(only, Errno.EINVAL, 0, word);
    pair.run();
    assertThat(pair.journal.all()).isEmpty();
    assertThat(pair.a.pollSends()).isEmpty();
    assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
  }

  // ---- P1: states ----------------------------------------------------------------------------

  @Test
  @Checks({"POST-STATES", "S05", "QpExTestCase.test_post_receive_qp_state_bad_flow"})
  void sendsAreRefusedBeforeRtsAndReceivesInReset() {
    pair.close();
    pair = Pair.unconnected(init -> init);
    assertRefused(request(7).send(), Errno.EINVAL, 0, "RESET");
    assertThatThrownBy(() -> pair.a.queuePair.post(receive(8).next(receive(9))))
        .isInstanceOfSatisfying(
            PostException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.EINVAL);
              assertThat(e.badRequestIndex()).isZero();
              assertThat(e.badRequestId()).isEqualTo(8);
            })
        .hasMessageContaining("RESET");
    Pair.setup().initialize(pair.a.queuePair);
    assertRefused(request(7).send(), Errno.EINVAL, 0, "INIT");
    pair.a.queuePair.post(receive(1));
    Pair.setup().readyToReceive(pair.a.queuePair, pair.b.node.gid(), pair.b.queuePair.number());
    assertRefused(request(7).send().next(request(8).send()), Errno.EINVAL, 0, "RTR");
    pair.a.queuePair.post(receive(2));
    assertThat(pair.a.pollReceives()).isEmpty();
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    pair.a.queuePair.post(receive(3));
    pair.a.queuePair.post(request(7).send());
    assertThat(words(pair.a.pollReceives()))
        .containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(words(pair.a.pollSends())).containsExactly("7 WR_FLUSH_ERR");
  }

  // ---- P2: capacities ------------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 7, 16})
  @Checks("Additional.send_queue_full")
  void aSendQueueTakesExactlyWhatWasAskedFor(int capacity) {
    connect(capacity, 0, 1, 0);
    assertThat(pair.a.queuePair.init().capacities().maxSendRequests()).isEqualTo(capacity);
    SendRequest first = request(0).rdmaWrite(0, 0).signaled();
    SendRequest last = first;
    for (int id = 1; id <= capacity; id++) {
      SendRequest next = request(id).rdmaWrite(0, 0).signaled();
      last.next(next);
      last = next;
    }
    assertRefused(first, Errno.ENOMEM, capacity, "all " + capacity + " slots");
    pair.run();
    assertThat(pair.a.pollSends()).hasSize(capacity);
    for (int round = 0; round < 3 * capacity; round++) {
      pair.a.queuePair.post(request(round).rdmaWrite(0, 0).signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly(round + " SUCCESS");
    }
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 3, 16})
  @Checks("QpExTestCase.test_full_rq_bad_flow")
  void aReceiveQueueTakesExactlyWhatWasAskedFor(int capacity) {
    connect(20, capacity, 1, 0);
    for (int id = 0; id < capacity; id++) {
      pair.b.queuePair.post(receive(id));
    }
    for (int round = 0; round < 2; round++) {
      PostException full =
          catchThrowableOfType(
              PostException.class, () -> pair.b.queuePair.post(receive(70).next(receive(71))));
      assertThat(full.errno()).isEqualTo(Errno.ENOMEM);
      assertThat(full.badRequestIndex()).isZero();
      assertThat(full.badRequestId()).isEqualTo(70);
      pair.a.queuePair.post(request(1).send());
      pair.run();
    }
    // The completion is there, but only a poll frees its slot.
    assertThat(pair.b.pollReceives()).hasSize(Math.min(capacity, 2));
    pair.b.queuePair.post(receive(72));
  }

  @Test
  void queuesOfSizeZeroTakeNothing() {
    connect(0, 0, 0, 0);
    assertRefused(request(1).send(), Errno.ENOMEM, 0, "all 0 slots");
    assertThatThrownBy(() -> pair.a.queuePair.post(receive(1)))
        .isInstanceOfSatisfying(
            PostException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    pair.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    assertThat(pair.b.pollSends()).isEmpty();
  }

  @Test
  void capacitiesAboveTheDevicesAreRefusedAndTheLimitsThemselvesAreGiven() {
    int requests = pair.a.context.queryDevice().maxQueuePairRequests();
    int segments = pair.a.context.queryDevice().maxSegments();
    QueuePairInit init = QueuePairInit.reliableConnected(pair.a.sendQueue, 1, 1);
    for (QueuePairCapacities wanted :
        List.of(
            new QueuePairCapacities(requests + 1, 1, 1, 1, 0),
            new QueuePairCapacities(1, requests + 1, 1, 1, 0),
            new QueuePairCapacities(1, 1, segments + 1, 1, 0),
            new QueuePairCapacities(1, 1, 1, segments + 1, 0),
            new QueuePairCapacities(1, 1, 1, 1, 513))) {
      assertThatThrownBy(() -> pair.a.domain.createQueuePair(init.withCapacities(wanted)))
          .hasMessageContaining("is not in 0..");
    }
    QueuePairCapacities most = new QueuePairCapacities(1, 1, segments, segments, 512);
    assertThat(pair.a.domain.createQueuePair(init.withCapacities(most)).init().capacities())
        .isEqualTo(most);
  }

  // ---- P3 to P8, P14: requests that can never be right -----------------------------------------

  @Test
  @Checks("QpExTestCase.test_rq_with_larger_sgl_bad_flow")
  void tooManySegmentsAreRefused() {
    connect(4, 4, 2, 16);
    Side.Memory data = pair.a.memory(8, 1);
    SendRequest tooMany = request(1).send();
    for (int i = 0; i < 3; i++) {
      tooMany.segment(data.region(), i, 1);
    }
    assertRefusedAlone(tooMany, "3 segments");
    ReceiveRequest three = receive(5);
    for (int i = 0; i < 3; i++) {
      three.segment(data.region(), i, 1);
    }
    assertThatThrownBy(() -> pair.a.queuePair.post(receive(4).next(three)))
        .isInstanceOfSatisfying(
            PostException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.EINVAL);
              assertThat(e.badRequestIndex()).isEqualTo(1);
              assertThat(e.badRequestId()).isEqualTo(5);
            });
  }

  @Test
  void aRequestWithoutAnOperationIsRefused() {
    assertRefusedAlone(request(1), "no operation");
  }

  @Test
  @Checks("C27")
  void inlineDataIsLimitedByTheSumOfItsPieces() {
    connect(4, 4, 1, 16);
    ByteBuffer nine = ByteBuffer.allocate(9);
    ByteBuffer seven = ByteBuffer.allocate(7);
    assertRefusedAlone(request(1).send().inlineData(nine).inlineData(nine), "18 bytes");
    assertRefusedAlone(
        request(1)
            .rdmaWrite(0, 0)
            .inlineData(nine)
            .inlineData(seven)
            .inlineData(ByteBuffer.allocate(1)),
        "17 bytes");
    pair.b.postReceive(3, pair.b.memory(16, 0));
    pair.a.queuePair.post(request(2).send().inlineData(nine).inlineData(seven).signaled());
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(16);
  }

  @Test
  void inlineDataIsForSendAndWriteOnly() {
    ByteBuffer eight = ByteBuffer.allocate(8);
    FastRegistrationRegion region = pair.a.fastMemory(8, 0).region();
    for (SendRequest bad :
        List.of(
            request(1).rdmaRead(0, 0),
            request(1).compareAndSwap(0, 0, 0, 0),
            request(1).fetchAndAdd(0, 0, 0),
            request(1).localInvalidate(5),
            request(1).registerMemory(region, region.rkey(), AccessFlag.REMOTE_READ))) {
      assertRefusedAlone(bad.inlineData(eight), "inline data is for SEND and WRITE");
    }
  }

  @Test
  void localOperationsTakeNoSegments() {
    FastRegistrationRegion region = pair.a.fastMemory(8, 0).region();
    assertRefusedAlone(request(1).localInvalidate(5).segment(0, 1, 1), "no segments");
    assertRefusedAlone(
        request(1).registerMemory(region, region.rkey(), AccessFlag.REMOTE_READ).segment(0, 1, 1),
        "no segments");
  }

  @Test
  void messagesOverTwoGibibytesAreRefused() {
    int gibibyte = 1 << 30;
    for (SendRequest bad :
        List.of(request(1).send(), request(1).rdmaWrite(0, 0), request(1).rdmaRead(0, 0))) {
      bad.segment(0, gibibyte, 1).segment(0, gibibyte, 1).segment(0, 1, 1);
      assertRefusedAlone(bad, "2147483649 bytes");
    }
    assertRefusedAlone(request(1).send().segment(0, -1, 1), "4294967295 bytes");
  }

  @Test
  void atomicsAreEightBytesAtAMultipleOfEight() {
    Side.Memory data = pair.a.memory(16, 0);
    for (int length : new int[] {0, 4, 7, 9, 16}) {
      assertRefusedAlone(
          request(1).fetchAndAdd(8, 1, 1).segment(data.region(), 0, length), "8 bytes long");
    }
    assertRefusedAlone(request(1).compareAndSwap(8, 1, 1, 1), "8 bytes long");
    for (int offset = 1; offset < 8; offset++) {
      assertRefusedAlone(
          request(1).compareAndSwap(64 + offset, 1, 1, 1).segment(data.region(), 0, 8),
          "multiple of 8");
    }
  }

  @Test
  void readsAndAtomicsAreRefusedAtDepthZero() {
    pair.close();
    pair = Pair.connected(Pair.setup().withReadDepth(0));
    Side.Memory data = pair.a.memory(8, 0);
    assertRefusedAlone(request(1).rdmaRead(0, 0), "maxReadAtomic 0");
    assertRefusedAlone(
        request(1).fetchAndAdd(0, 0, 1).segment(data.region(), 0, 8), "maxReadAtomic 0");
  }

  @Test
  void aRegionThatIsClosedOrOfAnotherDeviceIsNotRegistered() {
    FastRegistrationRegion closed = pair.a.fastMemory(8, 0).region();
    closed.close();
    FastRegistrationRegion foreign = pair.b.fastMemory(8, 0).region();
    for (FastRegistrationRegion bad : List.of(closed, foreign)) {
      assertRefusedAlone(
          request(1).registerMemory(bad, bad.rkey(), AccessFlag.REMOTE_READ), "same device");
    }
  }

  // ---- P12: what is no error at post ---------------------------------------------------------

  @Test
  void aBadKeyIsNoErrorAtThePost() {
    pair.a.queuePair.post(request(1).send().segment(0x1234, 10, 0xBAD).signaled());
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
    assertThat(pair.journal.all()).isEmpty();
    pair.b.queuePair.post(receive(2).segment(0x1234, 10, 0xBAD));
    assertThat(pair.b.pollReceives()).isEmpty();
  }

  // ---- the chain -----------------------------------------------------------------------------

  @Test
  @Checks("S06")
  void thoseBeforeTheBadOneArePostedAndThoseBehindItAreNot() {
    Side.Memory landing = pair.b.memory(8, 0);
    SendRequest bad = request(12).rdmaRead(0, 0).inlineData(ByteBuffer.allocate(1));
    SendRequest chain = writeByte(9, landing, 1, writeByte(10, landing, 0, bad));
    bad.next(writeByte(13, landing, 2, null));
    PostException refused =
        catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(chain));
    assertThat(refused.badRequestIndex()).isEqualTo(2);
    assertThat(refused.badRequestId()).isEqualTo(12);
    assertThat(refused).hasMessageContaining("requests 0 to 1 were posted");
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("9 SUCCESS", "10 SUCCESS");
    assertThat(landing.slice(0, 4)).containsExactly(10, 9, 0, 0);
    assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
  }

  private static SendRequest writeByte(int id, Side.Memory landing, int offset, SendRequest next) {
    SendRequest write =
        request(id)
            .rdmaWrite(landing.address() + offset, landing.rkey())
            .inlineData(ByteBuffer.wrap(new byte[] {(byte) id}))
            .signaled();
    return next == null ? write : write.next(next);
  }

  @Test
  void aChainThatLeadsBackIsRefusedWhereItIsMade() {
    SendRequest first = request(1).send();
    SendRequest second = request(2).send();
    first.next(second);
    assertThatThrownBy(() -> second.next(first)).isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> first.next(first)).isInstanceOf(IllegalArgumentException.class);
    ReceiveRequest one = receive(1);
    assertThatThrownBy(() -> one.next(one)).isInstanceOf(IllegalArgumentException.class);
    pair.a.queuePair.post(first);
    pair.run();
    assertThat(pair.journal.startingWith("SEND_ONLY")).isNotEmpty();
  }

  @Test
  void aRequestIsTheProgramsAgainWhenThePostReturns() {
    Side.Memory landing = pair.b.memory(16, 0);
    ByteBuffer data = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
    SendRequest first = new SendRequest();
    SendRequest second = new SendRequest();
    for (int round = 0; round < 4; round++) {
      data.put(0, (byte) (10 + round)).put(1, (byte) (20 + round));
      second
          .reset(2L * round + 1)
          .rdmaWrite(landing.address() + 4L * round + 2, landing.rkey())
          .inlineData(data.duplicate().position(1).limit(2))
          .signaled();
      first
          .reset(2L * round)
          .rdmaWrite(landing.address() + 4L * round, landing.rkey())
          .inlineData(data.duplicate().limit(1))
          .signaled()
          .next(second);
      pair.a.queuePair.post(first);
      assertThat(data.position()).isZero();
      first.reset(99);
      second.reset(98).send();
      data.put(0, (byte) 0).put(1, (byte) 0);
    }
    pair.impair("drop:a>b/ANY#1+~1");
    pair.run();
    assertThat(words(pair.a.pollSends()))
        .containsExactly(
            "0 SUCCESS",
            "1 SUCCESS",
            "2 SUCCESS",
            "3 SUCCESS",
            "4 SUCCESS",
            "5 SUCCESS",
            "6 SUCCESS",
            "7 SUCCESS");
    assertThat(landing.slice(0, 16))
        .containsExactly(10, 0, 20, 0, 11, 0, 21, 0, 12, 0, 22, 0, 13, 0, 23, 0);
  }

  // ---- nothing at all ------------------------------------------------------------------------

  @Test
  void everythingOfLengthZeroWorksAlsoWithoutSegments() {
    connect(8, 8, 0, 0);
    for (int id = 1; id <= 4; id++) {
      pair.b.queuePair.post(receive(id));
    }
    int wild = 0x0BAD;
    pair.a.queuePair.post(request(1).send().signaled());
    pair.a.queuePair.post(request(2).sendWithImmediate(5).signaled());
    pair.a.queuePair.post(request(3).rdmaWrite(-1, wild).signaled());
    pair.a.queuePair.post(request(4).rdmaWriteWithImmediate(-1, wild, 6).signaled());
    pair.a.queuePair.post(request(5).rdmaRead(-1, wild).signaled());
    pair.run();
    assertThat(words(pair.a.pollSends()))
        .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS", "5 SUCCESS");
    assertThat(pair.journal.words("a"))
        .containsExactly(
            "SEND_ONLY 000100",
            "SEND_ONLY_WITH_IMMEDIATE 000101",
            "WRITE_ONLY 000102",
            "WRITE_ONLY_WITH_IMMEDIATE 000103",
            "READ_REQUEST 000104");
    assertThat(pair.journal.words("b")).last().isEqualTo("READ_RESPONSE_ONLY 000104");
    List<WorkCompletion> receives = pair.b.pollReceives();
    assertThat(words(receives)).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertThat(receives).allSatisfy(c -> assertThat(c.byteLength()).isZero());
    assertThat(receives.get(1).immediate()).isEqualTo(5);
    assertThat(receives.get(2).immediate()).isEqualTo(6);
  }

  @Test
  void aSegmentOfLengthZeroIsSkippedWithItsBadKey() {
    Side.Memory data = pair.a.memory(4, 3);
    Side.Memory landing = pair.b.memory(4, 0);
    pair.b.queuePair.post(
        receive(1)
            .segment(0x666, 0, 0xBAD)
            .segment(landing.region(), 0, 2)
            .segment(0x666, 0, 0xBAD)
            .segment(landing.region(), 2, 2));
    pair.a.queuePair.post(
        request(2)
            .send()
            .segment(0x666, 0, 0xBAD)
            .segment(data.region(), 0, 3)
            .segment(0x666, 0, 0xBAD)
            .segment(data.region(), 3, 1)
            .signaled());
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(words(pair.b.pollReceives())).containsExactly("1 SUCCESS");
    assertThat(landing.slice(0, 4)).containsExactly(3, 3, 3, 3);
  }

  @Test
  void aFlushedPostInErrCountsItsSlotUntilThePoll() {
    connect(2, 2, 1, 0);
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    pair.a.queuePair.post(request(1).send().next(request(2).send()));
    assertRefused(request(3).send(), Errno.ENOMEM, 0, "all 2 slots");
    List<WorkCompletion> flushed = pair.a.pollSends();
    assertThat(words(flushed)).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(flushed.get(0).status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    pair.a.queuePair.post(request(3).send());
    assertThat(words(pair.a.pollSends())).containsExactly("3 WR_FLUSH_ERR");
  }
}

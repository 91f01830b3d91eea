package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteOrder;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same objects in real time: what happens is what happens in virtual time; only when is not
 * known.
 */
@Timeout(60)
abstract class RealTimeCalls {
  private static final int TIMEOUT = 10; // 4.2 ms: longer than the loop is ever kept waiting

  private final Pair pair =
      Pair.unconnected(
          Fabric.builder().time(FabricTime.REAL).build(),
          init -> init.withSendOperations(SendOperation.SEND, SendOperation.RDMA_WRITE));
  private final Side a = pair.a;
  private final Side b = pair.b;

  /**
   * Connects the pair.
   *
   * @param isListening whether somebody listens to the trace, which makes posts and polls enter the
   *     fabric
   */
  RealTimeCalls(boolean isListening) {
    if (!isListening) {
      pair.withoutListeners();
    }
    ConnectionSetup setup = Pair.setup().withTimeout(TIMEOUT).withRetries(3, 7);
    pair.connect(setup, setup);
  }

  @AfterEach
  void close() {
    pair.close();
  }

  private static List<WorkCompletion> await(int count, Supplier<List<WorkCompletion>> poll) {
    List<WorkCompletion> all = new ArrayList<>();
    while (all.size() < count) {
      all.addAll(poll.get());
    }
    return all;
  }

  @Test
  void aSendArrivesAndBothEndsComplete() {
    Side.Memory source = a.memory(3_000, 7);
    Side.Memory sink = b.memory(3_000, 0);
    b.postReceive(1, sink);
    a.postSend(2, source);

    assertThat(words(await(1, a::pollSends))).containsExactly("2 SUCCESS");
    List<WorkCompletion> received = await(1, b::pollReceives);
    assertThat(words(received)).containsExactly("1 SUCCESS");
    assertThat(received.get(0).byteLength()).isEqualTo(3_000);
    assertThat(sink.slice(0, 3_000)).isEqualTo(source.slice(0, 3_000));
  }

  @Test
  void aWriteAndAReadMoveTheBytes() {
    Side.Memory local = a.memory(5_000, 3);
    Side.Memory back = a.memory(5_000, 0);
    Side.Memory remote = b.memory(5_000, 0);
    a.postWrite(1, local, 5_000, remote.address(), remote.rkey());
    a.postRead(2, back, 5_000, remote.address(), remote.rkey());

    assertThat(words(await(2, a::pollSends))).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(back.slice(0, 5_000)).isEqualTo(local.slice(0, 5_000));
  }

  @Test
  void aLostPacketIsSentAgain() {
    pair.impair("drop:a>b/SEND#1");
    b.postReceive(1, b.memory(64, 0));
    a.postSend(2, a.memory(64, 5));

    assertThat(words(await(1, a::pollSends))).containsExactly("2 SUCCESS");
    assertThat(words(await(1, b::pollReceives))).containsExactly("1 SUCCESS");
    assertThat(a.node.transport().retransmittedPackets()).isPositive();
  }

  @Test
  void aDeadPathEndsWithRetriesExceededAndFlushesTheRest() {
    pair.impair("drop:a>b/ANY#1+");
    a.postSend(1, a.memory(64, 5));
    a.postSend(2, a.memory(64, 5));

    assertThat(words(await(2, a::pollSends))).containsExactly("1 RETRY_EXC_ERR", "2 WR_FLUSH_ERR");
    assertThat(a.state()).isEqualTo(QueuePairState.ERR);
    // The second one is sent again as often, unless it was posted after the first timeout.
    assertThat(a.node.transport().retransmittedPackets()).isBetween(3L, 6L);
  }

  @Test
  void aReceiverThatIsNotReadyIsTriedAgainUntilItIs() {
    a.postSend(1, a.memory(64, 5));
    pair.fabric.await(() -> b.node.transport().rnrNaksSent() > 0);
    b.postReceive(2, b.memory(64, 0));

    assertThat(words(await(1, a::pollSends))).containsExactly("1 SUCCESS");
    assertThat(words(await(1, b::pollReceives))).containsExactly("2 SUCCESS");
  }

  @Test
  void aWrongKeyIsARemoteAccessError() {
    Side.Memory remote = b.memory(64, 0);
    a.postWrite(1, a.memory(64, 1), 64, remote.address(), remote.rkey() + 1);

    assertThat(words(await(1, a::pollSends))).containsExactly("1 REM_ACCESS_ERR");
    pair.run();
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  void aFetchAndAddAddsOnce() {
    Side.Memory result = a.memory(8, 0);
    Side.Memory counter = b.memory(8, 0);
    pair.impair("drop:b>a/ATOMIC_RESPONSE#1");
    a.queuePair.post(
        a.request
            .reset(1)
            .fetchAndAdd(counter.address(), counter.rkey(), 5)
            .segment(result.region(), 0, 8)
            .signaled());

    assertThat(words(await(1, a::pollSends))).containsExactly("1 SUCCESS");
    assertThat(counter.bytes().order(ByteOrder.nativeOrder()).getLong(0)).isEqualTo(5);
  }

  @Test
  void aFastRegistrationAndItsInvalidationTakeEffectInOrder() {
    Side.FastMemory memory = a.fastMemory(4_096, 1);
    a.postRegister(1, memory);
    a.queuePair.post(a.request.reset(2).localInvalidate(memory.region().nextKey()).signaled());

    assertThat(await(2, a::pollSends).get(0).status()).isEqualTo(CompletionStatus.SUCCESS);
  }

  @Test
  void aBoundWindowLetsTheWriteIn() {
    Side.Memory remote = b.windowed(4_096, 0);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(1, window, remote, 0, 4_096, AccessFlag.REMOTE_WRITE);
    assertThat(words(await(1, b::pollSends))).containsExactly("1 SUCCESS");

    a.postWrite(2, a.memory(64, 9), 64, remote.address(), window.rkey());
    assertThat(words(await(1, a::pollSends))).containsExactly("2 SUCCESS");
    assertThat(remote.slice(0, 64)).containsOnly(9);
  }

  @Test
  void aFullQueueRefusesAndHasRoomAgainAfterAPoll() {
    for (int i = 0; i < 16; i++) {
      b.postEmptyReceive(i);
    }
    assertThatThrownBy(() -> b.postEmptyReceive(16))
        .isInstanceOfSatisfying(
            PostException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    a.queuePair.post(a.request.reset(1).send().signaled());
    assertThat(words(await(1, b::pollReceives))).containsExactly("0 SUCCESS");
    b.postEmptyReceive(16);
  }

  @Test
  void aMoveToErrFlushesWhatIsPosted() {
    b.postEmptyReceive(1);
    b.postEmptyReceive(2);
    b.modifyToError();

    assertThat(words(await(2, b::pollReceives)))
        .containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
  }

  @Test
  void timePassesByItselfAndNotFasterThanTheLinkAllows() {
    long before = pair.fabric.nanoTime();
    b.postEmptyReceive(1);
    a.queuePair.post(a.request.reset(1).send().signaled());
    await(1, a::pollSends);

    assertThat(pair.fabric.nanoTime() - before).isGreaterThanOrEqualTo(2 * Pair.LATENCY_NANOS);
  }

  @Test
  void runForLetsTheTimePass() {
    long before = pair.fabric.nanoTime();
    pair.fabric.runFor(Duration.ofMillis(3));
    assertThat(pair.fabric.nanoTime() - before)
        .isGreaterThanOrEqualTo(TimeUnit.MILLISECONDS.toNanos(3));
    assertThat(pair.fabric.runUntil(() -> false, Duration.ofMillis(2))).isFalse();
    assertThat(pair.fabric.runUntil(() -> true, Duration.ZERO)).isTrue();
  }

  @Test
  void stepIsRefusedSinceEventsHappenByThemselves() {
    assertThatThrownBy(pair.fabric::step)
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("step was called in real time");
  }

  @Test
  void ofAListThatFailsInTheMiddleWhatComesBeforeIsPosted() {
    b.postEmptyReceive(1);
    SendRequest third = new SendRequest().reset(12).send().signaled();
    SendRequest second = new SendRequest().reset(11).signaled().next(third);

    assertThatThrownBy(() -> a.queuePair.post(a.request.reset(10).send().signaled().next(second)))
        .isInstanceOfSatisfying(
            PostException.class,
            e -> {
              assertThat(e.badRequestIndex()).isEqualTo(1);
              assertThat(e.badRequestId()).isEqualTo(11);
            });

    assertThat(words(await(1, a::pollSends))).containsExactly("10 SUCCESS");
    a.queuePair.post(a.request.reset(13).rdmaWrite(0, 0).signaled());
    assertThat(words(await(1, a::pollSends))).containsExactly("13 SUCCESS");
  }

  @Test
  void aListThatDoesNotFitIsPostedAsFarAsItDoes() {
    SendRequest last = new SendRequest().reset(17).rdmaWrite(0, 0).signaled();
    SendRequest first = last;
    for (int id = 16; id > 0; id--) {
      first = new SendRequest().reset(id).rdmaWrite(0, 0).signaled().next(first);
    }
    SendRequest list = first;

    assertThatThrownBy(() -> a.queuePair.post(list))
        .isInstanceOfSatisfying(
            PostException.class,
            e -> {
              assertThat(e.errno()).isEqualTo(Errno.ENOMEM);
              assertThat(e.badRequestIndex()).isEqualTo(16);
            });

    List<WorkCompletion> completions = await(16, a::pollSends);
    assertThat(completions).extracting(WorkCompletion::id).isSorted().hasSize(16);
    a.queuePair.post(last);
    assertThat(words(await(1, a::pollSends))).containsExactly("17 SUCCESS");
  }

  @Test
  void aBatchIsPostedAsAWholeOrNotAtAll() {
    SendBatch batch = a.queuePair.createSendBatch();
    for (int id = 1; id <= 9; id++) {
      batch.begin(id).rdmaWrite(0, 0).signaled();
    }
    batch.complete();
    assertThat(await(9, a::pollSends)).extracting(WorkCompletion::id).isSorted();
    for (int id = 1; id <= 15; id++) {
      batch.begin(id).rdmaWrite(0, 0).signaled();
    }
    batch.begin(16).signaled();

    assertThatThrownBy(batch::complete)
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EINVAL));

    pair.run();
    assertThat(a.pollSends()).isEmpty();
    batch.begin(20).rdmaWrite(0, 0).signaled();
    batch.complete();
    assertThat(words(await(1, a::pollSends))).containsExactly("20 SUCCESS");
  }

  @Test
  void whatAThreadPostedComesBeforeTheModifyThatItCallsNext() {
    for (int round = 0; round < 200; round++) {
      b.postEmptyReceive(1);
      b.modifyToError();
      b.postEmptyReceive(2);
      assertThat(words(await(2, b::pollReceives)))
          .containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
      b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      Pair.setup().initialize(b.queuePair);
    }
  }

  @Test
  void aResetPurgesWhatWasPostedBeforeAndFreesItsSlots() {
    for (int round = 0; round < 200; round++) {
      for (int id = 0; id < 16; id++) {
        b.postEmptyReceive(id);
      }
      b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      Pair.setup().initialize(b.queuePair);
    }
    pair.run();
    assertThat(b.pollReceives()).isEmpty();
  }

  @Test
  void sharedReceivesArePostedAndTaken() {
    SharedReceiveQueue shared = b.domain.createSharedReceiveQueue(4, 1);
    QueuePair from = a.domain.createQueuePair(QueuePairInit.reliableConnected(a.sendQueue, 16, 16));
    QueuePair to =
        b.domain.createQueuePair(
            QueuePairInit.reliableConnected(b.receiveQueue, 16, 0).withSharedReceiveQueue(shared));
    Pair.setup().withRetries(7, 7).connect(from, to);
    ReceiveRequest receive = new ReceiveRequest();
    for (int id = 1; id <= 4; id++) {
      shared.post(receive.reset(id));
    }
    assertThatThrownBy(() -> shared.post(receive.reset(5)))
        .isInstanceOfSatisfying(
            PostException.class, e -> assertThat(e.errno()).isEqualTo(Errno.ENOMEM));
    for (int id = 1; id <= 4; id++) {
      from.post(a.request.reset(id).send().signaled());
    }

    assertThat(words(await(4, a::pollSends)))
        .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
    assertThat(words(await(4, b::pollReceives)))
        .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
    shared.post(receive.reset(5));
    shared.armLimit(3);
    assertThat(b.context.getAsyncEvent().type()).isEqualTo(AsyncEventType.SRQ_LIMIT_REACHED);
  }

  @Test
  void anExtendedPollGoesOverWhatIsThere() {
    ExtendedCompletionQueue queue =
        a.context.createExtendedCompletionQueue(
            CompletionQueueInit.ofCapacity(16).withFields(CompletionField.QP_NUM));
    QueuePair from = a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 2, 1));
    QueuePair to = b.domain.createQueuePair(QueuePairInit.reliableConnected(b.sendQueue, 2, 1));
    Pair.setup().connect(from, to);
    from.post(a.request.reset(1).rdmaWrite(0, 0).signaled());
    from.post(a.request.reset(2).rdmaWrite(0, 0).signaled());
    pair.run();

    assertThat(queue.startPoll()).isTrue();
    assertThat(queue.id()).isEqualTo(1);
    assertThat(queue.queuePairNumber()).isEqualTo(from.number());
    assertThatThrownBy(() -> from.post(a.request.reset(3).rdmaWrite(0, 0).signaled()))
        .as("a slot is free at the end of the poll")
        .isInstanceOf(PostException.class);
    assertThat(queue.nextPoll()).isTrue();
    assertThat(queue.id()).isEqualTo(2);
    assertThat(queue.nextPoll()).isFalse();
    queue.endPoll();
    assertThat(queue.startPoll()).isFalse();
    from.post(a.request.reset(3).rdmaWrite(0, 0).signaled());
  }

  @Test
  void aPollInTheMiddleOfAnExtendedPollIsRefusedAlsoWhenNothingIsLeftToRead() {
    ExtendedCompletionQueue queue =
        a.context.createExtendedCompletionQueue(CompletionQueueInit.ofCapacity(4));
    QueuePair from = a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 2, 1));
    QueuePair to = b.domain.createQueuePair(QueuePairInit.reliableConnected(b.sendQueue, 2, 1));
    Pair.setup().connect(from, to);
    from.post(a.request.reset(1).rdmaWrite(0, 0).signaled());
    while (!queue.startPoll()) {
      Thread.onSpinWait();
    }

    assertThatThrownBy(() -> queue.poll(new WorkCompletions(1)))
        .isInstanceOfSatisfying(
            VerbsException.class, e -> assertThat(e.errno()).isEqualTo(Errno.EBUSY));
    queue.endPoll();
    assertThat(queue.poll(new WorkCompletions(1))).isZero();
  }
}

package io.roceverbs.sim.conformance;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * Threads that post messages and poll for their completions, on some queue pairs that share one
 * completion queue at each end. Each message has a number of its own, which it carries; whatever is
 * lost or comes twice shows in the counts or the sums.
 */
final class RealTimeLoad implements AutoCloseable {
  private static final int QUEUE = 64;
  private static final int BYTES = Long.BYTES;

  /** How many of something there were, and the sum of their scrambled numbers. */
  static final class Tally {
    private final LongAdder count = new LongAdder();
    private final LongAdder sum = new LongAdder();

    void add(long number) {
      count.increment();
      sum.add((number + 1) * 0x9E37_79B9_7F4A_7C15L ^ number);
    }

    long count() {
      return count.sum();
    }

    @Override
    public String toString() {
      return count.sum() + " with sum " + Long.toHexString(sum.sum());
    }
  }

  /** How sends get into their queue. */
  enum Posting {
    /** One for each call. */
    SINGLE,

    /** Three linked to each other. */
    LIST,

    /** Three in a batch. */
    BATCH
  }

  private static final int LIST_LENGTH = 3;

  final Tally posted = new Tally();
  final Tally completed = new Tally();
  final Tally received = new Tally();
  final LongAdder refused = new LongAdder();
  private final Posting posting;
  private final boolean isShared;
  private final Fabric fabric;
  private final End sender;
  private final End receiver;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicBoolean areReceiversOver = new AtomicBoolean();

  /** One end: a completion queue, and the queue pairs that use it. */
  private static final class End {
    final CompletionQueue queue;
    final List<QueuePair> queuePairs = new ArrayList<>();
    final ByteBuffer memory;
    final MemoryRegion region;
    final SharedReceiveQueue shared;

    End(Fabric fabric, String name, int count, boolean isShared) {
      DeviceContext context = fabric.addNode(name).device().open();
      ProtectionDomain domain = context.allocateProtectionDomain();
      queue = context.createCompletionQueue(2 * QUEUE * count);
      shared = domain.createSharedReceiveQueue(count * QUEUE, 1);
      for (int i = 0; i < count; i++) {
        QueuePairInit init =
            QueuePairInit.reliableConnected(queue, QUEUE, QUEUE)
                .withInline(BYTES)
                .withSendOperations(SendOperation.SEND);
        QueuePair queuePair =
            domain.createQueuePair(isShared ? init.withSharedReceiveQueue(shared) : init);
        queuePairs.add(queuePair);
      }
      memory = ByteBuffer.allocate(count * QUEUE * BYTES);
      region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
    }
  }

  RealTimeLoad(int queuePairs, double loss) {
    this(queuePairs, loss, Posting.SINGLE, false);
  }

  /**
   * Connects queue pairs.
   *
   * @param queuePairs how many
   * @param loss the chance that a packet is lost
   * @param posting how sends are posted
   * @param isShared whether the receives of all are in one shared receive queue
   */
  RealTimeLoad(int queuePairs, double loss, Posting posting, boolean isShared) {
    this.posting = posting;
    this.isShared = isShared;
    fabric =
        Fabric.builder()
            .time(FabricTime.REAL)
            .link(LinkConfiguration.DEFAULT.withLatency(Duration.ZERO))
            .impairment(Impairment.loss(loss))
            .build();
    sender = new End(fabric, "a", queuePairs, false);
    receiver = new End(fabric, "b", queuePairs, isShared);
    for (int i = 0; i < queuePairs; i++) {
      Pair.setup()
          .withTimeout(10)
          .withRetries(7, 7)
          .connect(sender.queuePairs.get(i), receiver.queuePairs.get(i));
      for (int slot = 0; slot < QUEUE; slot++) {
        repost(new ReceiveRequest(), i, slot);
      }
    }
  }

  /** Posts a receive; its id is the number of its place in the memory. */
  private void repost(ReceiveRequest request, int index, int slot) {
    int place = index * QUEUE + slot;
    request.reset(place).segment(receiver.region, (long) place * BYTES, BYTES);
    if (isShared) {
      receiver.shared.post(request);
    } else {
      receiver.queuePairs.get(index).post(request);
    }
  }

  /** Lets threads send for a time; returns when everything is completed. */
  void run(int senders, int receivers, long nanos) throws Exception {
    ExecutorService pool = Executors.newCachedThreadPool();
    try {
      List<Future<?>> sending = new ArrayList<>();
      for (int i = 0; i < senders; i++) {
        int number = i;
        sending.add(pool.submit(() -> send(number)));
      }
      List<Future<?>> receiving = new ArrayList<>();
      for (int i = 0; i < receivers; i++) {
        receiving.add(pool.submit(this::receive));
      }
      long endNanos = System.nanoTime() + nanos;
      while (System.nanoTime() < endNanos && sending.stream().noneMatch(Future::isDone)) {
        Thread.sleep(10);
      }
      isOver.set(true);
      for (Future<?> thread : sending) {
        thread.get(30, TimeUnit.SECONDS);
      }
      areReceiversOver.set(true);
      for (Future<?> thread : receiving) {
        thread.get(30, TimeUnit.SECONDS);
      }
    } finally {
      pool.shutdownNow();
    }
  }

  /** Posts as fast as the queue takes it, and polls when it is full. */
  @SuppressWarnings("ThreadPriorityCheck") // there are more threads than processors
  private void send(int thread) {
    QueuePair queuePair = sender.queuePairs.get(thread % sender.queuePairs.size());
    Poster poster = new Poster(queuePair, (long) thread << Integer.SIZE);
    WorkCompletions completions = new WorkCompletions(16);
    while (!isOver.get()) {
      if (!poster.post()) {
        Thread.yield();
      }
      poll(completions);
    }
    while (completed.count() < posted.count()) {
      poll(completions);
    }
  }

  /** What one thread posts, each message with the next number. */
  private final class Poster {
    private final QueuePair queuePair;
    private final SendBatch batch;
    private final SendRequest[] requests = new SendRequest[LIST_LENGTH];
    private final ByteBuffer[] payloads = new ByteBuffer[LIST_LENGTH];
    private long number;

    Poster(QueuePair queuePair, long firstNumber) {
      this.queuePair = queuePair;
      this.batch = queuePair.createSendBatch();
      this.number = firstNumber;
      for (int i = 0; i < LIST_LENGTH; i++) {
        requests[i] = new SendRequest();
        payloads[i] = ByteBuffer.allocate(BYTES);
      }
    }

    /** Returns whether all of it was posted. */
    boolean post() {
      int count = posting == Posting.SINGLE ? 1 : LIST_LENGTH;
      int done = count;
      try {
        if (posting == Posting.BATCH) {
          for (int i = 0; i < count; i++) {
            fill(batch.begin(number + i), i);
          }
          batch.complete();
        } else {
          queuePair.post(list(count));
        }
      } catch (PostException e) {
        done = refused(e, e.badRequestIndex());
      } catch (VerbsException e) {
        done = refused(e, 0);
      }
      for (int i = 0; i < done; i++) {
        posted.add(number + i);
      }
      number += done;
      return done == count;
    }

    private SendRequest list(int count) {
      SendRequest first = fill(requests[count - 1].reset(number + count - 1), count - 1);
      for (int i = count - 2; i >= 0; i--) {
        first = fill(requests[i].reset(number + i), i).next(first);
      }
      return first;
    }

    private SendRequest fill(SendRequest request, int index) {
      payloads[index].putLong(0, number + index);
      return request.send().inlineData(payloads[index]).signaled();
    }

    private int refused(VerbsException refusal, int done) {
      if (refusal.errno() != Errno.ENOMEM) {
        throw refusal;
      }
      refused.increment();
      return done;
    }
  }

  private void poll(WorkCompletions completions) {
    int count = sender.queue.poll(completions);
    for (int i = 0; i < count; i++) {
      completed.add(completions.get(i).requireSuccess().id());
    }
  }

  private void receive() {
    WorkCompletions completions = new WorkCompletions(16);
    ReceiveRequest request = new ReceiveRequest();
    while (!areReceiversOver.get() || received.count() < posted.count()) {
      int count = receiver.queue.poll(completions);
      for (int i = 0; i < count; i++) {
        WorkCompletion completion = completions.get(i).requireSuccess();
        int place = (int) completion.id();
        received.add(receiver.memory.getLong(place * BYTES));
        repost(request, place / QUEUE, place % QUEUE);
      }
    }
  }

  @Override
  public void close() {
    fabric.close();
  }
}

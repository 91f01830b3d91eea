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
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

  final Tally posted = new Tally();
  final Tally completed = new Tally();
  final Tally received = new Tally();
  final LongAdder refused = new LongAdder();
  private final Fabric fabric;
  private final End sender;
  private final End receiver;
  private final AtomicBoolean isOver = new AtomicBoolean();
  private final AtomicBoolean areReceiversOver = new AtomicBoolean();

  /** One end: a completion queue, and the queue pairs that use it. */
  private static final class End {
    final CompletionQueue queue;
    final List<QueuePair> queuePairs = new ArrayList<>();
    final Map<Integer, Integer> indices = new HashMap<>();
    final ByteBuffer memory;
    final MemoryRegion region;

    End(Fabric fabric, String name, int count) {
      DeviceContext context = fabric.addNode(name).device().open();
      ProtectionDomain domain = context.allocateProtectionDomain();
      queue = context.createCompletionQueue(2 * QUEUE * count);
      for (int i = 0; i < count; i++) {
        QueuePair queuePair =
            domain.createQueuePair(
                QueuePairInit.reliableConnected(queue, QUEUE, QUEUE).withInline(BYTES));
        queuePairs.add(queuePair);
        indices.put(queuePair.number(), i);
      }
      memory = ByteBuffer.allocate(count * QUEUE * BYTES);
      region = domain.registerMemory(memory, AccessFlag.LOCAL_WRITE);
    }
  }

  RealTimeLoad(int queuePairs, double loss) {
    fabric =
        Fabric.builder()
            .time(FabricTime.REAL)
            .link(LinkConfiguration.DEFAULT.withLatency(Duration.ZERO))
            .impairment(Impairment.loss(loss))
            .build();
    sender = new End(fabric, "a", queuePairs);
    receiver = new End(fabric, "b", queuePairs);
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

  private void repost(ReceiveRequest request, int index, int slot) {
    long offset = (long) (index * QUEUE + slot) * BYTES;
    receiver
        .queuePairs
        .get(index)
        .post(request.reset(slot).segment(receiver.region, offset, BYTES));
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
    SendRequest request = new SendRequest();
    ByteBuffer payload = ByteBuffer.allocate(BYTES);
    WorkCompletions completions = new WorkCompletions(16);
    long number = (long) thread << Integer.SIZE;
    while (!isOver.get()) {
      payload.putLong(0, number);
      if (post(queuePair, request.reset(number).send().inlineData(payload).signaled())) {
        posted.add(number);
        number++;
      } else {
        Thread.yield();
      }
      poll(completions);
    }
    while (completed.count() < posted.count()) {
      poll(completions);
    }
  }

  private boolean post(QueuePair queuePair, SendRequest request) {
    try {
      queuePair.post(request);
      return true;
    } catch (PostException e) {
      if (e.errno() != Errno.ENOMEM) {
        throw e;
      }
      refused.increment();
      return false;
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
        int index = receiver.indices.get(completion.queuePairNumber());
        int slot = (int) completion.id();
        received.add(receiver.memory.getLong((index * QUEUE + slot) * BYTES));
        repost(request, index, slot);
      }
    }
  }

  @Override
  public void close() {
    fabric.close();
  }
}

package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletions;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * In real time as in virtual time nothing is allocated: not by a program, not by the event loop.
 */
@Timeout(120)
class RealTimeAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final String EVENT_LOOP = "fabric-";
  private static final int WARM_UP_ROUNDS = 4_000;
  private static final int ROUNDS = 500;
  private static final int COUNTS = 100;
  private static final int BYTES = 3_000;

  /** One side, without a trace listener. */
  private static final class End {
    final ProtectionDomain domain;
    final CompletionQueue completionQueue;
    final MemoryRegion region;

    End(Fabric fabric, String name) {
      domain = fabric.addNode(name).device().open().allocateProtectionDomain();
      completionQueue = domain.context().createCompletionQueue(64);
      region = domain.registerMemory(ByteBuffer.allocate(BYTES), AccessFlag.LOCAL_WRITE);
    }

    QueuePairInit init() {
      return QueuePairInit.reliableConnected(completionQueue, 16, 16)
          .withSendOperations(SendOperation.SEND);
    }
  }

  private final Fabric fabric =
      Fabric.builder()
          .time(FabricTime.REAL)
          .link(LinkConfiguration.DEFAULT.withLatency(Duration.ZERO))
          .build();
  private final End a = new End(fabric, "a");
  private final End b = new End(fabric, "b");
  private final SendRequest request = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(8);

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private void poll(End end, int expected) {
    int count = 0;
    while (count < expected) {
      int now = end.completionQueue.poll(completions);
      for (int i = 0; i < now; i++) {
        completions.get(i).requireSuccess();
      }
      count += now;
    }
  }

  @Test
  void sendAndReceive() {
    QueuePair from = a.domain.createQueuePair(a.init());
    QueuePair to = b.domain.createQueuePair(b.init());
    ConnectionSetup.standard().connect(from, to);
    assertNothingAllocatedBy(
        () -> {
          to.post(receive.reset(1).segment(b.region, 0, BYTES));
          from.post(request.reset(2).send().segment(a.region, 0, BYTES).signaled());
          poll(a, 1);
          poll(b, 1);
        });
  }

  @Test
  void aBatchIntoASharedReceiveQueue() {
    SharedReceiveQueue shared = b.domain.createSharedReceiveQueue(16, 1);
    QueuePair from = a.domain.createQueuePair(a.init());
    QueuePair to = b.domain.createQueuePair(b.init().withSharedReceiveQueue(shared));
    ConnectionSetup.standard().connect(from, to);
    SendBatch batch = from.createSendBatch();
    assertNothingAllocatedBy(
        () -> {
          shared.post(receive.reset(1).segment(b.region, 0, BYTES));
          shared.post(receive.reset(2).segment(b.region, 0, BYTES));
          batch.begin(3).send().segment(a.region, 0, BYTES);
          batch.begin(4).send().segment(a.region, 0, BYTES).signaled();
          batch.complete();
          poll(a, 1);
          poll(b, 2);
        });
  }

  /** Counts until a count is 0: compilation now and then allocates something on these threads. */
  private static void assertNothingAllocatedBy(Runnable operation) {
    long[] threads = {Thread.currentThread().getId(), eventLoop()};
    run(operation, WARM_UP_ROUNDS);
    long least = Long.MAX_VALUE;
    for (int count = 0; count < COUNTS && least > 0; count++) {
      long before = allocatedBy(threads);
      run(operation, ROUNDS);
      least = Math.min(least, allocatedBy(threads) - before);
    }
    assertThat(least).as("bytes for %d operations", ROUNDS).isZero();
  }

  private static long allocatedBy(long[] threads) {
    long bytes = 0;
    for (long thread : threads) {
      bytes += THREADS.getThreadAllocatedBytes(thread);
    }
    return bytes;
  }

  private static long eventLoop() {
    return Thread.getAllStackTraces().keySet().stream()
        .filter(thread -> thread.getName().startsWith(EVENT_LOOP))
        .mapToLong(Thread::getId)
        .max()
        .orElseThrow();
  }

  private static void run(Runnable operation, int rounds) {
    for (int i = 0; i < rounds; i++) {
      operation.run();
    }
  }
}

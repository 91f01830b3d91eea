package io.roceverbs.sim.device;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** From the post of a request to the poll of its completion nothing is allocated, once warm. */
class DataPathAllocationTest {
  private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
  private static final int WARM_UP_ROUNDS = 4_000;
  private static final int ROUNDS = 2_000;
  private static final int COUNTS = 50;
  private static final int BYTES = 3_000;
  private static final AccessFlags ALL =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  /** One side, without a trace listener. */
  private static final class End {
    final ProtectionDomain domain;
    final CompletionQueue completionQueue;
    final QueuePair queuePair;
    final MemoryRegion region;

    End(Fabric fabric, String name) {
      domain = fabric.addNode(name).device().open().allocateProtectionDomain();
      completionQueue = domain.context().createCompletionQueue(64);
      queuePair = queuePair(QueuePairType.RC);
      region = domain.registerMemory(ByteBuffer.allocate(BYTES), ALL);
    }

    QueuePair queuePair(QueuePairType type) {
      return domain.createQueuePair(
          QueuePairInit.reliableConnected(completionQueue, 16, 16).withType(type).withInline(64));
    }
  }

  private final Fabric fabric = Fabric.create();
  private final End a = new End(fabric, "a");
  private final End b = new End(fabric, "b");
  private final FastRegistrationRegion fast = a.domain.allocateFastRegistrationRegion(1);
  private final SendRequest request = new SendRequest();
  private final SendRequest second = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(8);
  private final ByteBuffer inline = ByteBuffer.allocate(48);
  private long polled;

  DataPathAllocationTest() {
    ConnectionSetup.standard().connect(a.queuePair, b.queuePair);
    fast.map(ByteBuffer.allocate(64));
  }

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
    polled += count;
  }

  @Test
  void sendAndReceive() {
    long operations =
        assertNothingAllocatedBy(
            () -> {
              b.queuePair.post(receive.reset(1).segment(b.region, 0, BYTES));
              a.queuePair.post(request.reset(2).send().segment(a.region, 0, BYTES).signaled());
              poll(a, 1);
              poll(b, 1);
            });
    assertThat(polled).isEqualTo(2L * operations);
  }

  @Test
  void sendAndReceiveThroughCongestion() {
    try (Fabric congested = Fabric.builder().profile(DeviceProfile.connectX()).build()) {
      End c = new End(congested, "c");
      End d = new End(congested, "d");
      ConnectionSetup.standard().connect(c.queuePair, d.queuePair);
      congested.impair(Rule.parse("mark:c>d/SEND"));
      assertNothingAllocatedBy(
          () -> {
            d.queuePair.post(receive.reset(1).segment(d.region, 0, BYTES));
            c.queuePair.post(request.reset(2).send().segment(c.region, 0, BYTES).signaled());
            poll(c, 1);
            poll(d, 1);
          });
    }
  }

  @Test
  void inlineSendWithImmediate() {
    assertNothingAllocatedBy(
        () -> {
          b.queuePair.post(receive.reset(1).segment(b.region, 0, 64));
          request.reset(2).sendWithImmediate(7).inlineData(inline).signaled();
          a.queuePair.post(request);
          poll(a, 1);
          poll(b, 1);
        });
  }

  @Test
  void batch() {
    QueuePair from =
        a.domain.createQueuePair(
            QueuePairInit.reliableConnected(a.completionQueue, 16, 16)
                .withInline(64)
                .withSendOperations(SendOperation.RDMA_WRITE, SendOperation.SEND));
    QueuePair to = b.queuePair(QueuePairType.RC);
    ConnectionSetup.standard().connect(from, to);
    SendBatch batch = from.createSendBatch();
    assertNothingAllocatedBy(
        () -> {
          to.post(receive.reset(1).segment(b.region, 0, 64));
          batch.begin(2).rdmaWrite(b.region.address(), b.region.rkey()).segment(a.region, 0, BYTES);
          batch.begin(3).send().inlineData(inline).signaled();
          batch.complete();
          poll(a, 1);
          poll(b, 1);
        });
  }

  @Test
  void write() {
    assertNothingAllocatedBy(
        () -> {
          request.reset(2).rdmaWrite(b.region.address(), b.region.rkey());
          a.queuePair.post(request.segment(a.region, 0, BYTES).signaled());
          poll(a, 1);
        });
  }

  @Test
  void read() {
    assertNothingAllocatedBy(
        () -> {
          request.reset(2).rdmaRead(b.region.address(), b.region.rkey());
          a.queuePair.post(request.segment(a.region, 0, BYTES).signaled());
          poll(a, 1);
        });
  }

  @Test
  void fetchAndAdd() {
    assertNothingAllocatedBy(
        () -> {
          request.reset(2).fetchAndAdd(b.region.address(), b.region.rkey(), 1);
          a.queuePair.post(request.segment(a.region, 0, 8).signaled());
          poll(a, 1);
        });
  }

  @Test
  void registrationAndInvalidation() {
    assertNothingAllocatedBy(
        () -> {
          int key = fast.nextKey();
          second.reset(3).localInvalidate(key).signaled();
          request.reset(2).registerMemory(fast, key, ALL).signaled().next(second);
          a.queuePair.post(request);
          poll(a, 2);
        });
  }

  @Test
  void unreliableSendAndReceive() {
    QueuePair from = a.queuePair(QueuePairType.UC);
    QueuePair to = b.queuePair(QueuePairType.UC);
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
  void datagram() {
    QueuePair from = a.queuePair(QueuePairType.UD);
    QueuePair to = b.queuePair(QueuePairType.UD);
    ConnectionSetup.standard().connect(from, to);
    AddressHandle handle =
        a.domain.createAddressHandle(AddressVector.to(b.domain.context().queryGid(1, 0)));
    assertNothingAllocatedBy(
        () -> {
          to.post(receive.reset(1).segment(b.region, 0, 1000));
          request.reset(2).send().segment(a.region, 0, 900);
          from.post(request.to(handle, to.number(), ConnectionSetup.DEFAULT_QUEUE_KEY).signaled());
          poll(a, 1);
          poll(b, 1);
        });
  }

  @Test
  void sendIntoASharedReceiveQueue() {
    SharedReceiveQueue shared = b.domain.createSharedReceiveQueue(16, 1);
    QueuePair from = a.queuePair(QueuePairType.RC);
    QueuePair to =
        b.domain.createQueuePair(
            QueuePairInit.reliableConnected(b.completionQueue, 16, 0)
                .withSharedReceiveQueue(shared));
    ConnectionSetup.standard().connect(from, to);
    assertNothingAllocatedBy(
        () -> {
          shared.post(receive.reset(1).segment(b.region, 0, BYTES));
          from.post(request.reset(2).send().segment(a.region, 0, BYTES).signaled());
          poll(a, 1);
          poll(b, 1);
        });
  }

  @Test
  void sendAndReadOverAnExtendedConnection() {
    XrcDomain xrc = b.domain.context().openXrcDomain();
    SharedReceiveQueue shared = b.domain.createXrcSharedReceiveQueue(xrc, b.completionQueue, 16, 1);
    QueuePair from = a.domain.createQueuePair(QueuePairInit.xrcInitiator(a.completionQueue, 16));
    ConnectionSetup.standard().connect(from, xrc.createTargetQueuePair());
    assertNothingAllocatedBy(
        () -> {
          shared.post(receive.reset(1).segment(b.region, 0, BYTES));
          request.reset(2).send().segment(a.region, 0, BYTES).signaled();
          from.post(request.toSharedReceiveQueue(shared.number()));
          request.reset(3).rdmaRead(b.region.address(), b.region.rkey()).signaled();
          from.post(request.segment(a.region, 0, BYTES).toSharedReceiveQueue(shared.number()));
          poll(a, 2);
          poll(b, 1);
        });
  }

  @Test
  void anExtendedPoll() {
    ExtendedCompletionQueue queue =
        a.domain
            .context()
            .createExtendedCompletionQueue(
                CompletionQueueInit.ofCapacity(16)
                    .withFields(CompletionField.COMPLETION_TIMESTAMP, CompletionField.QP_NUM));
    QueuePair from = a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 16, 16));
    QueuePair to =
        b.domain.createQueuePair(QueuePairInit.reliableConnected(b.completionQueue, 16, 16));
    ConnectionSetup.standard().connect(from, to);
    assertNothingAllocatedBy(
        () -> {
          request.reset(2).rdmaWrite(b.region.address(), b.region.rkey());
          from.post(request.segment(a.region, 0, BYTES).signaled());
          while (!queue.startPoll()) {
            Thread.onSpinWait();
          }
          polled += queue.queuePairNumber() + queue.timestamp() + queue.status().value();
          queue.nextPoll();
          queue.endPoll();
        });
  }

  @Test
  void anEventForEachCompletion() {
    CompletionChannel channel = a.domain.context().createCompletionChannel();
    CompletionQueue queue =
        a.domain
            .context()
            .createCompletionQueue(CompletionQueueInit.ofCapacity(16).withChannel(channel));
    QueuePair from = a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 16, 16));
    QueuePair to =
        b.domain.createQueuePair(QueuePairInit.reliableConnected(b.completionQueue, 16, 16));
    ConnectionSetup.standard().connect(from, to);
    queue.moderate(2, 5);
    assertNothingAllocatedBy(
        () -> {
          queue.requestNotification(false);
          request.reset(2).rdmaWrite(b.region.address(), b.region.rkey());
          from.post(request.segment(a.region, 0, BYTES).signaled());
          channel.awaitEvent().acknowledgeEvents(1);
          polled += queue.poll(completions);
        });
  }

  @Test
  void bindInvalidationAndWriteThroughAWindow() {
    MemoryWindow window = b.domain.allocateMemoryWindow(MemoryWindowType.TYPE_2);
    MemoryRegion bindable =
        b.domain.registerMemory(
            ByteBuffer.allocate(BYTES), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND);
    MemoryWindowBinding binding =
        MemoryWindowBinding.of(bindable, 0, BYTES, AccessFlags.of(AccessFlag.REMOTE_WRITE));
    assertNothingAllocatedBy(
        () -> {
          request.reset(2).bindMemoryWindow(window, window.nextRkey(), binding).signaled();
          b.queuePair.post(request);
          request.reset(3).rdmaWrite(bindable.address(), window.rkey());
          a.queuePair.post(request.segment(a.region, 0, BYTES).signaled());
          poll(a, 1);
          b.queuePair.post(request.reset(4).localInvalidate(window.rkey()).signaled());
          poll(b, 2);
        });
  }

  /**
   * Counts until a count is 0: compilation now and then allocates something on the measured thread.
   *
   * @return how often the operation ran
   */
  private static long assertNothingAllocatedBy(Runnable operation) {
    run(operation, WARM_UP_ROUNDS);
    long operations = WARM_UP_ROUNDS;
    long least = Long.MAX_VALUE;
    for (int count = 0; count < COUNTS && least > 0; count++) {
      long before = THREADS.getCurrentThreadAllocatedBytes();
      run(operation, ROUNDS);
      least = Math.min(least, THREADS.getCurrentThreadAllocatedBytes() - before);
      operations += ROUNDS;
    }
    assertThat(least).as("bytes for %d operations", ROUNDS).isZero();
    return operations;
  }

  private static void run(Runnable operation, int rounds) {
    for (int i = 0; i < rounds; i++) {
      operation.run();
    }
  }
}

package io.roceverbs.sim.ulp;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.RawPeerFabric;
import io.roceverbs.sim.conformance.Pair;
import io.roceverbs.sim.conformance.Side;
import io.roceverbs.sim.device.DeviceHost;
import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.device.PortClient;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import io.roceverbs.verbs.XrcDomainFlag;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Any verbs call is legal from the fabric's own loop, from ULP threads and from other threads. */
@Timeout(60)
@SuppressWarnings("FutureReturnValueIgnored") // what is tested is when tasks run, or that they do
class VerbsFromAnywhereTest {

  private DeviceHost host;

  /** Verbs calls with what they must give. */
  private enum Verb {
    OPEN_AND_CLOSE {
      @Override
      void call(Pair pair) {
        DeviceContext context = pair.a.node.device().open();
        assertThat(context.isOpen()).isTrue();
        context.close();
        assertThat(context.isOpen()).isFalse();
      }
    },
    QUERY {
      @Override
      void call(Pair pair) {
        DeviceContext context = pair.a.context;
        assertThat(context.queryDevice().nodeGuid()).isEqualTo(pair.a.node.device().guid());
        assertThat(context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
        assertThat(context.queryGid(1, 0)).isEqualTo(pair.a.node.gid());
        assertThat(context.queryPartitionKey(1, 0)).isEqualTo(0xFFFF);
        assertThat(pair.a.queuePair.query().retryCount()).isEqualTo(3);
        assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      }
    },
    PROTECTION_DOMAIN {
      @Override
      void call(Pair pair) {
        ProtectionDomain domain = pair.a.context.allocateProtectionDomain();
        domain.close();
        assertThat(domain.isOpen()).isFalse();
      }
    },
    COMPLETION_QUEUE {
      @Override
      void call(Pair pair) {
        CompletionQueue queue = pair.a.context.createCompletionQueue(4);
        assertThat(queue.poll(new WorkCompletions(1))).isZero();
        queue.close();
        assertThat(queue.isOpen()).isFalse();
      }
    },
    MEMORY_REGION {
      @Override
      void call(Pair pair) {
        MemoryRegion region =
            pair.a.domain.registerMemory(ByteBuffer.allocate(16), AccessFlag.LOCAL_WRITE);
        assertThat(region.length()).isEqualTo(16);
        region.close();
        assertThat(region.isOpen()).isFalse();
      }
    },
    FAST_REGISTRATION {
      @Override
      void call(Pair pair) {
        FastRegistrationRegion region = pair.a.domain.allocateFastRegistrationRegion(2);
        assertThat(region.map(ByteBuffer.allocate(4096))).isEqualTo(1);
        region.close();
        assertThat(region.isOpen()).isFalse();
      }
    },
    ADDRESS_HANDLE {
      @Override
      void call(Pair pair) {
        pair.a.domain.createAddressHandle(AddressVector.to(pair.b.node.gid())).close();
      }
    },
    SHARED_RECEIVE_QUEUE {
      @Override
      void call(Pair pair) {
        SharedReceiveQueue queue = pair.a.domain.createSharedReceiveQueue(4, 1);
        queue.post(new ReceiveRequest().reset(1));
        queue.armLimit(1);
        assertThat(queue.query().limit()).isEqualTo(1);
        queue.close();
        assertThat(queue.isOpen()).isFalse();
      }
    },
    COMPLETION_CHANNEL {
      @Override
      void call(Pair pair) {
        CompletionChannel channel = pair.a.context.createCompletionChannel();
        CompletionQueue queue =
            pair.a.context.createCompletionQueue(
                CompletionQueueInit.ofCapacity(4).withChannel(channel));
        assertThat(queue.requestNotification(false)).isFalse();
        QueuePair queuePair =
            pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(queue, 2, 2));
        ConnectionSetup.standard().initialize(queuePair);
        queuePair.post(new ReceiveRequest().reset(1));
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
        assertThat(channel.pollEvent()).isSameAs(queue);
        queue.acknowledgeEvents(1);
        queuePair.close();
        queue.resize(8);
        assertThat(queue.capacity()).isEqualTo(8);
        queue.moderate(2, 10);
        queue.close();
        channel.close();
        assertThat(channel.isOpen()).isFalse();
      }
    },
    EXTENDED_POLL {
      @Override
      void call(Pair pair) {
        ExtendedCompletionQueue queue =
            pair.a.context.createExtendedCompletionQueue(CompletionQueueInit.ofCapacity(4));
        assertThat(queue.startPoll()).isFalse();
        queue.close();
      }
    },
    MEMORY_WINDOW {
      @Override
      void call(Pair pair) {
        MemoryWindow window = pair.a.domain.allocateMemoryWindow(MemoryWindowType.TYPE_1);
        int key = pair.a.queuePair.bind(window, 3, MemoryWindowBinding.NONE, SendFlag.SIGNALED);
        assertThat(window.rkey()).isEqualTo(key);
      }

      @Override
      void check(Pair pair) {
        assertThat(pair.a.pollSends())
            .singleElement()
            .satisfies(bound -> assertThat(bound.status()).isEqualTo(CompletionStatus.SUCCESS));
      }
    },
    REREGISTER {
      @Override
      void call(Pair pair) {
        MemoryRegion region = pair.a.memory(8, 0).region();
        region.reregister(MemoryRegionChange.NONE.withAccess(AccessFlags.NONE));
        assertThat(region.access()).isEqualTo(AccessFlags.NONE);
      }
    },
    DEVICE_MEMORY {
      @Override
      void call(Pair pair) {
        DeviceMemory memory = pair.a.context.allocateDeviceMemory(64);
        memory.copyIn(8, ByteBuffer.wrap(new byte[] {1, 2, 3, 4}));
        ByteBuffer read = ByteBuffer.allocate(4);
        memory.copyOut(8, read);
        assertThat(read.array()).containsExactly(1, 2, 3, 4);
        MemoryRegion region =
            pair.a.domain.registerDeviceMemory(
                memory, 0, 64, AccessFlags.of(AccessFlag.ZERO_BASED));
        region.close();
        memory.close();
        assertThat(memory.isOpen()).isFalse();
      }
    },
    PARENT_DOMAIN {
      @Override
      void call(Pair pair) {
        ThreadDomain threads = pair.a.context.allocateThreadDomain();
        ProtectionDomain parent = pair.a.domain.allocateParentDomain(threads);
        parent.close();
        assertThat(parent.isOpen()).isFalse();
        threads.close();
        assertThat(threads.isOpen()).isFalse();
      }
    },
    MULTICAST {
      @Override
      void call(Pair pair) {
        QueuePair datagrams =
            pair.a.domain.createQueuePair(QueuePairInit.datagram(pair.a.sendQueue, 1, 1));
        Gid group = new Gid(0, 0xFFFF_E000_0001L);
        datagrams.attachMulticast(group);
        datagrams.detachMulticast(group);
        datagrams.close();
        assertThat(datagrams.isOpen()).isFalse();
      }
    },
    XRC {
      @Override
      void call(Pair pair) {
        XrcDomain domain = pair.a.context.openXrcDomain("shared", XrcDomainFlag.CREATE);
        SharedReceiveQueue queue =
            pair.a.domain.createXrcSharedReceiveQueue(domain, pair.a.sendQueue, 4, 1);
        QueuePair target = domain.createTargetQueuePair();
        QueuePair opened = domain.openTargetQueuePair(target.number());
        ConnectionSetup.standard().initialize(opened);
        assertThat(target.state()).isEqualTo(QueuePairState.INIT);
        target.close();
        opened.close();
        queue.close();
        domain.close();
        assertThat(domain.isOpen()).isFalse();
      }
    },
    BATCH {
      @Override
      void call(Pair pair) {
        QueuePair sender =
            pair.a.domain.createQueuePair(
                QueuePairInit.reliableConnected(pair.a.sendQueue, 4, 4)
                    .withSendOperations(SendOperation.SEND));
        SendBatch batch = sender.createSendBatch();
        batch.begin(1).send();
        batch.abort();
        assertThat(batch.size()).isZero();
        sender.close();
      }
    },
    QUEUE_PAIR {
      @Override
      void call(Pair pair) {
        QueuePair queuePair =
            pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(pair.a.sendQueue, 4, 4));
        ConnectionSetup.standard().initialize(queuePair);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
        assertThat(queuePair.state()).isEqualTo(QueuePairState.ERR);
        queuePair.close();
        assertThat(queuePair.isOpen()).isFalse();
      }
    },
    POST_AND_POLL {
      @Override
      void call(Pair pair) {
        pair.b.postReceive(1, pair.b.memory(8, 0));
        pair.a.postSend(2, pair.a.memory(8, 1));
        assertThat(pair.b.pollSends()).isEmpty();
      }

      @Override
      void check(Pair pair) {
        assertThat(pair.b.pollReceives()).hasSize(1);
        assertThat(pair.a.pollSends()).hasSize(1);
      }
    },
    FLUSH_AND_POLL {
      @Override
      void call(Pair pair) {
        pair.a.postReceive(1, pair.a.memory(8, 0));
        pair.a.modifyToError();
        assertThat(pair.a.pollReceives())
            .singleElement()
            .satisfies(
                flushed -> assertThat(flushed.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR));
      }
    },
    ASYNC_EVENT {
      @Override
      void call(Pair pair) {
        CompletionQueue tiny = pair.a.context.createCompletionQueue(1);
        QueuePair queuePair =
            pair.a.domain.createQueuePair(QueuePairInit.reliableConnected(tiny, 2, 2));
        ConnectionSetup.standard().initialize(queuePair);
        queuePair.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
        queuePair.post(new ReceiveRequest().reset(1));
        queuePair.post(new ReceiveRequest().reset(2));
        AsyncEvent event = pair.a.context.pollAsyncEvent();
        assertThat(event).isNotNull();
        assertThat(event.type()).isEqualTo(AsyncEventType.CQ_ERR);
        event.acknowledge();
      }
    };

    abstract void call(Pair pair);

    /** What has come of it when all has happened. */
    void check(Pair pair) {}
  }

  /** A device that neither sends nor receives. */
  private static final class Silent implements PortClient {
    @Override
    public boolean pollTransmit(long nowNanos, Packet out) {
      return false;
    }

    @Override
    public boolean lastWasRetransmission() {
      return false;
    }

    @Override
    public void handlePacket(long nowNanos, Packet packet) {}
  }

  /** Something that the fabric's loop does at a time. */
  private static final class LoopTask extends DeviceTimer {
    private final Runnable body;

    LoopTask(long timeNanos, Runnable body) {
      this.body = body;
      deadlineNanos(timeNanos);
    }

    @Override
    public void expire(long nowNanos) {
      deadlineNanos(NEVER);
      body.run();
    }
  }

  private Pair pairWithLoop() {
    Fabric fabric =
        RawPeerFabric.create(
            "raw",
            rawHost -> {
              host = rawHost;
              return new Silent();
            });
    Pair pair = Pair.unconnected(fabric, init -> init);
    pair.connect(Pair.setup(), Pair.setup());
    fabric.addNode("raw");
    return pair;
  }

  private void onLoop(long timeNanos, Runnable body) {
    host.enter();
    try {
      host.timerChanged(new LoopTask(timeNanos, body));
    } finally {
      host.exit();
    }
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void eachCallIsLegalInTheFabricsLoopAndLetsNoTimePass(Verb verb) {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          50,
          () -> {
            verb.call(pair);
            times.add(pair.fabric.nanoTime());
          });
      pair.run();
      assertThat(times).containsExactly(50L);
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void eachCallIsLegalInTheLoopWhileUlpThreadsWait(Verb verb) {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          50,
          () -> {
            verb.call(pair);
            times.add(pair.fabric.nanoTime());
          });
      pair.b.node.startThread("sleeper", () -> pair.fabric.sleep(Duration.ofMillis(1)));
      pair.b.node.startThread(
          "poller",
          () -> {
            while (pair.fabric.nanoTime() < 1_000_000) {
              pair.b.pollSends();
            }
          });
      pair.run();
      assertThat(times).containsExactly(50L);
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void eachCallIsLegalOnAUlpThread(Verb verb) {
    try (Pair pair = Pair.connected()) {
      List<String> done = new ArrayList<>();
      pair.a.node.startThread(
          "caller",
          () -> {
            verb.call(pair);
            done.add(verb.name());
          });
      pair.run();
      assertThat(done).containsExactly(verb.name());
      verb.check(pair);
    }
  }

  @ParameterizedTest
  @EnumSource(Verb.class)
  void eachCallIsLegalOnAnotherThreadWhileUlpThreadsRun(Verb verb) throws Exception {
    ExecutorService executor = Executors.newSingleThreadExecutor();
    try (Pair pair = Pair.connected()) {
      AtomicBoolean done = new AtomicBoolean();
      pair.b.node.startThread(
          "busy",
          () -> {
            for (int i = 0; i < 100_000 && !done.get(); i++) {
              pair.fabric.sleep(Duration.ofNanos(1_000));
            }
          });
      Future<?> call =
          executor.submit(
              () -> {
                try {
                  verb.call(pair);
                } finally {
                  done.set(true);
                }
              });
      pair.run();
      call.get(30, TimeUnit.SECONDS);
      verb.check(pair);
    } finally {
      executor.shutdownNow();
    }
  }

  @Test
  void aWaitInsideTheLoopIsRefused() {
    try (Pair pair = pairWithLoop()) {
      onLoop(5, () -> pair.fabric.sleep(Duration.ofNanos(1)));
      assertThatThrownBy(pair::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessage(
              "a wait for the end of its sleep was begun inside an event of the fabric, such as a"
                  + " completion callback, or inside a condition that somebody waits for; return"
                  + " from it first");
    }
  }

  @Test
  void aPollInsideAnotherCallLetsNoTimePass() {
    try (Pair pair = Pair.connected()) {
      Side b = pair.b;
      b.postReceive(1, b.memory(8, 0));
      List<Long> times = new ArrayList<>();
      pair.fabric
          .trace()
          .addListener(
              event -> {
                if (event instanceof TraceEvent.Posted) {
                  assertThat(b.pollReceives()).isEmpty();
                  times.add(pair.fabric.nanoTime());
                }
              });
      pair.a.postSend(2, pair.a.memory(8, 1));
      pair.a.postSend(3, pair.a.memory(8, 1));
      assertThat(times).containsExactly(0L, 0L);
    }
  }

  @Test
  void aTimerMayBeStartedAndAThreadTooInTheLoop() {
    try (Pair pair = pairWithLoop()) {
      List<Long> times = new ArrayList<>();
      onLoop(
          5,
          () -> {
            pair.a.node.startThread("t", () -> times.add(pair.fabric.nanoTime()));
            pair.fabric
                .scheduledExecutor()
                .schedule(() -> times.add(pair.fabric.nanoTime()), 7, TimeUnit.NANOSECONDS);
          });
      pair.fabric.runFor(Duration.ofNanos(100));
      assertThat(times).containsExactly(5L, 12L);
    }
  }
}

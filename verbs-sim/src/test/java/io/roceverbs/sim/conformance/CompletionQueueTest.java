package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** What a completion queue does that has no room for one more. */
class CompletionQueueTest {
  private static final int CAPACITY = 2;

  private final Fabric fabric = Fabric.create();
  private final Node a = fabric.addNode("a");
  private final Node b = fabric.addNode("b");
  private final DeviceContext contextOfB = b.device().open();
  private final ProtectionDomain domainOfA = a.device().open().allocateProtectionDomain();
  private final ProtectionDomain domainOfB = contextOfB.allocateProtectionDomain();
  private final CompletionQueue large = domainOfA.context().createCompletionQueue(16);
  private final CompletionQueue small = contextOfB.createCompletionQueue(CAPACITY);
  private final QueuePair from = queuePair(domainOfA, large);
  private final QueuePair to = queuePair(domainOfB, small);
  private final QueuePair idle = queuePair(domainOfB, small);
  private final ConnectionSetup setup = Pair.setup();
  private final WorkCompletions polled = new WorkCompletions(16);

  private static QueuePair queuePair(ProtectionDomain domain, CompletionQueue queue) {
    return domain.createQueuePair(QueuePairInit.reliableConnected(queue, 8, 8));
  }

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private void exchange(int messages) {
    for (int i = 0; i < messages; i++) {
      to.post(new ReceiveRequest().reset(100 + i));
      from.post(new SendRequest().reset(i).send().signaled());
    }
    fabric.run();
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    for (AsyncEvent event = contextOfB.pollAsyncEvent();
        event != null;
        event = contextOfB.pollAsyncEvent()) {
      QueuePair queuePair = event.queuePair();
      events.add(event.type() + (queuePair == null ? "" : " " + queuePair.number()));
      event.acknowledge();
    }
    return events;
  }

  @Test
  void exactlyTheCapacityFits() {
    setup.connect(from, to);
    exchange(CAPACITY);

    assertThat(events()).isEmpty();
    assertThat(small.poll(polled)).isEqualTo(CAPACITY);
    assertThat(to.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  @Checks({"CQ-OVERRUN", "C28", "S44"})
  void oneCompletionTooManyIsLostAndAllQueuePairsOnTheQueueFall() {
    setup.connect(from, to);
    setup.initialize(idle);
    exchange(CAPACITY + 1);

    assertThat(events())
        .containsExactlyInAnyOrder(
            "CQ_ERR", "QP_FATAL " + to.number(), "QP_FATAL " + idle.number());
    assertThat(to.state()).isEqualTo(QueuePairState.ERR);
    assertThat(idle.state()).isEqualTo(QueuePairState.ERR);
    assertThat(small.poll(polled)).isEqualTo(CAPACITY);
    assertThat(polled.get(0).requireSuccess().id()).isEqualTo(100);
    assertThat(polled.get(1).requireSuccess().id()).isEqualTo(101);
    assertThat(small.poll(polled)).isZero();
  }

  @Test
  @Checks("CQ-OVERRUN")
  void aQueuePairThatComesBackOnAnOverrunQueueFallsAtItsFirstLostCompletion() {
    setup.connect(from, to);
    exchange(CAPACITY + 1);
    events();
    QueuePairAttributes reset = QueuePairAttributes.to(QueuePairState.RESET).build();
    from.modify(reset);
    to.modify(reset);
    setup.connect(from, to);
    exchange(1);

    assertThat(events()).containsExactly(AsyncEventType.QP_FATAL + " " + to.number());
    assertThat(to.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  @Checks({"CQ-OVERRUN", "FAULT-REPORT"})
  void anOverrunByTheFlushLeavesTheLastWordToThePeer() {
    setup.connect(from, to);
    for (int i = 0; i < CAPACITY + 1; i++) {
      to.post(new ReceiveRequest().reset(100 + i));
    }
    from.post(new SendRequest().reset(1).rdmaWrite(0x1000, 0xBAD).segment(0, 0, 0).signaled());
    from.post(
        new SendRequest().reset(2).rdmaRead(0x1000, 0xBAD).segment(source(), 0, 8).signaled());
    fabric.run();

    assertThat(events())
        .containsExactlyInAnyOrder(
            "QP_ACCESS_ERR " + to.number(), "CQ_ERR", "QP_FATAL " + to.number());
    assertThat(large.poll(polled)).isEqualTo(2);
    assertThat(polled.get(0).requireSuccess().id()).isEqualTo(1);
    assertThat(polled.get(1).status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    assertThat(fabric.nanoTime()).isEqualTo(2 * Pair.LATENCY_NANOS);
  }

  private MemoryRegion source() {
    return domainOfA.registerMemory(ByteBuffer.allocate(8), AccessFlag.LOCAL_WRITE);
  }
}

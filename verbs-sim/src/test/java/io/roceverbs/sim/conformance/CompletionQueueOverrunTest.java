package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** One completion queue under several queue pairs, and overruns at awkward moments. */
class CompletionQueueOverrunTest {
  private static final int BAD_KEY = 0x7777;

  private final Fabric fabric = Fabric.create();
  private final Node a = fabric.addNode("a");
  private final Node b = fabric.addNode("b");
  private final DeviceContext contextOfA = a.device().open();
  private final ProtectionDomain domainOfA = contextOfA.allocateProtectionDomain();
  private final ProtectionDomain domainOfB = b.device().open().allocateProtectionDomain();
  private final CompletionQueue queueOfB = domainOfB.context().createCompletionQueue(64);
  private final ConnectionSetup setup = Pair.setup();
  private final WorkCompletions polled = new WorkCompletions(64);

  private static QueuePair queuePair(
      ProtectionDomain domain, CompletionQueue send, CompletionQueue receive) {
    return domain.createQueuePair(
        QueuePairInit.reliableConnected(send, 8, 8).withReceiveCompletionQueue(receive));
  }

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private List<String> events() {
    List<String> events = new ArrayList<>();
    for (AsyncEvent event = contextOfA.pollAsyncEvent();
        event != null;
        event = contextOfA.pollAsyncEvent()) {
      QueuePair queuePair = event.queuePair();
      events.add(event.type() + (queuePair == null ? "" : " " + queuePair.number()));
      event.acknowledge();
    }
    return events;
  }

  private List<String> poll(CompletionQueue queue) {
    List<String> texts = new ArrayList<>();
    int count = queue.poll(polled);
    for (int i = 0; i < count; i++) {
      texts.add(polled.get(i).id() + " " + polled.get(i).status());
    }
    return texts;
  }

  @Test
  @Checks("CQ-OVERRUN")
  void anOverrunByARequestThatCannotBeGatheredIsToldLikeAnyOther() {
    CompletionQueue small = contextOfA.createCompletionQueue(1);
    CompletionQueue receives = contextOfA.createCompletionQueue(8);
    QueuePair from = queuePair(domainOfA, small, receives);
    setup.connect(from, queuePair(domainOfB, queueOfB, queueOfB));
    from.post(new SendRequest().reset(1).send().segment(0, 8, BAD_KEY).signaled());
    from.post(new SendRequest().reset(2).send().segment(0, 8, BAD_KEY).signaled());
    fabric.run();

    assertThat(events()).containsExactlyInAnyOrder("CQ_ERR", "QP_FATAL " + from.number());
    assertThat(from.state()).isEqualTo(QueuePairState.ERR);
    assertThat(poll(small)).containsExactly("1 LOC_PROT_ERR");
  }

  @Test
  @Checks("CQ-OVERRUN")
  void anOverrunByTheFaultItselfIsToldTheQueuePair() {
    CompletionQueue small = contextOfA.createCompletionQueue(1);
    CompletionQueue receives = contextOfA.createCompletionQueue(8);
    QueuePair from = queuePair(domainOfA, small, receives);
    QueuePair to = queuePair(domainOfB, queueOfB, queueOfB);
    setup.connect(from, to);
    to.post(new ReceiveRequest().reset(10));
    from.post(new SendRequest().reset(1).send().signaled());
    fabric.run();
    from.post(new ReceiveRequest().reset(20));
    from.post(new SendRequest().reset(2).send().segment(0, 8, BAD_KEY).signaled());
    fabric.run();

    assertThat(events()).containsExactlyInAnyOrder("CQ_ERR", "QP_FATAL " + from.number());
    assertThat(from.state()).isEqualTo(QueuePairState.ERR);
    assertThat(poll(small)).containsExactly("1 SUCCESS");
    assertThat(poll(receives)).containsExactly("20 WR_FLUSH_ERR");
  }

  @Test
  @Checks("CQ-OVERRUN")
  void anOverrunInsideAFlushLosesOnlyWhatDoesNotFit() {
    CompletionQueue small = contextOfA.createCompletionQueue(3);
    CompletionQueue receives = contextOfA.createCompletionQueue(8);
    QueuePair from = queuePair(domainOfA, small, receives);
    QueuePair other = queuePair(domainOfA, small, receives);
    setup.connect(from, queuePair(domainOfB, queueOfB, queueOfB));
    setup.connect(other, queuePair(domainOfB, queueOfB, queueOfB));
    other.post(new ReceiveRequest().reset(30));
    from.post(new ReceiveRequest().reset(20));
    for (int i = 1; i <= 5; i++) {
      from.post(new SendRequest().reset(i).send());
    }
    from.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    fabric.run();

    assertThat(events())
        .containsExactlyInAnyOrder(
            "CQ_ERR", "QP_FATAL " + from.number(), "QP_FATAL " + other.number());
    assertThat(other.state()).isEqualTo(QueuePairState.ERR);
    assertThat(poll(small)).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR");
    assertThat(poll(receives)).containsExactly("20 WR_FLUSH_ERR", "30 WR_FLUSH_ERR");
  }

  @Test
  @Checks("CQ-OVERRUN")
  void twoOverrunQueuesOfOneQueuePairAreOneFatalEventForIt() {
    CompletionQueue sends = contextOfA.createCompletionQueue(1);
    CompletionQueue receives = contextOfA.createCompletionQueue(1);
    QueuePair from = queuePair(domainOfA, sends, receives);
    setup.connect(from, queuePair(domainOfB, queueOfB, queueOfB));
    for (int i = 1; i <= 3; i++) {
      from.post(new SendRequest().reset(i).send());
      from.post(new ReceiveRequest().reset(10 + i));
    }
    from.modify(QueuePairAttributes.to(QueuePairState.ERR).build());
    fabric.run();

    assertThat(events()).containsExactlyInAnyOrder("CQ_ERR", "CQ_ERR", "QP_FATAL " + from.number());
    assertThat(poll(sends)).containsExactly("1 WR_FLUSH_ERR");
    assertThat(poll(receives)).containsExactly("11 WR_FLUSH_ERR");
  }

  @Test
  @Checks("CQ-OVERRUN")
  void anOverrunWhoseFlushOverrunsTheOtherQueueIsOneFatalEventToo() {
    CompletionQueue sends = contextOfA.createCompletionQueue(1);
    CompletionQueue receives = contextOfA.createCompletionQueue(1);
    QueuePair from = queuePair(domainOfA, sends, receives);
    QueuePair to = queuePair(domainOfB, queueOfB, queueOfB);
    setup.connect(from, to);
    for (int i = 1; i <= 2; i++) {
      to.post(new ReceiveRequest().reset(i));
      from.post(new ReceiveRequest().reset(10 + i));
      from.post(new SendRequest().reset(i).send().signaled());
    }
    fabric.run();

    assertThat(events()).containsExactlyInAnyOrder("CQ_ERR", "CQ_ERR", "QP_FATAL " + from.number());
    assertThat(poll(sends)).containsExactly("1 SUCCESS");
    assertThat(poll(receives)).containsExactly("11 WR_FLUSH_ERR");
  }

  @Test
  @Checks({"CQ-OVERRUN", "RETRY-COUNT"})
  void theMessageWhoseCompletionIsLostIsNotAcknowledged() {
    CompletionQueue small = contextOfA.createCompletionQueue(1);
    QueuePair to = queuePair(domainOfA, contextOfA.createCompletionQueue(8), small);
    QueuePair from = queuePair(domainOfB, queueOfB, queueOfB);
    setup.connect(from, to);
    to.post(new ReceiveRequest().reset(1));
    to.post(new ReceiveRequest().reset(2));
    from.post(new SendRequest().reset(11).send().signaled());
    from.post(new SendRequest().reset(12).send().signaled());
    fabric.run();

    assertThat(poll(small)).containsExactly("1 SUCCESS");
    assertThat(events()).containsExactlyInAnyOrder("CQ_ERR", "QP_FATAL " + to.number());
    assertThat(poll(queueOfB)).containsExactly("11 SUCCESS", "12 RETRY_EXC_ERR");
  }

  @Test
  @Checks({"CQ-PURGE", "SLOT-AT-POLL"})
  void resettingOneQueuePairLeavesTheCompletionsOfTheOthersInOrder() {
    CompletionQueue shared = contextOfA.createCompletionQueue(16);
    List<QueuePair> queuePairs = new ArrayList<>();
    for (int i = 0; i < 4; i++) {
      QueuePair from = queuePair(domainOfA, shared, shared);
      QueuePair to = queuePair(domainOfB, queueOfB, queueOfB);
      setup.connect(from, to);
      to.post(new ReceiveRequest().reset(0));
      to.post(new ReceiveRequest().reset(1));
      to.post(new ReceiveRequest().reset(2));
      queuePairs.add(from);
    }
    for (int i = 0; i < 4; i++) {
      queuePairs.get(i).post(new SendRequest().reset(i).send().signaled());
    }
    fabric.run();
    assertThat(shared.poll(new WorkCompletions(3))).isEqualTo(3);
    for (int round = 1; round <= 2; round++) {
      for (int i = 0; i < 4; i++) {
        queuePairs.get(i).post(new SendRequest().reset(10L * round + i).send().signaled());
      }
      fabric.run();
    }
    queuePairs.get(1).modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    queuePairs.get(3).close();

    assertThat(poll(shared))
        .containsExactly("10 SUCCESS", "12 SUCCESS", "20 SUCCESS", "22 SUCCESS");
    assertThat(poll(shared)).isEmpty();
    assertThat(events()).isEmpty();
  }
}

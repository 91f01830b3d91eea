package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Queue pairs whose peer is on the same node, or is they themselves. */
class LoopbackTest {
  private final Fabric fabric = Fabric.create();
  private final Node node = fabric.addNode("a");
  private final ProtectionDomain domain = node.device().open().allocateProtectionDomain();
  private final CompletionQueue sends = domain.context().createCompletionQueue(64);
  private final CompletionQueue receives = domain.context().createCompletionQueue(64);
  private final ByteBuffer bytes = ByteBuffer.allocate(8192);
  private final MemoryRegion region =
      domain.registerMemory(
          bytes,
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_ATOMIC);
  private final ConnectionSetup setup = Pair.setup();
  private final QueuePair first = queuePair();
  private final QueuePair second = queuePair();

  private QueuePair queuePair() {
    return domain.createQueuePair(
        QueuePairInit.reliableConnected(sends, 8, 8).withReceiveCompletionQueue(receives));
  }

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private QueuePair connect(boolean toItself) {
    if (!toItself) {
      setup.connect(first, second);
      return second;
    }
    setup.initialize(first);
    setup.readyToReceive(first, node.gid(), first.number());
    setup.readyToSend(first);
    return first;
  }

  private static List<String> poll(CompletionQueue queue) {
    WorkCompletions polled = new WorkCompletions(64);
    List<String> texts = new ArrayList<>();
    int count = queue.poll(polled);
    for (int i = 0; i < count; i++) {
      texts.add(polled.get(i).id() + " " + polled.get(i).status());
    }
    return texts;
  }

  private void postExchange() {
    first.post(new SendRequest().reset(1).send().segment(region, 0, 2000).signaled());
    first.post(
        new SendRequest()
            .reset(2)
            .rdmaWrite(region.address() + 4000, region.rkey())
            .segment(region, 0, 1500)
            .signaled());
    first.post(
        new SendRequest()
            .reset(3)
            .rdmaRead(region.address(), region.rkey())
            .segment(region, 6000, 1100)
            .signaled());
    first.post(
        new SendRequest()
            .reset(4)
            .fetchAndAdd(region.address() + 8000, region.rkey(), 5)
            .segment(region, 8008, 8)
            .fenced()
            .signaled());
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks("Additional.loopback")
  void aPeerOnTheSameNodeIsLikeAnyOther(boolean toItself) {
    for (int i = 0; i < 2000; i++) {
      bytes.put(i, (byte) (i / 100 + 1));
    }
    QueuePair peer = connect(toItself);
    peer.post(new ReceiveRequest().reset(10).segment(region, 2000, 2000));
    postExchange();
    fabric.run();

    assertThat(poll(sends)).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
    assertThat(poll(receives)).containsExactly("10 SUCCESS");
    assertThat(bytes.slice(2000, 2000)).isEqualTo(bytes.slice(0, 2000));
    assertThat(bytes.slice(4000, 1500)).isEqualTo(bytes.slice(0, 1500));
    assertThat(bytes.slice(6000, 1100)).isEqualTo(bytes.slice(0, 1100));
    assertThat(bytes.get(8000)).isEqualTo((byte) 5);
    assertThat(bytes.get(8008)).isZero();
    assertThat(fabric.nanoTime()).isEqualTo(40_000);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11})
  @Checks("GO-BACK-N")
  void everyLossOnTheWayToItselfIsHealed(int lost) {
    connect(true);
    fabric.impair(Rule.parse("drop:a>a/ANY#" + lost));
    first.post(new ReceiveRequest().reset(10).segment(region, 2000, 2000));
    postExchange();
    fabric.run();

    assertThat(poll(sends)).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS", "4 SUCCESS");
    assertThat(poll(receives)).containsExactly("10 SUCCESS");
    assertThat(bytes.get(8000)).isEqualTo((byte) 5);
    assertThat(first.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  @Checks({"FLUSH-IN-ORDER", "FAULT-REPORT"})
  void aFaultOnTheWayToItselfIsTheRespondersAndTheRequestsAreFlushed() {
    connect(true);
    first.post(new ReceiveRequest().reset(10));
    first.post(new SendRequest().reset(1).rdmaWrite(0, 0x7777).segment(region, 0, 8));
    first.post(new SendRequest().reset(2).send().signaled());
    fabric.run();

    // The responder finds the bad key first; the NAK that it still sends comes to a queue pair in
    // ERR.
    assertThat(poll(sends)).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(poll(receives)).containsExactly("10 WR_FLUSH_ERR");
    assertThat(first.state()).isEqualTo(QueuePairState.ERR);
    assertThat(fabric.nanoTime()).isEqualTo(20_000);
  }

  @Test
  @Checks("RECEIVE-FILTER")
  void twoQueuePairsOfOneNodeDoNotHearEachOthersPackets() {
    setup.connect(first, second);
    QueuePair third = queuePair();
    QueuePair fourth = queuePair();
    setup.connect(third, fourth);
    second.post(new ReceiveRequest().reset(20));
    fourth.post(new ReceiveRequest().reset(40));
    first.post(new SendRequest().reset(1).send().signaled());
    third.post(new SendRequest().reset(3).send().signaled());
    first.post(new SendRequest().reset(2).send().signaled());
    fabric.runFor(Duration.ofNanos(15_000));
    first.close();
    fabric.run();

    assertThat(poll(sends)).containsExactly("3 SUCCESS");
    assertThat(poll(receives)).containsExactly("20 SUCCESS", "40 SUCCESS");
    // The ACK and the RNR NAK for the queue pair that is gone.
    assertThat(node.transport().droppedUnknownQueuePair()).isEqualTo(2);
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AddressHandle;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionFlag;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Completion events and extended polls of datagrams, there and back. */
class CompletionOfDatagramsTest {
  private static final int HEADER_BYTES = 40;
  private static final int BYTES = 1024;
  private static final int ROUNDS = 100;

  /** One side, with a channel for all its completions. */
  private static final class End {
    private final Node node;
    private final ProtectionDomain domain;
    private final CompletionChannel channel;
    private final CompletionQueue sends;
    private final ExtendedCompletionQueue queue;
    private final QueuePair queuePair;
    private final MemoryRegion region;
    private final WorkCompletions polled = new WorkCompletions(8);

    End(Fabric fabric, String name) {
      node = fabric.addNode(name);
      DeviceContext context = node.device().open();
      domain = context.allocateProtectionDomain();
      channel = context.createCompletionChannel();
      queue =
          context.createExtendedCompletionQueue(
              CompletionQueueInit.ofCapacity(16)
                  .withChannel(channel)
                  .withFields(CompletionField.standard()));
      sends = context.createCompletionQueue(8);
      queuePair =
          domain.createQueuePair(
              QueuePairInit.datagram(queue, 8, 8).withSendCompletionQueue(sends));
      ConnectionSetup.standard().initialize(queuePair);
      region =
          domain.registerMemory(ByteBuffer.allocate(HEADER_BYTES + BYTES), AccessFlag.LOCAL_WRITE);
    }

    void postReceive(long id) {
      queuePair.post(new ReceiveRequest().reset(id).segment(region, 0, HEADER_BYTES + BYTES));
    }

    void send(End to, AddressHandle way, long id) {
      queuePair.post(
          new SendRequest()
              .reset(id)
              .send()
              .to(way, to.queuePair.number(), ConnectionSetup.DEFAULT_QUEUE_KEY)
              .segment(region, 0, BYTES)
              .signaled());
      assertThat(sends.poll(polled)).isEqualTo(1);
      assertThat(polled.get(0).requireSuccess().id()).isEqualTo(id);
    }

    /** The loop of a program that knows only its channel, until a datagram has come. */
    void awaitDatagram(long id, End from) {
      boolean found = false;
      while (!found) {
        assertThat(channel.awaitEvent()).isSameAs(queue);
        queue.acknowledgeEvents(1);
        queue.requestNotification(false);
        found = queue.startPoll();
        if (found) {
          assertThat(queue.id()).isEqualTo(id);
          assertThat(queue.status()).isEqualTo(CompletionStatus.SUCCESS);
          assertThat(queue.byteLength()).isEqualTo(HEADER_BYTES + BYTES);
          assertThat(queue.sourceQueuePairNumber()).isEqualTo(from.queuePair.number());
          assertThat(queue.sourceLocalIdentifier()).isZero();
          assertThat(queue.serviceLevel()).isZero();
          assertThat(queue.localIdentifierPathBits()).isZero();
          assertThat(queue.flags()).isEqualTo(CompletionFlag.GRH.value());
          assertThat(queue.nextPoll()).isFalse();
          queue.endPoll();
        }
      }
    }
  }

  private final Fabric fabric = Fabric.create();
  private final End a = new End(fabric, "a");
  private final End b = new End(fabric, "b");

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  @Test
  @Checks({"CqEventsTestCase.test_cq_events_ud", "CqExTestCase.test_ud_traffic_cq_ex"})
  void aHundredRoundsThereAndBackAreDrivenByEventsAlone() {
    for (End end : new End[] {a, b}) {
      ConnectionSetup.standard().readyToReceive(end.queuePair, end.node.gid(), 0);
      ConnectionSetup.standard().readyToSend(end.queuePair);
      end.queue.requestNotification(false);
    }
    AddressHandle toB = a.domain.createAddressHandle(AddressVector.to(b.node.gid()));
    AddressHandle toA = b.domain.createAddressHandle(AddressVector.to(a.node.gid()));
    for (int round = 0; round < ROUNDS; round++) {
      a.postReceive(2L * round);
      b.postReceive(2L * round + 1);
      a.send(b, toB, round);
      b.awaitDatagram(2L * round + 1, a);
      b.send(a, toA, round);
      a.awaitDatagram(2L * round, b);
    }

    assertThat(b.queue.startPoll()).isFalse();
    assertThat(fabric.nanoTime()).isEqualTo(2L * ROUNDS * Pair.LATENCY_NANOS);
  }
}

package io.roceverbs.sim.conformance;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.ExtendedCompletionQueue;
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
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * A node whose receives complete into a queue with a channel, and a peer that sends to it. The peer
 * is one latency of {@value Pair#LATENCY_NANOS} ns away.
 */
final class ReceivingEnd implements AutoCloseable {
  static final int CAPACITY = 16;

  final Fabric fabric = Fabric.create();
  final DeviceContext context;
  final ProtectionDomain domain;
  final CompletionChannel channel;
  final CompletionQueue sends;
  final ExtendedCompletionQueue queue;
  final QueuePair queuePair;
  private final DeviceContext contextOfPeer;
  private final CompletionQueue queueOfPeer;
  final QueuePair peer;
  private final WorkCompletions polled = new WorkCompletions(64);

  ReceivingEnd() {
    this(DeviceProfile.strict(), CompletionQueueInit.ofCapacity(CAPACITY));
  }

  /** With this kind of device at the end that receives, and a queue for receives of this shape. */
  ReceivingEnd(DeviceProfile profile, CompletionQueueInit shape) {
    contextOfPeer = fabric.addNode("peer").device().open();
    queueOfPeer = contextOfPeer.createCompletionQueue(64);
    context = fabric.addNode(NodeConfiguration.named("end").withProfile(profile)).device().open();
    domain = context.allocateProtectionDomain();
    channel = context.createCompletionChannel();
    sends = context.createCompletionQueue(CAPACITY);
    queue = context.createExtendedCompletionQueue(shape.withChannel(channel));
    queuePair = newQueuePair(sends, queue);
    peer = connectPeer(queuePair);
  }

  QueuePair newQueuePair(CompletionQueue sendQueue, CompletionQueue receiveQueue) {
    return domain.createQueuePair(
        QueuePairInit.reliableConnected(sendQueue, 16, 16)
            .withReceiveCompletionQueue(receiveQueue));
  }

  QueuePair connectPeer(QueuePair target) {
    QueuePair source =
        contextOfPeer
            .allocateProtectionDomain()
            .createQueuePair(QueuePairInit.reliableConnected(queueOfPeer, 16, 16));
    Pair.setup().connect(source, target);
    return source;
  }

  MemoryRegion registerAtPeer(int bytes) {
    return peer.protectionDomain().registerMemory(ByteBuffer.allocate(bytes));
  }

  /** Posts a receive and the message for it, which is under way then. */
  void post(long id) {
    post(queuePair, peer, id, new SendRequest().reset(id).send());
  }

  void postSolicited(long id) {
    post(queuePair, peer, id, new SendRequest().reset(id).send().solicited());
  }

  void post(QueuePair target, QueuePair source, long id, SendRequest request) {
    target.post(new ReceiveRequest().reset(id));
    source.post(request.signaled());
  }

  /** A message that has arrived, and been acknowledged. */
  void message(long id) {
    post(id);
    settle();
  }

  void solicitedMessage(long id) {
    postSolicited(id);
    settle();
  }

  /** Lets everything happen, and polls away what the peer has completed. */
  void settle() {
    fabric.run();
    while (queueOfPeer.poll(polled) > 0) {
      fabric.run();
    }
  }

  /** Lets time pass up to the arrival of what was posted now. */
  void arrive() {
    passNanos(Pair.LATENCY_NANOS);
  }

  void passNanos(long nanos) {
    fabric.runFor(Duration.ofNanos(nanos));
  }

  /** The ids of all that is in the queue, polled. */
  List<Long> ids() {
    return ids(queue);
  }

  List<Long> ids(CompletionQueue from) {
    List<Long> ids = new ArrayList<>();
    int count = from.poll(polled);
    for (int i = 0; i < count; i++) {
      ids.add(polled.get(i).id());
    }
    return ids;
  }

  /** All that is in a queue, polled, as {@code id status}. */
  List<String> outcomes(CompletionQueue from) {
    List<String> outcomes = new ArrayList<>();
    int count = from.poll(polled);
    for (int i = 0; i < count; i++) {
      outcomes.add(polled.get(i).id() + " " + polled.get(i).status());
    }
    return outcomes;
  }

  List<String> outcomesOfPeer() {
    return outcomes(queueOfPeer);
  }

  /** How many events the channel has, taken and acknowledged. Lets everything happen before. */
  int events() {
    settle();
    int count = 0;
    for (CompletionQueue source = channel.pollEvent();
        source != null;
        source = channel.pollEvent()) {
      source.acknowledgeEvents(1);
      count++;
    }
    return count;
  }

  /** All asynchronous events, acknowledged, as {@code type} or {@code type number}. */
  List<String> asyncEvents() {
    List<String> events = new ArrayList<>();
    for (AsyncEvent event = context.pollAsyncEvent();
        event != null;
        event = context.pollAsyncEvent()) {
      QueuePair of = event.queuePair();
      events.add(event.type() + (of == null ? "" : " " + of.number()));
      event.acknowledge();
    }
    return events;
  }

  static void toState(QueuePair queuePair, QueuePairState state) {
    queuePair.modify(QueuePairAttributes.to(state).build());
  }

  @Override
  public void close() {
    fabric.close();
  }
}

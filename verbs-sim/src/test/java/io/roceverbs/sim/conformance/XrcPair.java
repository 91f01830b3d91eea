package io.roceverbs.sim.conformance;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import io.roceverbs.verbs.XrcDomain;
import java.util.ArrayList;
import java.util.List;

/**
 * An extended connection from node {@code a} to node {@code b}, with two shared receive queues
 * there, each of 16 receives with a completion queue of its own.
 */
final class XrcPair implements AutoCloseable {
  final Pair pair;
  final XrcDomain domain;
  final CompletionQueue firstCompletions;
  final CompletionQueue secondCompletions;
  final SharedReceiveQueue first;
  final SharedReceiveQueue second;
  final QueuePair initiator;
  final QueuePair target;
  private final SendRequest request = new SendRequest();
  private final ReceiveRequest receive = new ReceiveRequest();
  private final WorkCompletions completions = new WorkCompletions(64);

  private XrcPair(Pair pair, ConnectionSetup setup) {
    this.pair = pair;
    this.domain = pair.b.context.openXrcDomain();
    this.firstCompletions = pair.b.context.createCompletionQueue(64);
    this.secondCompletions = pair.b.context.createCompletionQueue(64);
    this.first = pair.b.domain.createXrcSharedReceiveQueue(domain, firstCompletions, 16, 4);
    this.second = pair.b.domain.createXrcSharedReceiveQueue(domain, secondCompletions, 16, 4);
    this.initiator =
        pair.a.domain.createQueuePair(
            QueuePairInit.xrcInitiator(pair.a.sendQueue, 16)
                .withSendOperations(
                    SendOperation.SEND,
                    SendOperation.SEND_WITH_IMM,
                    SendOperation.ATOMIC_CMP_AND_SWP));
    this.target = domain.createTargetQueuePair();
    setup.connect(initiator, target);
  }

  static XrcPair connected(ConnectionSetup setup) {
    return new XrcPair(Pair.unconnected(init -> init), setup);
  }

  static XrcPair connected() {
    return connected(Pair.setup());
  }

  /** An empty request to the first queue. */
  SendRequest request(long id) {
    return request(id, first);
  }

  SendRequest request(long id, SharedReceiveQueue queue) {
    return request.reset(id).toSharedReceiveQueue(queue.number()).signaled();
  }

  void post(SendRequest filled) {
    initiator.post(filled);
  }

  void postSend(long id, SharedReceiveQueue queue, Memory memory) {
    post(request(id, queue).send().segment(memory.region(), 0, memory.bytes().capacity()));
  }

  void postReceive(SharedReceiveQueue queue, long id, Memory memory) {
    queue.post(receive.reset(id).segment(memory.region(), 0, memory.bytes().capacity()));
  }

  void postEmptyReceive(SharedReceiveQueue queue, long id) {
    queue.post(receive.reset(id));
  }

  List<WorkCompletion> poll(CompletionQueue queue) {
    List<WorkCompletion> polled = new ArrayList<>();
    int count = queue.poll(completions);
    for (int i = 0; i < count; i++) {
      polled.add(completions.get(i).copy());
    }
    return polled;
  }

  @Override
  public void close() {
    pair.close();
  }
}

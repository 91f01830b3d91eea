package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/** A queue pair of a protection domain, with completion queues of its own choice. */
final class OwnQueues extends QueuePairParents {
  private final SimProtectionDomain domain;
  private final QueuePairInit init;
  private final SimCompletionQueue sendQueue;
  private final SimCompletionQueue receiveQueue;
  private final @Nullable SimSharedReceiveQueue sharedReceiveQueue;

  OwnQueues(
      SimProtectionDomain domain,
      QueuePairInit init,
      SimCompletionQueue sendQueue,
      SimCompletionQueue receiveQueue,
      @Nullable SimSharedReceiveQueue sharedReceiveQueue) {
    this.domain = domain;
    this.init = init;
    this.sendQueue = sendQueue;
    this.receiveQueue = receiveQueue;
    this.sharedReceiveQueue = sharedReceiveQueue;
  }

  @Override
  SimDevice device() {
    return domain.device();
  }

  @Override
  SimDeviceContext context() {
    return domain.simContext();
  }

  @Override
  QueuePairType type() {
    return init.type();
  }

  @Override
  SimProtectionDomain domain() {
    return domain;
  }

  @Override
  QueuePairInit init() {
    return init;
  }

  @Override
  PostChecks newChecks() {
    return new PostChecks(init, domain);
  }

  @Override
  QueuePairEngine newEngine(int number, SimQueuePair queuePair) {
    return new QueuePairEngine(
        number,
        init.type(),
        domain.number(),
        init.capacities().maxSendRequests(),
        init.capacities().maxReceiveRequests(),
        sharedReceiveQueue == null ? null : sharedReceiveQueue.engine(),
        init.signalAll(),
        domain.device().engineContext(),
        queuePair);
  }

  @Override
  void attach(SimQueuePair queuePair) {
    sendQueue.addUser(queuePair);
    if (receiveQueue != sendQueue) {
      receiveQueue.addUser(queuePair);
    }
    if (sharedReceiveQueue != null) {
      sharedReceiveQueue.queuePairs().add();
    }
    domain.queuePairs().add();
  }

  @Override
  void detach(SimQueuePair queuePair) {
    sendQueue.removeUser(queuePair);
    receiveQueue.removeUser(queuePair);
    if (sharedReceiveQueue != null) {
      sharedReceiveQueue.queuePairs().remove();
    }
    domain.queuePairs().remove();
  }

  @Override
  void purge(SimQueuePair queuePair) {
    sendQueue.purge(queuePair);
    if (receiveQueue != sendQueue) {
      receiveQueue.purge(queuePair);
    }
  }

  @Override
  SimCompletionQueue completionQueue(boolean send) {
    return send ? sendQueue : receiveQueue;
  }

  @Override
  void takeInSharedReceives() {
    if (sharedReceiveQueue != null) {
      sharedReceiveQueue.takeIn();
    }
  }

  @Override
  @Nullable SharedReceiveEngine nameSharedReceiveQueue(int number) {
    throw new AssertionError("only an XRC target is told a queue by each request");
  }

  @Override
  void raise(SimQueuePair queuePair, AsyncEventType type) {
    context().raise(SimAsyncEvent.of(queuePair, device(), queuePair.eventSource(), type));
  }
}

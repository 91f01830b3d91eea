package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import org.jspecify.annotations.Nullable;

/** The target of an extended connection: its queues are those that each request names. */
final class XrcTargetQueues extends QueuePairParents {
  private static final int NO_DOMAIN = 0;

  private final SimXrcDomain domain;
  private @Nullable SimSharedReceiveQueue named;

  XrcTargetQueues(SimXrcDomain domain) {
    this.domain = domain;
  }

  @Override
  SimDeviceContext context() {
    return domain.simContext();
  }

  @Override
  QueuePairType type() {
    return QueuePairType.XRC_RECV;
  }

  @Override
  SimProtectionDomain domain() {
    throw new IllegalStateException(
        "an XRC target has no protection domain; the shared receive queues of its requests do");
  }

  @Override
  QueuePairInit init() {
    throw new IllegalStateException("an XRC target is made from an XRC domain alone");
  }

  @Override
  @Nullable PostChecks newChecks() {
    return null;
  }

  @Override
  QueuePairEngine newEngine(int number, SimQueuePair queuePair) {
    return new QueuePairEngine(
        number,
        QueuePairType.XRC_RECV,
        NO_DOMAIN,
        0,
        0,
        null,
        false,
        context().simDevice().engineContext(),
        queuePair);
  }

  @Override
  void attach(SimQueuePair queuePair) {
    domain.targets().add();
  }

  @Override
  void detach(SimQueuePair queuePair) {
    domain.targets().remove();
  }

  @Override
  void purge(SimQueuePair queuePair) {
    for (SimSharedReceiveQueue queue : domain.queues()) {
      queue.completionQueue().purge(queuePair);
    }
  }

  @Override
  @Nullable SimCompletionQueue completionQueue(boolean send) {
    // The receives of a queue that was closed have vanished, the one that a message had taken too.
    return named != null && named.isOpen() ? named.completionQueue() : null;
  }

  @Override
  @Nullable SharedReceiveEngine nameSharedReceiveQueue(int number) {
    SimSharedReceiveQueue found = context().simDevice().xrcQueues().find(number);
    if (found == null || !domain.queues().contains(found)) {
      return null;
    }
    named = found;
    return found.engine();
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The target of an extended connection: its queues are those that each request names. */
final class XrcTargetQueues extends QueuePairParents {
  private static final int NO_DOMAIN = 0;

  private final SimDevice device;
  private final SharedXrcDomain domain;
  private final List<SimTargetQueuePair> holders = new ArrayList<>();
  private @Nullable SimSharedReceiveQueue named;

  XrcTargetQueues(SimDevice device, SharedXrcDomain domain) {
    this.device = device;
    this.domain = domain;
  }

  /** Who made or opened the target and has not closed it, in that order. */
  List<SimTargetQueuePair> holders() {
    return holders;
  }

  @Override
  SimDevice device() {
    return device;
  }

  @Override
  SimDeviceContext context() {
    throw new AssertionError("an XRC target is held by any number of contexts");
  }

  @Override
  QueuePairType type() {
    return QueuePairType.XRC_RECV;
  }

  @Override
  SimProtectionDomain domain() {
    throw new AssertionError("an XRC target has no protection domain");
  }

  @Override
  QueuePairInit init() {
    throw new AssertionError("an XRC target is made from an XRC domain alone");
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
        device.engineContext(),
        queuePair);
  }

  @Override
  void attach(SimQueuePair queuePair) {
    domain.targets().put(queuePair.number(), this);
  }

  @Override
  void detach(SimQueuePair queuePair) {
    domain.targets().remove(queuePair.number());
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
    SimSharedReceiveQueue found = device.xrcQueues().find(number);
    if (found == null || !domain.queues().contains(found)) {
      return null;
    }
    named = found;
    found.takeIn();
    return found.engine();
  }

  @Override
  void raise(SimQueuePair queuePair, AsyncEventType type) {
    for (SimTargetQueuePair holder : holders) {
      holder.raise(type);
    }
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.DataOrder;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.util.Set;

/**
 * An XRC target as one opener holds it: who made it, or opened it by its number. The queue pair
 * behind it is the same for all of them.
 */
final class SimTargetQueuePair implements QueuePair {
  private static final String CLOSE = "QueuePair.close";

  private final SimXrcDomain domain;
  private final XrcTargetQueues parents;
  private final SimQueuePair target;
  private final DeviceHost host;
  private final EventSource eventSource = EventSource.ofAsyncEvents();
  private final Acknowledgements acknowledgements;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimTargetQueuePair(SimXrcDomain domain, XrcTargetQueues parents, SimQueuePair target) {
    this.domain = domain;
    this.parents = parents;
    this.target = target;
    this.host = target.device().host();
    this.acknowledgements = new Acknowledgements(host, this, eventSource);
    parents.holders().add(this);
    domain.targets().add();
    this.resource = target.device().resources().add(this);
  }

  /** The queue pair that all openers share. */
  SimQueuePair target() {
    return target;
  }

  void raise(AsyncEventType type) {
    SimDevice device = target.device();
    domain.simContext().raise(SimAsyncEvent.of(this, device, eventSource, type));
  }

  @Override
  public DeviceContext context() {
    return domain.context();
  }

  @Override
  public ProtectionDomain protectionDomain() {
    throw new IllegalStateException(
        "an XRC target has no protection domain; the shared receive queues of its requests do");
  }

  @Override
  public QueuePairType type() {
    return target.type();
  }

  @Override
  public int number() {
    return target.number();
  }

  @Override
  public QueuePairInit init() {
    throw new IllegalStateException("an XRC target is made from an XRC domain alone");
  }

  @Override
  public QueuePairState state() {
    return target.state();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  private SimQueuePair requireOpen(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "queue pair " + this + " was closed");
    }
    return target;
  }

  @Override
  public void modify(QueuePairAttributes attributes) {
    host.enter();
    try {
      requireOpen("QueuePair.modify").modify(attributes);
    } finally {
      host.exit();
    }
  }

  @Override
  public QueuePairAttributes query() {
    host.enter();
    try {
      return requireOpen("QueuePair.query").query();
    } finally {
      host.exit();
    }
  }

  @Override
  public Set<DataOrder> queryDataInOrder(SendOpcode opcode) {
    return requireOpen("QueuePair.queryDataInOrder").queryDataInOrder(opcode);
  }

  // ---- what a target has not: the queue pair behind it refuses each of these ------------------

  @Override
  public void post(SendRequest first) {
    requireOpen("QueuePair.post").post(first);
  }

  @Override
  public void post(ReceiveRequest first) {
    requireOpen("QueuePair.post").post(first);
  }

  @Override
  public SendBatch createSendBatch() {
    return requireOpen("QueuePair.createSendBatch").createSendBatch();
  }

  @Override
  public int bind(MemoryWindow window, long id, MemoryWindowBinding binding, SendFlag... flags) {
    return requireOpen("QueuePair.bind").bind(window, id, binding, flags);
  }

  @Override
  public void attachMulticast(Gid group) {
    requireOpen("QueuePair.attachMulticast").attachMulticast(group);
  }

  @Override
  public void detachMulticast(Gid group) {
    requireOpen("QueuePair.detachMulticast").detachMulticast(group);
  }

  /** Rule XRC-TARGET-OPENED: the queue pair is destroyed with the last one that holds it. */
  @Override
  public void close() {
    host.enter();
    try {
      do {
        if (!open) {
          return;
        }
      } while (acknowledgements.await(CLOSE));
      open = false;
      domain.simContext().events().discard(eventSource);
      parents.holders().remove(this);
      if (parents.holders().isEmpty()) {
        target.destroy();
      }
      domain.targets().remove();
      resource.release();
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return target.toString();
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.XrcDomain;
import java.util.Locale;

/** An XRC domain as one context has opened it. */
final class SimXrcDomain implements XrcDomain {
  private static final String CREATE_TARGET = "XrcDomain.createTargetQueuePair";
  private static final String OPEN_TARGET = "XrcDomain.openTargetQueuePair";
  private static final String CLOSE = "XrcDomain.close";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final SharedXrcDomain shared;
  private final UseCount targets = new UseCount("XRC target");
  private final UseCount queues = new UseCount("XRC shared receive queue");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimXrcDomain(SimDeviceContext context, SharedXrcDomain shared) {
    this.context = context;
    this.device = context.simDevice();
    this.shared = shared;
    shared.addOpener();
    this.resource = device.resources().add(this);
  }

  SimDeviceContext simContext() {
    return context;
  }

  /** The targets that were made or opened through this domain. */
  UseCount targets() {
    return targets;
  }

  void add(SimSharedReceiveQueue queue) {
    shared.queues().add(queue);
    queues.add();
  }

  void remove(SimSharedReceiveQueue queue) {
    shared.queues().remove(queue);
    queues.remove();
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  private void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "the XRC domain was closed");
    }
    device.requireWorking(call);
  }

  @Override
  public QueuePair createTargetQueuePair() {
    device.host().enter();
    try {
      requireOpen(CREATE_TARGET);
      int number = device.allocateQueuePairNumber(CREATE_TARGET);
      XrcTargetQueues parents = new XrcTargetQueues(device, shared);
      SimQueuePair target = new SimQueuePair(parents, number);
      return new SimTargetQueuePair(this, parents, target);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public QueuePair openTargetQueuePair(int number) {
    device.host().enter();
    try {
      requireOpen(OPEN_TARGET);
      XrcTargetQueues parents = shared.targets().get(number);
      SimQueuePair target = device.queuePairs().find(number);
      if (parents == null || target == null) {
        throw new VerbsException(
            Errno.EINVAL,
            OPEN_TARGET,
            String.format(
                Locale.ROOT, "0x%06x is not the number of a target of this XRC domain", number));
      }
      return new SimTargetQueuePair(this, parents, target);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      targets.requireNone(CLOSE);
      queues.requireNone(CLOSE);
      open = false;
      if (shared.removeOpener()) {
        device.xrcDomains().remove(shared);
      }
      context.xrcDomains().remove();
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    String name = shared.name() == null ? "" : "\"" + shared.name() + "\" ";
    return "XrcDomain "
        + name
        + "of "
        + device.name()
        + " with "
        + shared.queues().size()
        + " queues";
  }
}

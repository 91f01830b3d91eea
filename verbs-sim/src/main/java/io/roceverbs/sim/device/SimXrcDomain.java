package io.roceverbs.sim.device;

import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.XrcDomain;
import java.util.LinkedHashSet;
import java.util.Set;

/** An XRC domain: the shared receive queues that its targets may deliver into. */
final class SimXrcDomain implements XrcDomain {
  private static final String CREATE_TARGET = "XrcDomain.createTargetQueuePair";
  private static final String CLOSE = "XrcDomain.close";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final UseCount targets = new UseCount("XRC target");
  private final UseCount queueCount = new UseCount("XRC shared receive queue");
  private final Set<SimSharedReceiveQueue> queues = new LinkedHashSet<>();
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimXrcDomain(SimDeviceContext context) {
    this.context = context;
    this.device = context.simDevice();
    this.resource = device.resources().add(this);
  }

  SimDeviceContext simContext() {
    return context;
  }

  UseCount targets() {
    return targets;
  }

  /** Its open shared receive queues, in the order in which they were made. */
  Set<SimSharedReceiveQueue> queues() {
    return queues;
  }

  void add(SimSharedReceiveQueue queue) {
    queues.add(queue);
    queueCount.add();
  }

  void remove(SimSharedReceiveQueue queue) {
    queues.remove(queue);
    queueCount.remove();
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public QueuePair createTargetQueuePair() {
    device.host().enter();
    try {
      if (!open) {
        throw new VerbsException(Errno.EINVAL, CREATE_TARGET, "the XRC domain was closed");
      }
      device.requireWorking(CREATE_TARGET);
      return new SimQueuePair(
          new XrcTargetQueues(this), device.allocateQueuePairNumber(CREATE_TARGET));
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
      queueCount.requireNone(CLOSE);
      open = false;
      device.xrcDomains().remove();
      context.xrcDomains().remove();
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "XrcDomain of " + device.name() + " with " + queues.size() + " queues";
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ResourceKind;
import io.roceverbs.verbs.AsyncEvent;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceAttributes;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.DeviceMemory;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.PortAttributes;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.ThreadDomain;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.XrcDomain;
import io.roceverbs.verbs.XrcDomainFlag;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * An open device: the parent of protection domains and completion queues, and the source of
 * asynchronous events.
 */
final class SimDeviceContext implements DeviceContext {
  /** The asynchronous events as a place that a ULP polls, or waits at. */
  private final class EventPlace extends PolledPlace implements UlpWait {
    EventPlace(DeviceHost host) {
      super(host);
    }

    @Override
    public boolean isOver() {
      return !events.isEmpty();
    }

    @Override
    public String describe() {
      return "the asynchronous events of " + device.name();
    }
  }

  private static final String OPEN_XRC_DOMAIN = "DeviceContext.openXrcDomain";

  private final SimDevice device;
  private final EventPlace place;
  private final AsyncEventQueue events;
  private final UseCount protectionDomains = new UseCount("protection domain");
  private final UseCount threadDomains = new UseCount("thread domain");
  private final UseCount completionQueues = new UseCount("completion queue");
  private final UseCount completionChannels = new UseCount("completion channel");
  private final UseCount xrcDomains = new UseCount("XRC domain");
  private final UseCount deviceMemories = new UseCount("device memory");
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimDeviceContext(SimDevice device) {
    this.device = device;
    this.place = new EventPlace(device.host());
    this.events = new AsyncEventQueue(place);
    this.resource = device.resources().add(this);
  }

  SimDevice simDevice() {
    return device;
  }

  AsyncEventQueue events() {
    return events;
  }

  /**
   * The refusal of something to make an object from. Rule PARENT-CONTEXT: all of it is open and of
   * the device context of the new object.
   *
   * @param what the thing in words
   */
  static VerbsException notOwn(String call, String what) {
    return new VerbsException(
        Errno.EINVAL, call, "the " + what + " must be open and of the same device context");
  }

  UseCount protectionDomains() {
    return protectionDomains;
  }

  UseCount threadDomains() {
    return threadDomains;
  }

  UseCount completionQueues() {
    return completionQueues;
  }

  UseCount completionChannels() {
    return completionChannels;
  }

  UseCount xrcDomains() {
    return xrcDomains;
  }

  UseCount deviceMemories() {
    return deviceMemories;
  }

  @Override
  public Device device() {
    return device;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  private void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(
          Errno.EINVAL, call, "the device context was closed; open the device again");
    }
  }

  private void requireWorking(String call) {
    requireOpen(call);
    device.requireWorking(call);
  }

  @Override
  public DeviceAttributes queryDevice() {
    requireWorking("DeviceContext.queryDevice");
    return DeviceQueries.attributes(device);
  }

  @Override
  public PortAttributes queryPort(int port) {
    requirePort("DeviceContext.queryPort", port);
    return DeviceQueries.port(device, device.port(port));
  }

  @Override
  public Gid queryGid(int port, int index) {
    requirePort("DeviceContext.queryGid", port);
    device.host().enter();
    try {
      return device.port(port).gids().require("DeviceContext.queryGid", index);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public GidEntry queryGidEntry(int port, int index) {
    String call = "DeviceContext.queryGidEntry";
    requirePort(call, port);
    device.host().enter();
    try {
      return DeviceQueries.gidEntry(device.port(port).gids().require(call, index), port, index);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public int queryGidTable(GidEntry[] entries) {
    String call = "DeviceContext.queryGidTable";
    requireWorking(call);
    device.host().enter();
    try {
      return DeviceQueries.gidTable(call, device.ports(), entries);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public long queryPortSpeed(int port) {
    requirePort("DeviceContext.queryPortSpeed", port);
    return DeviceQueries.portSpeed(device.port(port));
  }

  @Override
  public int queryPartitionKey(int port, int index) {
    requirePort("DeviceContext.queryPartitionKey", port);
    if (index != 0) {
      throw new VerbsException(
          Errno.EINVAL,
          "DeviceContext.queryPartitionKey",
          "index " + index + " is outside the table, which has one entry, 0");
    }
    return SimDevice.PARTITION_KEY;
  }

  @Override
  public int getPartitionKeyIndex(int port, int partitionKey) {
    String call = "DeviceContext.getPartitionKeyIndex";
    requirePort(call, port);
    if (partitionKey != SimDevice.PARTITION_KEY) {
      throw new VerbsException(
          Errno.ENOENT,
          call,
          String.format(
              Locale.ROOT,
              "partition key 0x%04x is not in the table, which has one entry, 0x%04x",
              partitionKey,
              SimDevice.PARTITION_KEY));
    }
    return 0;
  }

  private void requirePort(String call, int port) {
    requireWorking(call);
    if (!device.hasPort(port)) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "port " + port + " does not exist; the device has " + device.describePorts());
    }
  }

  @Override
  public ProtectionDomain allocateProtectionDomain() {
    device.host().enter();
    try {
      requireWorking("DeviceContext.allocateProtectionDomain");
      device.beginCreation(
          ResourceKind.PROTECTION_DOMAIN, "DeviceContext.allocateProtectionDomain");
      protectionDomains.add(
          "DeviceContext.allocateProtectionDomain", device.limits().maxProtectionDomains());
      return new SimProtectionDomain(this, device.nextProtectionDomain());
    } finally {
      device.host().exit();
    }
  }

  @Override
  public ThreadDomain allocateThreadDomain() {
    String call = "DeviceContext.allocateThreadDomain";
    device.host().enter();
    try {
      requireWorking(call);
      device.beginCreation(ResourceKind.THREAD_DOMAIN, call);
      threadDomains.add(call, device.limits().maxProtectionDomains());
      return new SimThreadDomain(this);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public int completionVectors() {
    return device.limits().completionVectors();
  }

  @Override
  public CompletionChannel createCompletionChannel() {
    device.host().enter();
    try {
      requireWorking("DeviceContext.createCompletionChannel");
      device.beginCreation(
          ResourceKind.COMPLETION_CHANNEL, "DeviceContext.createCompletionChannel");
      return new SimCompletionChannel(this);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public CompletionQueue createCompletionQueue(int capacity) {
    return createCompletionQueue(CompletionQueueInit.ofCapacity(capacity));
  }

  @Override
  public CompletionQueue createCompletionQueue(CompletionQueueInit init) {
    String call = "DeviceContext.createCompletionQueue";
    device.host().enter();
    try {
      requireWorking(call);
      CompletionQueueChecks.requirePlain(call, init);
      SimCompletionChannel channel = CompletionQueueChecks.check(call, this, init);
      device.beginCreation(ResourceKind.COMPLETION_QUEUE, call);
      completionQueues.add(call, device.limits().maxCompletionQueues());
      return new SimCompletionQueue(this, init, channel);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public ExtendedCompletionQueue createExtendedCompletionQueue(CompletionQueueInit init) {
    String call = "DeviceContext.createExtendedCompletionQueue";
    device.host().enter();
    try {
      requireWorking(call);
      SimCompletionChannel channel = CompletionQueueChecks.check(call, this, init);
      CompletionQueueChecks.requireKnown(call, init);
      device.beginCreation(ResourceKind.COMPLETION_QUEUE, call);
      completionQueues.add(call, device.limits().maxCompletionQueues());
      return new SimExtendedCompletionQueue(this, init, channel);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public XrcDomain openXrcDomain() {
    return openXrcDomain(() -> device.xrcDomains().open(OPEN_XRC_DOMAIN));
  }

  @Override
  public XrcDomain openXrcDomain(String name, XrcDomainFlag... flags) {
    EnumSet<XrcDomainFlag> given = EnumSet.noneOf(XrcDomainFlag.class);
    given.addAll(Arrays.asList(flags));
    return openXrcDomain(() -> device.xrcDomains().open(OPEN_XRC_DOMAIN, name, given));
  }

  private XrcDomain openXrcDomain(Supplier<SharedXrcDomain> opening) {
    device.host().enter();
    try {
      requireWorking(OPEN_XRC_DOMAIN);
      if (!device.profile().has(DeviceCapability.XRC)) {
        throw new VerbsException(
            Errno.EOPNOTSUPP, OPEN_XRC_DOMAIN, "the device has no extended reliable connections");
      }
      device.beginCreation(ResourceKind.XRC_DOMAIN, OPEN_XRC_DOMAIN);
      SharedXrcDomain opened = opening.get();
      xrcDomains.add();
      return new SimXrcDomain(this, opened);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public DeviceMemory allocateDeviceMemory(long length) {
    String call = "DeviceContext.allocateDeviceMemory";
    device.host().enter();
    try {
      requireWorking(call);
      device.beginCreation(ResourceKind.DEVICE_MEMORY, call);
      device.deviceMemoryPool().reserve(call, length);
      deviceMemories.add();
      return new SimDeviceMemory(this, (int) length);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public @Nullable AsyncEvent pollAsyncEvent() {
    device.host().enter();
    try {
      requireOpen("DeviceContext.pollAsyncEvent");
      if (events.isEmpty()) {
        events.foundEmpty();
        requireOpen("DeviceContext.pollAsyncEvent");
      }
      AsyncEvent event = events.poll();
      if (event != null) {
        device.host().activity().countCall();
      }
      return event;
    } finally {
      device.host().exit();
    }
  }

  @Override
  public AsyncEvent getAsyncEvent() {
    String call = "DeviceContext.getAsyncEvent";
    device.host().enter();
    try {
      requireOpen(call);
      while (events.isEmpty()) {
        device.host().await(place, DeviceTimer.NEVER);
        requireOpen(call);
      }
      device.host().activity().countCall();
      return events.take();
    } finally {
      device.host().exit();
    }
  }

  /** Raises an event of one of the objects of this context. */
  void raise(SimAsyncEvent event) {
    device.note(event);
    events.add(event);
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      protectionDomains.requireNone("DeviceContext.close");
      threadDomains.requireNone("DeviceContext.close");
      completionQueues.requireNone("DeviceContext.close");
      completionChannels.requireNone("DeviceContext.close");
      xrcDomains.requireNone("DeviceContext.close");
      deviceMemories.requireNone("DeviceContext.close");
      open = false;
      device.closed(this);
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "DeviceContext of " + device.name();
  }
}

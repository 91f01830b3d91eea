package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.sim.qp.SlotCount;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.SharedReceiveQueueAttributes;
import io.roceverbs.verbs.SharedReceiveQueueType;
import io.roceverbs.verbs.VerbsException;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** A shared receive queue: the checks of the verbs layer around a {@link SharedReceiveEngine}. */
final class SimSharedReceiveQueue implements SharedReceiveQueue, SharedReceiveEngine.Owner {
  private static final String POST = "SharedReceiveQueue.post";
  private static final String CLOSE = "SharedReceiveQueue.close";
  private static final int NO_QUEUE_PAIR = 0;
  private static final int NO_NUMBER = 0;

  /** What a queue of type XRC is made from. */
  record XrcParents(SimXrcDomain domain, SimCompletionQueue completionQueue) {}

  /** The way of receives into this queue. */
  private final class Receives extends ReceivePosts {
    Receives(int slotsMax) {
      super(device, POST, NO_QUEUE_PAIR, slotsMax);
    }

    @Override
    void requireOpen(String call) {
      SimSharedReceiveQueue.this.requireOpen(call);
    }

    @Override
    void begin(String call) {
      requireOpen(call);
      takeIn();
    }

    @Override
    void check(ReceiveRequest request, int index) {
      if (request.segmentCount() > maxSegments) {
        throw new PostException(
            Errno.EINVAL,
            POST,
            request.segmentCount() + " segments are more than the queue's " + maxSegments,
            index,
            request.id());
      }
      if (slots().free() == 0) {
        throw full(request, index);
      }
    }

    @Override
    PostException full(ReceiveRequest request, int index) {
      return new PostException(
          Errno.ENOMEM,
          POST,
          "all " + slots().capacity() + " slots are taken; one is free when a message takes it",
          index,
          request.id());
    }

    @Override
    SlotCount slots() {
      return engine.slots();
    }

    @Override
    ReceiveWork next() {
      return engine.nextFree();
    }

    @Override
    @Nullable ReceiveWork exchange(ReceiveWork filled) {
      return engine.exchange(filled);
    }

    @Override
    void push(long nowNanos) {
      engine.push();
    }

    @Override
    void wake() {
      // Nothing is sent for a receive that waits.
    }

    @Override
    protected void takePosted() {
      takeInReady();
    }
  }

  private final SimProtectionDomain domain;
  private final SimDevice device;
  private final @Nullable XrcParents xrc;
  private final int number;
  private final SharedReceiveEngine engine;
  private final Receives posts;
  private final int maxSegments;
  private final UseCount queuePairs = new UseCount("queue pair");
  private final EventSource eventSource = EventSource.ofAsyncEvents();
  private final Acknowledgements acknowledgements;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  /**
   * Makes a queue.
   *
   * @param xrc what a queue of type XRC has besides, or null
   */
  SimSharedReceiveQueue(
      SimProtectionDomain domain, int maxRequests, int maxSegments, @Nullable XrcParents xrc) {
    this.domain = domain;
    this.device = domain.device();
    this.acknowledgements = new Acknowledgements(device.host(), this, eventSource);
    this.xrc = xrc;
    this.number = xrc == null ? NO_NUMBER : device.xrcQueues().allocate();
    this.engine =
        new SharedReceiveEngine(
            number, domain.number(), maxRequests, device.host().isRealTime(), this);
    this.maxSegments = maxSegments;
    this.posts = new Receives(device.limits().maxSharedReceiveRequests());
    if (xrc != null) {
      device.xrcQueues().put(number, this);
      xrc.domain().add(this);
      xrc.completionQueue().sharedReceiveQueues().add();
    }
    this.resource = device.resources().add(this);
  }

  SimDevice device() {
    return device;
  }

  SharedReceiveEngine engine() {
    return engine;
  }

  /** Takes in what was posted. The caller has entered the host. */
  void takeIn() {
    posts.takeIn();
  }

  UseCount queuePairs() {
    return queuePairs;
  }

  SimProtectionDomain domain() {
    return domain;
  }

  /** Where the completions of a queue of type XRC go. */
  SimCompletionQueue completionQueue() {
    if (xrc == null) {
      throw new AssertionError("only a queue of type XRC has a completion queue of its own");
    }
    return xrc.completionQueue();
  }

  @Override
  public SharedReceiveQueueType type() {
    return xrc == null ? SharedReceiveQueueType.BASIC : SharedReceiveQueueType.XRC;
  }

  @Override
  public int number() {
    if (xrc == null) {
      throw new VerbsException(
          Errno.EOPNOTSUPP,
          "SharedReceiveQueue.number",
          "only a queue of type XRC is named by requests");
    }
    return number;
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  private void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "the shared receive queue was closed");
    }
    device.requireWorking(call);
  }

  @Override
  public SharedReceiveQueueAttributes query() {
    device.host().enter();
    try {
      posts.begin("SharedReceiveQueue.query");
      return new SharedReceiveQueueAttributes(
          engine.slots().capacity(), maxSegments, engine.limit());
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void resize(int maxRequests) {
    String call = "SharedReceiveQueue.resize";
    device.host().enter();
    try {
      posts.begin(call);
      if (!device.profile().has(DeviceCapability.SRQ_RESIZE)) {
        throw new VerbsException(
            Errno.EOPNOTSUPP, call, "the device can't resize a shared receive queue");
      }
      int most = device.limits().maxSharedReceiveRequests();
      int least = Math.max(1, Math.max(engine.size(), engine.limit()));
      if (maxRequests < least || maxRequests > most) {
        throw new VerbsException(
            Errno.EINVAL,
            call,
            maxRequests
                + " receives are not in "
                + least
                + ".."
                + most
                + "; the least is what waits, or the limit");
      }
      engine.resize(maxRequests);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void armLimit(int receives) {
    String call = "SharedReceiveQueue.armLimit";
    device.host().enter();
    try {
      posts.begin(call);
      if (receives < 0 || receives > engine.slots().capacity()) {
        throw new VerbsException(
            Errno.EINVAL, call, "limit " + receives + " is not in 0.." + engine.slots().capacity());
      }
      engine.arm(receives);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void post(ReceiveRequest first) {
    posts.post(first);
  }

  @Override
  public void limitReached() {
    raise(AsyncEventType.SRQ_LIMIT_REACHED);
  }

  /** Raises an asynchronous event of this queue. */
  void raise(AsyncEventType type) {
    domain.simContext().raise(SimAsyncEvent.of(this, eventSource, type));
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      do {
        if (!open) {
          return;
        }
        queuePairs.requireNone(CLOSE);
      } while (acknowledgements.await(CLOSE));
      open = false;
      domain.simContext().events().discard(eventSource);
      domain.sharedReceiveQueues().remove();
      if (xrc != null) {
        device.xrcQueues().remove(number);
        xrc.domain().remove(this);
        xrc.completionQueue().sharedReceiveQueues().remove();
      }
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    String name =
        xrc == null
            ? "SharedReceiveQueue"
            : String.format(Locale.ROOT, "XRC SharedReceiveQueue 0x%06x", number);
    return name
        + " of "
        + device.name()
        + " with "
        + engine.size()
        + " of "
        + engine.slots().capacity();
  }
}

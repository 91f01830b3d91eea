package io.roceverbs.sim.device;

import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A completion channel: the events of its completion queues that nobody has taken yet. */
final class SimCompletionChannel implements CompletionChannel {
  /** The channel as the place that a ULP polls, or waits at. */
  private final class Place extends PolledPlace implements UlpWait {
    Place() {
      super(host);
    }

    @Override
    public boolean isOver() {
      return !events.isEmpty();
    }

    @Override
    public String describe() {
      return "an event of the completion channel of "
          + context.simDevice().name()
          + ", which comes only from a queue that is armed, and polled after it was armed";
    }
  }

  /** A ULP that arms its queues and never takes an event loses those beyond this many. */
  private static final int EVENTS_MAX = 65_536;

  private static final Logger LOG = LoggerFactory.getLogger(SimCompletionChannel.class);
  private static final String AWAIT = "CompletionChannel.awaitEvent";

  private final SimDeviceContext context;
  private final DeviceHost host;
  private final UseCount queues = new UseCount("completion queue");
  private final ArrayDeque<SimCompletionQueue> events = new ArrayDeque<>();
  private final Place place;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimCompletionChannel(SimDeviceContext context) {
    this.context = context;
    this.host = context.simDevice().host();
    this.place = new Place();
    context.completionChannels().add();
    this.resource = context.simDevice().resources().add(this);
  }

  UseCount queues() {
    return queues;
  }

  /** Takes an event of a queue. */
  void add(SimCompletionQueue queue) {
    if (events.size() == EVENTS_MAX) {
      LOG.warn(
          "{} completion events wait and nobody takes them; one of {} is lost", EVENTS_MAX, queue);
      return;
    }
    events.add(queue);
    place.becameReady();
  }

  /** Discards the events of a queue that is destroyed (rule EVENTS-OF-THE-DEAD). */
  void discard(SimCompletionQueue queue) {
    events.removeIf(source -> source == queue);
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
      throw new VerbsException(Errno.EINVAL, call, "the completion channel was closed");
    }
  }

  @Override
  public @Nullable CompletionQueue pollEvent() {
    host.enter();
    try {
      requireOpen("CompletionChannel.pollEvent");
      if (events.isEmpty()) {
        place.foundEmpty();
        requireOpen("CompletionChannel.pollEvent");
      }
      return events.isEmpty() ? null : take();
    } finally {
      host.exit();
    }
  }

  @Override
  public CompletionQueue awaitEvent() {
    host.enter();
    try {
      requireOpen(AWAIT);
      while (events.isEmpty()) {
        host.await(place, DeviceTimer.NEVER);
        requireOpen(AWAIT);
      }
      return take();
    } finally {
      host.exit();
    }
  }

  private SimCompletionQueue take() {
    SimCompletionQueue queue = events.remove();
    queue.eventTaken();
    host.activity().countCall();
    return queue;
  }

  @Override
  public void close() {
    host.enter();
    try {
      if (!open) {
        return;
      }
      queues.requireNone("CompletionChannel.close");
      open = false;
      context.completionChannels().remove();
      resource.release();
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return "CompletionChannel of " + context.simDevice().name();
  }
}

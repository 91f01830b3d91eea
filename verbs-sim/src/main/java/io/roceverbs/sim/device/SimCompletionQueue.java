package io.roceverbs.sim.device;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: a ring of completions, each with the queue slots that polling it frees.
 *
 * <p>One that overruns loses the completion that did not fit, and is closed for further ones: all
 * queue pairs on it go to ERR (rule CQ-OVERRUN). What is in it can still be polled.
 */
final class SimCompletionQueue implements CompletionQueue {
  /** A place of the ring, made when first used. */
  private static final class Entry {
    private final WorkCompletion completion = new WorkCompletion();
    private @Nullable SimQueuePair queuePair;
    private boolean send;
    private long freesUpTo;
  }

  private static final int NO_QUEUE_PAIR = 0;
  private static final String POLL = "CompletionQueue.poll";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final UlpActivity activity;
  private final EventSource eventSource = new EventSource();
  private final List<SimQueuePair> users = new ArrayList<>();
  private final @Nullable Entry[] ring;
  private int head;
  private int size;
  private boolean overrun;
  private final EmptyPoll emptyPoll;
  private volatile boolean open = true;

  SimCompletionQueue(SimDeviceContext context, int capacity) {
    this.context = context;
    this.device = context.simDevice();
    this.activity = device.host().activity();
    this.emptyPoll = new EmptyPoll(device.host());
    this.ring = new Entry[capacity];
  }

  void addUser(SimQueuePair queuePair) {
    users.add(queuePair);
  }

  void removeUser(SimQueuePair queuePair) {
    users.remove(queuePair);
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public int capacity() {
    return ring.length;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** Puts a completion into the queue, unless it is or gets overrun. */
  void add(SimQueuePair queuePair, WorkCompletion completion, boolean send, long freesUpTo) {
    if (overrun) {
      queuePair.completionLost();
      return;
    }
    if (size == ring.length) {
      overrun();
      return;
    }
    activity.completionsReady(1);
    Entry entry = entry(slot(head + size));
    size++;
    entry.completion.copyFrom(completion);
    entry.queuePair = queuePair;
    entry.send = send;
    entry.freesUpTo = freesUpTo;
  }

  private void overrun() {
    overrun = true;
    long nowNanos = device.host().nanoTime();
    device
        .trace()
        .mix(nowNanos, TracePoint.ASYNC_EVENT, NO_QUEUE_PAIR, AsyncEventType.CQ_ERR.value());
    if (device.trace().isRecording()) {
      device
          .trace()
          .record(
              new TraceEvent.AsyncRaised(
                  nowNanos, device.name(), NO_QUEUE_PAIR, AsyncEventType.CQ_ERR));
    }
    context
        .events()
        .add(new SimAsyncEvent(AsyncEventType.CQ_ERR, eventSource, device.host(), null, this));
    for (SimQueuePair user : users) {
      user.completionQueueOverran();
    }
  }

  private int slot(int position) {
    return position < ring.length ? position : position - ring.length;
  }

  private Entry entry(int slot) {
    Entry entry = ring[slot];
    if (entry == null) {
      entry = new Entry();
      ring[slot] = entry;
    }
    return entry;
  }

  @Override
  public int poll(WorkCompletions completions) {
    device.host().enter();
    try {
      if (!open) {
        throw new VerbsException(Errno.EINVAL, POLL, "the completion queue was closed");
      }
      completions.clear();
      if (size == 0 && emptyPoll.findsNothingLeft()) {
        heedInterrupt();
      }
      int count = Math.min(size, completions.capacity());
      for (int i = 0; i < count; i++) {
        take(completions.append());
      }
      if (count > 0) {
        activity.countCall();
      }
      return count;
    } finally {
      device.host().exit();
    }
  }

  /**
   * A loop that polls for what never comes must have an end when its thread is told to stop, as by
   * a test's timeout.
   */
  private static void heedInterrupt() {
    if (Thread.currentThread().isInterrupted()) {
      throw new IllegalStateException(
          "the thread was interrupted while it polled an empty completion queue, and nothing is left"
              + " to happen on the fabric: what it waits for does not come");
    }
  }

  private void take(WorkCompletion target) {
    activity.completionsReady(-1);
    Entry entry = entry(head);
    head = slot(head + 1);
    size--;
    target.copyFrom(entry.completion);
    SimQueuePair queuePair = entry.queuePair;
    if (queuePair == null) {
      throw new AssertionError("an entry in use has a queue pair");
    }
    queuePair.polled(entry.send, entry.freesUpTo);
    entry.queuePair = null;
    long nowNanos = device.host().nanoTime();
    device
        .trace()
        .mix(
            nowNanos,
            TracePoint.POLL,
            target.id(),
            (long) target.queuePairNumber() << Integer.SIZE | target.status().value());
    if (device.trace().isRecording()) {
      device
          .trace()
          .record(
              new TraceEvent.Polled(
                  nowNanos,
                  device.name(),
                  target.queuePairNumber(),
                  entry.send,
                  target.id(),
                  target.status()));
    }
  }

  /** Removes the completions of a queue pair that is destroyed or reset (rule CQ-PURGE). */
  void purge(SimQueuePair queuePair) {
    int kept = 0;
    for (int i = 0; i < size; i++) {
      int from = slot(head + i);
      Entry entry = entry(from);
      if (entry.queuePair == queuePair) {
        entry.queuePair = null;
        continue;
      }
      int to = slot(head + kept);
      ring[from] = ring[to];
      ring[to] = entry;
      kept++;
    }
    activity.completionsReady(kept - size);
    size = kept;
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      if (!open) {
        return;
      }
      if (!users.isEmpty()) {
        throw new VerbsException(
            Errno.EBUSY,
            "CompletionQueue.close",
            users.size()
                + " queue pairs use it, the first is "
                + users.get(0)
                + "; close them first");
      }
      eventSource.requireAllAcknowledged("CompletionQueue.close");
      open = false;
      activity.completionsReady(-size);
      context.events().discard(eventSource);
      context.completionQueues().remove();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public String toString() {
    return "CompletionQueue of " + device.name() + " with " + size + " of " + ring.length;
  }
}

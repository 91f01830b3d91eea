package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueFlag;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A completion queue: takes completions from queue pairs, hands them to polls, and tells its
 * channel.
 */
class SimCompletionQueue implements CompletionQueue {
  /** The queue as the place that a ULP polls. */
  private final class Place extends PolledPlace {
    Place(DeviceHost host) {
      super(host);
    }

    @Override
    public String describe() {
      return SimCompletionQueue.this.toString();
    }
  }

  private static final String POLL = "CompletionQueue.poll";
  private static final String RESIZE = "CompletionQueue.resize";
  private static final String CLOSE = "CompletionQueue.close";

  private final SimDeviceContext context;
  private final SimDevice device;
  private final UlpActivity activity;
  private final CompletionQueueInit init;
  private final @Nullable SimCompletionChannel channel;
  private final CompletionNotifier notifier;
  private final EventSource completionEvents = EventSource.ofCompletionEvents();
  private final EventSource asyncEvents = EventSource.ofAsyncEvents();
  private final Acknowledgements acknowledgements;
  private final List<SimQueuePair> users = new ArrayList<>();
  private final UseCount sharedReceiveQueues = new UseCount("XRC shared receive queue");
  private final CompletionRing ring;
  private final ErrorFieldFiller errorFields;
  private final int number;
  private final OpenResources.Resource resource;
  private final PolledPlace place;
  private final boolean ignoresOverrun;
  private final boolean closesAtOverrun;
  private final boolean errorsAreSolicited;
  private boolean overrun;
  private volatile boolean open = true;

  SimCompletionQueue(
      SimDeviceContext context, CompletionQueueInit init, @Nullable SimCompletionChannel channel) {
    this.context = context;
    this.device = context.simDevice();
    this.activity = device.host().activity();
    this.init = init;
    this.channel = channel;
    this.acknowledgements =
        new Acknowledgements(device.host(), this, completionEvents, asyncEvents);
    this.notifier = new CompletionNotifier(this, device, channel);
    this.ring = new CompletionRing(entries(init.capacity()), device.host().isRealTime());
    this.errorFields = new ErrorFieldFiller(device.profile().get(PostingSwitch.ErrorFields.class));
    this.place = new Place(device.host());
    this.ignoresOverrun = init.flags().contains(CompletionQueueFlag.IGNORE_OVERRUN);
    this.closesAtOverrun = device.profile().is(PostingSwitch.CompletionQueueOverrun.CLOSE);
    this.errorsAreSolicited = device.profile().is(PostingSwitch.SolicitedOnError.YES);
    if (channel != null) {
      channel.queues().add();
    }
    this.number = device.nextCompletionQueue();
    this.resource = device.resources().add(this);
  }

  SimDevice device() {
    return device;
  }

  void addUser(SimQueuePair queuePair) {
    users.add(queuePair);
  }

  void removeUser(SimQueuePair queuePair) {
    users.remove(queuePair);
  }

  /** The XRC shared receive queues whose completions come here. */
  UseCount sharedReceiveQueues() {
    return sharedReceiveQueues;
  }

  @Override
  public DeviceContext context() {
    return context;
  }

  @Override
  public @Nullable CompletionChannel channel() {
    return channel;
  }

  @Override
  public @Nullable Object attachment() {
    return init.attachment();
  }

  @Override
  public int capacity() {
    return ring.capacity();
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  final DeviceHost host() {
    return device.host();
  }

  final void requireOpen(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "the completion queue was closed");
    }
  }

  /** Refuses what would get in the way of a poll that has begun and not ended. */
  void requireNoPollUnderWay(String call) {}

  // ---- completions in ------------------------------------------------------------------------

  /** Which completion queue of its device it is, 1 for the first. */
  final int number() {
    return number;
  }

  /** Takes a completion that has come, unless something is injected that takes it first. */
  void add(
      SimQueuePair queuePair,
      WorkCompletion completion,
      boolean send,
      boolean solicited,
      long freesUpTo) {
    InjectedFaults faults = device.faults();
    if (faults == null || !faults.take(this, queuePair, completion, send, solicited, freesUpTo)) {
      insert(queuePair, completion, send, solicited, freesUpTo);
    }
  }

  /** Puts a completion into the queue, unless there is no room. */
  void insert(
      SimQueuePair queuePair,
      WorkCompletion completion,
      boolean send,
      boolean solicited,
      long freesUpTo) {
    if (overrun) {
      queuePair.completionLost();
      return;
    }
    if (ring.isFull() && !makeRoom(queuePair, send)) {
      return;
    }
    CompletionRing.Entry entry = ring.blank();
    entry.completion.copyFrom(completion);
    entry.of(queuePair);
    entry.send = send;
    entry.freesUpTo = freesUpTo;
    entry.timeNanos = device.host().nanoTime();
    ring.append();
    activity.completionsReady(1);
    // Rule SOLICITED-ERROR: a failed completion wakes also those who wait for solicited ones.
    boolean failed = completion.status() != CompletionStatus.SUCCESS;
    notifier.completionAdded(solicited || (failed && errorsAreSolicited));
    place.becameReady();
  }

  /** Rule CQ-OVERRUN: what becomes of a completion that does not fit. */
  private boolean makeRoom(SimQueuePair queuePair, boolean send) {
    if (ignoresOverrun) {
      if (ring.dropOldest()) {
        activity.completionsReady(-1);
      }
      return true;
    }
    raise(AsyncEventType.CQ_ERR);
    if (closesAtOverrun) {
      overrun = true;
      for (SimQueuePair user : users) {
        user.completionQueueOverran();
      }
      // An XRC target is no user, since it has no completion queue; this one has lost something.
      queuePair.completionLost();
    } else if (!send) {
      queuePair.completionLost();
    }
    return false;
  }

  /** Raises an asynchronous event of this queue. */
  void raise(AsyncEventType type) {
    context.raise(SimAsyncEvent.of(this, asyncEvents, type));
  }

  /** Removes the completions of a queue pair that is destroyed or reset (rule CQ-PURGE). */
  void purge(SimQueuePair queuePair) {
    InjectedFaults faults = device.faults();
    if (faults != null) {
      faults.purge(this, queuePair);
    }
    activity.completionsReady(-ring.purge(queuePair));
  }

  // ---- completions out -----------------------------------------------------------------------

  @Override
  public int poll(WorkCompletions completions) {
    requireNoPollUnderWay(POLL);
    if (isEmptyForNow()) {
      completions.clear();
      return 0;
    }
    boolean isInside = enterUnlessOutside();
    try {
      if (isInside) {
        requireOpen(POLL);
        requireNoPollUnderWay(POLL);
        completions.clear();
        lookForMore(POLL);
      }
      return take(completions, isInside);
    } finally {
      exit(isInside);
    }
  }

  private int take(WorkCompletions completions, boolean isInside) {
    ring.beginPoll();
    try {
      requireOpen(POLL);
      requireNoPollUnderWay(POLL);
      completions.clear();
      int count = 0;
      while (count < completions.capacity() && ring.unread() > 0) {
        hand(completions.append(), isInside);
        count++;
      }
      if (count > 0) {
        releaseShown(isInside);
      }
      return count;
    } finally {
      ring.endPoll();
    }
  }

  /**
   * Whether a poll finds nothing, and need not take the fabric from those who have something to do
   * there.
   */
  final boolean isEmptyForNow() {
    if (!device.host().mayStayOutside() || ring.unread() > 0 || !open) {
      return false;
    }
    place.lookedInVain();
    return true;
  }

  /**
   * Begins a poll that finds something. It enters the host only where somebody hears of it: in
   * virtual time, or when somebody listens to the trace.
   *
   * @return whether it has entered, for {@link #exit}
   */
  final boolean enterUnlessOutside() {
    if (device.host().mayStayOutside() && !device.trace().isRecording()) {
      return false;
    }
    device.host().enter();
    return true;
  }

  final void exit(boolean isInside) {
    if (isInside) {
      device.host().exit();
    }
  }

  /** The ring, for those who poll; a call that has begun to does not enter the host. */
  final CompletionRing ring() {
    return ring;
  }

  /** How many completions wait to be polled. */
  final int unread() {
    return ring.unread();
  }

  /**
   * Before a poll inside the host: one that finds nothing gives the fabric a turn, in which
   * anything may happen.
   */
  final void lookForMore(String call) {
    if (ring.unread() == 0) {
      place.foundEmpty();
      requireOpen(call);
      requireNoPollUnderWay(call);
    }
  }

  /**
   * Shows the oldest unread completion to the program, which holds the lock of the polls.
   *
   * @return when it was put into the queue
   */
  final long hand(WorkCompletion target, boolean isInside) {
    CompletionRing.Entry entry = ring.showNext();
    target.copyFrom(entry.completion);
    errorFields.fill(target);
    if (isInside) {
      activity.completionsReady(-1);
      notePolled(target, entry.send);
    }
    return entry.timeNanos;
  }

  private void notePolled(WorkCompletion completion, boolean send) {
    long nowNanos = device.host().nanoTime();
    device
        .trace()
        .mix(
            nowNanos,
            TracePoint.POLL,
            completion.id(),
            (long) completion.queuePairNumber() << Integer.SIZE | completion.status().value());
    if (device.trace().isRecording()) {
      device
          .trace()
          .record(
              new TraceEvent.Polled(
                  nowNanos,
                  device.name(),
                  completion.queuePairNumber(),
                  send,
                  completion.id(),
                  completion.status()));
    }
  }

  /** Takes out what was shown to the program. */
  final void releaseShown(boolean isInside) {
    ring.releaseShown();
    if (isInside) {
      activity.countCall();
    }
  }

  // ---- events --------------------------------------------------------------------------------

  @Override
  public boolean requestNotification(boolean solicitedOnly) {
    device.host().enter();
    try {
      requireOpen("CompletionQueue.requestNotification");
      notifier.arm(solicitedOnly);
      // Rule ARM-MISSED: what is there already makes no event, and the caller is told.
      return ring.unread() > 0;
    } finally {
      device.host().exit();
    }
  }

  /** A program has taken an event of this queue from the channel. */
  void eventTaken() {
    completionEvents.taken();
  }

  @Override
  public void acknowledgeEvents(int count) {
    device.host().enter();
    try {
      requireOpen("CompletionQueue.acknowledgeEvents");
      completionEvents.acknowledge("CompletionQueue.acknowledgeEvents", count);
      device.host().signalChange();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void moderate(int count, int periodMicros) {
    String call = "CompletionQueue.moderate";
    requireModeration(call, "count", count);
    requireModeration(call, "period", periodMicros);
    device.host().enter();
    try {
      requireOpen(call);
      device.requireWorking(call);
      notifier.moderate(count, periodMicros);
    } finally {
      device.host().exit();
    }
  }

  private static void requireModeration(String call, String what, int value) {
    if (value < 0 || value > MODERATION_MAX) {
      throw new VerbsException(
          Errno.EINVAL, call, what + " " + value + " is not in 0.." + MODERATION_MAX);
    }
  }

  // ---- size and end --------------------------------------------------------------------------

  @Override
  public void resize(int capacity) {
    device.host().enter();
    try {
      requireOpen(RESIZE);
      device.requireWorking(RESIZE);
      requireNoPollUnderWay(RESIZE);
      CompletionQueueChecks.requireCapacity(RESIZE, context, capacity);
      // Rule CQ-RESIZE: entries and their order survive.
      if (capacity < ring.size() || !ring.resize(entries(capacity))) {
        throw new VerbsException(
            Errno.EINVAL,
            RESIZE,
            "capacity "
                + capacity
                + " is less than the "
                + ring.size()
                + " completions in the queue; poll first");
      }
    } finally {
      device.host().exit();
    }
  }

  private int entries(int capacity) {
    return CapacityRounding.entries(
        device.profile(), capacity, device.profile().limits().maxCompletionQueueEntries());
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      do {
        if (!open) {
          return;
        }
        requireUnused();
      } while (acknowledgements.await(CLOSE));
      open = false;
      notifier.stop();
      activity.completionsReady(-ring.unread());
      context.events().discard(asyncEvents);
      if (channel != null) {
        channel.discard(this);
        channel.queues().remove();
      }
      context.completionQueues().remove();
      resource.release();
    } finally {
      device.host().exit();
    }
  }

  private void requireUnused() {
    if (!users.isEmpty()) {
      throw new VerbsException(
          Errno.EBUSY,
          CLOSE,
          users.size()
              + " queue pairs use it, the first is "
              + users.get(0)
              + "; close them first");
    }
    sharedReceiveQueues.requireNone(CLOSE);
    requireNoPollUnderWay(CLOSE);
  }

  @Override
  public String toString() {
    return "CompletionQueue "
        + number
        + " of "
        + device.name()
        + " with "
        + ring.unread()
        + " of "
        + ring.capacity();
  }
}

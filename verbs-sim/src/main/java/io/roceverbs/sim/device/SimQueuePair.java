package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.QueuePairOwner;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.sim.qp.TransitionTable;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.DataOrder;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.PostException;
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
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** A queue pair: the checks of the verbs layer around a {@link QueuePairEngine}. */
final class SimQueuePair implements QueuePair, QueuePairOwner, SlotHolder {
  /** The engine's deadline, as the host's timer. */
  private final class EngineTimer extends DeviceTimer {
    @Override
    public void expire(long nowNanos) {
      if (device.isFailed() || device.host().isPaused()) {
        update(device.host(), NEVER);
        return;
      }
      engine.handleTimeout(nowNanos);
      wake();
    }
  }

  static final String POST = "QueuePair.post";
  private static final String CLOSE = "QueuePair.close";

  /** The place in the {@link TransmitLine}, which alone uses these three. */
  boolean inLine;

  @Nullable SimQueuePair previousInLine;
  @Nullable SimQueuePair nextInLine;

  private final QueuePairParents parents;
  private final SimDevice device;
  private final int number;
  private final QueuePairEngine engine;
  private final EngineTimer timer = new EngineTimer();
  private DevicePort port;
  private final EventSource eventSource = EventSource.ofAsyncEvents();
  private final Acknowledgements acknowledgements;

  /** Null where nothing can be posted. */
  private final @Nullable SendPosts sends;

  private final @Nullable ReceivePosts receives;

  /** Null for an XRC target, which is listed once for each of its holders. */
  private final OpenResources.@Nullable Resource resource;

  private boolean overran;
  private boolean initSpoiled;
  private volatile boolean open = true;

  SimQueuePair(QueuePairParents parents, int number) {
    this.parents = parents;
    this.device = parents.device();
    this.port = device.port(SimDevice.FIRST_PORT);
    this.number = number;
    this.acknowledgements = new Acknowledgements(device.host(), this, eventSource);
    this.engine = parents.newEngine(number, this);
    PostChecks checks = parents.newChecks();
    this.sends = checks == null ? null : new SendPosts(this, engine, checks);
    this.receives = checks == null ? null : new OwnReceives(this, engine, checks);
    parents.attach(this);
    device.queuePairs().put(number, this);
    this.resource = type() == QueuePairType.XRC_RECV ? null : device.resources().add(this);
  }

  SimDevice device() {
    return device;
  }

  EventSource eventSource() {
    return eventSource;
  }

  /** The port that it is at; the first one before INIT. */
  DevicePort port() {
    return port;
  }

  @Override
  public DeviceContext context() {
    return parents.context();
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return parents.domain();
  }

  @Override
  public QueuePairType type() {
    return parents.type();
  }

  @Override
  public int number() {
    return number;
  }

  @Override
  public QueuePairInit init() {
    return parents.init();
  }

  @Override
  public QueuePairState state() {
    device.host().enter();
    try {
      if (open) {
        settle();
      }
      return engine.state();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  /** What was posted and what happened to it so far takes effect before a program looks. */
  private void settle() {
    if (receives != null) {
      receives.takeIn();
    }
    if (sends != null) {
      sends.takeIn();
    }
    fallIfOverrun();
  }

  /** What happened to it while its port was busy takes effect before it goes on. */
  private void fallIfOverrun() {
    if (overran) {
      fallOver(device.host().nanoTime());
    }
  }

  void requireOpen(String call) {
    requireNotClosed(call);
    device.requireWorking(call);
  }

  private void requireNotClosed(String call) {
    if (!open) {
      throw new VerbsException(Errno.EINVAL, call, "queue pair " + this + " was closed");
    }
  }

  // ---- modify and query ----------------------------------------------------------------------

  @Override
  public void modify(QueuePairAttributes given) {
    device.host().enter();
    try {
      begin("QueuePair.modify");
      QueuePairAttributes attributes = given.without(TransitionTable.leftOut(engine.type()));
      QueuePairState target = ModifyChecks.check(engine, attributes, device);
      refuseSpoiledInit(target);
      long nowNanos = device.host().nanoTime();
      engine.modify(nowNanos, target, attributes, ModifyChecks.sourceGid(attributes, device));
      goToPort();
      if (target == QueuePairState.RESET) {
        overran = false;
        if (device.profile().is(PostingSwitch.CompletionsAtReset.PURGE)) {
          parents.purge(this);
        }
      }
      device.host().activity().countCall();
      wake();
    } finally {
      device.host().exit();
    }
  }

  /** What it sends from now on leaves by the port of its attributes. */
  private void goToPort() {
    int wanted = engine.port();
    if (wanted != 0 && wanted != port.number()) {
      port.transmitNever(this);
      port = device.port(wanted);
    }
  }

  /** Rule RESET-OF-RESET: it is legal and does nothing, except on devices that stumble over it. */
  private void refuseSpoiledInit(QueuePairState target) {
    boolean fromReset = engine.state() == QueuePairState.RESET;
    if (fromReset && target == QueuePairState.RESET) {
      initSpoiled = device.profile().is(Quirk.ResetSpoilsInit.YES);
    } else if (fromReset && initSpoiled) {
      initSpoiled = false;
      throw new VerbsException(
          Errno.EINVAL, "QueuePair.modify", "a RESET of a queue pair in RESET spoilt this INIT");
    }
  }

  @Override
  public QueuePairAttributes query() {
    device.host().enter();
    try {
      begin("QueuePair.query");
      return engine.query();
    } finally {
      device.host().exit();
    }
  }

  @Override
  public Set<DataOrder> queryDataInOrder(SendOpcode opcode) {
    requireOpen("QueuePair.queryDataInOrder");
    return Set.of();
  }

  // ---- posting -------------------------------------------------------------------------------

  @Override
  public void post(SendRequest first) {
    sends(first.id()).post(first);
  }

  @Override
  public void post(ReceiveRequest first) {
    ReceivePosts posts = receives;
    if (posts == null) {
      throw nothingToPost(first.id());
    }
    posts.post(first);
  }

  @Override
  public SendBatch createSendBatch() {
    String call = "QueuePair.createSendBatch";
    requireOpen(call);
    if (sends == null || !sends.checks().batch().hasOperations()) {
      throw new VerbsException(
          Errno.EINVAL, call, "it was created for no batches; see QueuePairInit.sendOperations");
    }
    return new SimSendBatch(this, sends, init().capacities().maxSendRequests());
  }

  @Override
  public int bind(MemoryWindow window, long id, MemoryWindowBinding binding, SendFlag... flags) {
    return sends(id).bind(window, id, binding, flags);
  }

  private SendPosts sends(long id) {
    SendPosts present = sends;
    if (present == null) {
      throw nothingToPost(id);
    }
    return present;
  }

  private PostException nothingToPost(long id) {
    requireOpen(POST);
    return new PostException(
        Errno.EINVAL,
        POST,
        "an XRC target has no queues; receives are posted to shared receive queues",
        0,
        id);
  }

  /** Begins a verbs call, inside the host: what happened before it takes effect first. */
  void begin(String call) {
    requireOpen(call);
    settle();
  }

  /** Takes in what was posted outside to one of its queues, and goes on with it. */
  void takePosted(Posts<?> posts) {
    if (open) {
      posts.takeInReady();
      wake();
    }
  }

  @Override
  public void polled(boolean send, long freesUpTo) {
    if (send) {
      engine.sendSlots().freeUpTo(freesUpTo);
    } else {
      engine.receiveSlots().freeUpTo(freesUpTo);
    }
  }

  int freeSendSlots() {
    return engine.sendSlots().free();
  }

  /** What is not finished, in words. */
  String describeUnfinished() {
    return this
        + " in "
        + engine.state()
        + ": "
        + engine.incompleteSends()
        + " sends and "
        + engine.incompleteReceives()
        + " receives not completed";
  }

  // ---- packets and time ----------------------------------------------------------------------

  boolean pollTransmit(long nowNanos, Packet packet) {
    fallIfOverrun();
    boolean sent = engine.pollTransmit(nowNanos, packet);
    fallIfOverrun();
    timer.update(device.host(), engine.nextTimeoutNanos());
    return sent;
  }

  @Override
  public void attachMulticast(Gid group) {
    String call = "QueuePair.attachMulticast";
    device.host().enter();
    try {
      requireOpen(call);
      // Rule MULTICAST-ATTACH: a datagram queue pair and a group; a second time has no effect.
      if (type() != QueuePairType.UD) {
        throw new VerbsException(
            Errno.EINVAL, call, this + " is of type " + type() + "; only UD takes multicast");
      }
      if (!group.isMulticast()) {
        throw new VerbsException(
            Errno.EINVAL, call, group + " is no group; those are 224.0.0.0/4 and ff00::/8");
      }
      port.multicastGroups().attach(group, this);
    } finally {
      device.host().exit();
    }
  }

  @Override
  public void detachMulticast(Gid group) {
    device.host().enter();
    try {
      // Also of a failed device, since otherwise the queue pair could never be closed.
      requireNotClosed("QueuePair.detachMulticast");
      multicastPort(group).multicastGroups().detach(group, this);
    } finally {
      device.host().exit();
    }
  }

  /** The port at which it was attached to a group; its own if at none. */
  private DevicePort multicastPort(Gid group) {
    for (DevicePort at : device.ports()) {
      if (at.multicastGroups().of(this).contains(group)) {
        return at;
      }
    }
    return port;
  }

  /** Takes a datagram to a group, unless it is its own and does not come back. */
  void handleMulticast(long nowNanos, Packet packet) {
    boolean own =
        packet.deth().sourceQueuePair() == number
            && port.gids().has(packet.network().sourceHigh(), packet.network().sourceLow());
    if (!own || !parents.init().blocksOwnMulticast()) {
      handlePacket(nowNanos, packet);
    }
  }

  boolean lastWasRetransmission() {
    return engine.lastWasRetransmission();
  }

  void handlePacket(long nowNanos, Packet packet) {
    takeInReceives();
    engine.handlePacket(nowNanos, packet);
    wake();
  }

  /** A receive that was posted before a send is there when that send arrives. */
  private void takeInReceives() {
    if (receives != null) {
      receives.takeIn();
    }
    parents.takeInSharedReceives();
  }

  /**
   * After anything happened to the engine: it may have packets, and its deadline may have moved.
   */
  void wake() {
    fallIfOverrun();
    timer.update(device.host(), engine.nextTimeoutNanos());
    if (engine.mayTransmit()) {
      port.transmitReady(this);
    }
  }

  /** Whether it may have something to send or, since a queue has overrun, to do in its turn. */
  boolean mayTransmit() {
    return overran || engine.mayTransmit();
  }

  // ---- results of the engine -----------------------------------------------------------------

  @Override
  public void completed(
      WorkCompletion completion, boolean send, boolean solicited, long freesUpTo) {
    parents.completed(this, completion, send, solicited, freesUpTo);
  }

  @Override
  public @Nullable SharedReceiveEngine nameSharedReceiveQueue(int sharedNumber) {
    return parents.nameSharedReceiveQueue(sharedNumber);
  }

  /** Puts a completion into the queue of one side for which there was no request. */
  void invent(WorkCompletion completion, boolean send) {
    SimCompletionQueue queue = parents.completionQueue(send);
    if (queue != null) {
      queue.insert(this, completion, send, false, 0);
    }
  }

  @Override
  public void raise(AsyncEventType type) {
    parents.raise(this, type);
  }

  /**
   * A completion queue of this queue pair has overrun. The engine may be in the middle of
   * something, so the fall comes with the next turn of this queue pair in the line.
   */
  void completionQueueOverran() {
    overran = true;
    port.transmitReady(this);
  }

  /**
   * A completion was lost in a queue that goes on, or that had overrun before: this queue pair
   * falls, unless it lies already.
   */
  void completionLost() {
    if (engine.state() != QueuePairState.ERR) {
      completionQueueOverran();
    }
  }

  private void fallOver(long nowNanos) {
    if (engine.state() != QueuePairState.RESET) {
      engine.failFromOutside(nowNanos, "a completion queue of the queue pair overran");
      if (device.profile().is(PostingSwitch.CompletionQueueOverrun.CLOSE)) {
        raise(AsyncEventType.QP_FATAL);
      }
    }
    // The flush may have overrun the other queue as well: that is the same fall.
    overran = false;
  }

  @Override
  public void close() {
    device.host().enter();
    try {
      do {
        if (!open) {
          return;
        }
        requireNoMulticast();
      } while (acknowledgements.await(CLOSE));
      destroy();
      parents.context().events().discard(eventSource);
    } finally {
      device.host().exit();
    }
  }

  /** From here on there is no such queue pair. */
  void destroy() {
    settle();
    open = false;
    timer.update(device.host(), DeviceTimer.NEVER);
    port.transmitNever(this);
    device.queuePairs().remove(number);
    if (device.profile().is(PostingSwitch.CompletionsAtDestroy.PURGE)) {
      parents.purge(this);
    }
    parents.detach(this);
    if (resource != null) {
      resource.release();
    }
  }

  private void requireNoMulticast() {
    List<Gid> groups =
        device.ports().stream().flatMap(at -> at.multicastGroups().of(this).stream()).toList();
    if (!groups.isEmpty()) {
      throw new VerbsException(
          Errno.EBUSY,
          CLOSE,
          "it is attached to the multicast groups " + groups + "; detach it first");
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "%s queue pair 0x%06x of %s", type(), number, device.name());
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.TransportClass;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePairAttribute;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.WorkCompletion;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The transport of one queue pair, as a machine that is fed and polled. What sets the transports
 * apart is in its two halves, the {@link Requester} and the {@link Responder}.
 *
 * <p>Call {@link #pollTransmit} until it gives nothing after each post, packet, timeout or modify;
 * then look at {@link #nextTimeoutNanos()}. Completions and events go to the {@link QueuePairOwner}
 * on the way. Arguments were checked by the caller; whatever a packet holds is checked here.
 *
 * <p>Not thread-safe: calls come one at a time, but for what is said to be legal at any time.
 */
public final class QueuePairEngine {
  private static final int PARTITION_MASK = 0x7FFF;
  private static final int FULL_MEMBER = 0x8000;
  private static final VarHandle STATE;

  static {
    try {
      STATE =
          MethodHandles.lookup()
              .findVarHandle(QueuePairEngine.class, "state", QueuePairState.class);
    } catch (ReflectiveOperationException e) {
      throw new ExceptionInInitializerError(e);
    }
  }

  private final int number;
  private final QueuePairType type;
  private final TransportClass transport;
  private final AccessScope scope;
  private final boolean signalAll;
  private final boolean dropsUnsignalledErrors;
  private final EngineContext context;
  private final QueuePairOwner owner;
  private final Requester requester;
  private final Responder responder;
  private final ReceiveQueue receiveQueue;
  private final boolean recoversInSqe;
  private final boolean repeatsLastWqeEvent;
  private final boolean alwaysSaysDrained;
  private final boolean migrated;
  private final @Nullable CongestionControl congestion;

  private QueuePairSettings settings;

  /** Written with {@link #STATE}, as threads that post look at it at any time. */
  private QueuePairState state = QueuePairState.RESET;

  /** What went wrong first, for the completions of all that is flushed for it; and in few words. */
  private String firstCause = "";

  private String firstCauseInShort = "";

  /** Those of its port; in RESET, of the port that it was at last. */
  private TransportStatistics counters;

  private boolean communicationEstablished;
  private boolean drainNotification;
  private boolean lastWasRetransmission;

  /** Whether the request that is being handled has the solicited event bit. */
  private boolean requestIsSolicited;

  /**
   * Makes a queue pair in RESET.
   *
   * @param number its number, 24 bits
   * @param type its transport service
   * @param domain its protection domain
   * @param sendRequestsMax slots of the send queue
   * @param receiveRequestsMax slots of the receive queue
   * @param shared the shared receive queue that it takes its receives from, or null
   * @param signalAll whether every send request gives a completion
   */
  public QueuePairEngine(
      int number,
      QueuePairType type,
      int domain,
      int sendRequestsMax,
      int receiveRequestsMax,
      @Nullable SharedReceiveEngine shared,
      boolean signalAll,
      EngineContext context,
      QueuePairOwner owner) {
    this.number = number;
    this.type = type;
    this.scope = new AccessScope(domain, number);
    this.signalAll = signalAll;
    this.context = context;
    this.owner = owner;
    this.settings = newSettings();
    this.counters = context.counters().get(0);
    this.receiveQueue =
        new ReceiveQueue(domain, shared == null ? receiveRequestsMax : 0, context.isShared());
    ReceiveSource receives = receives(shared);
    this.transport =
        switch (type) {
          case RC -> TransportClass.RC;
          case UC -> TransportClass.UC;
          case UD -> TransportClass.UD;
          case XRC_SEND, XRC_RECV -> TransportClass.XRC;
          case SMI, GSI, RAW_PACKET, DRIVER -> throw noSuchEngine(type);
        };
    this.dropsUnsignalledErrors =
        context.profile().is(PostingSwitch.UnsignalledErrorCompletion.DROPPED);
    boolean freesAtCompletion = context.profile().is(PostingSwitch.SendSlotFree.AT_COMPLETION);
    this.requester =
        requester(domain, new SendQueue(sendRequestsMax, freesAtCompletion, context.isShared()));
    this.responder = responder(receives);
    this.recoversInSqe =
        (type == QueuePairType.UC || type == QueuePairType.UD)
            && context.profile().is(PostingSwitch.SendErrorState.SQE);
    this.repeatsLastWqeEvent = context.profile().is(PostingSwitch.LastWqeEvent.EACH_FLUSH_RUN);
    this.alwaysSaysDrained = context.profile().is(PostingSwitch.SendQueueDrainedEvent.ALWAYS);
    this.migrated = context.profile().is(WireSwitch.MigrationRequest.MIGRATED);
    this.congestion = CongestionControl.of(context.profile());
  }

  private ReceiveSource receives(@Nullable SharedReceiveEngine shared) {
    if (type == QueuePairType.XRC_RECV) {
      return new XrcReceives(owner);
    }
    return shared == null ? receiveQueue : new SharedReceives(shared);
  }

  private QueuePairSettings newSettings() {
    boolean roundsReadDepths =
        context.profile().is(PostingSwitch.CapacityRounding.UP_TO_POWER_LESS_ONE);
    return new QueuePairSettings(number, roundsReadDepths);
  }

  private Requester requester(int domain, SendQueue queue) {
    KeyTable keys = context.keys();
    return switch (type) {
      case RC, XRC_SEND, XRC_RECV -> new ReliableRequester(this, keys, domain, queue, context);
      case UC -> new UnreliableRequester(this, keys, domain, queue, context);
      case UD -> new DatagramRequester(this, keys, domain, queue, context);
      case SMI, GSI, RAW_PACKET, DRIVER -> throw noSuchEngine(type);
    };
  }

  private Responder responder(ReceiveSource receives) {
    KeyTable keys = context.keys();
    return switch (type) {
      case RC, XRC_SEND, XRC_RECV -> new ReliableResponder(this, keys, receives, context);
      case UC -> new UnreliableResponder(this, keys, receives, context);
      case UD -> new DatagramResponder(this, keys, receives, context);
      case SMI, GSI, RAW_PACKET, DRIVER -> throw noSuchEngine(type);
    };
  }

  private static AssertionError noSuchEngine(QueuePairType type) {
    return new AssertionError("no device makes a queue pair of type " + type);
  }

  /** Its number, 24 bits. */
  int number() {
    return number;
  }

  /** The transport service. */
  public QueuePairType type() {
    return type;
  }

  /** The state now; may be asked at any time. */
  public QueuePairState state() {
    return (QueuePairState) STATE.getAcquire(this);
  }

  /** Which kind of device it is of. */
  DeviceProfile profile() {
    return context.profile();
  }

  /** As whom it uses keys. */
  AccessScope scope() {
    return scope;
  }

  QueuePairSettings settings() {
    return settings;
  }

  /** The link of the port that it is at. */
  PortLink link() {
    return context.links().get(settings.port() - 1);
  }

  /** Rule PORT-COUNTERS: it counts at the port that it is at. */
  TransportStatistics counters() {
    return counters;
  }

  /** Whether requests may leave: RTS, or SQD for those that have begun. */
  boolean sendsRequests() {
    return state == QueuePairState.RTS || state == QueuePairState.SQD;
  }

  private boolean takesResponses() {
    return type != QueuePairType.XRC_RECV && sendsRequests();
  }

  private boolean takesRequests() {
    if (type == QueuePairType.XRC_SEND) {
      return false;
    }
    // Rule SQE-RECEIVES: an error of the send queue does not touch the receive queue.
    return state == QueuePairState.RTR || state == QueuePairState.SQE || sendsRequests();
  }

  // ---- modify and query ----------------------------------------------------------------------

  /**
   * Carries out a modify that was found legal.
   *
   * @param target the state to go to, which may be the present one
   * @param sourceGid the GID that the address vector names, or null if the attributes have no
   *     address vector
   */
  public void modify(
      long nowNanos,
      QueuePairState target,
      QueuePairAttributes attributes,
      @Nullable Gid sourceGid) {
    QueuePairState from = state;
    if (target == QueuePairState.RESET) {
      reset(nowNanos);
      return;
    }
    if (target == QueuePairState.ERR) {
      if (from == QueuePairState.ERR && repeatsLastWqeEvent) {
        responder.flush(nowNanos);
      }
      failFromOutside(nowNanos, "the queue pair was moved to ERR by modify");
      return;
    }
    settings.apply(attributes, sourceGid);
    counters = context.counters().get(settings.port() - 1);
    changeState(nowNanos, target, "modify");
    if (from == QueuePairState.INIT && target == QueuePairState.RTR) {
      communicationEstablished = false;
      responder.start();
    } else if (from == QueuePairState.RTR && target == QueuePairState.RTS) {
      requester.start();
    } else if (from == QueuePairState.RTS && target == QueuePairState.SQD) {
      // Rule SQ-DRAINED: only if it was asked for, except on devices that always say it.
      drainNotification =
          alwaysSaysDrained
              || (attributes.has(QueuePairAttribute.EN_SQD_ASYNC_NOTIFY)
                  && attributes.enableSqdNotification());
      sendQueueMoved(nowNanos);
    } else if (from == QueuePairState.SQD) {
      requester.settingsChanged();
      responder.changeDepth();
    }
  }

  private void reset(long nowNanos) {
    // Rule RESET-SILENT: both queues are emptied without completions.
    requester.reset();
    responder.reset();
    receiveQueue.clear();
    if (congestion != null) {
      congestion.reset();
    }
    settings = newSettings();
    firstCause = "";
    firstCauseInShort = "";
    drainNotification = false;
    changeState(nowNanos, QueuePairState.RESET, "modify");
  }

  /** The number of the port that it is at; 0 before INIT. */
  public int port() {
    return settings.port();
  }

  /** READs and atomics that may be in flight. */
  public int maxReadAtomic() {
    return settings.maxReadAtomic();
  }

  /** Whether an SQD queue pair still waits for requests that had begun. */
  public boolean isDraining() {
    return state == QueuePairState.SQD && requester.isDraining();
  }

  /** All attributes as they are now. */
  public QueuePairAttributes query() {
    QueuePairAttributes.Builder builder =
        QueuePairAttributes.to(state).currentState(state).sendQueueDraining(isDraining());
    settings.report(builder);
    return builder.build();
  }

  /**
   * Moves the queue pair to ERR for a reason from outside, such as an overrun of its completion
   * queue.
   */
  public void failFromOutside(long nowNanos, String cause) {
    // A queue pair that lies in ERR already may still have its last word to say to the peer.
    if (state != QueuePairState.ERR) {
      responder.silence();
      enterError(nowNanos, cause, cause, cause);
    }
  }

  private void changeState(long nowNanos, QueuePairState to, String cause) {
    if (to == state) {
      return;
    }
    QueuePairState from = state;
    STATE.setRelease(this, to);
    context.trace().mix(nowNanos, TracePoint.STATE_CHANGED, number, to.value());
    if (context.trace().isRecording()) {
      context
          .trace()
          .record(new TraceEvent.StateChanged(nowNanos, context.node(), number, from, to, cause));
    }
  }

  private void enterError(long nowNanos, String cause, String inShort, String ofTheMove) {
    if (state == QueuePairState.ERR) {
      return;
    }
    firstCause = cause;
    firstCauseInShort = inShort;
    changeState(nowNanos, QueuePairState.ERR, ofTheMove);
    requester.flush(nowNanos);
    responder.flush(nowNanos);
  }

  // ---- posting -------------------------------------------------------------------------------

  /**
   * The slots of the send queue. Any thread may claim some at any time before it fills in requests,
   * and free them when it polls (rule SLOT-AT-POLL).
   */
  public SlotCount sendSlots() {
    return requester.queue().slots();
  }

  /** The object for the next send, for which a slot was claimed; then {@link #postSend}. */
  public SendWork nextSend() {
    return requester.queue().nextFree();
  }

  /**
   * Takes an object that was filled elsewhere for the next send; then {@link #postSend}.
   *
   * @return one that may be filled instead from now on, or null
   */
  public @Nullable SendWork exchangeSend(SendWork filled) {
    return requester.queue().exchange(filled);
  }

  /**
   * Takes the request that was filled in into the send queue; in ERR and in SQE it is flushed at
   * once (rule POST-IN-ERR).
   */
  public void postSend(long nowNanos) {
    SendWork work = requester.queue().push();
    switch (state) {
      case RTS, SQD -> {
        requester.posted(nowNanos, work);
        requester.executeLocalOperations(nowNanos);
      }
      case ERR, SQE -> requester.flush(nowNanos);
      // It was checked and claimed its slot before another thread moved the queue pair to RESET.
      case RESET, INIT, RTR, UNKNOWN -> requester.reset();
    }
  }

  /** How many posted sends have not completed. */
  public long incompleteSends() {
    return requester.queue().tail() - requester.queue().head();
  }

  /** How many receives posted to its own queue have not completed. */
  public long incompleteReceives() {
    return receiveQueue.size();
  }

  /** The slots of the receive queue, as those of {@link #sendSlots}. */
  public SlotCount receiveSlots() {
    return receiveQueue.slots();
  }

  /** The object for the next receive, for which a slot was claimed; then {@link #postReceive}. */
  public ReceiveWork nextReceive() {
    return receiveQueue.nextFree();
  }

  /**
   * Takes an object that was filled elsewhere for the next receive; then {@link #postReceive}.
   *
   * @return one that may be filled instead from now on, or null
   */
  public @Nullable ReceiveWork exchangeReceive(ReceiveWork filled) {
    return receiveQueue.exchange(filled);
  }

  /** Takes the request that was filled in into the receive queue; in ERR it is flushed at once. */
  public void postReceive(long nowNanos) {
    receiveQueue.push();
    switch (state) {
      case INIT, RTR, RTS, SQD, SQE -> {
        // It waits for a message.
      }
      case ERR -> responder.flush(nowNanos);
      // As of a send: the RESET came from another thread.
      case RESET, UNKNOWN -> receiveQueue.clear();
    }
  }

  // ---- packets and time ----------------------------------------------------------------------

  /** Whether {@link #pollTransmit} may give something; false only if it gives nothing. */
  public boolean mayTransmit() {
    return requester.hasNext() || responder.hasAnswer() || congestion != null;
  }

  /**
   * Gives the next packet to send, if there is one: answers before requests.
   *
   * @param packet its payload buffer is bound to memory for one packet's payload
   */
  public boolean pollTransmit(long nowNanos, Packet packet) {
    requester.executeLocalOperations(nowNanos);
    if (congestion != null && congestion.pollNotification(packet, counters)) {
      lastWasRetransmission = false;
      packet.partitionKey(context.partitionKey());
      return true;
    }
    if (mayAnswer(nowNanos) && responder.pollTransmit(nowNanos, packet)) {
      lastWasRetransmission = false;
    } else if (maySend(nowNanos) && requester.pollTransmit(nowNanos, packet)) {
      lastWasRetransmission = requester.lastWasRetransmission();
    } else {
      return false;
    }
    if (type != QueuePairType.UD) {
      settings.address(packet);
    }
    if (transport == TransportClass.XRC) {
      packet.opcode(packet.opcode().in(transport));
    }
    packet.partitionKey(context.partitionKey()).migrated(migrated);
    if (congestion != null) {
      congestion.sent(nowNanos, packet);
    }
    return true;
  }

  private boolean maySend(long nowNanos) {
    return congestion == null || congestion.maySend(nowNanos);
  }

  /** What bears no data may always leave: an acknowledgement held back would be missed. */
  private boolean mayAnswer(long nowNanos) {
    return congestion == null || !responder.nextAnswerHasData() || congestion.maySend(nowNanos);
  }

  /** Whether the packet given last was a request that had been sent before. */
  public boolean lastWasRetransmission() {
    return lastWasRetransmission;
  }

  /** Takes a packet that bears this queue pair's number. */
  public void handlePacket(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode == Opcode.CNP) {
      counters().countNotification(isHeeded(nowNanos, packet));
      return;
    }
    boolean response = opcode.isResponse();
    // Rule RECEIVE-FILTER: what does not belong to this connection is dropped without a word.
    if (opcode.transportClass() != transport || !(response ? takesResponses() : takesRequests())) {
      counters().countWrongState();
    } else if (type != QueuePairType.UD && !settings.isFromPeer(packet)) {
      // Rule PEER-ADDRESS: there is no source number in a BTH, so the address must do.
      counters().countWrongPeer();
    } else if (!partitionMatches(packet.partitionKey())) {
      counters().countPartitionKey();
    } else {
      if (congestion != null) {
        congestion.received(nowNanos, packet, senderOf(packet), counters);
      }
      if (transport == TransportClass.XRC) {
        // Behind this point an extended connection is a reliable one, and speaks in its opcodes.
        packet.opcode(opcode.in(TransportClass.RC));
      }
      take(nowNanos, packet, response);
    }
  }

  private int senderOf(Packet packet) {
    return type == QueuePairType.UD
        ? packet.deth().sourceQueuePair()
        : settings.destinationQueuePair();
  }

  /** Rule CNP-FILTER: a notification slows a queue pair down only if it comes from its peer. */
  private boolean isHeeded(long nowNanos, Packet packet) {
    return congestion != null
        && takesRequests()
        && (type == QueuePairType.UD || settings.isFromPeer(packet))
        && partitionMatches(packet.partitionKey())
        && congestion.notified(nowNanos, link());
  }

  private void take(long nowNanos, Packet packet, boolean response) {
    if (response) {
      requester.handleResponse(nowNanos, packet);
      requester.executeLocalOperations(nowNanos);
    } else {
      requestIsSolicited = packet.solicited();
      responder.handleRequest(nowNanos, packet);
      requestIsSolicited = false;
    }
  }

  private boolean partitionMatches(int partitionKey) {
    int own = context.partitionKey();
    int partition = partitionKey & PARTITION_MASK;
    return partition != 0
        && partition == (own & PARTITION_MASK)
        && ((partitionKey | own) & FULL_MEMBER) != 0;
  }

  /** When {@link #handleTimeout} is to be called next, or {@link Long#MAX_VALUE}. */
  public long nextTimeoutNanos() {
    long nextNanos = Math.min(requester.nextTimeoutNanos(), responder.nextTimeoutNanos());
    return congestion == null ? nextNanos : Math.min(nextNanos, congestion.nextTimeoutNanos());
  }

  /** Lets time pass. */
  public void handleTimeout(long nowNanos) {
    if (congestion != null) {
      congestion.handleTimeout(nowNanos);
    }
    responder.handleTimeout(nowNanos);
    if (sendsRequests()) {
      requester.handleTimeout(nowNanos);
      requester.executeLocalOperations(nowNanos);
    }
  }

  // ---- results, from the two halves ----------------------------------------------------------

  /**
   * Rule COMM-EST: the first request that is in its place tells a queue pair in RTR that the peer
   * is there.
   */
  void requestArrived() {
    if (state == QueuePairState.RTR
        && !communicationEstablished
        && context.rules().raisesCommunicationEstablished()) {
      communicationEstablished = true;
      raise(AsyncEventType.COMM_EST);
    }
  }

  void raise(AsyncEventType event) {
    owner.raise(event);
  }

  /** Raises what a fault of the peer's request is told by, unless the device has no such events. */
  void raiseForFault(AsyncEventType event) {
    if (context.profile().is(ErrorSwitch.AccessEvents.ON)) {
      raise(event);
    }
  }

  /**
   * Rule LAST-WQE: a queue pair in ERR says once that it takes no further receive out of the queue
   * that it shares.
   */
  void takesNoMoreReceives() {
    raise(AsyncEventType.QP_LAST_WQE_REACHED);
  }

  void sendSucceeded(long nowNanos, SendWork work, int byteLength, long freesUpTo) {
    if (work.opcode().isSend()) {
      counters().count(TransportCounter.SENDS_COMPLETED);
    }
    if (isSignalled(work)) {
      WorkCompletion completion = context.completion();
      completion.setSuccess(work.id(), number, work.opcode().completionOpcode(), byteLength);
      deliver(nowNanos, completion, true, freesUpTo, work.opcode().toString());
    }
  }

  private boolean isSignalled(SendWork work) {
    return signalAll || work.has(SendFlag.SIGNALED);
  }

  /** Rule UNSIGNALLED-ERROR: what fails or is flushed completes, signalled or not. */
  private void sendNotSucceeded(
      long nowNanos, SendWork work, CompletionStatus status, String detail, long freesUpTo) {
    if (isSignalled(work) || !dropsUnsignalledErrors) {
      failed(nowNanos, work.id(), status, detail, true, freesUpTo, work.opcode().toString());
    }
  }

  void sendFailed(
      long nowNanos, SendWork work, CompletionStatus status, String detail, long freesUpTo) {
    sendNotSucceeded(nowNanos, work, status, detail, freesUpTo);
    String inShort = "send request " + work.id() + " failed with " + status;
    if (recoversInSqe) {
      enterSendQueueError(nowNanos, inShort + ": " + detail, inShort);
    } else {
      responder.silence();
      enterError(nowNanos, inShort + ": " + detail, inShort, inShort);
    }
  }

  /**
   * Rule SQE-ENTRY: without acknowledgements a send that fails is no matter of the peer's, so only
   * the send queue stops.
   */
  private void enterSendQueueError(long nowNanos, String cause, String inShort) {
    firstCause = cause;
    firstCauseInShort = inShort;
    changeState(nowNanos, QueuePairState.SQE, inShort);
    requester.flush(nowNanos);
  }

  /**
   * The send queue can't go on, and no request carries the cause: all are flushed, as was seen of a
   * device.
   */
  void sendQueueFailed(long nowNanos, String detail) {
    responder.silence();
    enterError(nowNanos, detail, detail, detail);
  }

  void sendFlushed(long nowNanos, SendWork work, long freesUpTo) {
    sendNotSucceeded(nowNanos, work, CompletionStatus.WR_FLUSH_ERR, firstCause, freesUpTo);
  }

  void receiveSucceeded(
      long nowNanos,
      ReceiveWork work,
      Packet packet,
      CompletionOpcode opcode,
      int byteLength,
      long freesUpTo) {
    WorkCompletion completion = context.completion();
    completion.setSuccess(work.id(), number, opcode, byteLength);
    counters().count(TransportCounter.RECEIVES_COMPLETED);
    if (packet.opcode().hasImmediate()) {
      completion.setImmediate(packet.immediate());
    }
    if (packet.opcode().hasInvalidate()) {
      completion.setInvalidatedRkey(packet.invalidateRkey());
    }
    if (packet.opcode().hasDeth()) {
      completion.setDatagram(packet.deth().sourceQueuePair());
    }
    deliver(nowNanos, completion, false, freesUpTo, opcode.toString());
  }

  void receiveFailed(
      long nowNanos, ReceiveWork work, CompletionStatus status, String detail, long freesUpTo) {
    failed(nowNanos, work.id(), status, detail, false, freesUpTo, "RECV");
  }

  void receiveFlushed(long nowNanos, ReceiveWork work, long freesUpTo) {
    failed(
        nowNanos, work.id(), CompletionStatus.WR_FLUSH_ERR, firstCause, false, freesUpTo, "RECV");
  }

  /**
   * The responder has queued its last word; the queue pair goes to ERR, and that word still leaves.
   */
  void responderFailed(long nowNanos, String detail) {
    enterError(
        nowNanos,
        "a request of the peer failed: " + detail,
        "a request of the peer failed",
        detail);
  }

  private void failed(
      long nowNanos,
      long id,
      CompletionStatus status,
      String detail,
      boolean send,
      long freesUpTo,
      String operation) {
    WorkCompletion completion = context.completion();
    completion.setFailure(id, number, status, status.value(), detail);
    counters().countFailure(send, status);
    deliver(nowNanos, completion, send, freesUpTo, operation);
  }

  private void deliver(
      long nowNanos, WorkCompletion completion, boolean send, long freesUpTo, String operation) {
    context
        .trace()
        .mix(
            nowNanos,
            TracePoint.COMPLETION,
            completion.id(),
            (long) number << Integer.SIZE | completion.status().value());
    boolean flushed = completion.status() == CompletionStatus.WR_FLUSH_ERR;
    if (context.trace().isRecording()) {
      context
          .trace()
          .record(
              new TraceEvent.Completed(
                  nowNanos,
                  context.node(),
                  number,
                  send,
                  completion.id(),
                  operation,
                  completion.status(),
                  flushed ? firstCauseInShort : completion.detail()));
    }
    owner.completed(completion, send, requestIsSolicited && !send && !flushed, freesUpTo);
  }

  void keyChanged(long nowNanos, int key, boolean valid, String cause) {
    context.trace().mix(nowNanos, TracePoint.KEY_CHANGED, key, valid ? 1 : 0);
    if (context.trace().isRecording()) {
      context
          .trace()
          .record(new TraceEvent.KeyChanged(nowNanos, context.node(), key, valid, cause));
    }
  }

  void timerExpired(long nowNanos, String what, int psn) {
    context.trace().mix(nowNanos, TracePoint.TIMER_EXPIRED, number, psn);
    if (context.trace().isRecording()) {
      String text = String.format(Locale.ROOT, "%s, again from psn 0x%06x", what, psn);
      context.trace().record(new TraceEvent.TimerExpired(nowNanos, context.node(), number, text));
    }
  }

  /** The head of the send queue has moved: an SQD queue pair may have drained. */
  void sendQueueMoved(long nowNanos) {
    if (drainNotification && state == QueuePairState.SQD && !requester.isDraining()) {
      drainNotification = false;
      raise(AsyncEventType.SQ_DRAINED);
    }
  }
}

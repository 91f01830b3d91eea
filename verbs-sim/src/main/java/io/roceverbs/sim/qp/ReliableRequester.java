package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.TransportClass;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;

/**
 * The sending half of an RC queue pair: goes through the send queue, and back again when something
 * was lost.
 *
 * <p>It decides what may start and makes the packets. How far it has come is in its {@link
 * SendWindow}; a {@link ResponseReceiver} moves that on, a {@link Retransmitter} back, and a {@link
 * RequestCompleter} ends the requests in order.
 */
final class ReliableRequester implements Requester {
  private final QueuePairEngine engine;
  private final SendQueue queue;
  private final RequestBuilder builder;
  private final LocalOperations localOperations;
  private final CreditLimit credits;
  private final RequesterTimers timers;
  private final SendWindow window;
  private final RequestCompleter completer;
  private final Retransmitter retransmitter;
  private final ResponseReceiver responses;
  private final boolean invalidatesFalsely;
  private boolean lastWasRetransmission;

  ReliableRequester(
      QueuePairEngine engine, KeyTable keys, int domain, SendQueue queue, EngineContext context) {
    TransportRules rules = context.rules();
    this.engine = engine;
    this.queue = queue;
    this.builder = new RequestBuilder(keys, domain, TransportClass.RC);
    this.localOperations = new LocalOperations(engine, keys);
    this.credits = new CreditLimit(rules.usesCredits());
    this.timers = new RequesterTimers(rules.ackTimerTickNanos());
    this.window = new SendWindow(queue);
    this.completer = new RequestCompleter(engine, queue, window, timers, context.faults());
    this.retransmitter = new Retransmitter(engine, queue, window, timers, completer, rules);
    this.responses =
        new ResponseReceiver(
            engine,
            new ReadResponses(engine, keys, domain, context),
            queue,
            window,
            completer,
            retransmitter,
            credits,
            rules);
    this.invalidatesFalsely = engine.profile().is(Quirk.SendWithInvalidate.FAILS);
  }

  @Override
  public SendQueue queue() {
    return queue;
  }

  @Override
  public void start() {
    window.start(engine.settings().sendPsn());
    credits.start();
    retransmitter.reload();
  }

  @Override
  public void settingsChanged() {
    retransmitter.reload();
  }

  @Override
  public long nextTimeoutNanos() {
    return timers.nextNanos();
  }

  @Override
  public boolean lastWasRetransmission() {
    return lastWasRetransmission;
  }

  @Override
  public boolean isDraining() {
    return queue.hasIncomplete() && queue.at(queue.head()).isStarted();
  }

  @Override
  public void handleResponse(long nowNanos, Packet packet) {
    responses.handle(nowNanos, packet);
  }

  @Override
  public void handleTimeout(long nowNanos) {
    retransmitter.handleTimeout(nowNanos);
  }

  @Override
  public void posted(long nowNanos, SendWork work) {
    localOperations.posted(nowNanos, work);
  }

  // ---- local operations ----------------------------------------------------------------------

  /**
   * Executes the local operations at the cursor, as far as they may start. They need no packet, so
   * neither a busy link nor an answer that waits to leave holds them up.
   */
  @Override
  public void executeLocalOperations(long nowNanos) {
    while (mayGoOn()) {
      SendWork work = window.next();
      if (!work.opcode().isLocal()
          || (!work.isStarted() && !mayStart(work))
          || localOperations.isOvertaken(work)) {
        return;
      }
      passLocal(nowNanos, work);
    }
  }

  private void passLocal(long nowNanos, SendWork work) {
    if (!work.isStarted()) {
      // Rule LOCAL-ONCE: executed when the queue reaches it, and never again when the cursor comes
      // by a second time.
      KeyFault fault = localOperations.execute(nowNanos, work);
      if (fault != KeyFault.NONE) {
        completer.stopAtCursor(
            nowNanos, localOperations.status(work, fault), LocalOperations.describe(work, fault));
        return;
      }
      work.markExecuted();
    }
    window.cursor(window.cursor() + 1);
    completer.completeExecuted(nowNanos);
  }

  /**
   * On a device that lets the next request overtake an invalidation: gives one packet of that
   * request, if there is one, and then executes the invalidation.
   */
  private boolean transmitBeforeInvalidation(long nowNanos, Packet packet) {
    long position = window.cursor();
    boolean sent = false;
    if (position + 1 < queue.tail() && !queue.at(position + 1).opcode().isLocal()) {
      window.cursor(position + 1);
      sent = startAndTransmit(nowNanos, window.next(), packet);
    }
    long next = window.cursor();
    window.cursor(position);
    passLocal(nowNanos, queue.at(position));
    if (window.cursor() == position + 1) {
      window.cursor(Math.max(position + 1, next));
    }
    if (sent) {
      return true;
    }
    executeLocalOperations(nowNanos);
    return pollTransmit(nowNanos, packet);
  }

  // ---- sending -------------------------------------------------------------------------------

  @Override
  public boolean hasNext() {
    return window.hasNext();
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet packet) {
    if (!mayGoOn()) {
      return false;
    }
    SendWork work = window.next();
    if (work.opcode().isLocal()) {
      return mayStart(work) && transmitBeforeInvalidation(nowNanos, packet);
    }
    return startAndTransmit(nowNanos, work, packet);
  }

  private boolean mayGoOn() {
    return !timers.isWaitingForReceiver()
        && !completer.isStuck()
        && engine.sendsRequests()
        && window.hasNext()
        && !completer.isStoppedAt(window.cursor());
  }

  private boolean startAndTransmit(long nowNanos, SendWork work, Packet packet) {
    if (!work.isStarted()) {
      if (!mayStart(work)) {
        return false;
      }
      if (work.opcode() == SendOpcode.SEND_WITH_INV && invalidatesFalsely) {
        completer.stopAtCursor(
            nowNanos, CompletionStatus.LOC_QP_OP_ERR, "the device can't send SEND_WITH_INV");
        engine.raise(AsyncEventType.QP_REQ_ERR);
        return false;
      }
      window.begin(work, psnCount(work));
      credits.countMessage();
    }
    return transmit(nowNanos, work, packet);
  }

  private boolean mayStart(SendWork work) {
    if (engine.state() == QueuePairState.SQD) {
      return false;
    }
    if (localOperations.waitsForAll(work)) {
      return window.isCursorAtHead();
    }
    // Rule FENCE-READ: a fence waits for READs and atomics.
    if (work.has(SendFlag.FENCE) && window.readsOutstanding() > 0) {
      return false;
    }
    if (work.opcode().isLocal()) {
      return true;
    }
    if (window.isFull()
        || (RequestBuilder.consumesReceive(work.opcode()) && !credits.allowsMessage())) {
      return false;
    }
    return !work.opcode().isReadOrAtomic()
        || window.allowsRead(psnCount(work), engine.settings().maxReadAtomic());
  }

  private int psnCount(SendWork work) {
    return work.opcode().isAtomic()
        ? 1
        : PacketSequenceNumbers.count(work.messageBytes(), engine.settings().pathMtuBytes());
  }

  private boolean transmit(long nowNanos, SendWork work, Packet packet) {
    boolean single = work.opcode().isReadOrAtomic();
    int index = single ? work.responsesReceived() : window.cursorPacket();
    int psn = PacketSequenceNumbers.add(work.firstPsn(), index);
    boolean again = window.wasSent(psn);
    if (!again && !single && window.isFull()) {
      return false;
    }
    KeyFault fault = build(work, index, packet);
    if (fault != KeyFault.NONE) {
      completer.stopAtMemory(nowNanos, fault, RequestBuilder.describe(work, psn, fault, again));
      return false;
    }
    boolean last = single || index == work.psnCount() - 1;
    packet.ackRequest(window.asksForAck(last));
    window.passPacket(work, last, again);
    retransmitter.armAckTimer(nowNanos);
    lastWasRetransmission = again;
    engine.counters().countRequest(again);
    return true;
  }

  private KeyFault build(SendWork work, int index, Packet packet) {
    int pathMtu = engine.settings().pathMtuBytes();
    if (work.opcode().isAtomic()) {
      builder.buildAtomicRequest(work, packet);
      return KeyFault.NONE;
    }
    if (work.opcode() == SendOpcode.RDMA_READ) {
      builder.buildReadRequest(work, pathMtu, packet);
      work.lastReadRequestPsn(packet.psn());
      return KeyFault.NONE;
    }
    return builder.buildMessagePacket(work, index, pathMtu, packet);
  }

  // ---- the end -------------------------------------------------------------------------------

  @Override
  public void flush(long nowNanos) {
    stop();
    completer.flush(nowNanos);
    window.skipAll();
  }

  @Override
  public void reset() {
    stop();
    queue.clear();
    window.skipAll();
  }

  private void stop() {
    retransmitter.stop();
    completer.clear();
    window.clear();
  }
}

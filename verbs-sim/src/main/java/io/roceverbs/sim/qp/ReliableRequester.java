package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.sim.wire.TransportClass;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The sending half of an RC queue pair: goes through the send queue, and back again when something
 * was lost.
 *
 * <p>Two positions move over the send queue. The head is the oldest incomplete request, moved by
 * responses. The cursor is the next thing to send; it runs ahead of the head and jumps back to it
 * when a timeout or a NAK says so. Nothing else is needed to send again, since each packet is made
 * anew from its request.
 */
final class ReliableRequester implements Requester {
  /**
   * With so many packets sent and not acknowledged no further request starts. A READ counts with
   * all its response packets, and one READ may go beyond.
   */
  static final int PACKETS_IN_FLIGHT_MAX = 128;

  /** A long message asks for an acknowledgement this often, so that its window can move on. */
  static final int ACK_REQUEST_INTERVAL = PACKETS_IN_FLIGHT_MAX / 2;

  /** Half the PSN space: with more outstanding, old and new could not be told apart. */
  private static final int PSN_WINDOW_MAX = 1 << 23;

  private final QueuePairEngine engine;
  private final SendQueue queue;
  private final RequestBuilder builder;
  private final LocalOperations localOperations;
  private final ReadResponses readResponses;
  private final TransportRules rules;
  private final FaultRules faults;
  private final CreditLimit credits;
  private final RetryBudget budget;
  private final RequesterTimers timers;
  private final StoppedRequest stopped = new StoppedRequest();

  private long cursor;
  private int cursorPacket;
  private int nextPsn;
  private int unacknowledgedPsn;
  private int readsOutstanding;
  private int packetsSinceAckRequest;
  private boolean lastWasRetransmission;
  private final boolean invalidatesFalsely;

  /** Nothing moves any more, as was seen of a device that lost track. */
  private boolean isStuck;

  ReliableRequester(
      QueuePairEngine engine, KeyTable keys, int domain, SendQueue queue, EngineContext context) {
    this.engine = engine;
    this.queue = queue;
    this.rules = context.rules();
    this.faults = context.faults();
    this.credits = new CreditLimit(rules.usesCredits());
    this.budget = new RetryBudget(rules.sevenIsInfinite());
    this.timers = new RequesterTimers(rules.ackTimerTickNanos());
    this.builder = new RequestBuilder(keys, domain, TransportClass.RC);
    this.localOperations = new LocalOperations(engine, keys);
    this.readResponses = new ReadResponses(engine, keys, domain, context);
    this.invalidatesFalsely = engine.profile().is(Quirk.SendWithInvalidate.FAILS);
  }

  @Override
  public SendQueue queue() {
    return queue;
  }

  @Override
  public void start() {
    nextPsn = engine.settings().sendPsn();
    unacknowledgedPsn = nextPsn;
    credits.start();
    budget.reload(engine.settings());
  }

  @Override
  public void settingsChanged() {
    budget.reload(engine.settings());
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

  // ---- sending -------------------------------------------------------------------------------

  @Override
  public void posted(long nowNanos, SendWork work) {
    localOperations.posted(nowNanos, work);
  }

  /**
   * Executes the local operations at the cursor, as far as they may start. They need no packet, so
   * neither a busy link nor an answer that waits to leave holds them up.
   */
  @Override
  public void executeLocalOperations(long nowNanos) {
    while (mayGoOn()) {
      SendWork work = queue.at(cursor);
      if (!work.opcode().isLocal()
          || (!work.isStarted() && !mayStart(work))
          || localOperations.isOvertaken(work)) {
        return;
      }
      passLocal(nowNanos, work);
    }
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet packet) {
    executeLocalOperations(nowNanos);
    if (!mayGoOn()) {
      return false;
    }
    SendWork work = queue.at(cursor);
    if (work.opcode().isLocal()) {
      return mayStart(work) && transmitBeforeInvalidation(nowNanos, packet);
    }
    return startAndTransmit(nowNanos, work, packet);
  }

  private boolean startAndTransmit(long nowNanos, SendWork work, Packet packet) {
    if (!work.isStarted()) {
      if (!mayStart(work)) {
        return false;
      }
      if (work.opcode() == SendOpcode.SEND_WITH_INV && invalidatesFalsely) {
        stopAt(nowNanos, CompletionStatus.LOC_QP_OP_ERR, "the device can't send SEND_WITH_INV");
        engine.raise(AsyncEventType.QP_REQ_ERR);
        return false;
      }
      start(work);
    }
    return transmit(nowNanos, work, packet);
  }

  /**
   * On a device that lets the next request overtake an invalidation: gives one packet of that
   * request, if there is one, and then executes the invalidation.
   */
  private boolean transmitBeforeInvalidation(long nowNanos, Packet packet) {
    long position = cursor;
    boolean sent = false;
    if (position + 1 < queue.tail() && !queue.at(position + 1).opcode().isLocal()) {
      cursor++;
      sent = startAndTransmit(nowNanos, queue.at(cursor), packet);
    }
    long next = cursor;
    cursor = position;
    passLocal(nowNanos, queue.at(position));
    if (cursor == position + 1) {
      cursor = Math.max(cursor, next);
    }
    return sent || pollTransmit(nowNanos, packet);
  }

  private boolean mayGoOn() {
    return !timers.isWaitingForReceiver()
        && !isStuck
        && engine.sendsRequests()
        && cursor < queue.tail()
        && !stopped.isAt(cursor);
  }

  private boolean mayStart(SendWork work) {
    if (engine.state() == QueuePairState.SQD) {
      return false;
    }
    if (localOperations.waitsForAll(work)) {
      return cursor == queue.head();
    }
    // Rule FENCE-READ: a fence waits for READs and atomics.
    if (work.has(SendFlag.FENCE) && readsOutstanding > 0) {
      return false;
    }
    if (work.opcode().isLocal()) {
      return true;
    }
    if (outstanding() >= PACKETS_IN_FLIGHT_MAX
        || (RequestBuilder.consumesReceive(work.opcode()) && !credits.allowsMessage())) {
      return false;
    }
    // Rule READ-DEPTH: the READ too many waits, and everything behind it.
    return !work.opcode().isReadOrAtomic()
        || (readsOutstanding < engine.settings().maxReadAtomic()
            && outstanding() + psnCount(work) <= PSN_WINDOW_MAX);
  }

  private void start(SendWork work) {
    work.start(nextPsn, psnCount(work));
    credits.countMessage();
    cursorPacket = 0;
    if (work.opcode().isReadOrAtomic()) {
      readsOutstanding++;
    }
  }

  private int psnCount(SendWork work) {
    return work.opcode().isAtomic()
        ? 1
        : PacketSequenceNumbers.count(work.messageBytes(), engine.settings().pathMtuBytes());
  }

  private int outstanding() {
    return (nextPsn - unacknowledgedPsn) & PacketSequenceNumbers.MASK;
  }

  private boolean transmit(long nowNanos, SendWork work, Packet packet) {
    boolean single = work.opcode().isReadOrAtomic();
    int index = single ? work.responsesReceived() : cursorPacket;
    int psn = PacketSequenceNumbers.add(work.firstPsn(), index);
    boolean again = PacketSequenceNumbers.difference(psn, nextPsn) < 0;
    if (!again && !single && outstanding() >= PACKETS_IN_FLIGHT_MAX) {
      return false;
    }
    KeyFault fault = build(work, index, packet);
    if (fault != KeyFault.NONE) {
      stopAtMemory(nowNanos, fault, RequestBuilder.describe(work, psn, fault, again));
      return false;
    }
    boolean last = single || cursorPacket == work.psnCount() - 1;
    packet.ackRequest(asksForAck(last));
    if (!again) {
      nextPsn =
          PacketSequenceNumbers.add(work.firstPsn(), single ? work.psnCount() : cursorPacket + 1);
    }
    moveCursor(last);
    armAckTimer(nowNanos);
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

  /**
   * Rule ACK-REQUEST: the last packet of each message asks; a long message does so now and then.
   */
  private boolean asksForAck(boolean last) {
    packetsSinceAckRequest++;
    if (!last && packetsSinceAckRequest < ACK_REQUEST_INTERVAL) {
      return false;
    }
    packetsSinceAckRequest = 0;
    return true;
  }

  private void moveCursor(boolean last) {
    if (last) {
      cursor++;
      cursorPacket = 0;
    } else {
      cursorPacket++;
    }
  }

  private void passLocal(long nowNanos, SendWork work) {
    if (!work.isStarted()) {
      // Rule LOCAL-ONCE: executed when the queue reaches it, and never again when the cursor comes
      // by a second time.
      KeyFault fault = localOperations.execute(nowNanos, work);
      if (fault != KeyFault.NONE) {
        stopAt(
            nowNanos, localOperations.status(work, fault), LocalOperations.describe(work, fault));
        return;
      }
      work.markExecuted();
    }
    cursor++;
    completeExecuted(nowNanos);
  }

  // ---- responses -----------------------------------------------------------------------------

  @Override
  public void handleResponse(long nowNanos, Packet packet) {
    int psn = packet.psn();
    if (isStuck
        || PacketSequenceNumbers.difference(psn, unacknowledgedPsn) < 0
        || PacketSequenceNumbers.difference(psn, nextPsn) >= 0) {
      // Rule RESPONSE-GHOST: nothing outstanding has this PSN.
      engine.counters().countStaleResponse();
      return;
    }
    Opcode opcode = packet.opcode();
    if (opcode.hasAeth()) {
      credits.update(packet.syndrome(), packet.messageSequenceNumber());
    }
    if (opcode == Opcode.RC_ACKNOWLEDGE) {
      handleAcknowledge(nowNanos, packet);
    } else if (advance(nowNanos, psn)) {
      handleData(nowNanos, packet);
    } else if (rules.waitsInsideRead() && isInsideHead(psn)) {
      engine.counters().countStaleResponse();
    } else {
      goBackForImpliedNak(nowNanos);
    }
  }

  private boolean isInsideHead(int psn) {
    SendWork work = queue.at(queue.head());
    return PacketSequenceNumbers.difference(psn, work.firstPsn()) < work.psnCount();
  }

  private void handleAcknowledge(long nowNanos, Packet packet) {
    int psn = packet.psn();
    switch (Syndrome.kind(packet.syndrome())) {
      case ACK -> {
        if (!advance(nowNanos, PacketSequenceNumbers.add(psn, 1))) {
          goBackForImpliedNak(nowNanos);
        }
      }
      case RNR_NAK -> {
        engine.counters().count(TransportCounter.RNR_NAKS_RECEIVED);
        if (timers.isWaitingForReceiver()) {
          engine.counters().countStaleResponse();
        } else if (advance(nowNanos, psn)) {
          waitForReceiver(nowNanos, Syndrome.code(packet.syndrome()));
        } else {
          goBackForImpliedNak(nowNanos);
        }
      }
      case NAK -> handleNak(nowNanos, psn, Syndrome.nakCode(packet.syndrome()));
      case RESERVED -> {
        if (advance(nowNanos, psn)) {
          fail(nowNanos, CompletionStatus.BAD_RESP_ERR, "the response has a reserved syndrome");
        }
      }
    }
  }

  private void handleNak(long nowNanos, int psn, @Nullable NakCode code) {
    // Rule NAK-ACKNOWLEDGES: a NAK acknowledges everything before the PSN that it names.
    if (!advance(nowNanos, psn)) {
      goBackForImpliedNak(nowNanos);
      return;
    }
    if (code == NakCode.PSN_SEQUENCE_ERROR) {
      engine.counters().count(TransportCounter.SEQUENCE_NAKS_RECEIVED);
      handleSequenceNak(nowNanos);
      return;
    }
    String detail = "the peer answered psn " + psnText(psn) + " with NAK " + code;
    fail(nowNanos, status(code), detail);
  }

  private void handleSequenceNak(long nowNanos) {
    if (rules.sequenceNakCostsRetry()) {
      goBack(nowNanos, "PSN sequence NAK");
    } else if (!timers.isWaitingForReceiver() && !budget.isRecovering()) {
      budget.recovering(true);
      rewind();
    }
  }

  private static CompletionStatus status(@Nullable NakCode code) {
    if (code == null) {
      return CompletionStatus.BAD_RESP_ERR;
    }
    return switch (code) {
      case INVALID_REQUEST -> CompletionStatus.REM_INV_REQ_ERR;
      case REMOTE_ACCESS_ERROR -> CompletionStatus.REM_ACCESS_ERR;
      case REMOTE_OPERATIONAL_ERROR -> CompletionStatus.REM_OP_ERR;
      case PSN_SEQUENCE_ERROR, INVALID_RD_REQUEST -> CompletionStatus.BAD_RESP_ERR;
    };
  }

  /**
   * Completes what a response acknowledges (rule ACK-IMPLIED): every SEND and WRITE before {@code
   * endPsn}.
   *
   * @return false if a READ or an atomic before {@code endPsn} still lacks its own response: that
   *     one was lost, since responses come in order (rule NAK-IMPLIED)
   */
  private boolean advance(long nowNanos, int endPsn) {
    boolean complete = true;
    boolean moved = false;
    while (queue.hasIncomplete() && !stopped.isAt(queue.head())) {
      SendWork work = queue.at(queue.head());
      if (!work.isStarted() || work.opcode().isLocal()) {
        break;
      }
      int missingPsn = PacketSequenceNumbers.add(work.firstPsn(), work.responsesReceived());
      if (PacketSequenceNumbers.difference(missingPsn, endPsn) >= 0) {
        break;
      }
      if (work.opcode().isReadOrAtomic()) {
        complete = false;
        break;
      }
      int workEnd = PacketSequenceNumbers.add(work.firstPsn(), work.psnCount());
      boolean whole = PacketSequenceNumbers.difference(workEnd, endPsn) <= 0;
      int newUnacknowledged = whole ? workEnd : endPsn;
      moved |= newUnacknowledged != unacknowledgedPsn;
      unacknowledgedPsn = newUnacknowledged;
      if (!whole) {
        break;
      }
      completeHead(nowNanos, 0);
      completeExecuted(nowNanos);
    }
    if (moved) {
      progress(nowNanos);
    }
    return complete;
  }

  private void progress(long nowNanos) {
    budget.reload(engine.settings());
    restartAckTimer(nowNanos);
    if (cursor <= queue.head()) {
      catchUp();
    }
  }

  /** A late response may acknowledge what the cursor went back to send again: that is skipped. */
  private void catchUp() {
    if (cursor < queue.head()) {
      cursor = queue.head();
      cursorPacket = 0;
    }
    if (cursor < queue.tail()) {
      SendWork work = queue.at(cursor);
      if (work.isStarted() && !work.opcode().isLocal() && !work.opcode().isReadOrAtomic()) {
        int acknowledged = PacketSequenceNumbers.difference(unacknowledgedPsn, work.firstPsn());
        cursorPacket = Math.max(cursorPacket, acknowledged);
      }
    }
  }

  private void handleData(long nowNanos, Packet packet) {
    if (stopped.isAt(queue.head()) || !queue.hasIncomplete()) {
      return;
    }
    SendWork work = queue.at(queue.head());
    int expectedPsn = PacketSequenceNumbers.add(work.firstPsn(), work.responsesReceived());
    boolean read = packet.opcode().isReadResponse();
    boolean fits = read ? work.opcode() == SendOpcode.RDMA_READ : work.opcode().isAtomic();
    if (!fits) {
      fail(
          nowNanos, CompletionStatus.BAD_RESP_ERR, packet.opcode() + " answers a " + work.opcode());
      return;
    }
    if (packet.psn() != expectedPsn) {
      engine.counters().countStaleResponse();
      return;
    }
    String mismatch = ReadResponses.mismatch(work, packet, pathMtu());
    if (!mismatch.isEmpty()) {
      fail(nowNanos, CompletionStatus.BAD_RESP_ERR, mismatch);
      return;
    }
    KeyFault fault =
        read
            ? readResponses.place(work, packet, pathMtu())
            : readResponses.placeAtomic(work, packet);
    if (fault != KeyFault.NONE) {
      fail(
          nowNanos,
          CompletionStatus.LOC_PROT_ERR,
          "the response can't be placed: " + work.segments().describe(fault));
      return;
    }
    accept(nowNanos, work, packet.psn());
  }

  private int pathMtu() {
    return engine.settings().pathMtuBytes();
  }

  private void accept(long nowNanos, SendWork work, int psn) {
    work.countResponse();
    unacknowledgedPsn = PacketSequenceNumbers.add(psn, 1);
    if (work.responsesReceived() == work.psnCount()) {
      completeHead(nowNanos, (int) work.messageBytes());
      completeExecuted(nowNanos);
    }
    progress(nowNanos);
  }

  // ---- going back ----------------------------------------------------------------------------

  /**
   * Goes back to the oldest unacknowledged PSN. While packets are already being sent again and
   * nothing has moved, a second hint at the same gap is ignored, so that one loss costs one retry
   * (rule RETRY-ONCE-PER-GAP).
   */
  private void goBack(long nowNanos, String reason) {
    // Rule RNR-WAIT: the wait is not cut short, and what is refused meanwhile costs no retry.
    if (budget.isRecovering() || timers.isWaitingForReceiver() || !queue.hasIncomplete()) {
      return;
    }
    if (spendRetry(nowNanos, reason)) {
      budget.recovering(true);
      rewind();
    }
  }

  /** A response shows that one before it was lost (rule NAK-IMPLIED). */
  private void goBackForImpliedNak(long nowNanos) {
    engine.counters().count(TransportCounter.IMPLIED_NAKS);
    goBack(nowNanos, "a response is missing");
  }

  private boolean spendRetry(long nowNanos, String reason) {
    if (budget.spendRetry(engine.settings())) {
      engine.counters().count(TransportCounter.RETRIES);
      return true;
    }
    fail(
        nowNanos,
        CompletionStatus.RETRY_EXC_ERR,
        reason + ", and all " + engine.settings().retryCount() + " retries are spent");
    return false;
  }

  /**
   * Rule GO-BACK-N: from the oldest unacknowledged packet on, everything is sent again with its old
   * PSN.
   */
  private void rewind() {
    cursor = queue.head();
    cursorPacket = 0;
    timers.stopAck();
    catchUp();
  }

  private void waitForReceiver(long nowNanos, int timerCode) {
    if (!queue.hasIncomplete()) {
      return;
    }
    if (!budget.spendRnrRetry(engine.settings())) {
      fail(
          nowNanos,
          CompletionStatus.RNR_RETRY_EXC_ERR,
          "the peer has no receive posted, and all "
              + engine.settings().rnrRetry()
              + " receiver-not-ready retries are spent");
      return;
    }
    rewind();
    timers.waitForReceiver(nowNanos, timerCode);
  }

  @Override
  public void handleTimeout(long nowNanos) {
    if (timers.takeReceiverExpiry(nowNanos)) {
      engine.timerExpired(nowNanos, "receiver-not-ready wait over", unacknowledgedPsn);
    }
    if (timers.takeAckExpiry(nowNanos) && outstanding() > 0) {
      engine.counters().countAckTimeout();
      engine.timerExpired(nowNanos, "ACK timeout", unacknowledgedPsn);
      if (spendRetry(nowNanos, "no acknowledgement for psn " + psnText(unacknowledgedPsn))) {
        budget.recovering(true);
        rewind();
      }
    }
  }

  /**
   * Rule ACK-TIMER: started when something is sent and it does not run, by progress anew, stopped
   * when all is acknowledged.
   */
  private void armAckTimer(long nowNanos) {
    timers.startAck(nowNanos, engine.settings().timeoutCode());
  }

  private void restartAckTimer(long nowNanos) {
    if (outstanding() > 0 || rules.stopsIdleAckTimer()) {
      timers.stopAck();
    }
    boolean nothingSent = cursor == queue.head() && cursorPacket == 0;
    if (engine.sendsRequests()
        && !timers.isWaitingForReceiver()
        && outstanding() > 0
        && !nothingSent) {
      armAckTimer(nowNanos);
    }
  }

  // ---- completing ----------------------------------------------------------------------------

  private void completeHead(long nowNanos, int byteLength) {
    long position = queue.head();
    SendWork work = queue.at(position);
    queue.advanceHead();
    if (work.opcode().isReadOrAtomic()) {
      readsOutstanding--;
    }
    engine.sendSucceeded(nowNanos, work, byteLength, position + 1);
  }

  /**
   * Completes executed local operations at the head, in their place; then the faulty request, if
   * its turn has come.
   */
  private void completeExecuted(long nowNanos) {
    while (queue.hasIncomplete()) {
      SendWork work = queue.at(queue.head());
      if (!work.opcode().isLocal() || !work.isStarted()) {
        break;
      }
      completeHead(nowNanos, 0);
    }
    if (stopped.isAt(queue.head())) {
      fail(nowNanos, stopped.status(), stopped.detail());
    }
    engine.sendQueueMoved(nowNanos);
  }

  /**
   * The request at the cursor can't go on. Those before it are brought to their end first, so that
   * exactly one request carries the cause (rule FAULT-IN-ORDER).
   */
  private void stopAt(long nowNanos, CompletionStatus status, String detail) {
    stopped.set(cursor, status, detail);
    if (stopped.isAt(queue.head())) {
      fail(nowNanos, status, detail);
    }
  }

  /** The memory of the request at the cursor can't be gathered; the profile says what follows. */
  private void stopAtMemory(long nowNanos, KeyFault fault, String detail) {
    if (faults.gatherFaultRaisesEvent()) {
      engine.raise(AsyncEventType.QP_ACCESS_ERR);
    }
    CompletionStatus status = faults.gatherStatus(fault);
    if (status == CompletionStatus.WR_FLUSH_ERR) {
      engine.sendQueueFailed(nowNanos, detail);
      return;
    }
    boolean isFirst = cursor == queue.head();
    switch (faults.beforeGatherFault()) {
      case COMPLETE_FIRST -> stopAt(nowNanos, status, detail);
      case NEVER_COMPLETED -> {
        if (isFirst) {
          stopAt(nowNanos, status, detail);
        } else {
          isStuck = true;
          timers.stop();
        }
      }
      case FLUSHED -> {
        if (isFirst) {
          stopAt(nowNanos, status, detail);
        } else {
          engine.sendQueueFailed(nowNanos, detail);
        }
      }
    }
  }

  /** The oldest incomplete request fails, and the queue pair with it. */
  private void fail(long nowNanos, CompletionStatus status, String detail) {
    if (!queue.hasIncomplete()) {
      return;
    }
    long position = queue.head();
    SendWork work = queue.at(position);
    queue.advanceHead();
    engine.sendFailed(nowNanos, work, status, detail, position + 1);
  }

  @Override
  public void flush(long nowNanos) {
    // Rule FLUSH-IN-ORDER: signalled or not.
    stopTimers();
    while (queue.hasIncomplete()) {
      long position = queue.head();
      SendWork work = queue.at(position);
      queue.advanceHead();
      engine.sendFlushed(nowNanos, work, position + 1);
    }
    cursor = queue.tail();
  }

  @Override
  public void reset() {
    stopTimers();
    queue.clear();
    cursor = queue.tail();
  }

  private void stopTimers() {
    timers.stop();
    stopped.clear();
    isStuck = false;
    readsOutstanding = 0;
    cursorPacket = 0;
    packetsSinceAckRequest = 0;
    budget.recovering(false);
  }

  // ---- words ---------------------------------------------------------------------------------

  private static String psnText(int psn) {
    return String.format(Locale.ROOT, "0x%06x", psn);
  }
}

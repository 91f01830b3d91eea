package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;

/**
 * A sending half that nobody answers: each request is complete when its last packet has left (rule
 * ONE-WAY-COMPLETE), so the oldest incomplete request is always the one that is being sent.
 */
abstract class OneWayRequester implements Requester {
  final QueuePairEngine engine;
  final KeyTable keys;
  final int domain;
  private final FaultRules faults;
  private final SendQueue queue;
  private final LocalOperations localOperations;
  private int nextPsn;
  private int packetIndex;

  OneWayRequester(
      QueuePairEngine engine, KeyTable keys, int domain, SendQueue queue, EngineContext context) {
    this.faults = context.faults();
    this.engine = engine;
    this.keys = keys;
    this.domain = domain;
    this.queue = queue;
    this.localOperations = new LocalOperations(engine, keys);
  }

  /** How many packets a request takes. */
  abstract int packetCount(SendWork work);

  /** Why a request can't be sent at all, as a status; null if it can. */
  abstract Outcome judge(SendWork work);

  /** Fills in a packet of a request. */
  abstract KeyFault build(SendWork work, int index, Packet packet);

  /** What becomes of a request before anything of it is sent. */
  enum Outcome {
    SEND,
    SUCCEED_UNSENT,
    FAIL_LENGTH,
    FAIL_OPERATION
  }

  @Override
  public SendQueue queue() {
    return queue;
  }

  @Override
  public void start() {
    nextPsn = engine.settings().sendPsn();
  }

  @Override
  public void settingsChanged() {
    // Nothing that can change in SQD is kept here.
  }

  @Override
  public boolean isDraining() {
    return queue.hasIncomplete() && queue.at(queue.head()).isStarted();
  }

  @Override
  public void posted(long nowNanos, SendWork work) {
    localOperations.posted(nowNanos, work);
  }

  private boolean mayGoOn() {
    return engine.sendsRequests()
        && queue.hasIncomplete()
        && (engine.state() != QueuePairState.SQD || isDraining());
  }

  @Override
  public void executeLocalOperations(long nowNanos) {
    while (mayGoOn() && queue.at(queue.head()).opcode().isLocal()) {
      SendWork work = queue.at(queue.head());
      KeyFault fault = work.isStarted() ? KeyFault.NONE : localOperations.execute(nowNanos, work);
      if (fault == KeyFault.NONE) {
        complete(nowNanos);
      } else {
        fail(nowNanos, localOperations.status(work, fault), LocalOperations.describe(work, fault));
      }
    }
  }

  @Override
  public boolean hasNext() {
    return queue.hasIncomplete();
  }

  @Override
  public boolean pollTransmit(long nowNanos, Packet packet) {
    while (mayGoOn()) {
      SendWork work = queue.at(queue.head());
      if (!work.isStarted() && !begin(nowNanos, work)) {
        executeLocalOperations(nowNanos);
        continue;
      }
      int index = packetIndex;
      KeyFault fault = build(work, index, packet);
      if (fault != KeyFault.NONE) {
        failOnMemory(nowNanos, fault, RequestBuilder.describe(work, nextPsn, fault, false));
        return false;
      }
      packet.ackRequest(false);
      sent(nowNanos, work);
      return true;
    }
    return false;
  }

  /** Begins a request; false if it came to its end unsent. */
  private boolean begin(long nowNanos, SendWork work) {
    switch (judge(work)) {
      case SEND -> {
        work.start(nextPsn, packetCount(work));
        packetIndex = 0;
        return true;
      }
      case SUCCEED_UNSENT -> complete(nowNanos);
      case FAIL_LENGTH ->
          fail(
              nowNanos,
              CompletionStatus.LOC_LEN_ERR,
              "a datagram of " + work.messageBytes() + " bytes is longer than the port's MTU");
      case FAIL_OPERATION ->
          fail(
              nowNanos,
              CompletionStatus.LOC_QP_OP_ERR,
              "the address handle belongs to another protection domain");
    }
    return false;
  }

  private void sent(long nowNanos, SendWork work) {
    nextPsn = PacketSequenceNumbers.add(nextPsn, 1);
    packetIndex++;
    engine.counters().countRequest(false);
    if (packetIndex == work.psnCount()) {
      complete(nowNanos);
    }
  }

  private void complete(long nowNanos) {
    SendWork work = queue.at(queue.head());
    queue.advanceHead();
    engine.sendSucceeded(nowNanos, work, 0, queue.head());
    engine.sendQueueMoved(nowNanos);
  }

  private void failOnMemory(long nowNanos, KeyFault fault, String detail) {
    if (faults.gatherFaultRaisesEvent()) {
      engine.raise(AsyncEventType.QP_ACCESS_ERR);
    }
    CompletionStatus status = faults.gatherStatus(fault);
    if (status == CompletionStatus.WR_FLUSH_ERR) {
      engine.sendQueueFailed(nowNanos, detail);
    } else {
      fail(nowNanos, status, detail);
    }
  }

  private void fail(long nowNanos, CompletionStatus status, String detail) {
    SendWork work = queue.at(queue.head());
    queue.advanceHead();
    engine.sendFailed(nowNanos, work, status, detail, queue.head());
  }

  @Override
  public boolean lastWasRetransmission() {
    return false;
  }

  @Override
  public void handleResponse(long nowNanos, Packet packet) {
    throw new AssertionError("no response belongs to a queue pair without acknowledgements");
  }

  @Override
  public long nextTimeoutNanos() {
    return RequesterTimers.NEVER;
  }

  @Override
  public void handleTimeout(long nowNanos) {
    // Nothing is waited for.
  }

  @Override
  public void flush(long nowNanos) {
    while (queue.hasIncomplete()) {
      SendWork work = queue.at(queue.head());
      queue.advanceHead();
      engine.sendFlushed(nowNanos, work, queue.head());
    }
  }

  @Override
  public void reset() {
    queue.clear();
  }
}

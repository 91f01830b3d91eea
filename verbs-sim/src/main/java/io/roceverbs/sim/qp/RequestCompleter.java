package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;

/**
 * Brings the requests of an RC queue pair to their end, in the order of the send queue: in success,
 * in failure, or flushed.
 */
final class RequestCompleter {
  private final QueuePairEngine engine;
  private final SendQueue queue;
  private final SendWindow window;
  private final RequesterTimers timers;
  private final FaultRules faults;
  private final StoppedRequest stopped = new StoppedRequest();

  /** Nothing moves any more, as was seen of a device that lost track. */
  private boolean isStuck;

  RequestCompleter(
      QueuePairEngine engine,
      SendQueue queue,
      SendWindow window,
      RequesterTimers timers,
      FaultRules faults) {
    this.engine = engine;
    this.queue = queue;
    this.window = window;
    this.timers = timers;
    this.faults = faults;
  }

  boolean isStuck() {
    return isStuck;
  }

  /** Whether the request at a position can't go on, and has yet to fail. */
  boolean isStoppedAt(long position) {
    return stopped.isAt(position);
  }

  /** Whether a response can bring the oldest incomplete request further. */
  boolean isHeadAlive() {
    return queue.hasIncomplete() && !stopped.isAt(queue.head());
  }

  void clear() {
    stopped.clear();
    isStuck = false;
  }

  // ---- success -------------------------------------------------------------------------------

  /** The oldest incomplete request has succeeded; what waited only for its turn comes with it. */
  void completeHead(long nowNanos, int byteLength) {
    complete(nowNanos, byteLength);
    completeExecuted(nowNanos);
  }

  /**
   * Completes executed local operations at the head, in their place; then the faulty request, if
   * its turn has come.
   */
  void completeExecuted(long nowNanos) {
    while (queue.hasIncomplete()) {
      SendWork work = queue.at(queue.head());
      if (!work.opcode().isLocal() || !work.isStarted()) {
        break;
      }
      complete(nowNanos, 0);
    }
    if (stopped.isAt(queue.head())) {
      fail(nowNanos, stopped.status(), stopped.detail());
    }
    engine.sendQueueMoved(nowNanos);
  }

  private void complete(long nowNanos, int byteLength) {
    long position = queue.head();
    SendWork work = queue.at(position);
    queue.advanceHead();
    if (work.opcode().isReadOrAtomic()) {
      window.readEnds();
    }
    engine.sendSucceeded(nowNanos, work, byteLength, position + 1);
  }

  // ---- failure -------------------------------------------------------------------------------

  /**
   * The request at the cursor can't go on. Those before it are brought to their end first, so that
   * exactly one request carries the cause (rule FAULT-IN-ORDER).
   */
  void stopAtCursor(long nowNanos, CompletionStatus status, String detail) {
    stopped.set(window.cursor(), status, detail);
    if (stopped.isAt(queue.head())) {
      fail(nowNanos, status, detail);
    }
  }

  /** The memory of the request at the cursor can't be gathered; the profile says what follows. */
  void stopAtMemory(long nowNanos, KeyFault fault, String detail) {
    if (faults.gatherFaultRaisesEvent()) {
      engine.raise(AsyncEventType.QP_ACCESS_ERR);
    }
    CompletionStatus status = faults.gatherStatus(fault);
    if (status == CompletionStatus.WR_FLUSH_ERR) {
      engine.sendQueueFailed(nowNanos, detail);
      return;
    }
    if (window.isCursorAtHead()) {
      stopAtCursor(nowNanos, status, detail);
      return;
    }
    switch (faults.beforeGatherFault()) {
      case COMPLETE_FIRST -> stopAtCursor(nowNanos, status, detail);
      case NEVER_COMPLETED -> {
        isStuck = true;
        timers.stop();
      }
      case FLUSHED -> engine.sendQueueFailed(nowNanos, detail);
    }
  }

  /** The oldest incomplete request fails, and the queue pair with it. */
  void fail(long nowNanos, CompletionStatus status, String detail) {
    if (!queue.hasIncomplete()) {
      return;
    }
    long position = queue.head();
    SendWork work = queue.at(position);
    queue.advanceHead();
    engine.sendFailed(nowNanos, work, status, detail, position + 1);
  }

  /** Flushes all incomplete requests in order (rule FLUSH-IN-ORDER): signalled or not. */
  void flush(long nowNanos) {
    while (queue.hasIncomplete()) {
      long position = queue.head();
      SendWork work = queue.at(position);
      queue.advanceHead();
      engine.sendFlushed(nowNanos, work, position + 1);
    }
  }
}

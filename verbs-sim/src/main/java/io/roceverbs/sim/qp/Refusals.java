package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import java.util.Locale;

/** Refuses requests for good, as an RC responder does: tells the peer, and the ULP on this side. */
final class Refusals {
  private final QueuePairEngine engine;
  private final Responder responder;
  private final ResponseSender answers;
  private final RequestSequence sequence;
  private final FaultRules faults;

  Refusals(
      QueuePairEngine engine,
      Responder responder,
      ResponseSender answers,
      RequestSequence sequence,
      FaultRules faults) {
    this.engine = engine;
    this.responder = responder;
    this.answers = answers;
    this.sequence = sequence;
    this.faults = faults;
  }

  void refuse(long nowNanos, Packet packet, Refusal refusal, String detail) {
    engine.counters().countFatalNak();
    answers.nak(packet.psn(), sequence.messageSequenceNumber(), faults.nakCode(refusal), true);
    fail(nowNanos, faults.receiveStatus(refusal), detail, refusal.event());
  }

  /** The queue pair was not given the right to be asked for an operation. */
  void refuseAccess(long nowNanos, Packet packet, String what) {
    refuse(
        nowNanos,
        packet,
        Refusal.INVALID,
        "the queue pair was not given the access flag for " + what);
  }

  /** A READ or an atomic names memory that it may not touch. */
  void refuseKey(
      long nowNanos,
      Packet packet,
      String what,
      int rkey,
      long address,
      long length,
      KeyFault fault) {
    engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
    refuse(
        nowNanos,
        packet,
        Refusal.ACCESS,
        String.format(
            Locale.ROOT,
            "the peer's %s with rkey 0x%08x, address 0x%x, length %d: %s",
            what,
            rkey,
            address,
            length,
            fault.text()));
  }

  /**
   * Rule FAULT-REPORT: a receive that was taken carries the fault; where there is none, an
   * asynchronous event does.
   */
  void fail(long nowNanos, CompletionStatus status, String detail, AsyncEventType event) {
    if (responder.hasReceive()) {
      responder.failReceive(nowNanos, status, detail);
    } else {
      engine.raiseForFault(event);
    }
    engine.responderFailed(nowNanos, detail);
  }
}

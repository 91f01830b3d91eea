package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.verbs.CompletionStatus;

/** A receiving half that never answers. */
abstract class OneWayResponder extends Responder {
  private final CompletionStatus receiveFaultStatus;

  OneWayResponder(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    super(engine, keys, receives, context);
    this.receiveFaultStatus = context.faults().receiveStatus(Refusal.RECEIVE);
  }

  /** Our own receive can't be filled: that fails the queue pair on every transport. */
  final void failOnReceive(long nowNanos, KeyFault fault) {
    String detail = "the receive can't be filled: " + receives.taken().segments().describe(fault);
    failReceive(nowNanos, receiveFaultStatus, detail);
    engine.responderFailed(nowNanos, detail);
  }
}

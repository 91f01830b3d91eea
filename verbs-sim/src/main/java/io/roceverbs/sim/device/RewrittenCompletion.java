package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.FaultTarget;
import io.roceverbs.sim.fault.VerbsFault;

/** Lets a completion say something else than what happened. */
final class RewrittenCompletion extends CompletionFault<VerbsFault.RewriteCompletion> {
  RewrittenCompletion(SimDevice device, VerbsFault.RewriteCompletion fault) {
    super(device, fault);
  }

  @Override
  FaultTarget target() {
    return fault().target();
  }

  @Override
  void take(DivertedCompletion diverted) {
    fault().change().applyTo(diverted.completion(), diverted.send(), "rewritten by " + fault());
    diverted.insert();
  }
}

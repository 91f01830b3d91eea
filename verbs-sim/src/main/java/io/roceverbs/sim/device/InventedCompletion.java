package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.FaultTarget;
import io.roceverbs.sim.fault.VerbsFault;

/** Lets a completion be followed by another for which there was no request. */
final class InventedCompletion extends CompletionFault<VerbsFault.InventCompletion> {
  InventedCompletion(SimDevice device, VerbsFault.InventCompletion fault) {
    super(device, fault);
  }

  @Override
  FaultTarget target() {
    return fault().target();
  }

  @Override
  void take(DivertedCompletion diverted) {
    diverted.insert();
    fault().change().applyTo(diverted.completion(), diverted.send(), "invented by " + fault());
    diverted.insert();
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.FaultTarget;
import io.roceverbs.sim.fault.VerbsFault;

/** A fault that does something to completions on their way to their queues. */
abstract class CompletionFault<F extends VerbsFault> extends InstalledFault<F> {
  CompletionFault(SimDevice device, F fault) {
    super(device, fault);
  }

  /** Whose completions it is about. */
  abstract FaultTarget target();

  /** Does to a completion what the fault says; nobody else puts it into its queue. */
  abstract void take(DivertedCompletion diverted);

  /** Forgets what it may hold of a queue pair that is destroyed or reset. */
  void purge(SimCompletionQueue queue, SimQueuePair queuePair) {}
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.FaultTarget;
import io.roceverbs.sim.fault.HeldCompletions;
import io.roceverbs.sim.fault.VerbsFault;
import java.util.ArrayDeque;

/** Keeps completions from their queues until somebody lets them go. */
final class CompletionHold extends CompletionFault<VerbsFault.HoldCompletions>
    implements HeldCompletions {
  /** More than this at a time mean that nobody is going to release them. */
  private static final int HELD_MAX = 1 << 20;

  private final DeviceHost host;
  private final ArrayDeque<DivertedCompletion> held = new ArrayDeque<>();

  CompletionHold(SimDevice device, VerbsFault.HoldCompletions fault) {
    super(device, fault);
    this.host = device.host();
  }

  @Override
  FaultTarget target() {
    return fault().target();
  }

  @Override
  void take(DivertedCompletion diverted) {
    if (held.size() == HELD_MAX) {
      throw new IllegalStateException(
          fault() + " holds " + HELD_MAX + " completions and nobody releases them");
    }
    held.add(diverted);
  }

  @Override
  void purge(SimCompletionQueue queue, SimQueuePair queuePair) {
    held.removeIf(diverted -> diverted.queue() == queue && diverted.queuePair() == queuePair);
  }

  @Override
  public int held() {
    host.enter();
    try {
      return held.size();
    } finally {
      host.exit();
    }
  }

  @Override
  public int release(int count) {
    if (count < 0) {
      throw new IllegalArgumentException("count " + count + " is negative");
    }
    host.enter();
    try {
      int released = Math.min(count, held.size());
      for (int i = 0; i < released; i++) {
        held.remove().insert();
      }
      return released;
    } finally {
      host.exit();
    }
  }

  @Override
  void removed() {
    while (!held.isEmpty()) {
      held.remove().insert();
    }
  }
}

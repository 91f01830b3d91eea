package io.roceverbs.sim.device;

import io.roceverbs.sim.fault.ActiveFault;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.trace.TraceEvent;
import java.util.concurrent.atomic.AtomicLong;

/** A fault with its counters. */
class InstalledFault<F extends VerbsFault> implements ActiveFault {
  private final SimDevice device;
  private final F fault;
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();

  InstalledFault(SimDevice device, F fault) {
    this.device = device;
    this.fault = fault;
  }

  /** Counts one that the fault describes. Returns whether it is meant. */
  final boolean considers() {
    return fault.occurrence().contains(seen.incrementAndGet());
  }

  /** It has hit: counts that, and tells the trace. */
  final void hit() {
    hits.incrementAndGet();
    if (device.trace().isRecording()) {
      device
          .trace()
          .record(
              new TraceEvent.Noted(
                  device.host().nanoTime(), device.name(), "injected fault " + fault));
    }
  }

  @Override
  public final F fault() {
    return fault;
  }

  @Override
  public final long seen() {
    return seen.get();
  }

  @Override
  public final long hits() {
    return hits.get();
  }

  @Override
  public final void close() {
    if (!device.host().tryEnter()) {
      return;
    }
    try {
      InjectedFaults all = device.faults();
      if (all != null) {
        all.remove(this);
        removed();
      }
    } finally {
      device.host().exit();
    }
  }

  /** It was taken out of the device. */
  void removed() {}

  @Override
  public final String toString() {
    return fault + " (seen " + seen + ", hits " + hits + ")";
  }
}

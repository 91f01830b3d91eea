package io.roceverbs.sim.device;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;

/** Reports to the trace what verbs calls, as opposed to work requests, do to keys. */
final class Keys {
  private Keys() {}

  static void changed(SimDevice device, int key, boolean valid, String cause) {
    long nowNanos = device.host().nanoTime();
    device.trace().mix(nowNanos, TracePoint.KEY_CHANGED, key, valid ? 1 : 0);
    if (device.trace().isRecording()) {
      device.trace().record(new TraceEvent.KeyChanged(nowNanos, device.name(), key, valid, cause));
    }
  }
}

package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;
import io.roceverbs.sim.fabric.impair.Verdict;

/** A frame that waits for others of its direction to overtake it, but not for ever. */
final class HeldFrame extends DeviceTimer {
  private final LinkHandler owner;
  private final Frame frame;
  private int packetsToGo;

  HeldFrame(LinkHandler owner, Frame frame, int packetsToGo, long nowNanos) {
    this.owner = owner;
    this.frame = frame;
    this.packetsToGo = packetsToGo;
    deadlineNanos(nowNanos + Verdict.HOLD_NANOS_MAX);
  }

  Frame frame() {
    return frame;
  }

  /** Notes that a frame to some port has gone. Returns whether this one is to go now. */
  boolean isReleasedBy(Port destination) {
    if (destination == frame.destination()) {
      packetsToGo--;
    }
    return packetsToGo == 0;
  }

  /** Waits no longer. */
  void cancel() {
    deadlineNanos(NEVER);
  }

  @Override
  public void expire(long nowNanos) {
    cancel();
    owner.heldTooLong(this, nowNanos);
  }
}

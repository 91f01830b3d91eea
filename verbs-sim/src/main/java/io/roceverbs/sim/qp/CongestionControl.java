package io.roceverbs.sim.qp;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.sim.wire.ExplicitCongestion;
import io.roceverbs.sim.wire.NetworkHeaders;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import org.jspecify.annotations.Nullable;

/**
 * What a queue pair does about congestion, each of three parts only if the profile has it: say that
 * its packets can be marked, tell the sender of a marked one, and slow down when told.
 */
final class CongestionControl {
  private final boolean isCapable;
  private final @Nullable NotificationPoint notification;
  private final @Nullable RateLimiter limiter;

  private CongestionControl(DeviceProfile profile) {
    this.isCapable = profile.is(WireSwitch.EcnCapability.ECT_0);
    this.notification =
        profile.is(WireSwitch.CongestionNotification.ON) ? new NotificationPoint() : null;
    this.limiter = profile.is(WireSwitch.RateControl.DCQCN) ? new RateLimiter() : null;
  }

  /** What the profile has of it; null for nothing. */
  static @Nullable CongestionControl of(DeviceProfile profile) {
    CongestionControl control = new CongestionControl(profile);
    boolean hasAny = control.isCapable || control.notification != null || control.limiter != null;
    return hasAny ? control : null;
  }

  // ---- what comes in -------------------------------------------------------------------------

  /** A packet for this queue pair has come, perhaps with a mark. */
  void received(long nowNanos, Packet packet, int sender, TransportStatistics counters) {
    if (notification != null && NotificationPoint.isMarked(packet)) {
      counters.count(TransportCounter.MARKED_PACKETS);
      notification.marked(nowNanos, packet, sender);
    }
  }

  /** A notification from the peer has come; says whether it is heeded. */
  boolean notified(long nowNanos, PortLink link) {
    if (limiter == null) {
      return false;
    }
    limiter.notified(nowNanos, link.bitsPerSecond());
    return true;
  }

  // ---- what goes out -------------------------------------------------------------------------

  /** Gives the notification that is to leave, if there is one. */
  boolean pollNotification(Packet packet, TransportStatistics counters) {
    if (notification == null || !notification.pollTransmit(packet)) {
      return false;
    }
    counters.count(TransportCounter.NOTIFICATIONS_SENT);
    return true;
  }

  /** Whether the next packet with data may leave. */
  boolean maySend(long nowNanos) {
    return limiter == null || limiter.maySend(nowNanos);
  }

  /** A packet leaves, which is complete. */
  void sent(long nowNanos, Packet packet) {
    if (isCapable) {
      // Rule ECN-CAPABLE: only what says that it can be marked is marked, and not dropped.
      NetworkHeaders network = packet.network();
      network.trafficClass(
          ExplicitCongestion.with(network.trafficClass(), ExplicitCongestion.CAPABLE_0));
    }
    if (limiter != null && (!packet.opcode().isResponse() || packet.opcode().isReadResponse())) {
      limiter.sent(nowNanos, PacketCodec.frameLength(packet));
    }
  }

  /** When a packet that was held back may leave, or {@link RequesterTimers#NEVER}. */
  long nextTimeoutNanos() {
    return limiter == null ? RequesterTimers.NEVER : limiter.blockedUntilNanos();
  }

  void handleTimeout(long nowNanos) {
    if (limiter != null) {
      limiter.handleTimeout(nowNanos);
    }
  }

  void reset() {
    if (notification != null) {
      notification.reset();
    }
    if (limiter != null) {
      limiter.reset();
    }
  }
}

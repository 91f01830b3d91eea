package io.roceverbs.sim.device;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import org.jspecify.annotations.Nullable;

/**
 * When a completion queue tells its channel of a completion: only if it is armed, once for each
 * arming, and with moderation not before enough completions or enough time have gathered.
 */
final class CompletionNotifier {
  /** What the next event waits for. */
  private enum Arming {
    NONE,
    SOLICITED,
    ANY
  }

  /** The end of the period after which an event that is held back comes in any case. */
  private final class PeriodTimer extends DeviceTimer {
    @Override
    public void expire(long nowNanos) {
      raise();
    }
  }

  private static final long NANOS_PER_MICRO = 1_000;

  private final SimCompletionQueue queue;
  private final SimDevice device;
  private final @Nullable SimCompletionChannel channel;
  private final PeriodTimer timer = new PeriodTimer();
  private Arming arming = Arming.NONE;
  private int moderationCount;
  private long moderationPeriodNanos;
  private int heldBack;
  private long firstHeldBackNanos;

  CompletionNotifier(
      SimCompletionQueue queue, SimDevice device, @Nullable SimCompletionChannel channel) {
    this.queue = queue;
    this.device = device;
    this.channel = channel;
  }

  /**
   * Rule ARM-WIDENS: arming for any completion takes the place of arming for solicited ones; the
   * reverse does not narrow it.
   */
  void arm(boolean solicitedOnly) {
    if (!solicitedOnly) {
      arming = Arming.ANY;
    } else if (arming == Arming.NONE) {
      arming = Arming.SOLICITED;
    }
  }

  /** A completion was put into the queue. */
  void completionAdded(boolean solicited) {
    boolean wanted =
        switch (arming) {
          case NONE -> false;
          case SOLICITED -> solicited;
          case ANY -> true;
        };
    if (wanted) {
      if (heldBack == 0) {
        firstHeldBackNanos = device.host().nanoTime();
      }
      heldBack++;
      raiseIfDue();
    }
  }

  /** Changes how long events are held back; one that is due by the new measure comes at once. */
  void moderate(int count, int periodMicros) {
    moderationCount = count;
    moderationPeriodNanos = periodMicros * NANOS_PER_MICRO;
    if (heldBack > 0) {
      raiseIfDue();
    }
  }

  /**
   * Rule CQ-MODERATION: the event comes at the completion that makes the count full, or when the
   * period since the first one is over.
   */
  private void raiseIfDue() {
    boolean moderated = moderationCount != 0 || moderationPeriodNanos != 0;
    boolean full = moderationCount != 0 && heldBack >= moderationCount;
    if (full || !moderated) {
      raise();
    } else {
      timer.update(
          device.host(),
          moderationPeriodNanos == 0
              ? DeviceTimer.NEVER
              : firstHeldBackNanos + moderationPeriodNanos);
    }
  }

  private void raise() {
    // Rule ARM-ONE-SHOT: the next event needs another arming.
    arming = Arming.NONE;
    stop();
    if (channel != null) {
      note();
      channel.add(queue);
    }
  }

  private void note() {
    long nowNanos = device.host().nanoTime();
    int completions = queue.unread();
    device.trace().mix(nowNanos, TracePoint.COMPLETION_EVENT, completions, queue.number());
    if (device.trace().isRecording()) {
      device
          .trace()
          .record(
              new TraceEvent.CompletionEventRaised(
                  nowNanos, device.name(), queue.number(), completions));
    }
  }

  /** Holds back nothing any more. */
  void stop() {
    heldBack = 0;
    timer.update(device.host(), DeviceTimer.NEVER);
  }
}

package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.DeviceTimer;

/**
 * The timers of all devices, kept lazily: a deadline that moves to a later time touches no queue.
 *
 * <p>An entry is a time to look at its timer again, never later than the timer's deadline. At most
 * one entry of a timer is live, the one whose time the timer remembers; others are stale and are
 * dropped when they come up. Looking at an entry doesn't move the clock.
 */
final class TimerQueue {
  private final EventQueue<DeviceTimer> entries = new EventQueue<>();

  /** Takes note of a moved deadline; one in the past counts as now. */
  void changed(DeviceTimer timer, long nowNanos) {
    long time = Math.max(timer.deadlineNanos(), nowNanos);
    if (time < timer.queuedNanos()) {
      timer.queuedNanos(time);
      entries.add(time, timer);
    }
  }

  /**
   * Finds the next deadline that has really come, and brings the queue up to date on the way.
   *
   * @param boundNanos look no further than this
   * @return the time, or {@link EventQueue#NEVER} if no timer runs out up to the bound
   */
  long nextDeadlineNanos(long boundNanos) {
    while (!entries.isEmpty() && entries.firstTimeNanos() <= boundNanos) {
      long time = entries.firstTimeNanos();
      DeviceTimer timer = entries.first();
      boolean isLive = timer.queuedNanos() == time;
      if (isLive && timer.deadlineNanos() <= time) {
        return time;
      }
      entries.removeFirst();
      if (isLive) {
        requeue(timer);
      }
    }
    return EventQueue.NEVER;
  }

  private void requeue(DeviceTimer timer) {
    long deadline = timer.deadlineNanos();
    timer.queuedNanos(deadline);
    if (deadline != DeviceTimer.NEVER) {
      entries.add(deadline, timer);
    }
  }

  /** Lets the timer that {@link #nextDeadlineNanos} found run out. */
  void expireFirst(long nowNanos) {
    DeviceTimer timer = entries.removeFirst();
    timer.queuedNanos(DeviceTimer.NEVER);
    timer.expire(nowNanos);
    changed(timer, nowNanos);
  }

  /** When to look here again: never later than the next deadline. */
  long nextLookNanos() {
    return entries.firstTimeNanos();
  }

  /** How many entries there are, stale ones included. */
  int size() {
    return entries.size();
  }
}

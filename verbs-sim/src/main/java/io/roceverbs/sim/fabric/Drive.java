package io.roceverbs.sim.fabric;

import io.netty.channel.EventLoop;

/**
 * What makes the events of a fabric happen, and by which clock: the calls of the program, in
 * virtual time, or an event loop of its own, in real time.
 */
interface Drive {
  /** The event loop of all ports. */
  EventLoop loop();

  /** The fabric's time; 0 when it is made. */
  long nanoTime();

  /**
   * Goes to the time of an event that happens now.
   *
   * @return the present time, which is later than that of an event that was kept waiting
   */
  long advanceTo(long timeNanos);

  /** Runs tasks of the loop that have their place among the events. Returns how many. */
  int runTasks();

  /** When the next such task is due, or {@link EventQueue#NEVER}. */
  long nextTaskNanos();

  /** Lets a loop that waits look again. */
  void wake();

  /**
   * Closes the ports, and then the loop. The caller does not hold the lock.
   *
   * @param closePorts what the loop's thread does last, with the lock
   */
  void close(Runnable closePorts);
}

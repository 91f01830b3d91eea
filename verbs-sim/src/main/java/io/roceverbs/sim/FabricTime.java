package io.roceverbs.sim;

/** By which clock a fabric runs. */
public enum FabricTime {
  /**
   * Time stands still until a call waits, and then jumps to the next event. A run takes as little
   * real time as possible, and equal seeds and equal calls give equal runs.
   */
  VIRTUAL,

  /**
   * Time passes by itself: an event loop of the fabric lets each event happen once its time has
   * come, while the threads of the program run, post, poll and wait at once. Latencies and timeouts
   * are what the configuration says, or longer where the machine is busy; no two runs are equal.
   *
   * <p>Posts and polls wait for nobody, and are in the trace, and in its hash, only while somebody
   * listens to it.
   *
   * <p>The fabric does not know all threads of the program, so it can't tell that what a call waits
   * for never comes. As in C, to close an object with an event that nobody acknowledges takes until
   * the thread is interrupted or the fabric is closed.
   */
  REAL
}

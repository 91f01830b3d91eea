package io.roceverbs.sim.device;

/**
 * What the ULPs of one fabric have done, and what lies ready for them.
 *
 * <p>In virtual time an empty poll lets the next event happen, and the clock jump to it. One thread
 * that polls for both ends in turn must not lose time that way: as long as a completion lies ready
 * at the other end, that end comes first. So an empty poll only lets time pass when nothing lies
 * ready anywhere, or when the same queue was found empty before and nothing was done since, as by a
 * ULP that never looks at the other queue.
 */
public final class UlpActivity {
  /** The count of calls at a look that never was. */
  static final long NEVER = -1;

  private final boolean isCounting;
  private long completionsReady;
  private long calls;

  /**
   * Makes the account of a new fabric.
   *
   * @param isRealTime whether time passes by itself, so that nothing need be counted
   */
  public UlpActivity(boolean isRealTime) {
    this.isCounting = !isRealTime;
  }

  /** Counts completions that were put into a queue, or, negative, taken out of it. */
  void completionsReady(int change) {
    if (!isCounting) {
      return;
    }
    completionsReady += change;
    assert completionsReady >= 0 : "more completions were taken than there were";
  }

  /** Counts a call that did something: a post, a modify, a poll that found something. */
  void countCall() {
    calls++;
  }

  /**
   * Whether a look that found nothing may let time pass.
   *
   * @param callsAtLastLook what {@link #calls()} was when the same place was found empty before and
   *     time stood still, or {@link #NEVER}
   */
  boolean mayLetTimePass(long callsAtLastLook) {
    return completionsReady == 0 || callsAtLastLook == calls;
  }

  /** How many completions lie in all queues of the fabric. */
  public long completionsReady() {
    return completionsReady;
  }

  /** How many calls did something so far. */
  public long calls() {
    return calls;
  }
}

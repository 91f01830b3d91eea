package io.roceverbs.sim.ulp;

/**
 * Every thread of the ULP waits, and nothing is left to happen on the fabric: what they wait for
 * does not come. The message says what each of them waits for, and what the queue pairs have not
 * completed.
 *
 * <p>This is how a deadlock between the two ends of a protocol shows itself, such as a lost credit
 * or a receive that nobody posted.
 */
public final class UlpStuckException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Reports a ULP that can't go on.
   *
   * @param report who waits for what
   */
  public UlpStuckException(String report) {
    super(report);
  }
}

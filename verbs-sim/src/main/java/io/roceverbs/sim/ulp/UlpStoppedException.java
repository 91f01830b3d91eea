package io.roceverbs.sim.ulp;

/**
 * Unwinds a ULP thread whose run has ended: another thread has failed, all are stuck, or the fabric
 * is being closed. Every call that waits throws it from then on. In real time, a call that waits
 * also throws it when its thread, one of the ULP or not, is interrupted.
 *
 * <p>A thread may clean up in {@code finally} and should not catch it. One that ends with it, or
 * with an exception caused by it, has not failed.
 */
public final class UlpStoppedException extends RuntimeException {
  private static final long serialVersionUID = 1;

  /**
   * Ends a wait.
   *
   * @param reason why the run has ended
   */
  public UlpStoppedException(String reason) {
    super(reason);
  }
}

package io.roceverbs.sim.ulp;

/**
 * A ULP thread has kept its turn for too long of real time: it blocks somewhere else than in a call
 * of the fabric, such as on a lock that another thread holds, in {@link Thread#sleep} or in I/O, or
 * it computes without end. The {@linkplain #getCause() cause} has the stack of that thread.
 *
 * <p>ULP threads run one at a time, so a wait that the fabric doesn't know of stops them all. Wait
 * with {@code fabric.await} and {@code fabric.sleep} instead.
 */
public final class UlpBlockedException extends IllegalStateException {
  private static final long serialVersionUID = 1;

  /**
   * Reports a thread that does not give its turn back.
   *
   * @param report which thread, where it is, and what to do
   * @param stack where it is, as an exception with its stack
   */
  public UlpBlockedException(String report, Throwable stack) {
    super(report, stack);
  }
}

package io.roceverbs.sim.ulp;

/**
 * A ULP thread has failed: its body threw the {@linkplain #getCause() cause}. All other ULP threads
 * of the fabric were unwound then. What they threw meanwhile, other than {@link
 * UlpStoppedException}, is suppressed in this exception.
 */
public final class UlpThreadException extends RuntimeException {
  private static final long serialVersionUID = 1;

  private final transient UlpThread thread;

  /**
   * Reports a failed thread.
   *
   * @param thread the thread
   * @param timeNanos when it failed, in virtual time
   * @param cause what its body threw
   */
  public UlpThreadException(UlpThread thread, long timeNanos, Throwable cause) {
    super(thread + " failed at " + timeNanos + " ns: " + cause, cause);
    this.thread = thread;
  }

  /**
   * Which thread failed.
   *
   * @return the thread, which is not alive any more
   */
  public UlpThread thread() {
    return thread;
  }
}

package io.roceverbs.sim.ulp;

/**
 * A thread of a ULP that runs in the time of a fabric; {@code Node.startThread} makes it.
 *
 * <p>Any thread may call any method.
 */
public interface UlpThread {
  /** {@return the name that it was started with} */
  String name();

  /** {@return the name of the node at which it was started} */
  String node();

  /** {@return whether its body has not ended yet; true from the start} */
  boolean isAlive();

  /**
   * Waits for its end, while it and all other threads of the fabric run and time passes.
   *
   * @throws IllegalStateException if it is called by the thread itself, or from inside an event
   * @throws UlpThreadException if a thread of the fabric failed, this one or another
   * @throws UlpStuckException if it never ends, since all wait and nothing is left to happen
   * @throws UlpBlockedException if a thread of the fabric does not give its turn back
   */
  void join();
}

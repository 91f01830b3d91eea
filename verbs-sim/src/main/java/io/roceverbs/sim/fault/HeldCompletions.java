package io.roceverbs.sim.fault;

/**
 * Completions that a {@link VerbsFault.HoldCompletions} keeps from their queues, in the order in
 * which they came.
 *
 * <p>Any thread may call any method.
 */
public interface HeldCompletions extends ActiveFault {
  /**
   * How many it holds now. Those of a queue pair that is closed or reset are gone.
   *
   * @return 0 or more
   */
  int held();

  /**
   * Lets the oldest of them go into their queues.
   *
   * @param count how many at most
   * @return how many there were
   */
  int release(int count);

  /** Lets all that it holds go into their queues, and holds no further ones. */
  @Override
  void close();
}

package io.roceverbs.sim.fabric.impair;

/**
 * A rule at work in a fabric.
 *
 * <p>Any thread may call any method.
 */
public interface ActiveRule extends AutoCloseable {
  /**
   * The rule.
   *
   * @return the rule as it was added
   */
  Rule rule();

  /**
   * How many packets its match considered so far: those that it describes in all but the
   * occurrence.
   *
   * @return packets since the rule was added
   */
  long seen();

  /**
   * How many of them got its verdict. Less than {@link #seen} if another rule came first.
   *
   * @return packets since the rule was added
   */
  long hits();

  /** Takes the rule out of the fabric. Again, or after the fabric was closed: no effect. */
  @Override
  void close();
}

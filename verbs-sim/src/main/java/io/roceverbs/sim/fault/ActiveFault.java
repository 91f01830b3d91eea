package io.roceverbs.sim.fault;

/**
 * A fault at work on a device.
 *
 * <p>Any thread may call any method.
 */
public interface ActiveFault extends AutoCloseable {
  /**
   * The fault.
   *
   * @return the fault as it was injected
   */
  VerbsFault fault();

  /**
   * How many calls or completions it considered so far: those that it describes in all but the
   * occurrence.
   *
   * @return since it was injected
   */
  long seen();

  /**
   * How many of them it hit. Less than {@link #seen} if another fault came first.
   *
   * @return since it was injected
   */
  long hits();

  /** Takes the fault out of the device. Again, or after the fabric was closed: no effect. */
  @Override
  void close();
}

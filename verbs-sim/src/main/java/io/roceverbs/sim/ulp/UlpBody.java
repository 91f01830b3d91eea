package io.roceverbs.sim.ulp;

/** What a ULP thread does. */
@FunctionalInterface
public interface UlpBody {
  /**
   * Runs to the end of the thread.
   *
   * @throws Exception if the thread fails; that ends the run of all threads of the fabric
   */
  void run() throws Exception;
}

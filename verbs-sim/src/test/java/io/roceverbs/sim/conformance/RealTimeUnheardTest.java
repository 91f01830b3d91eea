package io.roceverbs.sim.conformance;

/**
 * The same where nobody listens to the trace, so that posts and polls need not enter the fabric.
 */
class RealTimeUnheardTest extends RealTimeTest {
  RealTimeUnheardTest() {
    super(false);
  }
}

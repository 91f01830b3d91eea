package io.roceverbs.sim.conformance;

/**
 * Real time where nobody listens to the trace, so that posts and polls need not enter the fabric.
 */
class RealTimeUnheardTest extends RealTimeCalls {
  RealTimeUnheardTest() {
    super(false);
  }
}

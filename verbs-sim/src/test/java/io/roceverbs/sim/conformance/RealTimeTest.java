package io.roceverbs.sim.conformance;

/** Real time where somebody listens to the trace, so that posts and polls enter the fabric. */
class RealTimeTest extends RealTimeCalls {
  RealTimeTest() {
    super(true);
  }
}

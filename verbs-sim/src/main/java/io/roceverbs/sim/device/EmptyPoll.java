package io.roceverbs.sim.device;

/** What a place that a ULP polls does when it is found empty, as {@link UlpActivity} tells. */
final class EmptyPoll {
  private final DeviceHost host;
  private long callsAtLastLook = UlpActivity.NEVER;

  EmptyPoll(DeviceHost host) {
    this.host = host;
  }

  /**
   * Lets the next event of the fabric happen, unless another place comes first.
   *
   * @return whether the fabric is at its end: time could pass, and nothing was left to happen
   */
  boolean findsNothingLeft() {
    UlpActivity activity = host.activity();
    if (activity.mayLetTimePass(callsAtLastLook)) {
      callsAtLastLook = UlpActivity.NEVER;
      return !host.turn();
    }
    callsAtLastLook = activity.calls();
    return false;
  }
}

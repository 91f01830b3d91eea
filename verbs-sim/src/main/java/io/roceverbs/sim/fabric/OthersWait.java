package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;

/** Waits, in virtual time, for what others may bring, and goes on without it when none can. */
record OthersWait(UlpWait what) implements UlpWait {
  @Override
  public boolean isOver() {
    return what.isOver();
  }

  @Override
  public String describe() {
    return what.describe();
  }
}

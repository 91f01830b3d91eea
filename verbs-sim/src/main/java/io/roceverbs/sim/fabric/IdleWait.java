package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;

/** Waits, in real time, until no packet is on its way and no timer runs. */
record IdleWait(FabricCore core) implements UlpWait {
  @Override
  public boolean isOver() {
    return core.isIdle();
  }

  @Override
  public String describe() {
    return "the end of all that happens";
  }
}

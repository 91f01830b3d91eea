package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;
import java.util.function.BooleanSupplier;

/** Waits for the end of one thread or more, known to the scheduler. */
record JoinWait(String what, BooleanSupplier isEnded) implements UlpWait {
  @Override
  public boolean isOver() {
    return isEnded.getAsBoolean();
  }

  @Override
  public String describe() {
    return what;
  }
}

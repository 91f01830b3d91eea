package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;
import java.util.function.BooleanSupplier;

/**
 * Waits for a condition of the ULP. It is asked outside of the fabric's lock, as it may take locks
 * of its own.
 */
record ConditionWait(FabricLock lock, String what, BooleanSupplier condition) implements UlpWait {
  @Override
  public boolean isOver() {
    lock.exit();
    try {
      return condition.getAsBoolean();
    } finally {
      lock.enter();
    }
  }

  @Override
  public String describe() {
    return what;
  }
}

package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;

/** Waits for all threads to be unwound. */
final class EndWait implements UlpWait {
  private final Turns turns;

  EndWait(Turns turns) {
    this.turns = turns;
  }

  @Override
  public boolean isOver() {
    return turns.alive() == 0;
  }

  @Override
  public String describe() {
    return "the end of all threads";
  }
}

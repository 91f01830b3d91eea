package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.UlpWait;

/** Waits for the next event, or for the news that there is none. */
final class StepWait implements UlpWait {
  private final Turns turns;
  private final long eventsBefore;
  private boolean isAtEnd;

  StepWait(Turns turns) {
    this.turns = turns;
    this.eventsBefore = turns.events();
  }

  /** There is no next event. */
  void end() {
    isAtEnd = true;
  }

  /** Whether there was an event. */
  boolean hasHappened() {
    return turns.events() > eventsBefore;
  }

  @Override
  public boolean isOver() {
    return isAtEnd || hasHappened();
  }

  @Override
  public String describe() {
    return "the next event";
  }
}

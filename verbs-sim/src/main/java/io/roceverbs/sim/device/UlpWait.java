package io.roceverbs.sim.device;

/** What a verbs call waits for that does not return before it has come. */
public interface UlpWait {
  /**
   * Whether it has come. Asked under the fabric's lock, after each event and each time another
   * thread of the ULP has run, on any thread: it must be cheap and change nothing.
   */
  boolean isOver();

  /**
   * What is waited for, as it goes on after "waits for", such as {@code an event of the completion
   * channel of a}.
   */
  String describe();
}

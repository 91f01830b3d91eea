package io.roceverbs.sim.device;

import org.jspecify.annotations.Nullable;

/**
 * A place that a ULP polls, such as a completion queue: what happens when it is found empty, as
 * {@link UlpActivity} tells.
 */
public abstract class PolledPlace {
  /** So often a thread looks without giving way to others. */
  private static final int LOOKS_IN_A_ROW = 64;

  private final DeviceHost host;
  private long callsAtLastLook = UlpActivity.NEVER;
  private @Nullable Object lastPoller;

  /** Counted without a lock: a look that is not counted does not matter. */
  private int looksOutside;

  /**
   * Makes a place that nobody has polled yet.
   *
   * @param host whose time passes when it is found empty
   */
  protected PolledPlace(DeviceHost host) {
    this.host = host;
  }

  /**
   * Lets another thread of the ULP run, or the next event of the fabric happen, unless another
   * place comes first. The caller has entered the host once.
   */
  final void foundEmpty() {
    UlpActivity activity = host.activity();
    if (activity.mayLetTimePass(callsAtLastLook)) {
      callsAtLastLook = UlpActivity.NEVER;
      host.polledInVain(this);
    } else {
      callsAtLastLook = activity.calls();
    }
  }

  /**
   * A thread that has not entered the host saw nothing here. One that looks on and on lets other
   * threads run now and then, such as the one it waits for.
   */
  @SuppressWarnings("ThreadPriorityCheck") // there may be more threads than processors
  final void lookedInVain() {
    looksOutside++;
    if (looksOutside % LOOKS_IN_A_ROW == 0) {
      Thread.yield();
    }
  }

  /** Says that there is something to poll now. */
  final void becameReady() {
    host.readyToPoll(this);
  }

  /**
   * What is polled, as it goes on after "polls", such as {@code CompletionQueue of a with 0 of 64}.
   */
  public abstract String describe();

  /** Who polled it last and is to hear first when it becomes ready; kept by the host. */
  public final @Nullable Object lastPoller() {
    return lastPoller;
  }

  /** Notes who polls it. */
  public final void lastPoller(Object poller) {
    lastPoller = poller;
  }
}

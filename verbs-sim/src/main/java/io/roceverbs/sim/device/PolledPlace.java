package io.roceverbs.sim.device;

import org.jspecify.annotations.Nullable;

/**
 * A place that a ULP polls, such as a completion queue: what happens when it is found empty, as
 * {@link UlpActivity} tells.
 */
public abstract class PolledPlace {
  private final DeviceHost host;
  private long callsAtLastLook = UlpActivity.NEVER;
  private @Nullable Object lastPoller;

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

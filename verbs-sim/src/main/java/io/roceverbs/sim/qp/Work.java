package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * A request of a queue, whichever it is.
 *
 * @param <W> its own type
 */
public abstract class Work<W extends Work<W>> {
  private @Nullable W next;

  /** Only the two kinds of requests. */
  Work() {}

  /** The request that the same call posted behind it, while both are on their way to the queue. */
  public final @Nullable W next() {
    return next;
  }

  /** Sets what the same call has posted behind it. */
  public final void next(@Nullable W following) {
    next = following;
  }
}

package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * One queue pair's view of a shared receive queue: the queue, and the receive that it has taken.
 */
class SharedReceives implements ReceiveSource {
  /** A shared slot is free as soon as its receive is taken, so polling frees none. */
  private static final long NO_SLOT = 0;

  private @Nullable SharedReceiveEngine queue;
  private ReceiveWork held = new ReceiveWork();

  SharedReceives(@Nullable SharedReceiveEngine queue) {
    this.queue = queue;
  }

  /** The queue that receives are taken from now. */
  final SharedReceiveEngine queue() {
    SharedReceiveEngine present = queue;
    if (present == null) {
      throw new AssertionError("every request names a queue before it is looked at");
    }
    return present;
  }

  /** Turns to another queue; the receive that was taken stays. */
  final void queue(SharedReceiveEngine next) {
    queue = next;
  }

  @Override
  public final boolean isEmpty() {
    return queue().isEmpty();
  }

  @Override
  public final int size() {
    return queue().size();
  }

  @Override
  public final ReceiveWork first() {
    return queue().first();
  }

  @Override
  public final ReceiveWork take() {
    held = queue().take(held);
    return held;
  }

  @Override
  public final ReceiveWork taken() {
    return held;
  }

  @Override
  public final long finish() {
    return NO_SLOT;
  }

  @Override
  public final int domain() {
    return queue().domain();
  }

  @Override
  public final boolean isShared() {
    return true;
  }
}

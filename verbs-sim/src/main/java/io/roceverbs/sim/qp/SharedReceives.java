package io.roceverbs.sim.qp;

/**
 * One queue pair's view of a shared receive queue: the queue, and the receive that it has taken.
 */
final class SharedReceives implements ReceiveSource {
  /** A shared slot is free as soon as its receive is taken, so polling frees none. */
  private static final long NO_SLOT = 0;

  private final SharedReceiveEngine queue;
  private ReceiveWork held = new ReceiveWork();

  SharedReceives(SharedReceiveEngine queue) {
    this.queue = queue;
  }

  @Override
  public boolean isEmpty() {
    return queue.isEmpty();
  }

  @Override
  public int size() {
    return queue.size();
  }

  @Override
  public ReceiveWork first() {
    return queue.first();
  }

  @Override
  public ReceiveWork take() {
    held = queue.take(held);
    return held;
  }

  @Override
  public ReceiveWork taken() {
    return held;
  }

  @Override
  public long finish() {
    return NO_SLOT;
  }

  @Override
  public int domain() {
    return queue.domain();
  }

  @Override
  public boolean isShared() {
    return true;
  }
}

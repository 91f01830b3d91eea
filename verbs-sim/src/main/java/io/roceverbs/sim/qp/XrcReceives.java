package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import org.jspecify.annotations.Nullable;

/**
 * The receives of an XRC target: at any time those of the shared receive queue that the last
 * request named.
 */
final class XrcReceives implements ReceiveSource {
  /** A shared slot is free as soon as its receive is taken, so polling frees none. */
  private static final long NO_SLOT = 0;

  private final QueuePairOwner owner;
  private @Nullable SharedReceiveEngine queue;
  private ReceiveWork held = new ReceiveWork();

  XrcReceives(QueuePairOwner owner) {
    this.owner = owner;
  }

  /**
   * Turns to the queue that a request names.
   *
   * @param isInMessage whether the packet goes on with a message, all of which is for one queue
   * @return false if there is no such queue, or it is another one than that of the message
   */
  boolean turnTo(int number, boolean isInMessage) {
    if (isInMessage) {
      return number == queue().number() && owner.nameSharedReceiveQueue(number) == queue;
    }
    SharedReceiveEngine named = owner.nameSharedReceiveQueue(number);
    if (named == null) {
      return false;
    }
    queue = named;
    return true;
  }

  private SharedReceiveEngine queue() {
    SharedReceiveEngine named = queue;
    if (named == null) {
      throw new AssertionError("every request names a queue before it is looked at");
    }
    return named;
  }

  /** As whom the requests use keys. */
  AccessScope scope() {
    return queue().scope();
  }

  @Override
  public boolean isEmpty() {
    return queue().isEmpty();
  }

  @Override
  public int size() {
    return queue().size();
  }

  @Override
  public ReceiveWork first() {
    return queue().first();
  }

  @Override
  public ReceiveWork take() {
    held = queue().take(held);
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
    return queue().domain();
  }

  @Override
  public boolean isShared() {
    return true;
  }
}

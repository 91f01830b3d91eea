package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;

/**
 * The receives of an XRC target: at any time those of the shared receive queue that the last
 * request named.
 */
final class XrcReceives extends SharedReceives {
  private final QueuePairOwner owner;

  XrcReceives(QueuePairOwner owner) {
    super(null);
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
      return number == queue().number() && owner.nameSharedReceiveQueue(number) == queue();
    }
    SharedReceiveEngine named = owner.nameSharedReceiveQueue(number);
    if (named == null) {
      return false;
    }
    queue(named);
    return true;
  }

  /** As whom the requests use keys. */
  AccessScope scope() {
    return queue().scope();
  }
}

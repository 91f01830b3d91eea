package io.roceverbs.sim.device;

import org.jspecify.annotations.Nullable;

/**
 * The queue pairs that may have something to send, in the order of their turns. A doubly linked
 * list through the queue pairs themselves, so that standing in line costs nothing.
 */
final class TransmitLine {
  private @Nullable SimQueuePair first;
  private @Nullable SimQueuePair last;

  boolean isEmpty() {
    return first == null;
  }

  SimQueuePair first() {
    SimQueuePair queuePair = first;
    if (queuePair == null) {
      throw new AssertionError("nobody stands in line");
    }
    return queuePair;
  }

  /** Puts a queue pair at the end of the line, unless it stands in it. */
  void add(SimQueuePair queuePair) {
    if (queuePair.inLine) {
      return;
    }
    queuePair.inLine = true;
    queuePair.previousInLine = last;
    queuePair.nextInLine = null;
    if (last == null) {
      first = queuePair;
    } else {
      last.nextInLine = queuePair;
    }
    last = queuePair;
  }

  void removeFirst() {
    remove(first());
  }

  /** The first had its turn. */
  void moveFirstToEnd() {
    SimQueuePair queuePair = first();
    if (queuePair != last) {
      remove(queuePair);
      add(queuePair);
    }
  }

  void remove(SimQueuePair queuePair) {
    if (!queuePair.inLine) {
      return;
    }
    SimQueuePair before = queuePair.previousInLine;
    SimQueuePair after = queuePair.nextInLine;
    if (before == null) {
      first = after;
    } else {
      before.nextInLine = after;
    }
    if (after == null) {
      last = before;
    } else {
      after.previousInLine = before;
    }
    queuePair.inLine = false;
    queuePair.previousInLine = null;
    queuePair.nextInLine = null;
  }
}

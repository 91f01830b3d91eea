package io.roceverbs.sim.device;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.AsyncEventType.Element;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.SharedReceiveQueue;
import io.roceverbs.verbs.WorkCompletion;

/** Events and completions that are there because somebody wants them to be, without a cause. */
public final class Inventions {
  private Inventions() {}

  /** Raises an event that concerns no object of a program. */
  public static void raise(SimDevice device, AsyncEventType type) {
    switch (type.element()) {
      case PORT, DEVICE, WORK_QUEUE -> device.raise(type);
      case QUEUE_PAIR, COMPLETION_QUEUE, SHARED_RECEIVE_QUEUE -> throw wrong(type);
    }
  }

  /** Raises an event of a queue pair. */
  public static void raise(SimDevice device, AsyncEventType type, QueuePair queuePair) {
    require(type, Element.QUEUE_PAIR);
    device.own(queuePair).raise(type);
  }

  /** Raises an event of a completion queue. */
  public static void raise(SimDevice device, AsyncEventType type, CompletionQueue queue) {
    require(type, Element.COMPLETION_QUEUE);
    if (!(queue instanceof SimCompletionQueue own) || !own.isOpen() || own.device() != device) {
      throw device.foreign(queue);
    }
    own.raise(type);
  }

  /** Raises an event of a shared receive queue. */
  public static void raise(SimDevice device, AsyncEventType type, SharedReceiveQueue queue) {
    require(type, Element.SHARED_RECEIVE_QUEUE);
    if (!(queue instanceof SimSharedReceiveQueue own) || !own.isOpen() || own.device() != device) {
      throw device.foreign(queue);
    }
    own.raise(type);
  }

  /** Puts a completion into the completion queue of one side of a queue pair. */
  public static void complete(
      SimDevice device, QueuePair queuePair, boolean send, WorkCompletion completion) {
    device.own(queuePair).invent(completion, send);
  }

  private static void require(AsyncEventType type, Element element) {
    if (type.element() != element) {
      throw wrong(type);
    }
  }

  private static IllegalArgumentException wrong(AsyncEventType type) {
    return new IllegalArgumentException(
        type
            + " is an event of kind "
            + type.element()
            + "; inject it with an object of that kind");
  }
}

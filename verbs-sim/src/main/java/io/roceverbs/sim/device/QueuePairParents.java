package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.QueuePairEngine;
import io.roceverbs.sim.qp.SharedReceiveEngine;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/** What a queue pair is made from, and where its completions go. */
abstract class QueuePairParents {
  abstract SimDevice device();

  /** The context that it was made on; an XRC target has none of its own. */
  abstract SimDeviceContext context();

  abstract QueuePairType type();

  /** Its domain, which all but an XRC target have. */
  abstract SimProtectionDomain domain();

  /** Its initial attributes, which all but an XRC target have. */
  abstract QueuePairInit init();

  /** The checks of its posts, or null where nothing can be posted. */
  abstract @Nullable PostChecks newChecks();

  abstract QueuePairEngine newEngine(int number, SimQueuePair queuePair);

  /** The queue pair was made: it counts as a user of all this. */
  abstract void attach(SimQueuePair queuePair);

  /** The queue pair is destroyed. */
  abstract void detach(SimQueuePair queuePair);

  /** Removes its completions from wherever they went. */
  abstract void purge(SimQueuePair queuePair);

  /** Where completions of one side go at present, or null if they are lost. */
  abstract @Nullable SimCompletionQueue completionQueue(boolean send);

  /** Takes in what was posted to the shared receive queue that it always uses, if there is one. */
  void takeInSharedReceives() {
    // None.
  }

  /** Turns to a shared receive queue of its XRC domain, if there is one. */
  abstract @Nullable SharedReceiveEngine nameSharedReceiveQueue(int number);

  /** Tells of an event whoever is to hear of it. */
  abstract void raise(SimQueuePair queuePair, AsyncEventType type);

  final void completed(
      SimQueuePair queuePair,
      WorkCompletion completion,
      boolean send,
      boolean solicited,
      long freesUpTo) {
    SimCompletionQueue queue = completionQueue(send);
    if (queue != null) {
      queue.add(queuePair, completion, send, solicited, freesUpTo);
    }
  }
}

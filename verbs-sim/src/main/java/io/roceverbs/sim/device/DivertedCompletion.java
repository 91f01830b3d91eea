package io.roceverbs.sim.device;

import io.roceverbs.verbs.WorkCompletion;

/**
 * A completion that an injected fault has got hold of, on its way to its queue.
 *
 * @param completion a copy of its own
 */
record DivertedCompletion(
    SimCompletionQueue queue,
    SimQueuePair queuePair,
    WorkCompletion completion,
    boolean send,
    boolean solicited,
    long freesUpTo) {
  void insert() {
    queue.insert(queuePair, completion, send, solicited, freesUpTo);
  }
}

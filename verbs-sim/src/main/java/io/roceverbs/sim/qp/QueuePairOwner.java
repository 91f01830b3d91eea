package io.roceverbs.sim.qp;

import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.WorkCompletion;
import org.jspecify.annotations.Nullable;

/**
 * Where an engine's results go: the queue pair object that owns it.
 *
 * <p>An owner never calls back into the engine from these methods.
 */
public interface QueuePairOwner {
  /**
   * Takes a completion for the completion queue of one side.
   *
   * @param completion valid during the call only
   * @param send whether of the send queue
   * @param solicited whether of a receive whose message has the solicited event bit
   * @param freesUpTo the queue position before which all slots are free once this completion is
   *     polled
   */
  void completed(WorkCompletion completion, boolean send, boolean solicited, long freesUpTo);

  /**
   * Finds the shared receive queue that a request to an XRC target names. Completions of receives
   * go to its completion queue until another one is named.
   *
   * @param number 24 bits
   * @return the queue, or null if the XRC domain of the queue pair has no such one
   */
  @Nullable SharedReceiveEngine nameSharedReceiveQueue(int number);

  /** Raises an asynchronous event of the queue pair. */
  void raise(AsyncEventType type);
}

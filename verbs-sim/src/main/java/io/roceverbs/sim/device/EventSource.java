package io.roceverbs.sim.device;

import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;

/**
 * The events of one queue pair or completion queue that were fetched and not acknowledged. As long
 * as there are any, their object can't be destroyed (rule EVENT-ACKNOWLEDGE).
 */
final class EventSource {
  private int unacknowledged;

  void fetched() {
    unacknowledged++;
  }

  void acknowledged() {
    unacknowledged--;
  }

  void requireAllAcknowledged(String call) {
    if (unacknowledged != 0) {
      throw new VerbsException(
          Errno.EBUSY,
          call,
          unacknowledged
              + " asynchronous events of it were fetched and not acknowledged; call"
              + " AsyncEvent.acknowledge() on each first");
    }
  }
}

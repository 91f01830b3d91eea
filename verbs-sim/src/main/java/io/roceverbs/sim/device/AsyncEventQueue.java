package io.roceverbs.sim.device;

import io.roceverbs.verbs.AsyncEvent;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The asynchronous events of one context that nobody has fetched yet. */
final class AsyncEventQueue {
  /** A ULP that never looks at its events loses those beyond this many. */
  private static final int EVENTS_MAX = 65_536;

  private static final Logger LOG = LoggerFactory.getLogger(AsyncEventQueue.class);

  private final ArrayDeque<SimAsyncEvent> events = new ArrayDeque<>();
  private final PolledPlace place;

  AsyncEventQueue(PolledPlace place) {
    this.place = place;
  }

  void add(SimAsyncEvent event) {
    if (events.size() == EVENTS_MAX) {
      LOG.warn(
          "{} asynchronous events wait and nobody fetches them; {} is lost", EVENTS_MAX, event);
      return;
    }
    events.add(event);
    place.becameReady();
  }

  /** Nobody finds an event now. */
  void foundEmpty() {
    place.foundEmpty();
  }

  boolean isEmpty() {
    return events.isEmpty();
  }

  @Nullable AsyncEvent poll() {
    return events.isEmpty() ? null : take();
  }

  /** Takes the oldest event of a queue that has one. */
  AsyncEvent take() {
    SimAsyncEvent event = events.remove();
    event.fetched();
    return event;
  }

  /** Discards what nobody has fetched of an object that is destroyed (rule EVENTS-OF-THE-DEAD). */
  void discard(EventSource source) {
    events.removeIf(event -> event.source() == source);
  }
}

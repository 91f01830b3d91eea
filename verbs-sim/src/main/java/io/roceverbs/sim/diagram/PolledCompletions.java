package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.Polled;
import io.roceverbs.verbs.CompletionStatus;
import java.util.ArrayDeque;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Which completion each poll took. */
final class PolledCompletions {
  /** A completion polled within this time is told by its poll alone. */
  private static final long PROMPT_NANOS = 1_000;

  private record Key(
      String node, int queuePair, boolean send, long requestId, CompletionStatus status) {}

  private final IdentityHashMap<Polled, Completed> completionOfPoll = new IdentityHashMap<>();
  private final Set<Completed> promptlyPolled = Collections.newSetFromMap(new IdentityHashMap<>());

  PolledCompletions(List<TraceEvent> events) {
    Map<Key, Queue<Completed>> waiting = new HashMap<>();
    for (TraceEvent event : events) {
      if (event instanceof Completed completed) {
        waiting.computeIfAbsent(key(completed), key -> new ArrayDeque<>()).add(completed);
      } else if (event instanceof Polled polled) {
        Queue<Completed> candidates = waiting.get(key(polled));
        Completed taken = candidates == null ? null : candidates.poll();
        if (taken != null) {
          match(polled, taken);
        }
      }
    }
  }

  private static Key key(Completed event) {
    return new Key(
        event.node(), event.queuePair(), event.send(), event.requestId(), event.status());
  }

  private static Key key(Polled event) {
    return new Key(
        event.node(), event.queuePair(), event.send(), event.requestId(), event.status());
  }

  private void match(Polled polled, Completed completed) {
    completionOfPoll.put(polled, completed);
    if (polled.timeNanos() - completed.timeNanos() <= PROMPT_NANOS) {
      promptlyPolled.add(completed);
    }
  }

  /** The operation that a poll reported, or empty if its completion is not among the events. */
  String operation(Polled polled) {
    @Nullable Completed completed = completionOfPoll.get(polled);
    return completed == null ? "" : completed.operation();
  }

  /**
   * Whether a completion deserves a place of its own: it failed, or the ULP left it in its queue.
   */
  boolean isDrawn(Completed completed) {
    return completed.status() != CompletionStatus.SUCCESS || !promptlyPolled.contains(completed);
  }
}

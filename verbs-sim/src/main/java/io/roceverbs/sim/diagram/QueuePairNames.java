package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import io.roceverbs.sim.trace.TraceEvent.Posted;
import io.roceverbs.sim.trace.TraceEvent.StateChanged;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tells queue pairs apart where a node uses more than one, and keeps quiet elsewhere. */
final class QueuePairNames {
  private final Map<String, Set<Integer>> numbersOfNode = new HashMap<>();

  QueuePairNames(List<TraceEvent> events) {
    for (TraceEvent event : events) {
      if (event instanceof Posted posted) {
        add(posted.node(), posted.queuePair());
      } else if (event instanceof Completed completed) {
        add(completed.node(), completed.queuePair());
      } else if (event instanceof StateChanged changed) {
        add(changed.node(), changed.queuePair());
      } else if (event instanceof PacketSent packet) {
        add(packet.destination(), packet.queuePair());
      }
    }
  }

  private void add(String node, int queuePair) {
    numbersOfNode.computeIfAbsent(node, name -> new HashSet<>()).add(queuePair);
  }

  /** Words to put behind a label about this queue pair; empty if it is the only one of its node. */
  String suffix(String node, int queuePair) {
    Set<Integer> numbers = numbersOfNode.getOrDefault(node, Set.of());
    return numbers.size() > 1 ? " QP " + queuePair : "";
  }
}

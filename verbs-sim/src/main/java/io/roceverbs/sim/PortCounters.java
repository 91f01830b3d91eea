package io.roceverbs.sim;

import io.roceverbs.sim.fabric.PortCounter;
import io.roceverbs.sim.fabric.PortStatistics;
import io.roceverbs.sim.wire.DecodeStatus;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * What happened at a node's port so far. A snapshot.
 *
 * <p>The counterparts are files of {@code /sys/class/infiniband/<device>/ports/<n>/counters};
 * {@link #byLinuxName()} gives those that Linux has too under the names that it gives them.
 *
 * @param framesSent frames that left the node, whatever became of them
 * @param bytesSent their bytes, from the Ethernet header to the ICRC
 * @param framesReceived frames that arrived, good or not
 * @param bytesReceived their bytes
 * @param droppedByRule frames sent that a rule dropped
 * @param droppedByLoss frames sent that chance dropped
 * @param droppedQueueFull frames to this node that found the switch's queue full
 * @param droppedTooLong frames sent that were longer than the MTU of a link on their way
 * @param droppedNoRoute frames sent to an address that no node has
 * @param droppedLinkDown frames from or to this node that met its link down
 * @param delayed frames sent that an impairment delayed
 * @param held frames sent that an impairment held until the next one had gone
 * @param duplicated copies that an impairment made of frames sent
 * @param corrupted frames sent in which an impairment flipped a bit
 * @param markedByRule frames sent that a rule marked as congested
 * @param markedInQueue frames to this node that the switch's queue marked as congested
 * @param linkDowns how often its link went down
 * @param undecodable frames received that were no good packets, by what was wrong; no entry for
 *     what never happened
 */
public record PortCounters(
    long framesSent,
    long bytesSent,
    long framesReceived,
    long bytesReceived,
    long droppedByRule,
    long droppedByLoss,
    long droppedQueueFull,
    long droppedTooLong,
    long droppedNoRoute,
    long droppedLinkDown,
    long delayed,
    long held,
    long duplicated,
    long corrupted,
    long markedByRule,
    long markedInQueue,
    long linkDowns,
    Map<DecodeStatus, Long> undecodable) {
  private static final int LINUX_DATA_BYTES = 4;

  /**
   * Copies the map.
   *
   * @param framesSent as the component
   * @param bytesSent as the component
   * @param framesReceived as the component
   * @param bytesReceived as the component
   * @param droppedByRule as the component
   * @param droppedByLoss as the component
   * @param droppedQueueFull as the component
   * @param droppedTooLong as the component
   * @param droppedNoRoute as the component
   * @param droppedLinkDown as the component
   * @param delayed as the component
   * @param held as the component
   * @param duplicated as the component
   * @param corrupted as the component
   * @param markedByRule as the component
   * @param markedInQueue as the component
   * @param linkDowns as the component
   * @param undecodable as the component
   */
  public PortCounters {
    Map<DecodeStatus, Long> copy = new EnumMap<>(DecodeStatus.class);
    copy.putAll(undecodable);
    undecodable = Collections.unmodifiableMap(copy);
  }

  static PortCounters of(PortStatistics statistics) {
    return new PortCounters(
        statistics.framesSent(),
        statistics.bytesSent(),
        statistics.framesReceived(),
        statistics.bytesReceived(),
        statistics.get(PortCounter.DROPPED_BY_RULE),
        statistics.get(PortCounter.DROPPED_BY_LOSS),
        statistics.get(PortCounter.DROPPED_QUEUE_FULL),
        statistics.get(PortCounter.DROPPED_TOO_LONG),
        statistics.get(PortCounter.DROPPED_NO_ROUTE),
        statistics.get(PortCounter.DROPPED_LINK_DOWN),
        statistics.get(PortCounter.DELAYED),
        statistics.get(PortCounter.HELD),
        statistics.get(PortCounter.DUPLICATED),
        statistics.get(PortCounter.CORRUPTED),
        statistics.get(PortCounter.MARKED_BY_RULE),
        statistics.get(PortCounter.MARKED_IN_QUEUE),
        statistics.linkDowns(),
        undecodable(statistics));
  }

  /**
   * The counters that Linux has too, under the names of its files. Data is in units of four bytes
   * there.
   *
   * @return a new map from the name to the value
   */
  public Map<String, Long> byLinuxName() {
    Map<String, Long> counters = new LinkedHashMap<>();
    counters.put("port_xmit_data", bytesSent / LINUX_DATA_BYTES);
    counters.put("port_xmit_packets", framesSent);
    counters.put("port_rcv_data", bytesReceived / LINUX_DATA_BYTES);
    counters.put("port_rcv_packets", framesReceived);
    counters.put("port_rcv_errors", undecodable.values().stream().mapToLong(count -> count).sum());
    counters.put("link_downed", linkDowns);
    return counters;
  }

  private static Map<DecodeStatus, Long> undecodable(PortStatistics statistics) {
    Map<DecodeStatus, Long> counts = new EnumMap<>(DecodeStatus.class);
    for (DecodeStatus status : DecodeStatus.values()) {
      if (statistics.undecodable(status) > 0) {
        counts.put(status, statistics.undecodable(status));
      }
    }
    return counts;
  }
}

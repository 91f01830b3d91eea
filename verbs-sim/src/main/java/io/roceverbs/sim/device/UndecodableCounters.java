package io.roceverbs.sim.device;

import io.roceverbs.sim.wire.DecodeStatus;
import java.util.EnumMap;
import java.util.Map;

/** How many frames arrived that were no good packets, for each reason. */
final class UndecodableCounters {
  private final Map<DecodeStatus, Long> counts = new EnumMap<>(DecodeStatus.class);

  void add(DecodeStatus status) {
    counts.merge(status, 1L, Long::sum);
  }

  long count(DecodeStatus status) {
    return counts.getOrDefault(status, 0L);
  }
}

package io.roceverbs.sim;

import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** What a fabric found open when it was closed, and whether that was said. */
final class LeakReport {
  private static final Logger LOG = LoggerFactory.getLogger(Fabric.class);

  private final LeakCheck check;
  private boolean isReported;

  /** Read without the lock by whoever asks after the end. */
  private volatile List<Leak> leaks = List.of();

  LeakReport(LeakCheck check) {
    this.check = check;
  }

  List<Leak> leaks() {
    return leaks;
  }

  /** The fabric is closed now, with these objects open. */
  void found(List<Leak> open) {
    leaks = open;
  }

  /** Rule LEAK-REPORT: each object that is open is named, with the line that made it. */
  void report() {
    if (leaks.isEmpty() || isReported) {
      return;
    }
    isReported = true;
    switch (check) {
      case OFF -> {
        // Nobody wants to know.
      }
      case WARN -> LOG.warn("{}", LeakException.describe(leaks));
      case FAIL -> throw new LeakException(leaks);
    }
  }
}

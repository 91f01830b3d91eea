package io.roceverbs.sim;

import io.roceverbs.sim.qp.TransportStatistics;
import java.util.Arrays;
import java.util.Collections;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;

/**
 * The counters of one port, or of all ports of a device, under the names that Linux gives them, at
 * one moment. Immutable.
 *
 * @see HardwareCounter
 */
public final class HardwareCounters {
  private final Map<HardwareCounter, Long> values;

  HardwareCounters(TransportStatistics transport, long linkDowns) {
    Map<HardwareCounter, Long> read = new EnumMap<>(HardwareCounter.class);
    for (HardwareCounter counter : HardwareCounter.values()) {
      read.put(counter, counter.read(transport, linkDowns));
    }
    this.values = Collections.unmodifiableMap(read);
  }

  /**
   * The value of a counter.
   *
   * @param counter which one
   * @return how often it happened since the port was made
   */
  public long get(HardwareCounter counter) {
    return Objects.requireNonNull(values.get(counter));
  }

  /**
   * The value of a counter by its name.
   *
   * @param linuxName the name of the file, such as {@code out_of_sequence}
   * @return how often it happened since the port was made
   * @throws IllegalArgumentException if there is no such counter; the message lists all
   */
  public long get(String linuxName) {
    for (HardwareCounter counter : HardwareCounter.values()) {
      if (counter.linuxName().equals(linuxName)) {
        return get(counter);
      }
    }
    throw new IllegalArgumentException(
        "there is no counter \""
            + linuxName
            + "\"; the counters are "
            + Arrays.stream(HardwareCounter.values()).map(HardwareCounter::linuxName).toList());
  }

  /**
   * All counters that are not 0.
   *
   * @return a new map from the name to the value, in the order of {@link HardwareCounter}
   */
  public Map<String, Long> nonZero() {
    Map<String, Long> counted = new LinkedHashMap<>();
    values.forEach(
        (counter, value) -> {
          if (value != 0) {
            counted.put(counter.linuxName(), value);
          }
        });
    return counted;
  }

  /** The counters that are not 0 with their values. */
  @Override
  public String toString() {
    return nonZero().toString();
  }
}

package io.roceverbs.sim.fabric;

import io.roceverbs.sim.wire.DecodeStatus;
import java.util.EnumMap;
import java.util.Objects;

/** The counters of one port. Read and written under the fabric's lock. */
public final class PortStatistics {
  private final EnumMap<PortCounter, Count> faults = new EnumMap<>(PortCounter.class);
  private final EnumMap<DecodeStatus, Count> undecodable = new EnumMap<>(DecodeStatus.class);
  private long framesSent;
  private long bytesSent;
  private long framesReceived;
  private long linkDowns;
  private long bytesReceived;

  private static final class Count {
    private long value;
  }

  PortStatistics() {
    for (PortCounter counter : PortCounter.values()) {
      faults.put(counter, new Count());
    }
    for (DecodeStatus status : DecodeStatus.values()) {
      undecodable.put(status, new Count());
    }
  }

  /**
   * Frames that left the port.
   *
   * @return since the port was made
   */
  public long framesSent() {
    return framesSent;
  }

  /**
   * Their bytes.
   *
   * @return since the port was made
   */
  public long bytesSent() {
    return bytesSent;
  }

  /**
   * Frames that arrived at the port.
   *
   * @return since the port was made
   */
  public long framesReceived() {
    return framesReceived;
  }

  /**
   * Their bytes.
   *
   * @return since the port was made
   */
  public long bytesReceived() {
    return bytesReceived;
  }

  /**
   * How often something out of the ordinary happened.
   *
   * @param counter what
   * @return since the port was made
   */
  public long get(PortCounter counter) {
    return of(faults, counter).value;
  }

  /**
   * How many frames arrived that decoded to this status.
   *
   * @param status what was wrong
   * @return since the port was made
   */
  public long undecodable(DecodeStatus status) {
    return of(undecodable, status).value;
  }

  /**
   * How often the link went down.
   *
   * @return since the port was made
   */
  public long linkDowns() {
    return linkDowns;
  }

  void countLinkDown() {
    linkDowns++;
  }

  void sent(int bytes) {
    framesSent++;
    bytesSent += bytes;
  }

  void received(int bytes) {
    framesReceived++;
    bytesReceived += bytes;
  }

  void count(PortCounter counter) {
    of(faults, counter).value++;
  }

  void countUndecodable(DecodeStatus status) {
    of(undecodable, status).value++;
  }

  private static <K extends Enum<K>> Count of(EnumMap<K, Count> counts, K key) {
    return Objects.requireNonNull(counts.get(key));
  }
}

package io.roceverbs.sim.fabric;

/**
 * The cable between a node and the switch, in both directions. Numbers and arithmetic only: who
 * sends what and when is up to {@link LinkHandler}.
 *
 * <p>The time on the wire is that of the frame as captured: preamble, frame check sequence and
 * inter-frame gap take none.
 */
final class Link {
  /** The bandwidth of a link on which a frame takes no time. */
  static final long UNLIMITED = 0;

  private static final long BIT_NANOS_PER_SECOND = 8_000_000_000L;

  private final long latencyNanos;
  private final long bitsPerSecond;
  private final int mtuBytes;
  private final EgressQueue egress;
  private final EcnMarker marker;
  private long uplinkFreeNanos;
  private boolean isUp = true;

  Link(long latencyNanos, long bitsPerSecond, int mtuBytes, int queueBytesMax, EcnMarker marker) {
    this.latencyNanos = latencyNanos;
    this.bitsPerSecond = bitsPerSecond;
    this.mtuBytes = mtuBytes;
    this.egress = new EgressQueue(queueBytesMax);
    this.marker = marker;
  }

  long latencyNanos() {
    return latencyNanos;
  }

  /** Rule LINK-STATE: while it is down, frames are lost in both directions. */
  boolean isUp() {
    return isUp;
  }

  void isUp(boolean value) {
    isUp = value;
  }

  boolean carries(Frame frame) {
    return frame.ipLength() <= mtuBytes;
  }

  /** Whether frames take time on the wire, and so may have to wait for each other. */
  boolean isPaced() {
    return bitsPerSecond != UNLIMITED;
  }

  /** How long a frame takes on the wire, rounded up. */
  long serialisationNanos(int bytes) {
    if (!isPaced()) {
      return 0;
    }
    return (bytes * BIT_NANOS_PER_SECOND + bitsPerSecond - 1) / bitsPerSecond;
  }

  /** When the node may start its next frame. */
  long uplinkFreeNanos() {
    return uplinkFreeNanos;
  }

  void uplinkFreeNanos(long timeNanos) {
    uplinkFreeNanos = timeNanos;
  }

  /** Whether a frame that comes to the queue of the switch now is to be marked. */
  boolean isCongested(long nowNanos) {
    return marker.marks(egress.bytesWaiting(nowNanos));
  }

  /**
   * Puts a frame into the queue of the switch towards the node.
   *
   * @return when its last bit leaves the switch, or {@link EgressQueue#FULL}
   */
  long enqueueToNode(int bytes, long nowNanos) {
    return egress.offer(bytes, serialisationNanos(bytes), nowNanos);
  }
}

package io.roceverbs.sim;

import io.roceverbs.sim.fabric.impair.EcnMarking;
import io.roceverbs.verbs.PathMtu;
import java.time.Duration;

/**
 * The link between a node and the switch, the same in both directions.
 *
 * <p>A frame from one node to another takes the time on the wire and the latency of both links. The
 * switch forwards a frame once its last bit has come (store and forward), and itself takes no time.
 * The time on the wire is that of the frame as captured: preamble, frame check sequence and
 * inter-frame gap take none.
 *
 * <p>The nearest that Linux has are {@code delay} and {@code rate} of tc-netem(8), and {@code mtu}
 * of ip-link(8).
 *
 * @param latencyNanos how long a bit travels between node and switch, in nanoseconds, 0 to {@link
 *     #LATENCY_NANOS_MAX}
 * @param bitsPerSecond the bandwidth, or {@link #UNLIMITED}; at least {@link #BITS_PER_SECOND_MIN}
 * @param mtuBytes the longest IP packet, {@link #MTU_BYTES_MIN} to {@link #MTU_BYTES_MAX}; longer
 *     ones are dropped and counted
 * @param queueBytesMax how many bytes of frames the switch keeps waiting for the node before it
 *     drops the next one, 1 to {@link #QUEUE_BYTES_MAX}; without effect when the bandwidth is
 *     unlimited
 * @param marking when the switch marks frames that wait for the node; without effect when the
 *     bandwidth is unlimited
 */
public record LinkConfiguration(
    long latencyNanos, long bitsPerSecond, int mtuBytes, int queueBytesMax, EcnMarking marking) {
  /** The bandwidth of a link on which a frame takes no time. */
  public static final long UNLIMITED = 0;

  /** The longest latency: one minute. */
  public static final long LATENCY_NANOS_MAX = 60_000_000_000L;

  /** The least bandwidth: 1 kbit/s. */
  public static final long BITS_PER_SECOND_MIN = 1_000;

  /** The highest bandwidth: 10 Tbit/s. */
  public static final long BITS_PER_SECOND_MAX = 10_000_000_000_000L;

  /**
   * What is kept free below the IP MTU for headers and ICRC when the path MTU is chosen: IPv6 or
   * GRH 40, UDP 8, BTH 12, XRC 4, atomic 28, ICRC 4 bytes, the longest there are.
   *
   * <p>Source: Linux {@code include/rdma/ib_addr.h}, {@code iboe_get_mtu}.
   */
  public static final int HEADER_BYTES = 96;

  /** The least MTU: it carries a path MTU of 256 bytes. */
  public static final int MTU_BYTES_MIN = 256 + HEADER_BYTES;

  /** The largest MTU: that of an IP packet. */
  public static final int MTU_BYTES_MAX = 65_535;

  /** The largest queue: 1 GiB. */
  public static final int QUEUE_BYTES_MAX = 1 << 30;

  /**
   * 5 us to the switch, so 10 us from node to node; unlimited bandwidth; an MTU of 4200 bytes,
   * which carries a path MTU of 4096.
   */
  public static final LinkConfiguration DEFAULT =
      new LinkConfiguration(5_000, UNLIMITED, 4_200, 1 << 20, EcnMarking.NONE);

  /**
   * Checks each field.
   *
   * @param latencyNanos as the component
   * @param bitsPerSecond as the component
   * @param mtuBytes as the component
   * @param queueBytesMax as the component
   * @param marking as the component
   * @throws IllegalArgumentException if a field is outside what its description allows
   */
  public LinkConfiguration {
    checkRange("latency", latencyNanos, 0, LATENCY_NANOS_MAX, "ns");
    if (bitsPerSecond != UNLIMITED) {
      checkRange("bandwidth", bitsPerSecond, BITS_PER_SECOND_MIN, BITS_PER_SECOND_MAX, "bit/s");
    }
    checkRange("MTU", mtuBytes, MTU_BYTES_MIN, MTU_BYTES_MAX, "bytes");
    checkRange("queue limit", queueBytesMax, 1, QUEUE_BYTES_MAX, "bytes");
  }

  private static void checkRange(String what, long value, long least, long most, String unit) {
    if (value < least || value > most) {
      throw new IllegalArgumentException(
          what + " of " + value + " " + unit + " is not in " + least + " to " + most + " " + unit);
    }
  }

  /**
   * The same with another latency between node and switch.
   *
   * @param latency one way, 0 or more
   * @return a new configuration
   */
  public LinkConfiguration withLatency(Duration latency) {
    return new LinkConfiguration(
        latency.toNanos(), bitsPerSecond, mtuBytes, queueBytesMax, marking);
  }

  /**
   * The same with another bandwidth, in bits per second.
   *
   * @param bandwidthBitsPerSecond the bandwidth, or {@link #UNLIMITED}
   * @return a new configuration
   */
  public LinkConfiguration withBandwidth(long bandwidthBitsPerSecond) {
    return new LinkConfiguration(
        latencyNanos, bandwidthBitsPerSecond, mtuBytes, queueBytesMax, marking);
  }

  /**
   * The same with another IP MTU, in bytes.
   *
   * @param bytes the longest IP packet
   * @return a new configuration
   */
  public LinkConfiguration withMtu(int bytes) {
    return new LinkConfiguration(latencyNanos, bitsPerSecond, bytes, queueBytesMax, marking);
  }

  /**
   * The same with another limit of the switch's queue, in bytes.
   *
   * @param bytesMax the most bytes that wait
   * @return a new configuration
   */
  public LinkConfiguration withQueue(int bytesMax) {
    return new LinkConfiguration(latencyNanos, bitsPerSecond, mtuBytes, bytesMax, marking);
  }

  /**
   * The same with a switch that marks every frame that finds more than so many bytes waiting for
   * the node, if the frame says that it can be marked.
   *
   * @param bytes the threshold, 0 or more
   * @return a new configuration
   */
  public LinkConfiguration withEcnThreshold(int bytes) {
    return withMarking(EcnMarking.above(bytes));
  }

  /**
   * The same with a switch that marks frames that wait for the node.
   *
   * @param ecnMarking when
   * @return a new configuration
   */
  public LinkConfiguration withMarking(EcnMarking ecnMarking) {
    return new LinkConfiguration(latencyNanos, bitsPerSecond, mtuBytes, queueBytesMax, ecnMarking);
  }

  /**
   * The largest path MTU whose packets fit, headers and all.
   *
   * @return the active MTU of a device on this link
   */
  public PathMtu pathMtu() {
    return PathMtu.largestWithin(mtuBytes - HEADER_BYTES);
  }
}

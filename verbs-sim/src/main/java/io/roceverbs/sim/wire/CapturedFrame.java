package io.roceverbs.sim.wire;

/**
 * One frame of a capture file.
 *
 * <p>C counterpart: {@code struct pcap_pkthdr} of libpcap with the data that belongs to it; {@code
 * caplen} is the length of {@link #bytes()}, {@code len} is {@link #originalLength()}.
 */
public final class CapturedFrame {
  private final long number;
  private final long timestampNanos;
  private final byte[] bytes;
  private final long originalLength;

  CapturedFrame(long number, long timestampNanos, byte[] bytes, long originalLength) {
    this.number = number;
    this.timestampNanos = timestampNanos;
    this.bytes = bytes;
    this.originalLength = originalLength;
  }

  /** {@return the frame's place in the file, from 1, as capture tools number it} */
  public long number() {
    return number;
  }

  /**
   * {@return when the frame was captured, in nanoseconds since 1970; 0 if the file does not say}
   */
  public long timestampNanos() {
    return timestampNanos;
  }

  /** {@return the frame from its Ethernet header on; not a copy} */
  public byte[] bytes() {
    return bytes;
  }

  /**
   * {@return how long the frame was on the wire; more than {@link #bytes()} if the capture cut it
   * off}
   */
  public long originalLength() {
    return originalLength;
  }

  /** {@return whether the capture holds less of the frame than there was on the wire} */
  public boolean isCutOff() {
    return bytes.length < originalLength;
  }
}

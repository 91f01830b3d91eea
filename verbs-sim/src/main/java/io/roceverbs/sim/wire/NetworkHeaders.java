package io.roceverbs.sim.wire;

/**
 * The headers in front of the InfiniBand ones of a {@link Packet}: Ethernet, IPv4 or IPv6, and UDP.
 *
 * <p>They belong to their packet and are reused with it. A setter keeps only as many low bits as
 * the field has on the wire.
 */
public final class NetworkHeaders {
  private long destinationMac;
  private long sourceMac;
  private boolean ipv6;
  private long sourceHigh;
  private long sourceLow;
  private long destinationHigh;
  private long destinationLow;
  private int trafficClass;
  private int hopLimit;
  private int identification;
  private boolean dontFragment;
  private int flowLabel;
  private int sourcePort;
  private int udpChecksum;

  NetworkHeaders() {}

  void clear() {
    destinationMac = 0;
    sourceMac = 0;
    ipv6 = false;
    sourceHigh = 0;
    sourceLow = 0;
    destinationHigh = 0;
    destinationLow = 0;
    trafficClass = 0;
    hopLimit = Packet.DEFAULT_HOP_LIMIT;
    identification = 0;
    dontFragment = true;
    flowLabel = 0;
    sourcePort = 0;
    udpChecksum = 0;
  }

  /** {@return the Ethernet destination address, in the lower 48 bits} */
  public long destinationMac() {
    return destinationMac;
  }

  /**
   * Sets {@link #destinationMac()}.
   *
   * @param value the new value; bits above the lowest 48 are dropped
   * @return these headers
   */
  public NetworkHeaders destinationMac(long value) {
    destinationMac = value & 0xFFFF_FFFF_FFFFL;
    return this;
  }

  /** {@return the Ethernet source address, in the lower 48 bits} */
  public long sourceMac() {
    return sourceMac;
  }

  /**
   * Sets {@link #sourceMac()}.
   *
   * @param value the new value; bits above the lowest 48 are dropped
   * @return these headers
   */
  public NetworkHeaders sourceMac(long value) {
    sourceMac = value & 0xFFFF_FFFF_FFFFL;
    return this;
  }

  /** {@return whether the packet travels over IPv6; false means IPv4} */
  public boolean ipv6() {
    return ipv6;
  }

  /**
   * Sets {@link #ipv6()}.
   *
   * @param value true for IPv6, false for IPv4
   * @return these headers
   */
  public NetworkHeaders ipv6(boolean value) {
    ipv6 = value;
    return this;
  }

  /** {@return the upper 64 bits of the IP source address} */
  public long sourceHigh() {
    return sourceHigh;
  }

  /**
   * Sets {@link #sourceHigh()}.
   *
   * @param value the new value, all 64 bits of it
   * @return these headers
   */
  public NetworkHeaders sourceHigh(long value) {
    sourceHigh = value;
    return this;
  }

  /** {@return the lower 64 bits of the IP source address} */
  public long sourceLow() {
    return sourceLow;
  }

  /**
   * Sets {@link #sourceLow()}.
   *
   * @param value the new value, all 64 bits of it
   * @return these headers
   */
  public NetworkHeaders sourceLow(long value) {
    sourceLow = value;
    return this;
  }

  /** {@return the upper 64 bits of the IP destination address} */
  public long destinationHigh() {
    return destinationHigh;
  }

  /**
   * Sets {@link #destinationHigh()}.
   *
   * @param value the new value, all 64 bits of it
   * @return these headers
   */
  public NetworkHeaders destinationHigh(long value) {
    destinationHigh = value;
    return this;
  }

  /** {@return the lower 64 bits of the IP destination address} */
  public long destinationLow() {
    return destinationLow;
  }

  /**
   * Sets {@link #destinationLow()}.
   *
   * @param value the new value, all 64 bits of it
   * @return these headers
   */
  public NetworkHeaders destinationLow(long value) {
    destinationLow = value;
    return this;
  }

  /**
   * {@return the TOS byte of IPv4 or the traffic class of IPv6: DSCP in bits 7 to 2, ECN in bits 1
   * and 0}
   */
  public int trafficClass() {
    return trafficClass;
  }

  /**
   * Sets {@link #trafficClass()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return these headers
   */
  public NetworkHeaders trafficClass(int value) {
    trafficClass = value & 0xFF;
    return this;
  }

  /** {@return the TTL of IPv4 or the hop limit of IPv6} */
  public int hopLimit() {
    return hopLimit;
  }

  /**
   * Sets {@link #hopLimit()}.
   *
   * @param value the new value; bits above the lowest 8 are dropped
   * @return these headers
   */
  public NetworkHeaders hopLimit(int value) {
    hopLimit = value & 0xFF;
    return this;
  }

  /** {@return the identification of IPv4, 16 bits; IPv6 has none} */
  public int identification() {
    return identification;
  }

  /**
   * Sets {@link #identification()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return these headers
   */
  public NetworkHeaders identification(int value) {
    identification = value & 0xFFFF;
    return this;
  }

  /** {@return the "do not fragment" flag of IPv4; IPv6 has none} */
  public boolean dontFragment() {
    return dontFragment;
  }

  /**
   * Sets {@link #dontFragment()}.
   *
   * @param value whether it is set
   * @return these headers
   */
  public NetworkHeaders dontFragment(boolean value) {
    dontFragment = value;
    return this;
  }

  /** {@return the flow label of IPv6, 20 bits; IPv4 has none} */
  public int flowLabel() {
    return flowLabel;
  }

  /**
   * Sets {@link #flowLabel()}.
   *
   * @param value the new value; bits above the lowest 20 are dropped
   * @return these headers
   */
  public NetworkHeaders flowLabel(int value) {
    flowLabel = value & 0xF_FFFF;
    return this;
  }

  /** {@return the UDP source port; the destination port is always {@link Packet#UDP_PORT}} */
  public int sourcePort() {
    return sourcePort;
  }

  /**
   * Sets {@link #sourcePort()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return these headers
   */
  public NetworkHeaders sourcePort(int value) {
    sourcePort = value & 0xFFFF;
    return this;
  }

  /** {@return the UDP checksum as it is on the wire; 0 means that there is none} */
  public int udpChecksum() {
    return udpChecksum;
  }

  /**
   * Sets {@link #udpChecksum()}.
   *
   * @param value the new value; bits above the lowest 16 are dropped
   * @return these headers
   */
  public NetworkHeaders udpChecksum(int value) {
    udpChecksum = value & 0xFFFF;
    return this;
  }
}

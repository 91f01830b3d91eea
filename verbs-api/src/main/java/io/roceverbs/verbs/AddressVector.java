package io.roceverbs.verbs;

/**
 * The way to a peer: {@code struct ibv_ah_attr} with its {@code struct ibv_global_route}, kernel
 * {@code struct rdma_ah_attr}.
 *
 * <p>On RoCE there is always a global route, and no LID. Each {@code with...} method returns a
 * changed copy.
 *
 * <p>The constructor refuses what does not fit into the field. A value that fits and is wrong, such
 * as a port that the device does not have, is EINVAL at {@link QueuePair#modify}.
 *
 * <p>Source: ibv_create_ah(3), ibv_modify_qp(3).
 *
 * @param destination {@code dgid}: address of the peer's port
 * @param sourceGidIndex {@code sgid_index}: entry of the own port's GID table to send from, 0 to
 *     255
 * @param flowLabel {@code flow_label}: IPv6 flow label, 20 bits; on RoCEv2 it also selects the UDP
 *     source port
 * @param hopLimit {@code hop_limit}: IPv6 hop limit or IPv4 time to live, 0 to 255
 * @param trafficClass {@code traffic_class}: IPv6 traffic class or IPv4 type of service, 0 to 255
 * @param serviceLevel {@code sl}: 0 to 15; on RoCE the priority of a VLAN tag
 * @param staticRate {@code static_rate}: how fast packets may leave for this peer; RoCE devices
 *     take it and follow congestion control instead
 * @param port {@code port_num}: own port, counted from 1
 */
public record AddressVector(
    Gid destination,
    int sourceGidIndex,
    int flowLabel,
    int hopLimit,
    int trafficClass,
    int serviceLevel,
    StaticRate staticRate,
    int port) {
  private static final int DEFAULT_HOP_LIMIT = 64;
  private static final int DEFAULT_PORT = 1;
  private static final int UINT8_MAX = 0xff;
  private static final int FLOW_LABEL_MAX = 0xfffff;
  private static final int SERVICE_LEVEL_MAX = 15;

  /**
   * Checks that each number fits into its field.
   *
   * @param destination as the component
   * @param sourceGidIndex as the component
   * @param flowLabel as the component
   * @param hopLimit as the component
   * @param trafficClass as the component
   * @param serviceLevel as the component
   * @param staticRate as the component
   * @param port as the component
   * @throws IllegalArgumentException if a number does not fit; the message names it and its range
   */
  public AddressVector {
    requireFit("sourceGidIndex", sourceGidIndex, UINT8_MAX);
    requireFit("flowLabel", flowLabel, FLOW_LABEL_MAX);
    requireFit("hopLimit", hopLimit, UINT8_MAX);
    requireFit("trafficClass", trafficClass, UINT8_MAX);
    requireFit("serviceLevel", serviceLevel, SERVICE_LEVEL_MAX);
    requireFit("port", port, UINT8_MAX);
  }

  private static void requireFit(String field, int value, int max) {
    if (value < 0 || value > max) {
      throw new IllegalArgumentException(field + " is " + value + ", legal are 0 to " + max);
    }
  }

  /**
   * Makes the address of a peer with the usual defaults: GID index 0, hop limit 64, the port's own
   * rate, port 1, all else 0.
   *
   * @param destination address of the peer's port
   * @return the address vector
   */
  public static AddressVector to(Gid destination) {
    return new AddressVector(
        destination, 0, 0, DEFAULT_HOP_LIMIT, 0, 0, StaticRate.MAX, DEFAULT_PORT);
  }

  /**
   * Returns a copy with another destination.
   *
   * @param gid address of the peer's port
   * @return the changed copy
   */
  public AddressVector withDestination(Gid gid) {
    return new AddressVector(
        gid, sourceGidIndex, flowLabel, hopLimit, trafficClass, serviceLevel, staticRate, port);
  }

  /**
   * Returns a copy with another source GID index.
   *
   * @param value entry of the own port's GID table, 0 to 255
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withSourceGidIndex(int value) {
    return new AddressVector(
        destination, value, flowLabel, hopLimit, trafficClass, serviceLevel, staticRate, port);
  }

  /**
   * Returns a copy with another flow label.
   *
   * @param value 20 bits
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withFlowLabel(int value) {
    return new AddressVector(
        destination, sourceGidIndex, value, hopLimit, trafficClass, serviceLevel, staticRate, port);
  }

  /**
   * Returns a copy with another hop limit.
   *
   * @param value 0 to 255
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withHopLimit(int value) {
    return new AddressVector(
        destination,
        sourceGidIndex,
        flowLabel,
        value,
        trafficClass,
        serviceLevel,
        staticRate,
        port);
  }

  /**
   * Returns a copy with another traffic class.
   *
   * @param value 0 to 255
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withTrafficClass(int value) {
    return new AddressVector(
        destination, sourceGidIndex, flowLabel, hopLimit, value, serviceLevel, staticRate, port);
  }

  /**
   * Returns a copy with another service level.
   *
   * @param value 0 to 15
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withServiceLevel(int value) {
    return new AddressVector(
        destination, sourceGidIndex, flowLabel, hopLimit, trafficClass, value, staticRate, port);
  }

  /**
   * Returns a copy with another static rate.
   *
   * @param value the rate
   * @return the changed copy
   */
  public AddressVector withStaticRate(StaticRate value) {
    return new AddressVector(
        destination, sourceGidIndex, flowLabel, hopLimit, trafficClass, serviceLevel, value, port);
  }

  /**
   * Returns a copy with another port.
   *
   * @param value own port, counted from 1
   * @return the changed copy
   * @throws IllegalArgumentException if the value is out of range
   */
  public AddressVector withPort(int value) {
    return new AddressVector(
        destination,
        sourceGidIndex,
        flowLabel,
        hopLimit,
        trafficClass,
        serviceLevel,
        staticRate,
        value);
  }
}

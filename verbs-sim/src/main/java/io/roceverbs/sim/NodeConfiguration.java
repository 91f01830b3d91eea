package io.roceverbs.sim;

import io.roceverbs.sim.fabric.impair.Match;
import io.roceverbs.sim.profile.DeviceProfile;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import org.jspecify.annotations.Nullable;

/**
 * What is special about a node; everything that is left out, the fabric chooses.
 *
 * @param name its name, new in its fabric: 1 to {@link #NAME_LENGTH_MAX} letters a to z, digits,
 *     {@code -}, {@code _} or {@code .}, since it is part of the text form of rules
 * @param link its link; null for that of the fabric
 * @param ipv4 its IPv4 address; null for the next one of 10.0.0.1, 10.0.0.2, ...
 * @param ipv6 its IPv6 address; null for the next one of fd00::1, fd00::2, ...
 * @param profile which kind of device it has; null for that of the fabric
 * @param isPrivileged whether its programs may set a Q_Key with bit 31, as with CAP_NET_RAW
 * @param ports how many ports its device has, 1 to {@link #PORTS_MAX}; see {@link NodePort}
 */
public record NodeConfiguration(
    String name,
    @Nullable LinkConfiguration link,
    @Nullable Inet4Address ipv4,
    @Nullable Inet6Address ipv6,
    @Nullable DeviceProfile profile,
    boolean isPrivileged,
    int ports) {
  /** The most ports of a device. */
  public static final int PORTS_MAX = 8;

  /** The longest name. */
  public static final int NAME_LENGTH_MAX = 64;

  /**
   * Checks each field.
   *
   * @param name as the component
   * @param link as the component
   * @param ipv4 as the component
   * @param ipv6 as the component
   * @param profile as the component
   * @param isPrivileged as the component
   * @param ports as the component
   * @throws IllegalArgumentException if the name or the number of ports is not legal, or an address
   *     can't be that of a node
   */
  public NodeConfiguration {
    if (!Match.isNodeName(name) || name.length() > NAME_LENGTH_MAX) {
      throw new IllegalArgumentException(
          "node name \""
              + name
              + "\" is not 1 to "
              + NAME_LENGTH_MAX
              + " of letters a to z, digits, '-', '_' and '.'");
    }
    if (ports < 1 || ports > PORTS_MAX) {
      throw new IllegalArgumentException(ports + " ports are not 1 to " + PORTS_MAX);
    }
    checkUnicast(ipv4);
    checkUnicast(ipv6);
  }

  private static void checkUnicast(@Nullable InetAddress address) {
    if (address != null && (address.isMulticastAddress() || address.isAnyLocalAddress())) {
      throw new IllegalArgumentException(
          "address "
              + address.getHostAddress()
              + " can't be that of one node: it must be neither multicast nor unspecified");
    }
  }

  /**
   * A node about which only the name is special.
   *
   * @param name the name
   * @return a configuration
   */
  public static NodeConfiguration named(String name) {
    return new NodeConfiguration(name, null, null, null, null, false, 1);
  }

  /**
   * The same with a link of its own.
   *
   * @param ownLink the link
   * @return a new configuration
   */
  public NodeConfiguration withLink(LinkConfiguration ownLink) {
    return new NodeConfiguration(name, ownLink, ipv4, ipv6, profile, isPrivileged, ports);
  }

  /**
   * The same with this IPv4 address.
   *
   * @param address a unicast address, new in the fabric
   * @return a new configuration
   */
  public NodeConfiguration withIpv4(Inet4Address address) {
    return new NodeConfiguration(name, link, address, ipv6, profile, isPrivileged, ports);
  }

  /**
   * The same with this IPv6 address.
   *
   * @param address a unicast address, new in the fabric
   * @return a new configuration
   */
  public NodeConfiguration withIpv6(Inet6Address address) {
    return new NodeConfiguration(name, link, ipv4, address, profile, isPrivileged, ports);
  }

  /**
   * The same with this kind of device.
   *
   * @param kind the profile of its device
   * @return a new configuration
   */
  public NodeConfiguration withProfile(DeviceProfile kind) {
    return new NodeConfiguration(name, link, ipv4, ipv6, kind, isPrivileged, ports);
  }

  /**
   * The same with programs that may do what takes a privilege, as with CAP_NET_RAW.
   *
   * @return a new configuration
   */
  public NodeConfiguration withPrivilege() {
    return new NodeConfiguration(name, link, ipv4, ipv6, profile, true, ports);
  }

  /**
   * The same with a device of so many ports. Link and addresses of this configuration are those of
   * port 1; the other ports have a link of the same kind, and addresses that the fabric chooses:
   * port 2 of the first node has 10.1.0.1 and fd00::1:1, of the second one 10.1.0.2 and fd00::1:2.
   *
   * @param count 1 to {@link #PORTS_MAX}
   * @return a new configuration
   */
  public NodeConfiguration withPorts(int count) {
    return new NodeConfiguration(name, link, ipv4, ipv6, profile, isPrivileged, count);
  }
}

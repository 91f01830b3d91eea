package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * State of a port: {@code struct ibv_port_attr}, kernel {@code struct ib_port_attr}.
 *
 * <p>The values are those of the moment of the query. The subnet manager and its lanes, which RoCE
 * does not have, are left out.
 *
 * <p>Source: ibv_query_port(3).
 *
 * @param state {@code state}: logical state
 * @param physicalState {@code phys_state}
 * @param maxMtu {@code max_mtu}: largest MTU of the port
 * @param activeMtu {@code active_mtu}: largest MTU that works now
 * @param capabilities {@code port_cap_flags}: features; kept as an unmodifiable copy
 * @param localIdentifier {@code lid}: 16 bits; 0 for RoCE
 * @param gidTableLength {@code gid_tbl_len}: entries, also empty ones
 * @param partitionKeyTableLength {@code pkey_tbl_len}
 * @param maxMessageBytes {@code max_msg_sz}: bytes in one message
 * @param linkLayer {@code link_layer}; ETHERNET for RoCE
 * @param activeWidth {@code active_width}: lanes
 * @param activeSpeed {@code active_speed} or {@code active_speed_ex}: rate of one lane
 * @param badPartitionKeyCounter {@code bad_pkey_cntr}: packets with a wrong partition key so far
 * @param badQueueKeyCounter {@code qkey_viol_cntr}: packets with a wrong queue key so far
 */
public record PortAttributes(
    PortState state,
    PortPhysicalState physicalState,
    PathMtu maxMtu,
    PathMtu activeMtu,
    Set<PortCapability> capabilities,
    int localIdentifier,
    int gidTableLength,
    int partitionKeyTableLength,
    long maxMessageBytes,
    LinkLayer linkLayer,
    LinkWidth activeWidth,
    LinkSpeed activeSpeed,
    int badPartitionKeyCounter,
    int badQueueKeyCounter) {
  /**
   * Copies the set of capabilities.
   *
   * @param state as the component
   * @param physicalState as the component
   * @param maxMtu as the component
   * @param activeMtu as the component
   * @param capabilities as the component
   * @param localIdentifier as the component
   * @param gidTableLength as the component
   * @param partitionKeyTableLength as the component
   * @param maxMessageBytes as the component
   * @param linkLayer as the component
   * @param activeWidth as the component
   * @param activeSpeed as the component
   * @param badPartitionKeyCounter as the component
   * @param badQueueKeyCounter as the component
   */
  public PortAttributes {
    EnumSet<PortCapability> copy = EnumSet.noneOf(PortCapability.class);
    copy.addAll(capabilities);
    capabilities = Collections.unmodifiableSet(copy);
  }
}

package io.roceverbs.verbs;

/**
 * State of a port: {@code struct ibv_port_attr}, kernel {@code struct ib_port_attr}.
 *
 * <p>The values are those of the moment of the query. LIDs and the subnet manager, which RoCE does
 * not have, are left out.
 *
 * <p>Source: ibv_query_port(3).
 *
 * @param state {@code state}: logical state
 * @param physicalState {@code phys_state}
 * @param maxMtu {@code max_mtu}: largest MTU of the port
 * @param activeMtu {@code active_mtu}: largest MTU that works now
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
    int gidTableLength,
    int partitionKeyTableLength,
    long maxMessageBytes,
    LinkLayer linkLayer,
    LinkWidth activeWidth,
    LinkSpeed activeSpeed,
    int badPartitionKeyCounter,
    int badQueueKeyCounter) {}

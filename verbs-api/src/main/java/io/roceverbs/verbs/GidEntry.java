package io.roceverbs.verbs;

/**
 * An entry of the GID table of a port: {@code struct ibv_gid_entry}.
 *
 * <p>Source: ibv_query_gid_ex(3).
 *
 * @param gid {@code gid}: the address
 * @param index {@code gid_index}: its index in the table, counted from 0
 * @param port {@code port_num}: the port, counted from 1
 * @param type {@code gid_type}: the packets that are sent from it
 * @param interfaceIndex {@code ndev_ifindex}: the network interface that has the address, 0 if none
 */
public record GidEntry(Gid gid, int index, int port, GidType type, int interfaceIndex) {}

package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Limits and features of a device: {@code struct ibv_device_attr}, kernel {@code struct
 * ib_device_attr}.
 *
 * <p>A limit says what one object may ask for, not that all objects can have it at once.
 *
 * <p>Source: ibv_query_device(3), ibv_query_device_ex(3).
 *
 * @param firmwareVersion {@code fw_ver}: version of the device, as text
 * @param nodeGuid {@code node_guid}: 64 bits, as {@link Device#guid()}
 * @param vendorId {@code vendor_id}: number of the maker
 * @param maxMemoryRegionBytes {@code max_mr_size}: bytes in one region, unsigned
 * @param maxQueuePairs {@code max_qp}
 * @param maxQueuePairRequests {@code max_qp_wr}: outstanding requests in one send or receive queue
 * @param maxSegments {@code max_sge}: segments in one send request or receive
 * @param maxReadSegments {@code max_sge_rd}: segments in one READ
 * @param maxCompletionQueues {@code max_cq}
 * @param maxCompletionQueueEntries {@code max_cqe}: completions in one queue
 * @param maxMemoryRegions {@code max_mr}
 * @param maxMemoryWindows {@code max_mw}
 * @param maxProtectionDomains {@code max_pd}
 * @param maxReadAtomicPerQueuePair {@code max_qp_rd_atom}: READ and atomic requests of the peer
 *     that one queue pair can hold
 * @param maxInitiatorReadAtomicPerQueuePair {@code max_qp_init_rd_atom}: READ and atomic requests
 *     in flight from one queue pair
 * @param maxReadAtomicResources {@code max_res_rd_atom}: READ and atomic requests of peers that all
 *     queue pairs together can hold
 * @param atomicCapability {@code atomic_cap}: against whom atomics are atomic
 * @param maxFastRegistrationPages kernel {@code max_fast_reg_page_list_len}: pages in one fast
 *     registration
 * @param maxDeviceMemoryBytes {@code max_dm_size}: bytes of memory in the device itself
 * @param maxPartitionKeys {@code max_pkeys}: partition keys of one port
 * @param localAckDelay {@code local_ca_ack_delay}: code of the time to answer, 4.096 us * 2^code
 * @param physicalPorts {@code phys_port_cnt}: number of ports, counted from 1
 * @param capabilities {@code device_cap_flags} and {@code device_cap_flags_ex}: features; kept as
 *     an unmodifiable copy
 */
public record DeviceAttributes(
    String firmwareVersion,
    long nodeGuid,
    int vendorId,
    long maxMemoryRegionBytes,
    int maxQueuePairs,
    int maxQueuePairRequests,
    int maxSegments,
    int maxReadSegments,
    int maxCompletionQueues,
    int maxCompletionQueueEntries,
    int maxMemoryRegions,
    int maxMemoryWindows,
    int maxProtectionDomains,
    int maxReadAtomicPerQueuePair,
    int maxInitiatorReadAtomicPerQueuePair,
    int maxReadAtomicResources,
    AtomicCapability atomicCapability,
    int maxFastRegistrationPages,
    long maxDeviceMemoryBytes,
    int maxPartitionKeys,
    int localAckDelay,
    int physicalPorts,
    Set<DeviceCapability> capabilities) {
  /**
   * Copies the set of capabilities.
   *
   * @param firmwareVersion as the component
   * @param nodeGuid as the component
   * @param vendorId as the component
   * @param maxMemoryRegionBytes as the component
   * @param maxQueuePairs as the component
   * @param maxQueuePairRequests as the component
   * @param maxSegments as the component
   * @param maxReadSegments as the component
   * @param maxCompletionQueues as the component
   * @param maxCompletionQueueEntries as the component
   * @param maxMemoryRegions as the component
   * @param maxMemoryWindows as the component
   * @param maxProtectionDomains as the component
   * @param maxReadAtomicPerQueuePair as the component
   * @param maxInitiatorReadAtomicPerQueuePair as the component
   * @param maxReadAtomicResources as the component
   * @param atomicCapability as the component
   * @param maxFastRegistrationPages as the component
   * @param maxDeviceMemoryBytes as the component
   * @param maxPartitionKeys as the component
   * @param localAckDelay as the component
   * @param physicalPorts as the component
   * @param capabilities as the component
   */
  public DeviceAttributes {
    EnumSet<DeviceCapability> copy = EnumSet.noneOf(DeviceCapability.class);
    copy.addAll(capabilities);
    capabilities = Collections.unmodifiableSet(copy);
  }
}

package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Limits and features of a device: {@code struct ibv_device_attr} and {@code struct
 * ibv_device_attr_ex}, kernel {@code struct ib_device_attr}.
 *
 * <p>A limit says what one object may ask for, not that all objects can have it at once. What
 * belongs to reliable datagrams, raw packets and FMRs, which nobody has any more or which RoCE does
 * not have, is left out.
 *
 * <p>Source: ibv_query_device(3), ibv_query_device_ex(3).
 *
 * @param firmwareVersion {@code fw_ver}: version of the device, as text
 * @param nodeGuid {@code node_guid}: 64 bits, as {@link Device#guid()}
 * @param systemImageGuid {@code sys_image_guid}: 64 bits, the same for all devices of one board
 * @param vendorId {@code vendor_id}: number of the maker
 * @param vendorPartId {@code vendor_part_id}: the maker's number of the model
 * @param hardwareVersion {@code hw_ver}
 * @param maxMemoryRegionBytes {@code max_mr_size}: bytes in one region, unsigned
 * @param pageSizes {@code page_size_cap}: a bit for each page size that a region may have
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
 * @param maxMulticastGroups {@code max_mcast_grp}
 * @param maxMulticastAttachmentsPerGroup {@code max_mcast_qp_attach}: queue pairs in one group
 * @param maxMulticastAttachments {@code max_total_mcast_qp_attach}: queue pairs in all groups
 *     together
 * @param maxAddressHandles {@code max_ah}
 * @param maxSharedReceiveQueues {@code max_srq}
 * @param maxSharedReceiveRequests {@code max_srq_wr}: outstanding requests in one shared receive
 *     queue
 * @param maxSharedReceiveSegments {@code max_srq_sge}: segments in one receive of such a queue
 * @param maxFastRegistrationPages kernel {@code max_fast_reg_page_list_len}: pages in one fast
 *     registration
 * @param maxDeviceMemoryBytes {@code max_dm_size}: bytes of memory in the device itself
 * @param maxPartitionKeys {@code max_pkeys}: partition keys of one port
 * @param localAckDelay {@code local_ca_ack_delay}: code of the time to answer, 4.096 us * 2^code
 * @param physicalPorts {@code phys_port_cnt_ex}: number of ports, counted from 1; {@code
 *     phys_port_cnt} has only 8 bits and ends at 255
 * @param completionVectors {@code num_comp_vectors} of {@code struct ibv_context}: what completion
 *     events can be spread over
 * @param completionTimestampMask {@code completion_timestamp_mask}: the bits of a completion's time
 *     stamp that count, 0 without time stamps
 * @param clockKilohertz {@code hca_core_clock}: how fast the clock of the time stamps runs, 0
 *     without time stamps
 * @param capabilities {@code device_cap_flags} and {@code device_cap_flags_ex}: features; kept as
 *     an unmodifiable copy
 */
public record DeviceAttributes(
    String firmwareVersion,
    long nodeGuid,
    long systemImageGuid,
    int vendorId,
    int vendorPartId,
    int hardwareVersion,
    long maxMemoryRegionBytes,
    long pageSizes,
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
    int maxMulticastGroups,
    int maxMulticastAttachmentsPerGroup,
    int maxMulticastAttachments,
    int maxAddressHandles,
    int maxSharedReceiveQueues,
    int maxSharedReceiveRequests,
    int maxSharedReceiveSegments,
    int maxFastRegistrationPages,
    long maxDeviceMemoryBytes,
    int maxPartitionKeys,
    int localAckDelay,
    int physicalPorts,
    int completionVectors,
    long completionTimestampMask,
    long clockKilohertz,
    Set<DeviceCapability> capabilities) {
  /**
   * Copies the set of capabilities.
   *
   * @param firmwareVersion as the component
   * @param nodeGuid as the component
   * @param systemImageGuid as the component
   * @param vendorId as the component
   * @param vendorPartId as the component
   * @param hardwareVersion as the component
   * @param maxMemoryRegionBytes as the component
   * @param pageSizes as the component
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
   * @param maxMulticastGroups as the component
   * @param maxMulticastAttachmentsPerGroup as the component
   * @param maxMulticastAttachments as the component
   * @param maxAddressHandles as the component
   * @param maxSharedReceiveQueues as the component
   * @param maxSharedReceiveRequests as the component
   * @param maxSharedReceiveSegments as the component
   * @param maxFastRegistrationPages as the component
   * @param maxDeviceMemoryBytes as the component
   * @param maxPartitionKeys as the component
   * @param localAckDelay as the component
   * @param physicalPorts as the component
   * @param completionVectors as the component
   * @param completionTimestampMask as the component
   * @param clockKilohertz as the component
   * @param capabilities as the component
   */
  public DeviceAttributes {
    EnumSet<DeviceCapability> copy = EnumSet.noneOf(DeviceCapability.class);
    copy.addAll(capabilities);
    capabilities = Collections.unmodifiableSet(copy);
  }
}

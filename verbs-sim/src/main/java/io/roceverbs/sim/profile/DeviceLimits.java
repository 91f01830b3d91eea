package io.roceverbs.sim.profile;

import io.roceverbs.verbs.PathMtu;

/**
 * How much a device offers: the limits of {@code struct ibv_device_attr}.
 *
 * @param maxQueuePairs {@code max_qp}
 * @param maxQueuePairRequests {@code max_qp_wr}: requests in one send or receive queue
 * @param maxSegments {@code max_sge}: segments in one request
 * @param maxInlineBytes largest sum of inline data that a queue pair can be created with
 * @param maxCompletionQueues {@code max_cq}
 * @param maxCompletionQueueEntries {@code max_cqe}: completions in one queue
 * @param maxMemoryRegions {@code max_mr}
 * @param maxMemoryWindows {@code max_mw}
 * @param maxProtectionDomains {@code max_pd}
 * @param maxReadAtomic READs and atomics in flight for each queue pair, on either side
 * @param maxFastRegistrationPages {@code max_fast_reg_page_list_len}
 * @param maxSharedReceiveQueues {@code max_srq}
 * @param maxSharedReceiveRequests {@code max_srq_wr}: requests in one shared receive queue
 * @param maxSharedReceiveSegments {@code max_srq_sge}
 * @param maxAddressHandles {@code max_ah}
 * @param maxMulticastGroups {@code max_mcast_grp}
 * @param maxMulticastAttachments {@code max_mcast_qp_attach}: queue pairs in one group
 * @param maxDeviceMemoryBytes {@code max_dm_size}
 * @param completionVectors {@code num_comp_vectors}
 * @param maxMtu {@code max_mtu} of a port
 * @param localAckDelay {@code local_ca_ack_delay}: a code, 4.096 us * 2^code
 */
public record DeviceLimits(
    int maxQueuePairs,
    int maxQueuePairRequests,
    int maxSegments,
    int maxInlineBytes,
    int maxCompletionQueues,
    int maxCompletionQueueEntries,
    int maxMemoryRegions,
    int maxMemoryWindows,
    int maxProtectionDomains,
    int maxReadAtomic,
    int maxFastRegistrationPages,
    int maxSharedReceiveQueues,
    int maxSharedReceiveRequests,
    int maxSharedReceiveSegments,
    int maxAddressHandles,
    int maxMulticastGroups,
    int maxMulticastAttachments,
    int maxDeviceMemoryBytes,
    int completionVectors,
    PathMtu maxMtu,
    int localAckDelay) {
  /** Largest message in bytes, for every transport. */
  public static final long MESSAGE_BYTES_MAX = 1L << 31;

  /** The limits of Soft-RoCE, which every profile begins with. */
  static final DeviceLimits SOFTWARE =
      new DeviceLimits(
          (1 << 20) - 16,
          1 << 20,
          32,
          512,
          1 << 20,
          32_767,
          0x8_0000 - 1,
          0x7_FFFF,
          1 << 20,
          128,
          512,
          (1 << 20) - 0x2_0001,
          1 << 20,
          27,
          32_767,
          8_192,
          56,
          1 << 17,
          4,
          PathMtu.MTU_4096,
          15);
}

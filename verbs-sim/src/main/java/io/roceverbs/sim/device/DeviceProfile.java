package io.roceverbs.sim.device;

import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.PathMtu;
import java.util.EnumSet;
import java.util.Set;

/**
 * The limits and capabilities of a kind of device. They live here and nowhere else.
 *
 * @param maxInlineBytes largest sum of inline data that a queue pair can be created with
 * @param maxReadAtomic READs and atomics in flight for each queue pair, on either side
 */
public record DeviceProfile(
    int maxQueuePairs,
    int maxQueuePairRequests,
    int maxSegments,
    int maxInlineBytes,
    int maxCompletionQueues,
    int maxCompletionQueueEntries,
    int maxMemoryRegions,
    int maxProtectionDomains,
    int maxReadAtomic,
    int maxFastRegistrationPages,
    PathMtu maxMtu,
    int localAckDelay,
    Set<DeviceCapability> capabilities) {
  /** Largest message in bytes, for every transport. */
  public static final long MESSAGE_BYTES_MAX = 1L << 31;

  /** Copies the set. */
  public DeviceProfile {
    capabilities = Set.copyOf(capabilities);
  }

  /** The default device: what the rules say, with limits as a software device has them. */
  public static DeviceProfile strict() {
    return new DeviceProfile(
        (1 << 20) - 16,
        1 << 20,
        32,
        512,
        1 << 20,
        32_767,
        0x7_FFFF,
        1 << 20,
        128,
        512,
        PathMtu.MTU_4096,
        15,
        EnumSet.of(
            DeviceCapability.BAD_PKEY_CNTR,
            DeviceCapability.CURR_QP_STATE_MOD,
            DeviceCapability.RC_RNR_NAK_GEN,
            DeviceCapability.MEM_MGT_EXTENSIONS));
  }
}

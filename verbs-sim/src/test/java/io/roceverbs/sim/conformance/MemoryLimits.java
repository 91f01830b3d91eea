package io.roceverbs.sim.conformance;

import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.DeviceProfile;

/** Devices with few regions and windows and little memory of their own, and else as strict. */
final class MemoryLimits {
  private MemoryLimits() {}

  static DeviceProfile of(int regions, int windows, int deviceMemoryBytes) {
    DeviceLimits limits = DeviceProfile.strict().limits();
    return DeviceProfile.strict()
        .withLimits(
            new DeviceLimits(
                limits.maxQueuePairs(),
                limits.maxQueuePairRequests(),
                limits.maxSegments(),
                limits.maxInlineBytes(),
                limits.maxCompletionQueues(),
                limits.maxCompletionQueueEntries(),
                regions,
                windows,
                limits.maxProtectionDomains(),
                limits.maxReadAtomic(),
                limits.maxFastRegistrationPages(),
                limits.maxSharedReceiveQueues(),
                limits.maxSharedReceiveRequests(),
                limits.maxSharedReceiveSegments(),
                limits.maxAddressHandles(),
                limits.maxMulticastGroups(),
                limits.maxMulticastAttachments(),
                deviceMemoryBytes,
                limits.completionVectors(),
                limits.maxMtu(),
                limits.localAckDelay()));
  }
}

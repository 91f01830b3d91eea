package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.qp.TransportCounter;
import io.roceverbs.verbs.AtomicCapability;
import io.roceverbs.verbs.DeviceAttributes;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.GidType;
import io.roceverbs.verbs.LinkLayer;
import io.roceverbs.verbs.PortAttributes;
import io.roceverbs.verbs.PortCapability;
import io.roceverbs.verbs.PortPhysicalState;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** What a device says of itself and of its ports. */
final class DeviceQueries {
  private static final int VENDOR_ID = 0xFF_FFFF;

  /** Every size from 4 KiB to 2 GiB. */
  private static final long PAGE_SIZES = 0xFFFF_F000L;

  private static final int MULTICAST_ATTACHMENTS_MAX = 0x7_0000;

  /** Time stamps are fabric time, in ns, and use all 64 bits. */
  private static final long TIMESTAMP_MASK = -1;

  private static final long CLOCK_KILOHERTZ = 1_000_000;

  /** More than any buffer: 2^64 - 1. */
  private static final long MEMORY_REGION_BYTES_MAX = -1;

  private static final int READ_ATOMIC_RESOURCES_MAX = 0x3_F000;

  /** How many the device could hold; the table of a port has one. */
  private static final int PARTITION_KEYS_MAX = 64;

  private DeviceQueries() {}

  static DeviceAttributes attributes(SimDevice device) {
    DeviceLimits limits = device.limits();
    return new DeviceAttributes(
        "simulated",
        device.guid(),
        device.guid(),
        VENDOR_ID,
        0,
        0,
        MEMORY_REGION_BYTES_MAX,
        PAGE_SIZES,
        limits.maxQueuePairs(),
        limits.maxQueuePairRequests(),
        limits.maxSegments(),
        limits.maxSegments(),
        limits.maxCompletionQueues(),
        limits.maxCompletionQueueEntries(),
        limits.maxMemoryRegions(),
        limits.maxMemoryWindows(),
        limits.maxProtectionDomains(),
        limits.maxReadAtomic(),
        limits.maxReadAtomic(),
        READ_ATOMIC_RESOURCES_MAX,
        AtomicCapability.HCA,
        limits.maxMulticastGroups(),
        limits.maxMulticastAttachments(),
        MULTICAST_ATTACHMENTS_MAX,
        limits.maxAddressHandles(),
        limits.maxSharedReceiveQueues(),
        limits.maxSharedReceiveRequests(),
        limits.maxSharedReceiveSegments(),
        limits.maxFastRegistrationPages(),
        limits.maxDeviceMemoryBytes(),
        PARTITION_KEYS_MAX,
        limits.localAckDelay(),
        device.ports().size(),
        limits.completionVectors(),
        TIMESTAMP_MASK,
        CLOCK_KILOHERTZ,
        device.profile().capabilities());
  }

  static PortAttributes port(SimDevice device, DevicePort port) {
    boolean isUp = port.isLinkUp();
    PortRate rate = PortRate.of(port.identity().bitsPerSecond());
    return new PortAttributes(
        isUp ? PortState.ACTIVE : PortState.DOWN,
        isUp ? PortPhysicalState.LINK_UP : PortPhysicalState.DISABLED,
        device.limits().maxMtu(),
        port.identity().activeMtu(),
        Set.of(PortCapability.CM_SUP),
        0,
        GidTable.LENGTH,
        1,
        DeviceLimits.MESSAGE_BYTES_MAX,
        LinkLayer.ETHERNET,
        rate.width(),
        rate.speed(),
        (int) port.counters().get(TransportCounter.DROPPED_PARTITION_KEY),
        (int) port.counters().get(TransportCounter.DROPPED_QUEUE_KEY));
  }

  /** The rate of a port over all lanes, in units of 100 Mbit/s. */
  static long portSpeed(DevicePort port) {
    return PortRate.of(port.identity().bitsPerSecond()).units();
  }

  /** An entry of the GID table; each port is a network interface. */
  static GidEntry gidEntry(Gid gid, int port, int index) {
    return new GidEntry(gid, index, port, GidType.ROCE_V2, port);
  }

  /**
   * Copies the entries of all ports that are not empty, in their order, and says how many there
   * are.
   */
  static int gidTable(String call, List<DevicePort> ports, GidEntry[] entries) {
    List<GidEntry> used = new ArrayList<>();
    for (DevicePort port : ports) {
      for (int index = 0; index < GidTable.LENGTH; index++) {
        Gid gid = port.gids().find(index);
        if (gid != null) {
          used.add(gidEntry(gid, port.number(), index));
        }
      }
    }
    if (entries.length < used.size()) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "the table has " + used.size() + " entries, the array has room for " + entries.length);
    }
    for (int i = 0; i < used.size(); i++) {
      entries[i] = used.get(i);
    }
    return used.size();
  }
}

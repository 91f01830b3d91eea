package io.roceverbs.sim.device;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.verbs.QueuePairCapacities;

/** How many entries a queue gets of which a number was asked for (rule CAPACITY-EXACT). */
final class CapacityRounding {
  private CapacityRounding() {}

  /** The entries of a queue, never more than the device offers. */
  static int entries(DeviceProfile profile, int wanted, int max) {
    if (wanted == 0) {
      return 0;
    }
    int given =
        switch (profile.get(PostingSwitch.CapacityRounding.class)) {
          case NONE -> wanted;
          case UP_TO_POWER_LESS_ONE -> (Integer.highestOneBit(wanted) << 1) - 1;
          case UP_TO_POWER -> Integer.highestOneBit(2 * wanted - 1);
        };
    return Math.min(given, max);
  }

  /** The capacities of a queue pair. */
  static QueuePairCapacities of(DeviceProfile profile, QueuePairCapacities wanted) {
    int max = profile.limits().maxQueuePairRequests();
    return new QueuePairCapacities(
        entries(profile, wanted.maxSendRequests(), max),
        entries(profile, wanted.maxReceiveRequests(), max),
        wanted.maxSendSegments(),
        wanted.maxReceiveSegments(),
        wanted.maxInlineBytes());
  }
}

package io.roceverbs.sim.conformance;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ProfileSwitch;

/** Connected devices that are strict but for some switches. */
final class Switched {
  private Switched() {}

  static Pair pair(ProfileSwitch... values) {
    return pair(DeviceProfile.strict().with(values), Pair.setup());
  }

  static Pair pair(DeviceProfile profile, ConnectionSetup setup) {
    Pair pair =
        Pair.unconnected(Fabric.builder().profile(profile).build(), init -> init.withInline(64));
    pair.connect(setup, setup);
    return pair;
  }

  static RawPeer peer(ProfileSwitch... values) {
    return RawPeer.connected(Pair.setup(), DeviceProfile.strict().with(values));
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.VerbsException;

/** What can be wrong with an address vector, of a queue pair as of an address handle. */
final class AddressChecks {
  private static final int PORT = 1;

  private AddressChecks() {}

  /** Refuses an address vector that leads nowhere from this device. */
  static void check(String call, AddressVector vector, SimDevice device) {
    if (vector.port() != PORT) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "the address vector's port " + vector.port() + " does not exist; the device has port 1");
    }
    Gid source = device.gids().requireSource(call, vector.sourceGidIndex());
    if (source.isIpv4Mapped() != vector.destination().isIpv4Mapped()) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "source GID "
              + source
              + " and destination GID "
              + vector.destination()
              + " are of different IP versions");
    }
  }
}

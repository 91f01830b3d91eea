package io.roceverbs.sim.device;

import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.VerbsException;

/** What can be wrong with an address vector, of a queue pair as of an address handle. */
final class AddressChecks {
  private AddressChecks() {}

  /**
   * Refuses an address vector that leads nowhere from this device.
   *
   * @return the address that it names as the source
   */
  static Gid check(String call, AddressVector vector, SimDevice device) {
    checkPort(call, vector.port(), device);
    Gid source = device.port(vector.port()).gids().requireSource(call, vector.sourceGidIndex());
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
    return source;
  }

  /** Refuses a port that the device does not have. */
  static void checkPort(String call, int port, SimDevice device) {
    if (!device.hasPort(port)) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          "the address vector's port "
              + port
              + " does not exist; the device has "
              + device.describePorts());
    }
  }
}

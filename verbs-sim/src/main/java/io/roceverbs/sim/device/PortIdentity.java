package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.PortLink;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.PathMtu;
import java.util.List;

/**
 * Who one port of a device is on its fabric.
 *
 * @param gids what its GID table begins with; index 0 is its IPv4 address
 * @param activeMtu the largest path MTU that its link carries
 * @param bitsPerSecond the bandwidth of its link; 0 for one on which a frame takes no time
 */
public record PortIdentity(List<Gid> gids, PathMtu activeMtu, long bitsPerSecond) {
  /** Copies the table. */
  public PortIdentity {
    gids = List.copyOf(gids);
  }

  /** Its link, as the engines see it: one without a limit has the rate that the port announces. */
  PortLink link() {
    return new PortLink(
        activeMtu.bytes(), bitsPerSecond == 0 ? PortRate.UNLIMITED.bitsPerSecond() : bitsPerSecond);
  }
}

package io.roceverbs.sim;

import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.sim.fabric.Port;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.verbs.Gid;
import java.util.List;

/**
 * One port of the device of a {@link Node}: a link to the switch and addresses of its own.
 *
 * <p>In rules and reports port 1 has the name of its node, and port 2 of node {@code target} is
 * called {@code target.2}: {@code drop:target.2>host/ACK#1}. A sequence diagram shows the packets
 * of a port on a lane of that name.
 *
 * <p>Any thread may call any method. Each throws {@link IllegalStateException} once the fabric is
 * closed, but {@link #number()}, {@link #gid()} and {@link #ipv6Gid()}.
 */
public final class NodePort {
  private final FabricCore core;
  private final NodeFactory nodes;
  private final Node node;
  private final int number;
  private final Port port;
  private final List<Gid> gids;
  private final TransportStatistics transport;

  NodePort(
      FabricCore core,
      NodeFactory nodes,
      Node node,
      int number,
      Port port,
      List<Gid> gids,
      TransportStatistics transport) {
    this.core = core;
    this.nodes = nodes;
    this.node = node;
    this.number = number;
    this.port = port;
    this.gids = gids;
    this.transport = transport;
  }

  /**
   * Its number, as verbs name it.
   *
   * @return counted from 1
   */
  public int number() {
    return number;
  }

  /**
   * The GID of its IPv4 address; at index 0 of its GID table.
   *
   * @return the address as {@code ::ffff:a.b.c.d}
   */
  public Gid gid() {
    return gids.get(0);
  }

  /**
   * The GID of its IPv6 address; at index 1 of its GID table.
   *
   * @return the address
   */
  public Gid ipv6Gid() {
    return gids.get(1);
  }

  /**
   * What happened at it so far.
   *
   * @return a snapshot
   */
  public PortCounters counters() {
    core.enter();
    try {
      return PortCounters.of(port.statistics());
    } finally {
      core.exit();
    }
  }

  /**
   * What the queue pairs at it have counted so far, each while it was there. What a queue pair
   * counted before it came from another port stays with that port.
   *
   * @return a snapshot
   */
  public TransportCounters transport() {
    core.enter();
    try {
      return TransportCounters.of(transport);
    } finally {
      core.exit();
    }
  }

  /**
   * Its counters under the names that Linux gives them.
   *
   * @return a snapshot
   */
  public HardwareCounters hardwareCounters() {
    core.enter();
    try {
      return new HardwareCounters(transport, port.statistics().linkDowns());
    } finally {
      core.exit();
    }
  }

  /**
   * Takes its link down: PORT_ERR tells the programs of the node, and until {@link #linkUp()} all
   * frames from and to the port are lost. Those that have left it already still arrive. Reliable
   * queue pairs go on trying. No effect if the link is down.
   */
  public void linkDown() {
    link(false);
  }

  /** Brings its link up again, which PORT_ACTIVE tells. No effect if the link is up. */
  public void linkUp() {
    link(true);
  }

  private void link(boolean isUp) {
    core.enter();
    try {
      if (port.isLinkUp() != isUp) {
        port.linkUp(isUp);
        node.simulated().linkChanged(number, isUp);
      }
    } finally {
      core.exit();
    }
  }

  /**
   * Gives it a further address, which GID_CHANGE tells.
   *
   * @param address unicast, new in the fabric
   * @return its index in the GID table: the first that is free
   * @throws IllegalArgumentException if a node has the address, or it is that of a group
   * @throws IllegalStateException if the GID table is full, or the fabric is closed
   */
  public int addGid(Gid address) {
    core.enter();
    try {
      if (address.isMulticast()) {
        throw new IllegalArgumentException(
            "multicast address " + address + " can't be that of one node");
      }
      nodes.checkAddress(node.name(), address);
      int index = node.simulated().addGid(number, address);
      nodes.addAddress(this, address);
      return index;
    } finally {
      core.exit();
    }
  }

  /**
   * Takes an address away from it, which GID_CHANGE tells. Frames to it go nowhere from now on;
   * queue pairs that have it as their source go on sending from it, and no answer comes.
   *
   * @param address one that the port has
   * @throws IllegalArgumentException if the port does not have it
   */
  public void removeGid(Gid address) {
    core.enter();
    try {
      nodes.removeAddress(this, address);
      node.simulated().removeGid(number, address);
    } finally {
      core.exit();
    }
  }

  Node node() {
    return node;
  }

  Port port() {
    return port;
  }

  /** Its name in rules and reports. */
  @Override
  public String toString() {
    return NodeFactory.portName(node.name(), number);
  }
}

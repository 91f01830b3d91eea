package io.roceverbs.sim;

import io.roceverbs.sim.device.SimDevice;
import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.sim.fabric.Port;
import io.roceverbs.sim.qp.TransportStatistics;
import io.roceverbs.sim.ulp.UlpBody;
import io.roceverbs.sim.ulp.UlpThread;
import io.roceverbs.sim.ulp.UlpThreadException;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.Gid;
import io.roceverbs.verbs.QueuePair;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One machine on the fabric, with one RDMA device of one port or more.
 *
 * <p>What is said here of its port, link and addresses is meant of port 1; see {@link #port}.
 *
 * <p>Any thread may call any method.
 */
public final class Node {
  private final FabricCore core;
  private final String name;
  private final List<NodePort> ports;
  private final Device device;
  private final List<TransportStatistics> transport;
  private final @Nullable SimDevice simulated;
  private final NodeFaults faults;

  Node(
      FabricCore core,
      NodeFactory nodes,
      String name,
      List<Port> ports,
      DeviceFactory.NodeDevice device,
      List<List<Gid>> gids) {
    this.core = core;
    this.name = name;
    List<NodePort> made = new ArrayList<>();
    for (int i = 0; i < ports.size(); i++) {
      TransportStatistics atPort = device.transport().get(i);
      made.add(new NodePort(core, nodes, this, i + 1, ports.get(i), gids.get(i), atPort));
    }
    this.ports = List.copyOf(made);
    this.device = device.device();
    this.transport = device.transport();
    this.simulated = device.simulated();
    this.faults = new NodeFaults(core, this);
  }

  /**
   * Its name, as in rules and reports.
   *
   * @return the name that it was added with
   */
  public String name() {
    return name;
  }

  /**
   * Its device. The program does what follows through verbs, as on hardware.
   *
   * @return always the same device
   */
  public Device device() {
    return device;
  }

  /**
   * A port of its device.
   *
   * @param number counted from 1
   * @return always the same object
   * @throws IllegalArgumentException if the device does not have so many
   */
  public NodePort port(int number) {
    if (number < 1 || number > ports.size()) {
      throw new IllegalArgumentException(
          "node " + name + " has no port " + number + "; it has " + ports.size());
    }
    return ports.get(number - 1);
  }

  /**
   * The ports of its device.
   *
   * @return an unmodifiable list, port 1 first
   */
  public List<NodePort> ports() {
    return ports;
  }

  private NodePort firstPort() {
    return ports.get(0);
  }

  private long linkDowns() {
    return ports.stream().mapToLong(port -> port.port().statistics().linkDowns()).sum();
  }

  /**
   * The GID of its IPv4 address; at index 0 of the device's GID table.
   *
   * @return the address as {@code ::ffff:a.b.c.d}
   */
  public Gid gid() {
    return firstPort().gid();
  }

  /**
   * The GID of its IPv6 address; at index 1 of the device's GID table.
   *
   * @return the address
   */
  public Gid ipv6Gid() {
    return firstPort().ipv6Gid();
  }

  /**
   * What happened at its port so far.
   *
   * @return a snapshot
   * @throws IllegalStateException if the fabric is closed
   */
  public PortCounters counters() {
    return firstPort().counters();
  }

  /**
   * What the queue pairs of its device have counted so far, at all ports.
   *
   * @return a snapshot
   * @throws IllegalStateException if the fabric is closed
   */
  public TransportCounters transport() {
    core.enter();
    try {
      return TransportCounters.of(TransportStatistics.total(transport));
    } finally {
      core.exit();
    }
  }

  /**
   * The counters of its device under the names that Linux gives them, those of all ports together.
   *
   * @return a snapshot
   * @throws IllegalStateException if the fabric is closed
   */
  public HardwareCounters hardwareCounters() {
    core.enter();
    try {
      return new HardwareCounters(TransportStatistics.total(transport), linkDowns());
    } finally {
      core.exit();
    }
  }

  /**
   * How many further requests a send queue of its device takes. A request takes a slot when it is
   * posted; the slot is free again when its completion, or that of a later request of the queue, is
   * polled, which a program that signals too seldom finds out too late.
   *
   * @param queuePair one of the node that is open
   * @return the free slots, 0 for a queue that is full
   * @throws IllegalArgumentException if the queue pair is closed or of another node
   * @throws IllegalStateException if the fabric is closed
   */
  public int freeSendSlots(QueuePair queuePair) {
    core.enter();
    try {
      return simulated().freeSendSlots(queuePair);
    } finally {
      core.exit();
    }
  }

  /**
   * Takes the link of the node down: PORT_ERR tells its programs, and until {@link #linkUp()} all
   * frames from and to the node are lost. Those that have left it already still arrive. Reliable
   * queue pairs go on trying. No effect if the link is down.
   *
   * @throws IllegalStateException if the fabric is closed
   */
  public void linkDown() {
    firstPort().linkDown();
  }

  /**
   * Brings the link of the node up again, which PORT_ACTIVE tells. No effect if the link is up.
   *
   * @throws IllegalStateException if the fabric is closed
   */
  public void linkUp() {
    firstPort().linkUp();
  }

  /**
   * Gives the node a further address, which GID_CHANGE tells.
   *
   * @param address unicast, new in the fabric
   * @return its index in the GID table: the first that is free
   * @throws IllegalArgumentException if a node has the address, or it is that of a group
   * @throws IllegalStateException if the GID table is full, or the fabric is closed
   */
  public int addGid(Gid address) {
    return firstPort().addGid(address);
  }

  /**
   * Takes an address away from the node, which GID_CHANGE tells. Frames to it go nowhere from now
   * on; queue pairs that have it as their source go on sending from it, and no answer comes.
   *
   * @param address one that the node has
   * @throws IllegalArgumentException if the node does not have it
   * @throws IllegalStateException if the fabric is closed
   */
  public void removeGid(Gid address) {
    firstPort().removeGid(address);
  }

  /**
   * What can be made to go wrong at its device.
   *
   * @return always the same object
   */
  public NodeFaults faults() {
    return faults;
  }

  List<Leak> leaks() {
    return simulated == null
        ? List.of()
        : simulated.resources().list().stream()
            .map(open -> new Leak(name, open.description(), open.createdAt()))
            .toList();
  }

  SimDevice simulated() {
    SimDevice whole = simulated;
    if (whole == null) {
      throw new IllegalStateException("the device of node " + name + " is not simulated");
    }
    return whole;
  }

  /**
   * Starts a thread of the ULP, such as the initiator or the target of a protocol.
   *
   * <p>In real time it is an ordinary thread, which runs at once and may wait wherever it likes; it
   * is interrupted when another one fails or the fabric is closed.
   *
   * <p>In virtual time threads that are started this way run one at a time, and in the same order
   * in every run. A thread keeps its turn until it waits: in a poll that finds nothing, for an
   * event of a channel, in {@link Fabric#sleep} or in {@link Fabric#await}. Time stands still while
   * any of them can run. The new thread itself runs for the first time when the caller waits, or
   * calls {@link Fabric#join()}.
   *
   * <p>There the thread must not wait elsewhere, as for a lock that another thread holds or in
   * {@link Thread#sleep}: see {@link Fabric.Builder#blockingLimit}. If its body throws, all other
   * threads of the fabric are unwound, and whoever joins gets an {@link UlpThreadException}.
   *
   * @param threadName what reports call it; need not be unique
   * @param body what it does
   * @return the thread
   * @throws IllegalStateException if the fabric is closed, or has 1,024 such threads
   */
  public UlpThread startThread(String threadName, UlpBody body) {
    return core.ulps()
        .start(name, Objects.requireNonNull(threadName), Objects.requireNonNull(body));
  }

  @Override
  public String toString() {
    return name;
  }
}

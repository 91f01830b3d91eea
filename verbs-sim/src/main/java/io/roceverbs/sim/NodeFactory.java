package io.roceverbs.sim;

import io.roceverbs.sim.device.DeviceIdentity;
import io.roceverbs.sim.device.PortIdentity;
import io.roceverbs.sim.device.SimDevice;
import io.roceverbs.sim.fabric.FabricCore;
import io.roceverbs.sim.fabric.Port;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.Trace;
import io.roceverbs.verbs.Gid;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.IntStream;

/** Makes the nodes of one fabric, and gives out what must differ between them. */
final class NodeFactory {

  private static final long IPV4_MAPPED_LOW = 0xFFFF_0000_0000L;
  private static final long FIRST_IPV4 = IPV4_MAPPED_LOW | 0x0A00_0001L;
  private static final long PORT_STRIDE = 0x1_0000;
  private static final long IPV6_PREFIX = 0xFD00L << 48;
  private static final long GUID_BASE = 0x0200_00FF_FE00_0000L;
  private static final int FIRST_QUEUE_PAIR = 0x11;
  private static final int QUEUE_PAIR_STRIDE = 0x1000;
  private static final int QUEUE_PAIR_BASE_END = 0xFF_0000;

  /** The most nodes of a fabric: as many as there are ranges of queue pair numbers. */
  static final int NODES_MAX = QUEUE_PAIR_BASE_END / QUEUE_PAIR_STRIDE;

  private final FabricCore core;
  private final Trace trace;
  private final LinkConfiguration defaultLink;
  private final DeviceProfile defaultProfile;
  private final long seed;
  private final DeviceFactory devices;
  private final boolean remembersPlaces;
  private final Map<String, Node> nodes = new LinkedHashMap<>();
  private final Set<String> portNames = new HashSet<>();
  private final Map<Gid, NodePort> addresses = new LinkedHashMap<>();

  /**
   * Read without the lock, by whoever lists devices while the fabric is closed by another thread.
   */
  private volatile List<Node> inOrder = List.of();

  NodeFactory(
      FabricCore core,
      Trace trace,
      LinkConfiguration defaultLink,
      DeviceProfile defaultProfile,
      long seed,
      DeviceFactory devices,
      boolean remembersPlaces) {
    this.core = core;
    this.trace = trace;
    this.defaultLink = defaultLink;
    this.defaultProfile = defaultProfile;
    this.seed = seed;
    this.devices = devices;
    this.remembersPlaces = remembersPlaces;
  }

  /** Makes a node. The caller holds the lock of the fabric. */
  Node create(NodeConfiguration configuration) {
    int index = nodes.size();
    if (index >= NODES_MAX) {
      throw new IllegalStateException("a fabric takes at most " + NODES_MAX + " nodes");
    }
    String name = configuration.name();
    if (nodes.containsKey(name)) {
      throw new IllegalArgumentException(
          "there is a node \"" + name + "\" already; the names of nodes differ: " + nodes.keySet());
    }
    List<List<Gid>> gids = new ArrayList<>();
    gids.add(firstPortGids(configuration, index));
    for (int port = 1; port < configuration.ports(); port++) {
      gids.add(defaultGids(port, index));
    }
    gids.forEach(ofPort -> ofPort.forEach(gid -> checkAddress(name, gid)));
    List<String> names =
        IntStream.rangeClosed(1, configuration.ports())
            .mapToObj(port -> portName(name, port))
            .toList();
    for (String portName : names) {
      if (portNames.contains(portName)) {
        throw new IllegalArgumentException(
            "there is a port \"" + portName + "\" already; the names of ports differ");
      }
    }
    Node node = create(configuration, index, names, gids);
    portNames.addAll(names);
    nodes.put(name, node);
    inOrder = List.copyOf(nodes.values());
    for (NodePort port : node.ports()) {
      addresses.put(port.gid(), port);
      addresses.put(port.ipv6Gid(), port);
    }
    return node;
  }

  /** Port 1 has the name of its node, port 2 that with a 2 behind a dot. */
  static String portName(String node, int port) {
    return port == 1 ? node : node + "." + port;
  }

  private static List<Gid> firstPortGids(NodeConfiguration configuration, int index) {
    List<Gid> chosen = defaultGids(0, index);
    return List.of(
        configuration.ipv4() == null ? chosen.get(0) : Gid.of(configuration.ipv4()),
        configuration.ipv6() == null ? chosen.get(1) : Gid.of(configuration.ipv6()));
  }

  private static List<Gid> defaultGids(int portIndex, int nodeIndex) {
    long offset = (long) portIndex * PORT_STRIDE + nodeIndex;
    return List.of(new Gid(0, FIRST_IPV4 + offset), new Gid(IPV6_PREFIX, 1 + offset));
  }

  /** Refuses an address that a node has already. */
  void checkAddress(String name, Gid address) {
    NodePort owner = addresses.get(address);
    if (owner != null) {
      throw new IllegalArgumentException(
          "node \""
              + name
              + "\" can't have address "
              + address
              + ": node \""
              + owner.node().name()
              + "\" has it");
    }
  }

  private Node create(
      NodeConfiguration configuration, int index, List<String> names, List<List<Gid>> gids) {
    String name = configuration.name();
    LinkConfiguration link = configuration.link() == null ? defaultLink : configuration.link();
    DeviceProfile profile =
        configuration.profile() == null ? defaultProfile : configuration.profile();
    List<Port> ports = new ArrayList<>();
    for (int i = 0; i < names.size(); i++) {
      ports.add(addPort(names.get(i), link, gids.get(i)));
    }
    DeviceIdentity identity =
        new DeviceIdentity(
            name,
            guid(gids.get(0).get(0)),
            gids.stream()
                .map(ofPort -> new PortIdentity(ofPort, link.pathMtu(), link.bitsPerSecond()))
                .toList(),
            FIRST_QUEUE_PAIR + index * QUEUE_PAIR_STRIDE,
            profile,
            configuration.isPrivileged(),
            seed + index);
    DeviceFactory.NodeDevice device = devices.create(identity, List.copyOf(ports), trace);
    for (int i = 0; i < ports.size(); i++) {
      ports.get(i).attach(device.clients().get(i));
    }
    SimDevice simulated = device.simulated();
    if (simulated != null) {
      simulated.resources().remembersPlaces(remembersPlaces);
    }
    return new Node(core, this, name, ports, device, gids);
  }

  private Port addPort(String name, LinkConfiguration link, List<Gid> gids) {
    Port port =
        core.addPort(
            name,
            link.latencyNanos(),
            link.bitsPerSecond(),
            link.mtuBytes(),
            link.queueBytesMax(),
            link.marking());
    for (Gid gid : gids) {
      core.addAddress(gid.high(), gid.low(), port);
    }
    return port;
  }

  /** Lets a port of a node have a further address, which was checked. */
  void addAddress(NodePort port, Gid address) {
    core.addAddress(address.high(), address.low(), port.port());
    addresses.put(address, port);
  }

  /** Takes an address away from a port. */
  void removeAddress(NodePort port, Gid address) {
    if (addresses.get(address) != port) {
      throw new IllegalArgumentException("node \"" + port + "\" does not have address " + address);
    }
    core.removeAddress(address.high(), address.low());
    addresses.remove(address);
  }

  /** The EUI-64 of the MAC address 02:00:a:b:c:d of IPv4 address a.b.c.d. */
  private static long guid(Gid gid) {
    long highByte = (gid.low() >>> 24) & 0xFF;
    return GUID_BASE | (highByte << 40) | (gid.low() & 0xFF_FFFF);
  }

  /** All nodes so far, in order. */
  List<Node> all() {
    return inOrder;
  }

  /** The verbs objects that are open on all nodes. */
  List<Leak> leaks() {
    List<Leak> leaks = new ArrayList<>();
    for (Node node : inOrder) {
      leaks.addAll(node.leaks());
    }
    return List.copyOf(leaks);
  }

  /** The node with a name that a fault gives. */
  Node require(String name) {
    Node node = nodes.get(name);
    if (node == null) {
      throw new IllegalArgumentException(
          "there is no node \"" + name + "\"; the nodes are " + nodes.keySet());
    }
    return node;
  }

  /** Refuses a node of another fabric. */
  void checkOwn(Node node) {
    if (nodes.get(node.name()) != node) {
      throw new IllegalArgumentException(
          "node \""
              + node.name()
              + "\" belongs to another fabric; the nodes of this one are "
              + nodes.keySet());
    }
  }
}

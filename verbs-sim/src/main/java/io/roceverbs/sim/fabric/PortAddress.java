package io.roceverbs.sim.fabric;

import java.net.SocketAddress;

/** The name of a node, where Netty asks for the address of a channel. */
final class PortAddress extends SocketAddress {
  private static final long serialVersionUID = 1;

  private final String node;

  PortAddress(String node) {
    this.node = node;
  }

  @Override
  public String toString() {
    return node;
  }
}

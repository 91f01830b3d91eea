package io.roceverbs.sim.fabric;

import io.netty.channel.ChannelId;

/**
 * A channel id without the randomness and the look-up of network interfaces that Netty's own takes.
 *
 * @param node name of the node
 * @param index number of the node in its fabric
 */
record PortChannelId(String node, int index) implements ChannelId {
  private static final long serialVersionUID = 1;

  @Override
  public String asShortText() {
    return node;
  }

  @Override
  public String asLongText() {
    return node + "#" + index;
  }

  @Override
  public int compareTo(ChannelId other) {
    return asLongText().compareTo(other.asLongText());
  }
}

package io.roceverbs.sim.diagram;

import java.util.List;

/**
 * The order of the lanes from left to right.
 *
 * <p>A node has its ULP at the left of its adapter, but the last of several nodes is mirrored: with
 * two nodes the adapters face each other across the wire and the ULPs stand outside.
 */
record Lanes(List<String> nodes) {
  /** Which of its two lanes a node acts on. */
  enum Layer {
    ULP,
    ADAPTER
  }

  private static final int LANES_PER_NODE = 2;

  int count() {
    return nodes.size() * LANES_PER_NODE;
  }

  /** Position of a lane, counted from the left. */
  int index(int node, Layer layer) {
    boolean first = (layer == Layer.ULP) != isMirrored(node);
    return node * LANES_PER_NODE + (first ? 0 : 1);
  }

  /** Whether the node has its adapter at the left of its ULP. */
  boolean isMirrored(int node) {
    return node > 0 && node == nodes.size() - 1;
  }

  /** Whether the space at the right of this lane lies between two nodes. */
  boolean isWireAfter(int lane) {
    return lane % LANES_PER_NODE == 1;
  }
}

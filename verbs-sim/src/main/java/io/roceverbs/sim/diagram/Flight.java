package io.roceverbs.sim.diagram;

/**
 * A packet on its way from one node to another.
 *
 * @param frame number of its frame, unique in a fabric
 * @param source position of the sending node in the diagram
 * @param destination position of the node it is addressed to
 * @param summary opcode and main fields
 * @param again whether the same packet was sent before
 * @param faults what an impairment does to it; empty for an untouched packet
 */
record Flight(
    long frame, int source, int destination, String summary, boolean again, String faults) {

  String label() {
    return again ? summary + " again" : summary;
  }
}

package io.roceverbs.sim.qp;

/**
 * What the link of a port carries.
 *
 * @param mtuBytes the longest payload of a packet
 * @param bitsPerSecond how fast
 */
public record PortLink(int mtuBytes, long bitsPerSecond) {}

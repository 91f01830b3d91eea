/**
 * RoCEv2 packets as bytes and as fields.
 *
 * <p>A packet's way through the simulator begins and ends here. A queue pair ({@code
 * io.roceverbs.sim.qp}) fills a {@link io.roceverbs.sim.wire.Packet} and {@link
 * io.roceverbs.sim.wire.PacketCodec} turns it into an Ethernet frame, with IPv4 or IPv6, UDP, the
 * InfiniBand transport headers and the invariant CRC; what that frame carries was read from a
 * registered region of {@code io.roceverbs.sim.memory} just before. At the other end the codec
 * turns the frame into a packet again and the peer's queue pair takes it over. Between the two the
 * frame is opaque to everybody except impairment rules, which look at it through {@link
 * io.roceverbs.sim.wire.PacketView}. Only {@code io.roceverbs.sim.trace} comes before this package:
 * it records what was sent and received, and knows nothing of the format.
 *
 * <p>The package depends on nothing but the JDK and can be used alone: to build a frame, to take
 * one apart, or to read a capture file ({@link io.roceverbs.sim.wire.CaptureReader}). It has no
 * clock, no thread and no randomness. Nothing on the data path allocates.
 *
 * <p>Multi-byte fields are big-endian on the wire. The one exception is the ICRC, see {@link
 * io.roceverbs.sim.wire.Icrc}. Checks that need to know a queue pair (path MTU, the length that a
 * RETH announced, permissions) are not made here: a packet that a responder would answer with a NAK
 * decodes without complaint.
 */
@NullMarked
package io.roceverbs.sim.wire;

import org.jspecify.annotations.NullMarked;

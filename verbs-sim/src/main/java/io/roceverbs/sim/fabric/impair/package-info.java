/**
 * Faults as data: what may happen to a packet between two ports, and to which packet.
 *
 * <p>A {@link io.roceverbs.sim.fabric.impair.Rule} pairs a {@link
 * io.roceverbs.sim.fabric.impair.Match} in protocol words with a {@link
 * io.roceverbs.sim.fabric.impair.Verdict}. It has a text form that is parsed back, so a failure can
 * be replayed from its printed line: {@code drop:bob>alice/ACK#1}. An {@link
 * io.roceverbs.sim.fabric.impair.Impairment} hits packets by chance instead; the chance comes from
 * the seed of the fabric and from nothing else.
 *
 * <p>On a packet's way this package stands between the codec, which has just made a frame of a
 * packet ({@code io.roceverbs.sim.wire} comes before), and the link, which carries out what was
 * decided ({@code io.roceverbs.sim.fabric} comes after). Nothing here acts: a decision is attached
 * to the frame, shows in the capture, and is then executed.
 */
@NullMarked
package io.roceverbs.sim.fabric.impair;

import org.jspecify.annotations.NullMarked;

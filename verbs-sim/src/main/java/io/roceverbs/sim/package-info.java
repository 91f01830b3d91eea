/**
 * The door: a fabric, its nodes and their devices.
 *
 * <pre>{@code
 * try (Fabric fabric = Fabric.create()) {
 *   Node alice = fabric.addNode("alice");
 *   Node bob = fabric.addNode("bob");
 *   fabric.impair(Rule.parse("drop:bob>alice/ACK#1"));
 *   // verbs on alice.device() and bob.device(), polling as on hardware
 *   fabric.run();
 * }
 * }</pre>
 *
 * <p>Time is virtual. It moves when an empty poll gives the fabric a turn, or when one of the run
 * methods of {@link io.roceverbs.sim.Fabric} is called, and jumps from event to event. Equal seeds
 * and equal calls give equal packets, to the bit.
 *
 * <p>A packet comes in here as a work request posted to {@link io.roceverbs.sim.Node#device()}, and
 * leaves as a completion. In between it passes {@code io.roceverbs.sim.fabric}, the package before
 * this one; {@link io.roceverbs.sim.trace} tells what happened on the way.
 */
@NullMarked
package io.roceverbs.sim;

import org.jspecify.annotations.NullMarked;

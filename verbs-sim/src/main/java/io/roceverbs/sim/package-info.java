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
 * <p>A protocol with a thread at each end runs as it would on hardware, but always in the same
 * order and in virtual time:
 *
 * <pre>{@code
 * bob.startThread("target", () -> serve(bob));
 * UlpThread initiator = alice.startThread("initiator", () -> talk(alice));
 * initiator.join();   // or fabric.join() for all
 * }</pre>
 *
 * <p>These threads take turns. One keeps its turn until it waits: in a poll that finds nothing, for
 * an event of a channel, in {@link io.roceverbs.sim.Fabric#sleep} or {@link
 * io.roceverbs.sim.Fabric#await}. Then another one runs; when none can, the next event happens. So
 * no two run at once, and memory that they share needs no lock. The thread of the test is a guest:
 * it takes part while it is in a call that waits, such as {@code join}, {@code runFor} or an empty
 * poll, and the others run during such calls only. If a thread fails, blocks where the fabric can't
 * see it, or all wait for what never comes, the others are unwound and whoever joins is told;
 * {@link io.roceverbs.sim.ulp} has these exceptions. Timers come from {@link
 * io.roceverbs.sim.Fabric#scheduledExecutor()}, the time of day from {@link
 * io.roceverbs.sim.Fabric#clock()}.
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

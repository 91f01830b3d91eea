/**
 * Faults of the verbs interface as data: which call fails with what, and what becomes of which
 * completion. Faults of packets are in {@link io.roceverbs.sim.fabric.impair}.
 *
 * <p>A {@link io.roceverbs.sim.fault.VerbsFault} has a text form that is parsed back, so a failure
 * can be replayed from its printed line: {@code post-send:host#3=ENOMEM}. Nothing here acts: {@code
 * Fabric.inject} gives a fault to the device of its node, which asks before it acts.
 *
 * <p>The package stands beside the way of a packet: {@code io.roceverbs.sim.device} asks it, and it
 * asks nobody.
 */
@NullMarked
package io.roceverbs.sim.fault;

import org.jspecify.annotations.NullMarked;

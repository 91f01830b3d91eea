/**
 * How devices differ: their limits, what they can do, and each point in which real ones were seen
 * to part from the rules.
 *
 * <p>It stands beside the way of a packet: {@link io.roceverbs.sim.memory}, {@link
 * io.roceverbs.sim.qp} and {@link io.roceverbs.sim.device} ask it, and it asks nobody.
 */
@NullMarked
package io.roceverbs.sim.profile;

import org.jspecify.annotations.NullMarked;

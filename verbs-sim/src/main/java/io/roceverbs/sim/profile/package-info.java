/**
 * How devices differ: their limits, what they can do, and each point in which real ones were seen
 * to part from the rules.
 *
 * <p>It stands beside the way of a packet: memory, engines and verbs objects ask it, and it asks
 * nobody. Users name a profile with {@link io.roceverbs.sim.NodeConfiguration#withProfile} or
 * {@link io.roceverbs.sim.Fabric.Builder#profile}.
 */
@NullMarked
package io.roceverbs.sim.profile;

import org.jspecify.annotations.NullMarked;

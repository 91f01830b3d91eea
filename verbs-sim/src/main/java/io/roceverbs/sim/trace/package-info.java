/**
 * The causal log under everything: what happened, in the order in which it happened.
 *
 * <p>Each layer reports into one {@link io.roceverbs.sim.trace.Trace} of its fabric: a verbs call,
 * a packet sent, dropped or delivered, a key that became valid or invalid, a timer that ran out, a
 * completion. Two things come of it: a {@linkplain io.roceverbs.sim.trace.Trace#hash() hash} that
 * is always kept, and tells in one number whether two runs were the same to the bit; and, while
 * somebody listens, a {@link io.roceverbs.sim.trace.TraceEvent} for each of these, from which
 * diagrams and reports are drawn.
 *
 * <p>Nothing here reads a clock: the virtual time of an event is an argument. This package is below
 * all others of the simulator; on a packet's way {@link io.roceverbs.sim.wire} comes next.
 */
@NullMarked
package io.roceverbs.sim.trace;

import org.jspecify.annotations.NullMarked;

/**
 * Sequence diagrams of what happened on a fabric.
 *
 * <p>An {@link io.roceverbs.sim.diagram.EventRecorder} listens to the trace of a fabric while an
 * exchange runs; a {@link io.roceverbs.sim.diagram.SequenceDiagram} draws what it kept, as text for
 * a terminal or a failed test, and as SVG for a page. Each node has two lanes, its ULP and its
 * adapter, because the faults worth a picture live between the two: the ULP believes that an
 * operation is over while the adapter still owns the request.
 *
 * <p>Both pictures are drawn from one list of steps, read from the events once. So they show the
 * same things in the same order, and whatever is merged or left out is so in both.
 *
 * <p>A packet's way has ended when it comes here: {@code io.roceverbs.sim} is the package before
 * this one, and {@link io.roceverbs.sim.trace} is what this one reads. No package comes after it.
 */
@NullMarked
package io.roceverbs.sim.diagram;

import org.jspecify.annotations.NullMarked;

/**
 * What a program meets of its ULP threads: the thread itself, and the exceptions that end a run.
 *
 * <p>An upper-layer protocol (ULP) is the program on top of verbs. Its threads are started through
 * {@code Node.startThread} and run in virtual time, one at a time; {@code io.roceverbs.sim} tells
 * how. The scheduler that lets them run sits beside the event queue, in {@code
 * io.roceverbs.sim.fabric}; {@code io.roceverbs.sim.device}, which comes after this package on a
 * packet's way, calls on it when a verbs call has to wait.
 */
@NullMarked
package io.roceverbs.sim.ulp;

import org.jspecify.annotations.NullMarked;

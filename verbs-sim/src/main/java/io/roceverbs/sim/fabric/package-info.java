/**
 * The network between the devices, on Netty, in virtual or in real time.
 *
 * <p>A node's {@link io.roceverbs.sim.fabric.Port} is a Netty channel. On the way out the device's
 * next packet ({@code io.roceverbs.sim.device} comes before) is fetched into a {@link
 * io.roceverbs.sim.fabric.Frame}, encoded with its ICRC, judged by the impairments, captured, and
 * taken by the link: it drops, delays, copies or spoils the frame as was decided and puts it into
 * the event queue of the {@link io.roceverbs.sim.fabric.FabricCore}. When the time of its arrival
 * has come, the frame goes through the pipeline of the other port: link, codec, device. Ports are
 * joined by one switch, to which each has a {@link io.roceverbs.sim.fabric.Link}.
 *
 * <p>In virtual time nothing happens by itself: time stands still until somebody gives the fabric a
 * turn, which makes the next event happen. Equal seeds and equal calls give equal events. All state
 * is guarded by the one lock of the fabric.
 *
 * <p>In real time an ordinary event loop waits in {@code EventIoHandler} until an event is due, and
 * it alone sends and receives; calls only wake it. The ports don't know which of the two drives
 * them.
 *
 * <p>Who gives a turn in virtual time is the thread of a program that has to wait; the {@code
 * UlpScheduler} lets the threads of a ULP take turns.
 *
 * <p>This is the only package that knows Netty. Users meet it through {@code io.roceverbs.sim},
 * which comes after it.
 */
@NullMarked
package io.roceverbs.sim.fabric;

import org.jspecify.annotations.NullMarked;

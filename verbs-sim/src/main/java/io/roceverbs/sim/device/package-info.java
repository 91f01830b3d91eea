/**
 * The verbs objects of the simulator: arguments, errno and state; then the work goes to the
 * engines.
 *
 * <p>Each type here implements one of {@link io.roceverbs.verbs} and does what the verbs layer of a
 * real stack does. It checks the call and refuses with the right errno, leaving everything as it
 * was; it counts who uses whom, so that a parent is not taken away from its children; and it copies
 * requests into the slots of {@link io.roceverbs.sim.qp}. What a packet does is not known here.
 *
 * <p>A {@link io.roceverbs.sim.device.SimDevice} is plugged into a fabric through two small
 * interfaces: it asks its {@link io.roceverbs.sim.device.DeviceHost} for time, for exclusive access
 * and to let calls wait, and is asked for packets as a {@link io.roceverbs.sim.device.PortClient}.
 *
 * <p>In virtual time every call enters the host, which lets in one at a time. In real time posts
 * and polls need not: a post leaves its requests in a {@link io.roceverbs.sim.device.PostRing} and
 * rings a {@link io.roceverbs.sim.device.Doorbell}, a poll takes completions out of a {@link
 * io.roceverbs.sim.device.CompletionRing}, and neither waits for the device.
 *
 * <p>On a packet's way: the ULP's call comes in here, {@link io.roceverbs.sim.qp} is next.
 */
@NullMarked
package io.roceverbs.sim.device;

import org.jspecify.annotations.NullMarked;

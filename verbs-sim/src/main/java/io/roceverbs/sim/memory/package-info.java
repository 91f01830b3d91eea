/**
 * Memory as the adapter sees it: keys, what they stand for, and the checks between a key and a
 * byte.
 *
 * <p>A {@link io.roceverbs.sim.memory.KeyTable} belongs to one device. Each key in it names a
 * {@link io.roceverbs.sim.memory.Registration}: a range of I/O virtual addresses over the ULP's own
 * buffers. No byte is kept here. Each read and each write goes to the ULP's buffer at the time of
 * the access, through its key, with all checks made again; so a packet that is sent a second time
 * carries what the memory holds by then, or nothing if the key died.
 *
 * <p>On a packet's way this package stands beside {@link io.roceverbs.sim.qp}, which uses it;
 * {@link io.roceverbs.sim.wire} comes before. It reads no clock and starts nothing.
 */
@NullMarked
package io.roceverbs.sim.memory;

import org.jspecify.annotations.NullMarked;

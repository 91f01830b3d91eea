/**
 * The transport engine of a queue pair: what is sent, what is answered, what is sent again.
 *
 * <p>A {@link io.roceverbs.sim.qp.QueuePairEngine} does no I/O and reads no clock. It takes
 * requests ({@code post}), packets ({@code handlePacket}) and the passing of time ({@code
 * handleTimeout}), and gives packets ({@code pollTransmit}), the time of its next timeout, and
 * completions. Its two halves share nothing but the state of the queue pair: the {@link
 * io.roceverbs.sim.qp.Requester} owns the send queue, the {@link io.roceverbs.sim.qp.Responder} the
 * receive queue.
 *
 * <p>Payload is read from memory at each transmission and at each retransmission, through its key.
 * Nothing keeps a copy, save of inline data. That is how adapters work, and what this library is
 * for.
 *
 * <p>Where a protocol rule is followed, the comment names it by its id in the project's rule
 * catalogue ({@code rules.tsv}).
 *
 * <p>On a packet's way this package comes after {@link io.roceverbs.sim.device}, which checks
 * arguments, and before {@link io.roceverbs.sim.wire}, which makes bytes; {@link
 * io.roceverbs.sim.memory} stands beside it.
 */
@NullMarked
package io.roceverbs.sim.qp;

import org.jspecify.annotations.NullMarked;

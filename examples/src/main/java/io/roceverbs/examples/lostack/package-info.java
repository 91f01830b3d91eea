/**
 * Two ways to write an initiator, and a target that serves both.
 *
 * <p>The protocol is a storage protocol cut down to one command: the initiator sends a {@link
 * io.roceverbs.examples.lostack.Command} with 4 KiB of data behind it, the target stores the data
 * and sends a {@link io.roceverbs.examples.lostack.Reply}. {@link
 * io.roceverbs.examples.lostack.CarelessInitiator} does what real initiators did for years: it
 * gathers the data through the region whose key it also puts into the command, and takes the reply
 * for the end. {@link io.roceverbs.examples.lostack.CarefulInitiator} knows that the reply says
 * nothing about its own SEND. Both work until one acknowledgement is lost.
 *
 * <p>Nothing here knows a simulator. A command begins its way in this package; {@link
 * io.roceverbs.examples.ulp} comes next.
 */
@NullMarked
package io.roceverbs.examples.lostack;

import org.jspecify.annotations.NullMarked;

/**
 * What the protocols of the examples share: a queue pair with receives, and the loop that polls it.
 *
 * <p>Written against {@link io.roceverbs.verbs} alone, so it would run on an adapter as well. It
 * comes before the provider on a packet's way: {@link io.roceverbs.examples.lostack} and {@link
 * io.roceverbs.examples.pingpong} are the packages before this one, {@link io.roceverbs.verbs} is
 * the one after it.
 */
@NullMarked
package io.roceverbs.examples.ulp;

import org.jspecify.annotations.NullMarked;

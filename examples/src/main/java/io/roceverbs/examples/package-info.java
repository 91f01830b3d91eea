/**
 * The command line: what the library can do, to be seen without writing a line of code.
 *
 * <p>{@link io.roceverbs.examples.Main} is the program, with one class for each command. The
 * protocols that the commands run are in packages of their own, {@code
 * io.roceverbs.examples.lostack} and {@code io.roceverbs.examples.pingpong}, and use nothing but
 * verbs; here they are put on a simulated fabric, which is lossy as the options say.
 *
 * <p>No packet comes through here: the package begins and watches what the next one, that of the
 * protocol, does.
 */
@NullMarked
package io.roceverbs.examples;

import org.jspecify.annotations.NullMarked;

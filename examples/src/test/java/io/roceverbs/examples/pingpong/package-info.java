/** Tests of the data check of the ping-pong. */
@NullMarked
package io.roceverbs.examples.pingpong;

import org.jspecify.annotations.NullMarked;

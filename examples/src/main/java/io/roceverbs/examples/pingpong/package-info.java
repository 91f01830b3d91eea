/**
 * A message back and forth over a reliable connection, every byte of it looked at on both sides.
 *
 * <p>Nothing here knows a simulator. A message begins its way in this package; {@link
 * io.roceverbs.examples.ulp} comes next.
 */
@NullMarked
package io.roceverbs.examples.pingpong;

import org.jspecify.annotations.NullMarked;

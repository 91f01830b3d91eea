/** Tests of the command line, each inside this JVM. */
@NullMarked
package io.roceverbs.examples;

import org.jspecify.annotations.NullMarked;

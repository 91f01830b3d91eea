/**
 * Benchmarks: what a packet, a message and a fresh fabric cost.
 *
 * <p>Run all of them with {@code java -cp examples/target/roceverbs-examples.jar
 * org.openjdk.jmh.Main -prof gc}; the row {@code gc.alloc.rate.norm} is the bytes allocated for
 * each operation. Nothing here passes or fails by time: the figures are for comparison within one
 * run.
 */
@NullMarked
package io.roceverbs.examples.benchmarks;

import org.jspecify.annotations.NullMarked;

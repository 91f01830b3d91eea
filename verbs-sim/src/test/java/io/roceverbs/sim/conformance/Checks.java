package io.roceverbs.sim.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the entries of the catalogue that a test holds the library to.
 *
 * <p>The catalogue is two resources in {@code io/roceverbs/sim}: {@code rules.tsv}, the rules of
 * the engine, and {@code conformance.tsv}, what the library is held to from outside.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Checks {
  /**
   * Ids of rules, {@code PAYLOAD-REREAD}, of public reports, {@code C01}, of statements, {@code
   * S08}, and of tests of rdma-core, {@code AtomicTest.test_atomic_invalid_rkey}.
   */
  String[] value();
}

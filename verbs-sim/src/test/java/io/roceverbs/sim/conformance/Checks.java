package io.roceverbs.sim.conformance;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Names the entries of the rule catalogue that a test holds the library to.
 *
 * <p>The catalogue is the resource {@code io/roceverbs/sim/rules.tsv}.
 */
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.METHOD, ElementType.TYPE})
public @interface Checks {
  /** Ids of rules, such as {@code PAYLOAD-REREAD}, and of scenarios, such as {@code C01}. */
  String[] value();
}

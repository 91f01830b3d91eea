package io.roceverbs.examples;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Rule;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Builds fabrics from what a user asked for, and blames the user for what can't be. */
final class Fabrics {
  private Fabrics() {}

  /**
   * Makes a fabric.
   *
   * @param builder describes it but for the capture
   * @param capture where the packets go, or null
   * @throws UsageException if the capture can't be written
   */
  static Fabric open(Fabric.Builder builder, @Nullable Path capture) {
    if (capture == null) {
      return builder.build();
    }
    try {
      return builder.capture(capture).build();
    } catch (IllegalArgumentException e) {
      throw new UsageException("--pcap: " + e.getMessage(), e);
    }
  }

  /**
   * Adds a rule.
   *
   * @return the rule at work, or null if there is none
   * @throws UsageException if it can never match
   */
  static @Nullable ActiveRule impair(Fabric fabric, @Nullable Rule rule) {
    if (rule == null) {
      return null;
    }
    try {
      return fabric.impair(rule);
    } catch (IllegalArgumentException e) {
      throw new UsageException("--drop: " + e.getMessage(), e);
    }
  }
}

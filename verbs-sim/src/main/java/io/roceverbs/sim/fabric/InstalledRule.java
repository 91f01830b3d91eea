package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Match;
import io.roceverbs.sim.fabric.impair.Rule;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/** A rule with its node names resolved and its counters. */
final class InstalledRule implements ActiveRule {
  private final FabricCore core;
  private final Rule rule;
  private final @Nullable Port from;
  private final @Nullable Port to;
  private final @Nullable TransmissionCounter transmissions;
  private final AtomicLong seen = new AtomicLong();
  private final AtomicLong hits = new AtomicLong();

  /** A null port stands for any. */
  InstalledRule(FabricCore core, Rule rule, @Nullable Port from, @Nullable Port to) {
    this.core = core;
    this.rule = rule;
    this.from = from;
    this.to = to;
    this.transmissions =
        rule.match().transmission() == Match.ANY_TRANSMISSION ? null : new TransmissionCounter();
  }

  /** Counts a frame if the match describes it. Returns whether the verdict is for it. */
  boolean considers(Frame frame) {
    Match match = rule.match();
    boolean isDescribed =
        (from == null || from == frame.source())
            && (to == null || to == frame.destination())
            && match.matchesFields(frame.packet())
            && (transmissions == null || transmissions.count(frame) == match.transmission());
    return isDescribed && match.occurrence().contains(seen.incrementAndGet());
  }

  void hit(Frame frame) {
    hits.incrementAndGet();
    frame.fate().byRule(rule);
  }

  @Override
  public Rule rule() {
    return rule;
  }

  @Override
  public long seen() {
    return seen.get();
  }

  @Override
  public long hits() {
    return hits.get();
  }

  @Override
  public void close() {
    core.remove(this);
  }

  @Override
  public String toString() {
    return rule + " (seen " + seen + ", hits " + hits + ")";
  }
}

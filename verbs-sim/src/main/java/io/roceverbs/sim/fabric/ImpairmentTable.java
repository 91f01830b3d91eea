package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.Impairment;
import java.util.ArrayList;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;

/** All impairments of a fabric: the rules, and the chances with their one source of randomness. */
final class ImpairmentTable {
  /** More rules than this at a time are a leak, not a test. */
  static final int RULES_MAX = 4_096;

  private final SplittableRandom random;
  private final List<InstalledRule> rules = new ArrayList<>();
  private final IdentityHashMap<Port, IdentityHashMap<Port, Impairment>> byDirection =
      new IdentityHashMap<>();
  private Impairment everywhere = Impairment.NONE;
  private boolean hasChance;

  ImpairmentTable(long seed) {
    this.random = new SplittableRandom(seed);
  }

  void add(InstalledRule rule) {
    if (rules.size() >= RULES_MAX) {
      throw new IllegalStateException(
          "a fabric takes at most " + RULES_MAX + " rules at a time; close those no longer needed");
    }
    rules.add(rule);
  }

  void remove(InstalledRule rule) {
    rules.remove(rule);
  }

  /** Sets the chances for all directions that have none of their own. */
  void everywhere(Impairment impairment) {
    everywhere = impairment;
    hasChance = true;
  }

  void direction(Port from, Port to, Impairment impairment) {
    byDirection.computeIfAbsent(from, key -> new IdentityHashMap<>()).put(to, impairment);
    hasChance = true;
  }

  /** Decides the fate of a frame that is about to leave. */
  void decide(Frame frame) {
    frame.fate().pass();
    InstalledRule winner = rules.isEmpty() ? null : firstHit(frame);
    if (winner != null) {
      winner.hit(frame);
    } else if (hasChance) {
      draw(chanceFor(frame), frame.fate());
    }
  }

  /** Every rule counts every frame; the first one that means this frame wins. */
  private @Nullable InstalledRule firstHit(Frame frame) {
    InstalledRule winner = null;
    for (int i = 0; i < rules.size(); i++) {
      InstalledRule rule = rules.get(i);
      if (rule.considers(frame) && winner == null) {
        winner = rule;
      }
    }
    return winner;
  }

  private Impairment chanceFor(Frame frame) {
    IdentityHashMap<Port, Impairment> fromSource = byDirection.get(frame.source());
    Port destination = frame.destination();
    if (fromSource == null || destination == null) {
      return everywhere;
    }
    Impairment own = fromSource.get(destination);
    return own == null ? everywhere : own;
  }

  private void draw(Impairment chance, Fate fate) {
    if (happens(chance.dropProbability())) {
      fate.dropByChance();
    } else if (happens(chance.corruptProbability())) {
      fate.corruptByChance();
    } else if (happens(chance.duplicateProbability())) {
      fate.duplicateByChance();
    } else if (happens(chance.behindNextProbability())) {
      fate.behindNextByChance();
    } else if (happens(chance.delayProbability())) {
      fate.delayByChance(random.nextLong(1, chance.delayNanosMax() + 1));
    }
  }

  private boolean happens(double probability) {
    return probability > 0 && random.nextDouble() < probability;
  }
}

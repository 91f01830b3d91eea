package io.roceverbs.sim.fabric;

import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.fabric.impair.Verdict;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the impairments decided about one frame: a verdict, by a rule or by chance, in a form that
 * costs no allocation.
 */
final class Fate implements Verdict.Visitor<Fate> {
  /** The kinds of verdict, and none. */
  enum Kind {
    PASS("passed"),
    DROP("dropped"),
    DELAY("delayed"),
    BEHIND_NEXT("held behind the next packet"),
    DUPLICATE("duplicated"),
    CORRUPT("one bit flipped"),
    MARK("marked as congested");

    private final String text;

    Kind(String text) {
      this.text = text;
    }
  }

  private Kind kind = Kind.PASS;
  private @Nullable Rule rule;
  private long delayNanos;
  private int copies;
  private int afterPackets;
  private int bit;

  Kind kind() {
    return kind;
  }

  /** Whether chance decided, and no rule. */
  boolean isByChance() {
    return rule == null;
  }

  long delayNanos() {
    return delayNanos;
  }

  int copies() {
    return copies;
  }

  int afterPackets() {
    return afterPackets;
  }

  int bit() {
    return bit;
  }

  void pass() {
    kind = Kind.PASS;
    rule = null;
  }

  void byRule(Rule decidingRule) {
    decidingRule.verdict().accept(this);
    rule = decidingRule;
  }

  void dropByChance() {
    decide(Kind.DROP);
  }

  void corruptByChance() {
    decide(Kind.CORRUPT);
    bit = Verdict.Corrupt.LAST_BIT;
  }

  void duplicateByChance() {
    decide(Kind.DUPLICATE);
    copies = 1;
    delayNanos = 0;
    afterPackets = 0;
  }

  void behindNextByChance() {
    decide(Kind.BEHIND_NEXT);
    afterPackets = 1;
  }

  void delayByChance(long nanos) {
    decide(Kind.DELAY);
    delayNanos = nanos;
  }

  private Fate decide(Kind decided) {
    kind = decided;
    rule = null;
    return this;
  }

  @Override
  public Fate drop(Verdict.Drop verdict) {
    return decide(Kind.DROP);
  }

  @Override
  public Fate delay(Verdict.Delay verdict) {
    delayNanos = verdict.nanos();
    return decide(Kind.DELAY);
  }

  @Override
  public Fate behindNext(Verdict.BehindNext verdict) {
    afterPackets = 1;
    return decide(Kind.BEHIND_NEXT);
  }

  @Override
  public Fate duplicate(Verdict.Duplicate verdict) {
    copies = verdict.copies();
    delayNanos = verdict.delayNanos();
    afterPackets = verdict.afterPackets();
    return decide(Kind.DUPLICATE);
  }

  @Override
  public Fate corrupt(Verdict.Corrupt verdict) {
    bit = verdict.bit();
    return decide(Kind.CORRUPT);
  }

  @Override
  public Fate mark(Verdict.Mark verdict) {
    return decide(Kind.MARK);
  }

  /** Who decided, such as {@code rule drop:bob>alice/ACK#1}. */
  String cause() {
    return rule == null ? "chance" : "rule " + rule;
  }

  /** What happens and why, for a reader of the capture. */
  String text() {
    return kind.text + " by " + cause();
  }

  /** What happens in the words of the rule; empty for an untouched frame. */
  String faults() {
    if (kind == Kind.PASS) {
      return "";
    }
    return rule == null ? text() : Objects.toString(rule);
  }
}

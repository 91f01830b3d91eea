package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import org.jspecify.annotations.Nullable;

/** One thing that a diagram draws, at one height. */
sealed interface Step {
  long timeNanos();

  /** Calls the method of {@code drawer} for this kind of step. */
  void draw(Drawer drawer);

  /** This step and the next one as one, or null if they differ in more than their request. */
  default @Nullable Step joinedWith(Step next) {
    return null;
  }

  /** A verbs call, drawn as an arrow between the two lanes of a node. */
  record Call(long timeNanos, int node, boolean toAdapter, Tone tone, Label label) implements Step {
    @Override
    public void draw(Drawer drawer) {
      drawer.call(this);
    }

    @Override
    public @Nullable Step joinedWith(Step next) {
      if (!(next instanceof Call other) || !label.isAlike(other.label)) {
        return null;
      }
      Label both = label.joinedWith(other.label);
      return withLabel(both).equals(other.withLabel(both)) ? withLabel(both) : null;
    }

    private Call withLabel(Label other) {
      return new Call(timeNanos, node, toAdapter, tone, other);
    }
  }

  /**
   * Something that concerns one lane, drawn as a box on it.
   *
   * @param detail what is written below the label; empty for nothing
   */
  record Box(long timeNanos, int node, Layer layer, Tone tone, Label label, String detail)
      implements Step {
    @Override
    public void draw(Drawer drawer) {
      drawer.box(this);
    }

    @Override
    public @Nullable Step joinedWith(Step next) {
      if (!(next instanceof Box other) || !label.isAlike(other.label)) {
        return null;
      }
      Label both = label.joinedWith(other.label);
      return withLabel(both).equals(other.withLabel(both)) ? withLabel(both) : null;
    }

    private Box withLabel(Label other) {
      return new Box(timeNanos, node, layer, tone, other, detail);
    }
  }

  /** A packet leaves its source. */
  record Departure(long timeNanos, Flight flight) implements Step {
    @Override
    public void draw(Drawer drawer) {
      drawer.departure(this);
    }
  }

  /** How a packet's way ends. */
  enum Outcome {
    DELIVERED,
    /** A second arrival of the same frame. */
    DUPLICATE,
    /** Lost before it reached the node it was addressed to. */
    LOST,
    /** Thrown away by the node it was addressed to. */
    REFUSED
  }

  /**
   * A packet's way ends.
   *
   * @param remark why it was lost, or what an impairment did to it; empty for nothing
   */
  record Arrival(long timeNanos, Flight flight, Outcome outcome, String remark) implements Step {
    @Override
    public void draw(Drawer drawer) {
      drawer.arrival(this);
    }

    boolean isLoss() {
      return outcome == Outcome.LOST || outcome == Outcome.REFUSED;
    }
  }

  /** A long time in which nothing happened; it ends at {@code timeNanos}. */
  record Silence(long timeNanos, long lengthNanos) implements Step {
    @Override
    public void draw(Drawer drawer) {
      drawer.silence(this);
    }
  }

  /** One method for each kind of step. */
  interface Drawer {
    void call(Call step);

    void box(Box step);

    void departure(Departure step);

    void arrival(Arrival step);

    void silence(Silence step);
  }
}

package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Box;
import io.roceverbs.sim.diagram.Step.Call;
import io.roceverbs.sim.diagram.Step.Departure;
import io.roceverbs.sim.diagram.Step.Silence;
import java.util.List;

/** Finds how many characters the widest label of each kind has. */
final class TextWidths implements Step.Drawer {
  private int time;
  private int call;
  private int packet;
  private int adapterBox;
  private long previousNanos = -1;

  private TextWidths() {}

  static TextWidths of(List<Step> steps) {
    TextWidths widths = new TextWidths();
    for (Step step : steps) {
      widths.time(step.timeNanos());
      step.draw(widths);
    }
    return widths;
  }

  private void time(long nanos) {
    time = Math.max(time, Times.moment(nanos, previousNanos).length());
    previousNanos = nanos;
  }

  /** Widest time. */
  int time() {
    return time;
  }

  /** Widest label between the two lanes of a node. */
  int call() {
    return call;
  }

  /** Widest label of a packet. */
  int packet() {
    return packet;
  }

  /** Widest label in a box of an adapter. */
  int adapterBox() {
    return adapterBox;
  }

  @Override
  public void call(Call step) {
    call = Math.max(call, step.label().text().length());
  }

  @Override
  public void box(Box step) {
    if (step.layer() == Layer.ADAPTER) {
      int length = step.label().text().length();
      adapterBox = Math.max(adapterBox, Math.max(length, step.detail().length()));
    }
  }

  @Override
  public void departure(Departure step) {
    packet = Math.max(packet, step.flight().label().length());
  }

  @Override
  public void arrival(Arrival step) {
    packet = Math.max(packet, step.remark().length());
  }

  @Override
  public void silence(Silence step) {
    // Its text goes across all lanes.
  }
}

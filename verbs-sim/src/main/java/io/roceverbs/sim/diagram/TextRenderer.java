package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Box;
import io.roceverbs.sim.diagram.Step.Call;
import io.roceverbs.sim.diagram.Step.Departure;
import io.roceverbs.sim.diagram.Step.Outcome;
import io.roceverbs.sim.diagram.Step.Silence;
import java.util.ArrayList;
import java.util.List;

/**
 * Draws steps as rows of text.
 *
 * <p>A packet takes one row if nothing else happened while it travelled, else one for its departure
 * and one for its arrival.
 */
final class TextRenderer implements Step.Drawer {
  private static final int CALL_WIDTH_MIN = 16;
  private static final int WIRE_WIDTH_MIN = 28;

  /** With these and times such as {@code 10.414 µs} two nodes take at most 112 columns. */
  private static final int CALL_WIDTH_MAX = 26;

  private static final int WIRE_WIDTH_MAX = 44;
  private static final int BOX_MARGIN = 2;
  private static final int DETAIL_INDENT = 2;
  private static final int TIME_GAP = 2;

  private final Picture picture;
  private final Lanes lanes;
  private final TextStyle style;
  private final TextGrid grid;
  private final int callWidth;
  private final int wireWidth;
  private int position;
  private long shownNanos = -1;

  private TextRenderer(Picture picture, TextStyle style) {
    this.picture = picture;
    this.lanes = picture.lanes();
    this.style = style;
    TextWidths widths = TextWidths.of(picture.steps());
    int longestName = WordWrap.longest(lanes.nodes());
    this.callWidth =
        Math.max(
            longestName + TextArrow.EXTRA,
            clamp(widths.call() + TextArrow.EXTRA, CALL_WIDTH_MIN, CALL_WIDTH_MAX));
    int widest = Math.max(widths.packet(), widths.adapterBox());
    this.wireWidth = clamp(widest + TextArrow.EXTRA, WIRE_WIDTH_MIN, WIRE_WIDTH_MAX);
    this.grid = new TextGrid(style, lanes, widths.time() + TIME_GAP, callWidth, wireWidth);
  }

  private static int clamp(int value, int min, int max) {
    return Math.max(min, Math.min(value, max));
  }

  static String render(Picture picture, TextStyle style) {
    return new TextRenderer(picture, style).render();
  }

  private String render() {
    if (!picture.title().isEmpty()) {
      grid.addLine(style.write(picture.title()));
      grid.addLine("");
    }
    writeNames();
    List<Step> steps = picture.steps();
    for (position = 0; position < steps.size(); position++) {
      steps.get(position).draw(this);
    }
    grid.endRow();
    if (picture.leftOut() > 0) {
      grid.addLine(style.write(picture.leftOutText()));
    }
    return grid.toString();
  }

  private void writeNames() {
    grid.startRow(' ');
    for (int node = 0; node < lanes.nodes().size(); node++) {
      int middle = (column(node, Layer.ULP) + column(node, Layer.ADAPTER)) / 2;
      putCentred(middle, style.write(lanes.nodes().get(node)));
    }
    grid.endRow();
    grid.startRow(' ');
    for (int node = 0; node < lanes.nodes().size(); node++) {
      putCentred(column(node, Layer.ULP), "ULP");
      putCentred(column(node, Layer.ADAPTER), "adapter");
    }
    grid.endRow();
    grid.endRow();
  }

  private void putCentred(int column, String text) {
    grid.put(column - text.length() / 2, text);
  }

  private int column(int node, Layer layer) {
    return grid.column(lanes.index(node, layer));
  }

  /** Writes the time at the left of the current row, unless it is the one written last. */
  private void writeTime(Step step) {
    if (step.timeNanos() != shownNanos) {
      grid.put(0, style.write(Times.moment(step.timeNanos(), shownNanos)));
      shownNanos = step.timeNanos();
    }
  }

  @Override
  public void call(Call step) {
    writeTime(step);
    int ulp = column(step.node(), Layer.ULP);
    int adapter = column(step.node(), Layer.ADAPTER);
    TextArrow arrow =
        step.toAdapter()
            ? new TextArrow(grid, style, ulp, adapter)
            : new TextArrow(grid, style, adapter, ulp);
    arrow.drawCall(step.label().text());
  }

  @Override
  public void box(Box step) {
    writeTime(step);
    int lane = column(step.node(), step.layer());
    int room = (step.layer() == Layer.ULP ? callWidth : wireWidth) - BOX_MARGIN;
    List<String> lines = boxLines(step, room);
    int start =
        lanes.isMirrored(step.node())
            ? lane - BOX_MARGIN + 1 - WordWrap.longest(lines)
            : lane + BOX_MARGIN;
    for (String line : lines) {
      grid.put(lane, style.boxedLane);
      grid.put(start, line);
      grid.endRow();
    }
  }

  private List<String> boxLines(Box step, int width) {
    String mark = step.tone() == Tone.FAILURE ? style.lost + " " : "";
    List<String> lines =
        new ArrayList<>(WordWrap.balanced(mark + style.write(step.label().text()), width));
    if (!step.detail().isEmpty()) {
      for (String line : WordWrap.balanced(style.write(step.detail()), width - DETAIL_INDENT)) {
        lines.add(" ".repeat(DETAIL_INDENT) + line);
      }
    }
    return lines;
  }

  private TextArrow arrow(Flight flight) {
    int from = column(flight.source(), Layer.ADAPTER);
    int to = column(flight.destination(), Layer.ADAPTER);
    return new TextArrow(grid, style, from, to);
  }

  @Override
  public void departure(Departure step) {
    writeTime(step);
    List<Step> steps = picture.steps();
    int next = position + 1;
    if (next < steps.size()
        && steps.get(next) instanceof Arrival arrival
        && arrival.flight().equals(step.flight())) {
      arrow(step.flight()).draw(step.flight().label(), arrival.outcome(), arrival.remark());
      position = next;
    } else {
      arrow(step.flight()).drawDeparture(step.flight().label());
    }
  }

  @Override
  public void arrival(Arrival step) {
    writeTime(step);
    String label = step.flight().label();
    if (step.outcome() == Outcome.DUPLICATE) {
      label += " duplicate";
    }
    arrow(step.flight()).drawArrival(label, step.outcome(), step.remark());
  }

  @Override
  public void silence(Silence step) {
    grid.startRow(style.silentLane);
    int middle = (grid.column(0) + grid.column(lanes.count() - 1)) / 2;
    putCentred(middle, style.write(" … " + Times.length(step.lengthNanos()) + " … "));
    grid.endRow();
  }
}

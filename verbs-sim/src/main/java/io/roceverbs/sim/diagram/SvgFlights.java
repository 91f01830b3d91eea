package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Outcome;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Draws packets as lines that fall from the height of their departure to that of their end.
 *
 * <p>Their labels come last: where they find room depends on everything else.
 */
final class SvgFlights {
  /** A packet lost on the wire gets this far if its label fits. */
  private static final double LOST_AFTER = 0.6;

  private static final double CROSS_SPACE = 24;

  /** From the end of a lost packet to the base line of the reason below it. */
  private static final double REMARK_DROP = 20;

  private static final double BOX_DROP = 9;
  private static final double UNFINISHED_FALL = 12;
  private static final int REMARK_CHARACTERS = 40;

  private final SvgLayout layout;
  private final SvgCanvas canvas;
  private final SvgBoxes boxes;
  private final Map<Flight, Double> departures = new HashMap<>();
  private final Set<Flight> unfinished = new LinkedHashSet<>();
  private final List<SvgWayLabel> labels = new ArrayList<>();

  SvgFlights(SvgLayout layout, SvgCanvas canvas, SvgBoxes boxes) {
    this.layout = layout;
    this.canvas = canvas;
    this.boxes = boxes;
  }

  private double source(Flight flight) {
    return layout.lane(flight.source(), Layer.ADAPTER);
  }

  private double destination(Flight flight) {
    return layout.lane(flight.destination(), Layer.ADAPTER);
  }

  /** The label of a packet, broken into lines that fit on its way. */
  List<String> labelLines(Flight flight) {
    double distance = Math.abs(destination(flight) - source(flight));
    return WordWrap.balanced(flight.label(), layout.wireCharacters(distance));
  }

  void depart(Flight flight, double y) {
    departures.put(flight, y);
    unfinished.add(flight);
  }

  /** Draws a packet at its end and returns how much room it takes below that. */
  double arrive(Arrival arrival, double y) {
    Flight flight = arrival.flight();
    unfinished.remove(flight);
    double end = arrival.outcome() == Outcome.LOST ? lostAt(flight) : destination(flight);
    double start = departures.getOrDefault(flight, y);
    if (arrival.isLoss()) {
      canvas.line(SvgCanvas.Layer.ARROWS, style(flight), source(flight), start, end, y);
      canvas.cross(end, y);
    } else {
      canvas.arrow(style(flight), source(flight), start, end, y);
    }
    List<String> lines =
        arrival.outcome() == Outcome.DUPLICATE ? List.of("duplicate") : labelLines(flight);
    labels.add(new SvgWayLabel(lines, flight.again(), source(flight), start, end, y));
    return arrival.remark().isEmpty() ? 0 : writeRemark(arrival, end, y);
  }

  private double writeRemark(Arrival arrival, double end, double y) {
    if (arrival.outcome() != Outcome.LOST) {
      Tone tone = arrival.isLoss() ? Tone.FAILURE : Tone.WARNING;
      List<String> lines = WordWrap.balanced(arrival.remark(), SvgLayout.ADAPTER_BOX_CHARACTERS);
      return BOX_DROP + boxes.draw(tone, end, y + BOX_DROP, List.of(), lines);
    }
    List<String> lines = WordWrap.balanced(arrival.remark(), REMARK_CHARACTERS);
    for (int i = 0; i < lines.size(); i++) {
      double base = y + REMARK_DROP + i * SvgLayout.LINE_HEIGHT;
      canvas.text(SvgCanvas.Layer.LABELS, "halo middle red", end, base, lines.get(i));
    }
    double height = REMARK_DROP + (lines.size() - 1) * SvgLayout.LINE_HEIGHT;
    double half = WordWrap.longest(lines) * SvgLayout.CHARACTER / 2;
    boxes.places().take(new SvgPlaces.Rectangle(end - half, y, end + half, y + height));
    return height;
  }

  /** Draws the packets whose end is not known, and returns the lowest height that it took. */
  double drawUnfinished() {
    double lowest = 0;
    for (Flight flight : unfinished) {
      double start = departures.getOrDefault(flight, 0.0);
      double end = lostAt(flight);
      double y = start + UNFINISHED_FALL;
      String style = style(flight) + " open";
      canvas.line(SvgCanvas.Layer.ARROWS, style, source(flight), start, end, y);
      labels.add(
          new SvgWayLabel(labelLines(flight), flight.again(), source(flight), start, end, y));
      lowest = Math.max(lowest, y);
    }
    return lowest;
  }

  /** Writes what stands at the lines, after everything else was drawn. */
  void writeLabels() {
    for (SvgWayLabel label : labels) {
      label.write(canvas, boxes.places());
    }
  }

  private static String style(Flight flight) {
    return flight.again() ? "packet again" : "packet";
  }

  /** Where a packet ends that doesn't arrive: far enough for its label. */
  private double lostAt(Flight flight) {
    double distance = destination(flight) - source(flight);
    double label = WordWrap.longest(labelLines(flight)) * SvgLayout.CHARACTER + CROSS_SPACE;
    double part = Math.max(LOST_AFTER, label / Math.abs(distance));
    return source(flight) + distance * Math.min(part, 1);
  }
}

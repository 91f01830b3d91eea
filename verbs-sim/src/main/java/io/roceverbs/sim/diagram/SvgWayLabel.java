package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.SvgPlaces.Rectangle;
import java.util.ArrayList;
import java.util.List;

/**
 * The label of a packet, written along its way: from (x1, y1), where it departs, to (x2, y2).
 *
 * @param again whether the packet was sent before
 */
record SvgWayLabel(List<String> lines, boolean again, double x1, double y1, double x2, double y2) {
  private static final double RAISE = 6;

  /** Height of the letters, for finding out what overlaps. */
  private static final double LETTERS = 10;

  private static final double END_MARGIN = 12;

  /** Parts of the way at which the middle of the label may stand, the most handsome first. */
  private static final double[] CHOICES = {0.5, 0.36, 0.64, 0.22, 0.78, 0.1, 0.9};

  /** Writes the label where it covers nothing, or in the middle if there is no such place. */
  void write(SvgCanvas canvas, SvgPlaces places) {
    double chosen = CHOICES[0];
    for (double part : CHOICES) {
      if (footprint(part).stream().allMatch(places::isFree)) {
        chosen = part;
        break;
      }
    }
    footprint(chosen).forEach(places::take);
    double degrees = Math.toDegrees(Math.atan((y2 - y1) / (x2 - x1)));
    String style = again ? "halo middle amber" : "halo middle";
    double x = middle(chosen);
    for (int i = 0; i < lines.size(); i++) {
      double y = height(x) - RAISE - (lines.size() - 1 - i) * SvgLayout.LINE_HEIGHT;
      canvas.turnedText(SvgCanvas.Layer.LABELS, style, x, y, degrees, lines.get(i));
    }
  }

  /** The middle of the label, moved so that the label ends before the way does. */
  private double middle(double part) {
    double half = WordWrap.longest(lines) * SvgLayout.CHARACTER / 2 + END_MARGIN;
    double left = Math.min(x1, x2) + half;
    double right = Math.max(x1, x2) - half;
    double wanted = x1 + (x2 - x1) * part;
    return left > right ? (x1 + x2) / 2 : Math.max(left, Math.min(wanted, right));
  }

  /** Height of the way at this place. */
  private double height(double x) {
    return y1 + (y2 - y1) * (x - x1) / (x2 - x1);
  }

  /** What the label covers, as one upright rectangle for each of its characters. */
  private List<Rectangle> footprint(double part) {
    List<Rectangle> footprint = new ArrayList<>();
    int characters = WordWrap.longest(lines);
    double start = middle(part) - characters * SvgLayout.CHARACTER / 2;
    for (int i = 0; i < characters; i++) {
      double left = start + i * SvgLayout.CHARACTER;
      double base = height(left) - RAISE;
      double top = base - (lines.size() - 1) * SvgLayout.LINE_HEIGHT - LETTERS;
      footprint.add(new Rectangle(left, top, left + SvgLayout.CHARACTER, base));
    }
    return footprint;
  }
}

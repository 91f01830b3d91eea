package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.SvgPlaces.Rectangle;
import java.util.List;

/** Draws boxes on lanes. */
final class SvgBoxes {
  private static final double CORNER = 5;
  private static final double PADDING_TOP = SvgLayout.BOX_PADDING / 4;

  /** From the top of a line of text to its base line. */
  private static final double TOP_TO_BASE = 11;

  private final SvgCanvas canvas;
  private final SvgPlaces places = new SvgPlaces();

  SvgBoxes(SvgCanvas canvas) {
    this.canvas = canvas;
  }

  /** The places that boxes take. */
  SvgPlaces places() {
    return places;
  }

  /** Middle of the first line of a box, counted from its top. */
  static double firstMiddle() {
    return PADDING_TOP + SvgLayout.LINE_HEIGHT / 2;
  }

  /** Draws a box whose top has its middle at (x, top), and returns its height. */
  double draw(Tone tone, double x, double top, List<String> label, List<String> detail) {
    int characters = Math.max(WordWrap.longest(label), WordWrap.longest(detail));
    double width = characters * SvgLayout.CHARACTER + SvgLayout.BOX_PADDING;
    double height = (label.size() + detail.size()) * SvgLayout.LINE_HEIGHT + 2 * PADDING_TOP;
    double left = x - width / 2;
    canvas.rectangle(SvgCanvas.Layer.BOXES, SvgStyle.box(tone), left, top, width, height, CORNER);
    places.take(new Rectangle(left, top, left + width, top + height));
    double base = top + PADDING_TOP + TOP_TO_BASE;
    writeLines(tone == Tone.NOTE ? "middle" : "middle strong", x, base, label);
    writeLines("middle", x, base + label.size() * SvgLayout.LINE_HEIGHT, detail);
    return height;
  }

  private void writeLines(String style, double x, double firstBase, List<String> lines) {
    for (int i = 0; i < lines.size(); i++) {
      double base = firstBase + i * SvgLayout.LINE_HEIGHT;
      canvas.text(SvgCanvas.Layer.BOXES, style, x, base, lines.get(i));
    }
  }
}

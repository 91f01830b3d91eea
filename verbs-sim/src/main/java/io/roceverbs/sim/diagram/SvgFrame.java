package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.SvgCanvas.Layer;
import java.util.ArrayList;
import java.util.List;

/** Draws what doesn't depend on the single steps: page, title, nodes, and their lanes. */
final class SvgFrame {
  /** Height at which the first step may begin. */
  static final double STEPS_TOP = 106;

  private static final double TITLE_BASE = 32;
  private static final double PANEL_TOP = 50;
  private static final double NODE_BASE = 72;
  private static final double LAYER_BASE = 91;
  private static final double LANES_TOP = 99;
  private static final double CORNER = 8;

  private record Interval(double from, double to) {}

  private final Picture picture;
  private final SvgLayout layout;
  private final SvgCanvas canvas;
  private final List<Interval> silences = new ArrayList<>();

  SvgFrame(Picture picture, SvgLayout layout, SvgCanvas canvas) {
    this.picture = picture;
    this.layout = layout;
    this.canvas = canvas;
  }

  /** Lets the lanes be drawn as silent in this part. */
  void addSilence(double from, double to) {
    silences.add(new Interval(from, to));
  }

  /** Draws everything for lanes that end at this height. */
  void draw(double lanesBottom, double pageBottom) {
    canvas.rectangle(Layer.GROUND, "page", 0.5, 0.5, layout.width() - 1, pageBottom - 1, CORNER);
    canvas.text(Layer.LABELS, "title", SvgLayout.MARGIN, TITLE_BASE, picture.title());
    Lanes lanes = picture.lanes();
    for (int node = 0; node < lanes.nodes().size(); node++) {
      drawNode(node, lanesBottom);
      drawLane(layout.lane(node, Lanes.Layer.ULP), lanesBottom);
      drawLane(layout.lane(node, Lanes.Layer.ADAPTER), lanesBottom);
    }
  }

  private void drawNode(int node, double lanesBottom) {
    double ulp = layout.lane(node, Lanes.Layer.ULP);
    double adapter = layout.lane(node, Lanes.Layer.ADAPTER);
    canvas.rectangle(
        Layer.GROUND,
        "panel",
        layout.panelLeft(node),
        PANEL_TOP,
        layout.panelWidth(),
        lanesBottom - PANEL_TOP,
        CORNER);
    String name = picture.lanes().nodes().get(node);
    canvas.text(Layer.LABELS, "node middle", (ulp + adapter) / 2, NODE_BASE, name);
    canvas.text(Layer.LABELS, "layer quiet middle", ulp, LAYER_BASE, "ULP");
    canvas.text(Layer.LABELS, "layer quiet middle", adapter, LAYER_BASE, "adapter");
  }

  private void drawLane(double x, double bottom) {
    double top = LANES_TOP;
    for (Interval silence : silences) {
      canvas.line(Layer.LANES, "lane", x, top, x, silence.from);
      canvas.line(Layer.LANES, "lane silent", x, silence.from, x, silence.to);
      top = silence.to;
    }
    canvas.line(Layer.LANES, "lane", x, top, x, bottom);
  }
}

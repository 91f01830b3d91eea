package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;

/** Where things stand from left to right, in pixels. */
final class SvgLayout {
  /** Width of a character at the size of the labels, in nearly every fixed-width font. */
  static final double CHARACTER = 7.2;

  static final double LINE_HEIGHT = 15;

  /** Left of the title, and free at the right of it. */
  static final double MARGIN = 20;

  /** Width of a character of a heading; an upper bound for the usual texts. */
  private static final double HEADING_CHARACTER = 10;

  /** What a box adds to its text, on both sides together. */
  static final double BOX_PADDING = 20;

  /** A box is centred on its lane; more characters in a line would reach the next lane. */
  static final int ULP_BOX_CHARACTERS = 21;

  static final int ADAPTER_BOX_CHARACTERS = 32;

  private static final double TIME_WIDTH_PADDING = 24;
  private static final double OUTER_MARGIN =
      (ULP_BOX_CHARACTERS * CHARACTER + BOX_PADDING) / 2 + 12;
  private static final double BESIDE_ADAPTER =
      (ADAPTER_BOX_CHARACTERS * CHARACTER + BOX_PADDING) / 2 + 12;
  private static final double CALL_WIDTH_MIN = 150;
  private static final double CALL_WIDTH_MAX = 184;
  private static final double CALL_PADDING = 22;
  private static final double WIRE_WIDTH_MIN = 280;
  private static final double WIRE_WIDTH_MAX = 460;
  private static final double WIRE_PADDING = 48;

  private final Lanes lanes;
  private final double[] positions;
  private final double callWidth;
  private final double wireWidth;
  private final double timeRight;
  private final double titleWidth;

  SvgLayout(Picture picture, TextWidths widths) {
    this.lanes = picture.lanes();
    this.titleWidth = picture.title().length() * HEADING_CHARACTER;
    this.callWidth =
        Math.max(
            WordWrap.longest(lanes.nodes()) * HEADING_CHARACTER,
            clamp(widths.call() * CHARACTER + CALL_PADDING, CALL_WIDTH_MIN, CALL_WIDTH_MAX));
    this.wireWidth =
        clamp(widths.packet() * CHARACTER + WIRE_PADDING, WIRE_WIDTH_MIN, WIRE_WIDTH_MAX);
    this.timeRight = widths.time() * CHARACTER + TIME_WIDTH_PADDING;
    this.positions = new double[lanes.count()];
    positions[0] = timeRight + OUTER_MARGIN + TIME_WIDTH_PADDING / 2;
    for (int lane = 1; lane < positions.length; lane++) {
      positions[lane] = positions[lane - 1] + (lanes.isWireAfter(lane - 1) ? wireWidth : callWidth);
    }
  }

  private static double clamp(double value, double min, double max) {
    return Math.max(min, Math.min(value, max));
  }

  double lane(int lane) {
    return positions[lane];
  }

  double lane(int node, Layer layer) {
    return positions[lanes.index(node, layer)];
  }

  /** Where the times end. */
  double timeRight() {
    return timeRight;
  }

  /** The middle between the first lane and the last. */
  double middle() {
    return (positions[0] + positions[positions.length - 1]) / 2;
  }

  double width() {
    int last = positions.length - 1;
    boolean endsWithUlp = lanes.index(lanes.nodes().size() - 1, Layer.ULP) == last;
    double beside = endsWithUlp ? OUTER_MARGIN : BESIDE_ADAPTER;
    return Math.max(positions[last] + beside + TIME_WIDTH_PADDING / 2, titleWidth + 2 * MARGIN);
  }

  /** Left end of the panel behind a node. */
  double panelLeft(int node) {
    return lanes.isMirrored(node)
        ? lane(node, Layer.ADAPTER)
        : lane(node, Layer.ULP) - OUTER_MARGIN;
  }

  double panelWidth() {
    return OUTER_MARGIN + callWidth;
  }

  int callCharacters() {
    return (int) ((callWidth - CALL_PADDING) / CHARACTER);
  }

  /** Characters that fit between two lanes, however many wires and nodes are between them. */
  int wireCharacters(double distance) {
    return (int) ((distance - WIRE_PADDING) / CHARACTER);
  }
}

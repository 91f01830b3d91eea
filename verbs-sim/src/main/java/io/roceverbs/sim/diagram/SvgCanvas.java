package io.roceverbs.sim.diagram;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.util.EnumMap;
import java.util.Map;

/** Writes SVG elements in layers: whatever is drawn when, boxes end up above lines. */
final class SvgCanvas {
  /** The layers, from the bottom up. */
  enum Layer {
    GROUND,
    LANES,
    ARROWS,
    LABELS,
    BOXES
  }

  /** Drawn for characters that XML can't hold. */
  private static final int REPLACEMENT = 0xFFFD;

  private static final double HEAD_LENGTH = 9;
  private static final double HEAD_HALF_WIDTH = 4;
  private static final double CROSS_HALF_WIDTH = 6;

  private final Map<Layer, StringBuilder> layers = new EnumMap<>(Layer.class);

  private StringBuilder layer(Layer layer) {
    return layers.computeIfAbsent(layer, key -> new StringBuilder());
  }

  void line(Layer layer, String style, double x1, double y1, double x2, double y2) {
    layer(layer)
        .append("<line class=\"" + style + "\"")
        .append(attribute("x1", x1) + attribute("y1", y1))
        .append(attribute("x2", x2) + attribute("y2", y2))
        .append("/>\n");
  }

  void rectangle(
      Layer layer, String style, double x, double y, double width, double height, double radius) {
    layer(layer)
        .append("<rect class=\"" + style + "\"")
        .append(attribute("x", x) + attribute("y", y))
        .append(attribute("width", width) + attribute("height", height))
        .append(attribute("rx", radius))
        .append("/>\n");
  }

  /** Writes a text; the style says which of its ends stands at {@code x}. */
  void text(Layer layer, String style, double x, double y, String text) {
    layer(layer)
        .append("<text class=\"" + style + "\"" + attribute("x", x) + attribute("y", y) + ">")
        .append(escape(text) + "</text>\n");
  }

  /** Writes a text that is turned around the middle of its base line. */
  void turnedText(Layer layer, String style, double x, double y, double degrees, String text) {
    String turn = "rotate(" + number(degrees) + " " + number(x) + " " + number(y) + ")";
    layer(layer)
        .append("<text class=\"" + style + "\"" + attribute("x", x) + attribute("y", y))
        .append(" transform=\"" + turn + "\">" + escape(text) + "</text>\n");
  }

  /** Draws a line with a head at its second end. */
  void arrow(String style, double x1, double y1, double x2, double y2) {
    double length = Math.hypot(x2 - x1, y2 - y1);
    double alongX = (x2 - x1) / length;
    double alongY = (y2 - y1) / length;
    double backX = x2 - alongX * HEAD_LENGTH;
    double backY = y2 - alongY * HEAD_LENGTH;
    line(Layer.ARROWS, style, x1, y1, backX, backY);
    layer(Layer.ARROWS)
        .append("<path class=\"" + style + " head\" d=\"M" + point(x2, y2))
        .append(" L" + point(backX - alongY * HEAD_HALF_WIDTH, backY + alongX * HEAD_HALF_WIDTH))
        .append(" L" + point(backX + alongY * HEAD_HALF_WIDTH, backY - alongX * HEAD_HALF_WIDTH))
        .append(" Z\"/>\n");
  }

  /** Draws the mark of a lost packet. */
  void cross(double x, double y) {
    double arm = CROSS_HALF_WIDTH;
    line(Layer.ARROWS, "cross", x - arm, y - arm, x + arm, y + arm);
    line(Layer.ARROWS, "cross", x - arm, y + arm, x + arm, y - arm);
  }

  private static String point(double x, double y) {
    return number(x) + " " + number(y);
  }

  private static String attribute(String name, double value) {
    return " " + name + "=\"" + number(value) + "\"";
  }

  /** A number with at most one digit after the point; a tenth of a pixel can't be seen. */
  static String number(double value) {
    BigDecimal rounded = BigDecimal.valueOf(value).setScale(1, RoundingMode.HALF_UP);
    return rounded.signum() == 0 ? "0" : rounded.stripTrailingZeros().toPlainString();
  }

  /** Writes text so that it can stand in an element or in an attribute. */
  static String escape(String text) {
    StringBuilder escaped = new StringBuilder(text.length());
    text.codePoints().forEach(character -> appendEscaped(escaped, character));
    return escaped.toString();
  }

  private static void appendEscaped(StringBuilder escaped, int character) {
    switch (character) {
      case '&' -> escaped.append("&amp;");
      case '<' -> escaped.append("&lt;");
      case '>' -> escaped.append("&gt;");
      case '"' -> escaped.append("&quot;");
      case '\t', '\n', '\r' -> escaped.append(' ');
      default -> escaped.appendCodePoint(isXmlCharacter(character) ? character : REPLACEMENT);
    }
  }

  /** Whether XML 1.0 allows the character. */
  private static boolean isXmlCharacter(int character) {
    return character >= 0x20
        && (character < Character.MIN_SURROGATE || character > Character.MAX_SURROGATE)
        && character != 0xFFFE
        && character != 0xFFFF;
  }

  /** All elements, the lowest layer first. */
  @Override
  public String toString() {
    return String.join("", layers.values());
  }
}

package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Step.Outcome;
import java.util.List;

/**
 * Draws arrows between two lanes.
 *
 * <p>Places on an arrow are counted from its sender, 0 being the character next to the sender's
 * lane, so that nothing else has to know which way it points.
 */
final class TextArrow {
  /** Two dashes and a blank come before a label. */
  private static final int BEFORE_LABEL = 3;

  /** A blank, a dash and the head come after a label. */
  private static final int AFTER_LABEL = 3;

  static final int EXTRA = BEFORE_LABEL + AFTER_LABEL;

  /** A packet lost on the wire gets this far, in hundredths of the way, if its label fits. */
  private static final int LOST_AFTER_PERCENT = 60;

  private static final int PERCENT = 100;

  private final TextGrid grid;
  private final TextStyle style;
  private final int left;
  private final int right;
  private final boolean toRight;

  TextArrow(TextGrid grid, TextStyle style, int fromColumn, int toColumn) {
    this.grid = grid;
    this.style = style;
    this.left = Math.min(fromColumn, toColumn);
    this.right = Math.max(fromColumn, toColumn);
    this.toRight = fromColumn < toColumn;
  }

  private int length() {
    return right - left - 1;
  }

  /** Draws a verbs call. */
  void drawCall(String label) {
    line(0, length(), style.line);
    line(length() - 1, length(), head());
    writeLabel(BEFORE_LABEL, WordWrap.balanced(style.write(label), length() - EXTRA));
  }

  /** Draws the whole way of a packet and what became of it. */
  void draw(String label, Outcome outcome, String remark) {
    List<String> lines = wrap(label);
    int reach = reach(lines, outcome);
    line(0, reach, style.line);
    line(reach - 1, reach, end(outcome));
    writeLabel(BEFORE_LABEL, lines);
    writeRemark(reach, outcome, remark);
  }

  /** Draws the beginning of a way whose end follows further down. */
  void drawDeparture(String label) {
    List<String> lines = wrap(label);
    line(0, length(), style.travelling);
    line(0, BEFORE_LABEL - 1, style.line);
    writeLabel(BEFORE_LABEL, lines);
  }

  /** Draws the end of a way whose beginning was further up. */
  void drawArrival(String label, Outcome outcome, String remark) {
    List<String> lines = wrap(label);
    int reach = reach(lines, outcome);
    line(0, reach, style.travelling);
    line(reach - AFTER_LABEL + 1, reach - 1, style.line);
    line(reach - 1, reach, end(outcome));
    writeLabel(reach - AFTER_LABEL - lines.get(0).length(), lines);
    writeRemark(reach, outcome, remark);
  }

  /** Fills the lines, since the first words tell most about a packet. */
  private List<String> wrap(String label) {
    return WordWrap.filled(style.write(label), length() - EXTRA);
  }

  private int reach(List<String> lines, Outcome outcome) {
    return switch (outcome) {
      case LOST -> Math.max(lines.get(0).length() + EXTRA, length() * LOST_AFTER_PERCENT / PERCENT);
      case DELIVERED, DUPLICATE, REFUSED -> length();
    };
  }

  private char head() {
    return toRight ? style.headRight : style.headLeft;
  }

  private char end(Outcome outcome) {
    return switch (outcome) {
      case DELIVERED, DUPLICATE -> head();
      case LOST, REFUSED -> style.lost;
    };
  }

  /** Draws between two places, the second one excluded. */
  private void line(int from, int to, char character) {
    grid.line(column(from, to - from), column(from, to - from) + to - from - 1, character);
  }

  /** Column at which a text has to start that takes the places from this one on. */
  private int column(int place, int length) {
    return toRight ? left + 1 + place : right - place - length;
  }

  /** Writes the first line into the arrow and the others below it. */
  private void writeLabel(int place, List<String> lines) {
    int start = column(place, lines.get(0).length());
    grid.put(start - 1, " " + lines.get(0) + " ");
    grid.endRow();
    for (String line : lines.subList(1, lines.size())) {
      grid.put(Math.min(start, right - 1 - line.length()), line);
      grid.endRow();
    }
  }

  /** Writes a remark below the end of the way. */
  private void writeRemark(int reach, Outcome outcome, String remark) {
    if (remark.isEmpty()) {
      return;
    }
    List<String> lines = WordWrap.balanced(style.write(remark), length() - 2);
    int width = WordWrap.longest(lines);
    int middle = outcome == Outcome.LOST ? column(reach - 1, 1) : column(length() - 1, 1);
    int start = Math.max(left + 2, Math.min(middle - width / 2, right - 1 - width));
    for (String line : lines) {
      grid.put(start, line);
      grid.endRow();
    }
  }
}

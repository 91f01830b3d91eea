package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import java.util.Arrays;

/** Rows of characters with the lanes at fixed columns. */
final class TextGrid {
  private final TextStyle style;
  private final int[] columns;
  private final int width;
  private final StringBuilder finished = new StringBuilder();
  private final char[] row;

  /**
   * Makes a grid without rows.
   *
   * @param first column of the leftmost lane
   * @param callWidth characters between the two lanes of a node
   * @param wireWidth characters between two nodes, and at the right of a lone one
   */
  TextGrid(TextStyle style, Lanes lanes, int first, int callWidth, int wireWidth) {
    this.style = style;
    this.columns = new int[lanes.count()];
    columns[0] = first;
    for (int lane = 1; lane < columns.length; lane++) {
      int gap = lanes.isWireAfter(lane - 1) ? wireWidth : callWidth;
      columns[lane] = columns[lane - 1] + gap + 1;
    }
    int last = columns.length - 1;
    boolean boxAtTheRight = last == lanes.index(0, Layer.ADAPTER);
    this.width = columns[last] + (boxAtTheRight ? wireWidth : columns[0]);
    this.row = new char[width];
    startRow(style.lane);
  }

  int column(int lane) {
    return columns[lane];
  }

  /** Empties the current row but for its lanes, drawn with this character. */
  void startRow(char lane) {
    Arrays.fill(row, ' ');
    for (int column : columns) {
      row[column] = lane;
    }
  }

  /** Writes over the current row; what doesn't fit at the right is cut off. */
  void put(int column, String text) {
    int start = Math.max(0, column);
    int end = Math.min(text.length(), width - start);
    for (int i = 0; i < end; i++) {
      row[start + i] = text.charAt(i);
    }
  }

  void put(int column, char character) {
    row[column] = character;
  }

  /** Draws a horizontal line from one column to another, both included. */
  void line(int from, int to, char character) {
    for (int column = from; column <= to; column++) {
      boolean crossing = Arrays.binarySearch(columns, column) >= 0;
      row[column] = crossing ? style.crossing : character;
    }
  }

  /** Adds a line without lanes that may be wider than the grid. */
  void addLine(String text) {
    finished.append(String.join(" ", text.lines().toList()).stripTrailing()).append('\n');
  }

  /** Ends the current row and begins the next one, with nothing but lanes. */
  void endRow() {
    finished.append(new String(row).stripTrailing()).append('\n');
    startRow(style.lane);
  }

  @Override
  public String toString() {
    return finished.toString();
  }
}

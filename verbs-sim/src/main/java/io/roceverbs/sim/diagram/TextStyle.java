package io.roceverbs.sim.diagram;

/** The characters of which a diagram in text is made. */
public enum TextStyle {
  /** Box-drawing characters, for terminals and fonts of this century. */
  UNICODE('│', '┃', '┊', '─', '┄', '▶', '◀', '╳', '┼'),

  /** ASCII only, for logs that garble anything else. */
  ASCII('|', '#', ':', '-', '.', '>', '<', 'X', '+');

  private static final int ASCII_END = 0x7F;

  final char lane;
  final char boxedLane;
  final char silentLane;
  final char line;
  final char travelling;
  final char headRight;
  final char headLeft;
  final char lost;
  final char crossing;

  TextStyle(
      char lane,
      char boxedLane,
      char silentLane,
      char line,
      char travelling,
      char headRight,
      char headLeft,
      char lost,
      char crossing) {
    this.lane = lane;
    this.boxedLane = boxedLane;
    this.silentLane = silentLane;
    this.line = line;
    this.travelling = travelling;
    this.headRight = headRight;
    this.headLeft = headLeft;
    this.lost = lost;
    this.crossing = crossing;
  }

  /** Writes a label with the characters of this style. */
  String write(String label) {
    if (this == UNICODE) {
      return label;
    }
    StringBuilder ascii = new StringBuilder(label.length());
    label.codePoints().forEach(character -> appendAscii(ascii, character));
    return ascii.toString();
  }

  private static void appendAscii(StringBuilder ascii, int character) {
    switch (character) {
      case 'µ' -> ascii.append('u');
      case '…' -> ascii.append("...");
      case '→' -> ascii.append("->");
      case '–' -> ascii.append('-');
      default -> ascii.append(character < ASCII_END ? (char) character : '?');
    }
  }
}

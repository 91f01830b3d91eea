package io.roceverbs.sim.diagram;

import java.util.ArrayList;
import java.util.List;

/** Breaks labels into lines. */
final class WordWrap {
  private WordWrap() {}

  /**
   * Breaks so that, of all ways that take the fewest lines, the lines are shortest: no single word
   * is left over at the end.
   *
   * @param width length of a line in characters, at least 2
   * @return at least one line, none longer than the width
   */
  static List<String> balanced(String label, int width) {
    List<String> lines = filled(label, width);
    if (lines.size() == 1) {
      return lines;
    }
    int longestWord = longest(words(label));
    for (int narrower = width - 1; narrower >= longestWord; narrower--) {
      List<String> balanced = filled(label, narrower);
      if (balanced.size() > lines.size()) {
        break;
      }
      lines = balanced;
    }
    return lines;
  }

  /**
   * Breaks so that each line holds as many words as it can; a word is broken only where it is
   * longer than a line.
   *
   * @param width length of a line in characters, at least 2
   * @return at least one line, none longer than the width
   */
  static List<String> filled(String label, int width) {
    List<String> lines = new ArrayList<>();
    StringBuilder line = new StringBuilder();
    for (String word : words(label)) {
      if (line.length() > 0 && line.length() + 1 + word.length() > width) {
        lines.add(line.toString());
        line.setLength(0);
      }
      if (line.length() > 0) {
        line.append(' ');
      }
      line.append(breakWord(word, width, lines));
    }
    lines.add(line.toString());
    return lines;
  }

  private static List<String> words(String label) {
    return List.of(label.strip().split("\\s+"));
  }

  /** Moves the part of the word that fills whole lines to these lines and returns the rest. */
  private static String breakWord(String word, int width, List<String> lines) {
    String rest = word;
    while (rest.length() > width) {
      int end = Character.isHighSurrogate(rest.charAt(width - 1)) ? width - 1 : width;
      lines.add(rest.substring(0, end));
      rest = rest.substring(end);
    }
    return rest;
  }

  static int longest(List<String> lines) {
    return lines.stream().mapToInt(String::length).max().orElse(0);
  }
}

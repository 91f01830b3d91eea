package io.roceverbs.sim.diagram;

import java.util.ArrayList;
import java.util.List;

/**
 * What is written at a step: some words, and the ids of the requests that it is about.
 *
 * <p>The ids are apart so that steps that differ in nothing else can be drawn as one, as in {@code
 * post wr 101–116 RECV 64 B}.
 *
 * @param before words before the ids
 * @param requestIds ids in the order of the steps; empty if the step is about no request
 * @param after words after the ids
 */
record Label(String before, List<Long> requestIds, String after) {
  /** More separate ranges of ids than this are told as a number. */
  private static final int RANGES_MAX = 4;

  /** A longer run of like steps is drawn as several. */
  private static final int REQUESTS_MAX = 1_024;

  static Label plain(String words) {
    return new Label(words, List.of(), "");
  }

  static Label ofRequest(String before, long requestId, String after) {
    return new Label(before, List.of(requestId), after);
  }

  /** Whether the other label differs in nothing but its ids, so that the two can be joined. */
  boolean isAlike(Label other) {
    return !requestIds.isEmpty()
        && requestIds.size() < REQUESTS_MAX
        && !other.requestIds.isEmpty()
        && before.equals(other.before)
        && after.equals(other.after);
  }

  Label joinedWith(Label other) {
    List<Long> ids = new ArrayList<>(requestIds);
    ids.addAll(other.requestIds);
    return new Label(before, List.copyOf(ids), after);
  }

  String text() {
    List<String> parts = new ArrayList<>();
    parts.add(before);
    if (!requestIds.isEmpty()) {
      parts.add("wr " + ranges());
    }
    parts.add(after);
    parts.removeIf(String::isEmpty);
    return String.join(" ", parts);
  }

  private String ranges() {
    List<String> ranges = new ArrayList<>();
    int start = 0;
    for (int i = 1; i <= requestIds.size(); i++) {
      if (i == requestIds.size() || requestIds.get(i) != requestIds.get(i - 1) + 1) {
        String first = Long.toUnsignedString(requestIds.get(start));
        String last = Long.toUnsignedString(requestIds.get(i - 1));
        ranges.add(start == i - 1 ? first : first + "–" + last);
        start = i;
      }
    }
    if (ranges.size() > RANGES_MAX) {
      return ranges.get(0) + " and " + (requestIds.size() - 1) + " more";
    }
    return String.join(", ", ranges);
  }
}

package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import java.util.HashSet;
import java.util.List;

/**
 * A picture of an exchange: verbs calls and packets as arrows, everything else as boxes, downwards
 * in the order of virtual time.
 *
 * <p>What it joins or leaves out, so that the story stays readable:
 *
 * <ul>
 *   <li>a successful completion that the ULP polls within a microsecond is told by the poll; a
 *       failed one always has its own box, with the check that failed;
 *   <li>like requests posted, completed or polled at the same time are one step with a range of
 *       ids;
 *   <li>a time of 0.1 ms or more without a step is one line;
 *   <li>the number of a queue pair is written only if its node uses several.
 * </ul>
 *
 * <p>Immutable, so any thread may draw it.
 */
public final class SequenceDiagram {
  /** More nodes side by side can't be read. */
  public static final int NODES_MAX = 16;

  private final Picture picture;

  private SequenceDiagram(Picture picture) {
    this.picture = picture;
  }

  /**
   * Makes a diagram of what a recorder kept; it tells if events are missing at the end.
   *
   * @param title one line that says what is to be seen
   * @param nodes names of the nodes from left to right, 1 to {@link #NODES_MAX}; events of others
   *     are not drawn
   * @param recorder the recorder, read once
   * @return the diagram
   * @throws IllegalArgumentException if there are no or too many nodes, or one is named twice
   */
  public static SequenceDiagram of(String title, List<String> nodes, EventRecorder recorder) {
    return of(title, nodes, recorder.events(), recorder.leftOut());
  }

  /**
   * Makes a diagram of events.
   *
   * @param title one line that says what is to be seen
   * @param nodes names of the nodes from left to right, 1 to {@link #NODES_MAX}; events of others
   *     are not drawn
   * @param events what happened, in order
   * @return the diagram
   * @throws IllegalArgumentException if there are no or too many nodes, or one is named twice
   */
  public static SequenceDiagram of(String title, List<String> nodes, List<TraceEvent> events) {
    return of(title, nodes, events, 0);
  }

  private static SequenceDiagram of(
      String title, List<String> nodes, List<TraceEvent> events, long leftOut) {
    if (nodes.isEmpty() || nodes.size() > NODES_MAX) {
      throw new IllegalArgumentException(
          "a diagram shows 1 to " + NODES_MAX + " nodes, not " + nodes.size());
    }
    if (new HashSet<>(nodes).size() != nodes.size()) {
      throw new IllegalArgumentException(
          "each node of a diagram is named once, not as in " + nodes);
    }
    List<Step> steps = StepReader.read(List.copyOf(nodes), List.copyOf(events));
    return new SequenceDiagram(new Picture(title, new Lanes(List.copyOf(nodes)), steps, leftOut));
  }

  /**
   * Draws with box-drawing characters; two nodes take about 110 columns at most.
   *
   * @return lines that end with a line feed, without blanks at their ends
   */
  public String toText() {
    return toText(TextStyle.UNICODE);
  }

  /**
   * Draws as text.
   *
   * @param style the characters to use
   * @return lines that end with a line feed, without blanks at their ends
   */
  public String toText(TextStyle style) {
    return TextRenderer.render(picture, style);
  }

  /**
   * Draws as SVG: one document that needs no other file, for light and dark pages alike.
   *
   * @return an XML document, to be stored in UTF-8
   */
  public String toSvg() {
    return SvgRenderer.render(picture);
  }
}

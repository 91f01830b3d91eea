package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Box;
import io.roceverbs.sim.diagram.Step.Call;
import io.roceverbs.sim.diagram.Step.Departure;
import io.roceverbs.sim.diagram.Step.Silence;
import java.util.List;
import java.util.Locale;

/**
 * Draws steps as SVG.
 *
 * <p>Steps follow each other downwards as far apart as their labels need, and a little more the
 * more time is between them. So the line of a packet falls more steeply the longer it travelled.
 */
final class SvgRenderer implements Step.Drawer {
  private static final double BOTTOM_MARGIN = 18;

  /** From the middle of a line of text to its base line. */
  private static final double MIDDLE_TO_BASE = 4;

  private static final double LABEL_RAISE = 5;
  private static final double STEP_GAP = 9;
  private static final double FALL = 18;
  private static final double SILENCE_HEIGHT = 46;

  /** Additional pixels for each factor of ten in the time between two steps. */
  private static final double PIXELS_PER_DECADE = 2.5;

  private final Picture picture;
  private final SvgLayout layout;
  private final SvgCanvas canvas = new SvgCanvas();
  private final SvgFrame frame;
  private final SvgBoxes boxes = new SvgBoxes(canvas);
  private final SvgFlights flights;
  private double cursor = SvgFrame.STEPS_TOP;
  private long previousNanos;
  private long shownNanos = -1;

  private SvgRenderer(Picture picture) {
    this.picture = picture;
    this.layout = new SvgLayout(picture, TextWidths.of(picture.steps()));
    this.flights = new SvgFlights(layout, canvas, boxes);
    this.frame = new SvgFrame(picture, layout, canvas);
    this.previousNanos = picture.steps().isEmpty() ? 0 : picture.steps().get(0).timeNanos();
  }

  static String render(Picture picture) {
    return new SvgRenderer(picture).render();
  }

  private String render() {
    for (Step step : picture.steps()) {
      step.draw(this);
    }
    cursor = Math.max(cursor, flights.drawUnfinished()) + BOTTOM_MARGIN;
    double lanesBottom = cursor;
    if (picture.leftOut() > 0) {
      cursor += BOTTOM_MARGIN;
      String text = picture.leftOutText();
      canvas.text(SvgCanvas.Layer.LABELS, "quiet middle", layout.middle(), cursor, text);
    }
    double bottom = cursor + BOTTOM_MARGIN;
    flights.writeLabels();
    frame.draw(lanesBottom, bottom);
    return document(layout.width(), bottom);
  }

  private String document(double width, double height) {
    return String.format(
        Locale.ROOT,
        """
        <svg xmlns="http://www.w3.org/2000/svg" class="%1$s" viewBox="0 0 %2$s %3$s" width="%2$s" \
        height="%3$s" role="img" aria-labelledby="%1$s-title %1$s-description">
        <title id="%1$s-title">%4$s</title>
        <desc id="%1$s-description">%5$s</desc>
        <style>
        %6$s</style>
        %7$s</svg>
        """,
        SvgStyle.ROOT,
        SvgCanvas.number(width),
        SvgCanvas.number(height),
        SvgCanvas.escape(picture.title()),
        SvgCanvas.escape(picture.description()),
        SvgStyle.SHEET,
        canvas);
  }

  /** Goes down by what the next step needs and the time before it adds. */
  private double advance(Step step, double height) {
    long pauseNanos = Math.max(0, step.timeNanos() - previousNanos);
    previousNanos = step.timeNanos();
    cursor += height + PIXELS_PER_DECADE * Math.log10(1.0 + pauseNanos);
    return cursor;
  }

  /** Writes the time of a step, unless it is the one written last. */
  private void writeTime(Step step, double middle) {
    if (step.timeNanos() != shownNanos) {
      String time = Times.moment(step.timeNanos(), shownNanos);
      double base = middle + MIDDLE_TO_BASE;
      canvas.text(SvgCanvas.Layer.LABELS, "time quiet", layout.timeRight(), base, time);
      shownNanos = step.timeNanos();
    }
  }

  @Override
  public void call(Call step) {
    List<String> lines = WordWrap.balanced(step.label().text(), layout.callCharacters());
    double y = advance(step, STEP_GAP + lines.size() * SvgLayout.LINE_HEIGHT);
    writeTime(step, y);
    double ulp = layout.lane(step.node(), Layer.ULP);
    double adapter = layout.lane(step.node(), Layer.ADAPTER);
    boolean failed = step.tone() == Tone.FAILURE;
    String style = failed ? "call failed" : "call";
    canvas.arrow(style, step.toAdapter() ? ulp : adapter, y, step.toAdapter() ? adapter : ulp, y);
    for (int i = 0; i < lines.size(); i++) {
      double base = y - LABEL_RAISE - (lines.size() - 1 - i) * SvgLayout.LINE_HEIGHT;
      String textStyle = failed ? "middle red" : "middle";
      canvas.text(SvgCanvas.Layer.LABELS, textStyle, (ulp + adapter) / 2, base, lines.get(i));
    }
  }

  @Override
  public void box(Box step) {
    int characters =
        step.layer() == Layer.ULP ? SvgLayout.ULP_BOX_CHARACTERS : SvgLayout.ADAPTER_BOX_CHARACTERS;
    List<String> label = WordWrap.balanced(step.label().text(), characters);
    List<String> detail =
        step.detail().isEmpty() ? List.of() : WordWrap.balanced(step.detail(), characters);
    double top = advance(step, STEP_GAP);
    writeTime(step, top + SvgBoxes.firstMiddle());
    double x = layout.lane(step.node(), step.layer());
    cursor = top + boxes.draw(step.tone(), x, top, label, detail);
  }

  @Override
  public void departure(Departure step) {
    int moreLines = flights.labelLines(step.flight()).size() - 1;
    double y = advance(step, LABEL_RAISE + STEP_GAP + moreLines * SvgLayout.LINE_HEIGHT);
    writeTime(step, y);
    flights.depart(step.flight(), y);
  }

  @Override
  public void arrival(Arrival step) {
    double y = advance(step, FALL);
    writeTime(step, y);
    cursor += flights.arrive(step, y);
  }

  @Override
  public void silence(Silence step) {
    double top = cursor + STEP_GAP;
    cursor = top + SILENCE_HEIGHT;
    frame.addSilence(top, cursor);
    double base = (top + cursor) / 2 + MIDDLE_TO_BASE;
    String text = "… " + Times.length(step.lengthNanos()) + " …";
    canvas.text(SvgCanvas.Layer.LABELS, "halo middle strong", layout.middle(), base, text);
    // The silence is drawn: the next step need not keep a distance for it.
    previousNanos = step.timeNanos();
  }
}

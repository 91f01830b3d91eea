package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Box;
import io.roceverbs.sim.diagram.Step.Departure;
import java.util.List;

/**
 * All that a renderer needs.
 *
 * @param leftOut how many events happened after the last one drawn
 */
record Picture(String title, Lanes lanes, List<Step> steps, long leftOut) {

  /** What the picture shows, for those who can't see it. */
  String description() {
    long packets = steps.stream().filter(Departure.class::isInstance).count();
    long lost = steps.stream().filter(s -> s instanceof Arrival way && way.isLoss()).count();
    long failures =
        steps.stream().filter(s -> s instanceof Box box && box.tone() == Tone.FAILURE).count();
    return "Sequence diagram of "
        + String.join(", ", lanes.nodes())
        + " in virtual time. Packets: "
        + packets
        + ", lost: "
        + lost
        + ", failures: "
        + failures
        + ".";
  }

  String leftOutText() {
    return "… " + leftOut + " later events are left out: the recorder's limit was reached";
  }
}

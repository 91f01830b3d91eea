package io.roceverbs.sim.fabric;

import io.roceverbs.sim.device.CallPlace;
import io.roceverbs.sim.device.UlpActivity;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says who waits for what when nothing is left to happen. */
final class StuckReport {
  private static final String INDENT = "\n  ";

  /** Classes that are no news to a reader who looks for the line of the program that waits. */
  private static final List<String> OWN =
      List.of(
          "java.",
          "jdk.",
          "io.roceverbs.sim.Fabric.",
          "io.roceverbs.sim.fabric.",
          "io.roceverbs.sim.device.Sim",
          "io.roceverbs.sim.device.PolledPlace.",
          "io.roceverbs.sim.device.AsyncEventQueue.");

  private final FabricCore core;
  private final UlpActivity activity;

  StuckReport(FabricCore core, UlpActivity activity) {
    this.core = core;
    this.activity = activity;
  }

  /** About all that take turns. */
  String of(List<Participant> waiting) {
    StringBuilder text = new StringBuilder("every thread of the ULP waits, and ");
    appendEnd(text);
    for (Participant participant : waiting) {
      text.append(INDENT).append(participant).append(' ').append(participant.whatItDoes());
      appendPlace(text, participant.thread());
    }
    appendDevices(text);
    return text.toString();
  }

  /** About the present thread, which waits alone. */
  String ofCaller(String whatItDoes) {
    StringBuilder text = new StringBuilder();
    text.append("thread \"").append(Thread.currentThread().getName()).append("\" ");
    text.append(whatItDoes).append(", and ");
    appendEnd(text);
    appendDevices(text);
    return text.toString();
  }

  private void appendEnd(StringBuilder text) {
    text.append("nothing is left to happen on the fabric at ")
        .append(core.nanoTime())
        .append(" ns: what it waits for does not come");
  }

  private static void appendPlace(StringBuilder text, @Nullable Thread thread) {
    if (thread == null) {
      return;
    }
    for (StackTraceElement frame : thread.getStackTrace()) {
      String method = frame.getClassName() + "." + frame.getMethodName();
      if (OWN.stream().noneMatch(method::startsWith)) {
        text.append(", at ").append(CallPlace.text(frame));
        return;
      }
    }
  }

  private void appendDevices(StringBuilder text) {
    core.describeDevices(line -> text.append(INDENT).append(line));
    if (activity.completionsReady() > 0) {
      text.append(INDENT)
          .append(activity.completionsReady())
          .append(" completions lie ready in queues that nobody polls");
    }
  }
}

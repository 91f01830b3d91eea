package io.roceverbs.sim.diagram;

import io.roceverbs.sim.diagram.Lanes.Layer;
import io.roceverbs.sim.diagram.Step.Arrival;
import io.roceverbs.sim.diagram.Step.Box;
import io.roceverbs.sim.diagram.Step.Call;
import io.roceverbs.sim.diagram.Step.Departure;
import io.roceverbs.sim.diagram.Step.Outcome;
import io.roceverbs.sim.diagram.Step.Silence;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.AsyncRaised;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.CompletionEventRaised;
import io.roceverbs.sim.trace.TraceEvent.KeyChanged;
import io.roceverbs.sim.trace.TraceEvent.Noted;
import io.roceverbs.sim.trace.TraceEvent.PacketDelivered;
import io.roceverbs.sim.trace.TraceEvent.PacketDropped;
import io.roceverbs.sim.trace.TraceEvent.PacketMarked;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import io.roceverbs.sim.trace.TraceEvent.Polled;
import io.roceverbs.sim.trace.TraceEvent.Posted;
import io.roceverbs.sim.trace.TraceEvent.StateChanged;
import io.roceverbs.sim.trace.TraceEvent.TimerExpired;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Turns events into the steps of a diagram: pairs, merges, and leaves out what tells nothing. */
final class StepReader implements TraceEvent.Visitor<Optional<Step>> {
  /** From this length on, a time without a step is drawn as a silence. */
  private static final long SILENCE_NANOS = 100_000;

  private final List<String> nodes;
  private final PolledCompletions completions;
  private final QueuePairNames queuePairs;
  private final Map<Long, PacketSent> sent = new HashMap<>();
  private final Set<Long> delivered = new HashSet<>();
  private final Set<Long> marked = new HashSet<>();
  private final List<Step> steps = new ArrayList<>();

  private StepReader(List<String> nodes, List<TraceEvent> events) {
    this.nodes = nodes;
    this.completions = new PolledCompletions(events);
    this.queuePairs = new QueuePairNames(events);
  }

  /** Reads the events of these nodes; the others give no step. */
  static List<Step> read(List<String> nodes, List<TraceEvent> events) {
    StepReader reader = new StepReader(nodes, events);
    for (TraceEvent event : events) {
      event.accept(reader).ifPresent(reader::append);
    }
    return List.copyOf(reader.steps);
  }

  private void append(Step step) {
    if (!steps.isEmpty()) {
      int last = steps.size() - 1;
      Step joined = steps.get(last).joinedWith(step);
      if (joined != null) {
        steps.set(last, joined);
        return;
      }
      long pauseNanos = step.timeNanos() - steps.get(last).timeNanos();
      // While a packet travels something happens, though nothing is seen.
      if (pauseNanos >= SILENCE_NANOS && !(step instanceof Arrival)) {
        steps.add(new Silence(step.timeNanos(), pauseNanos));
      }
    }
    steps.add(step);
  }

  private Optional<Step> call(TraceEvent event, boolean toAdapter, Tone tone, Label label) {
    int node = nodes.indexOf(event.node());
    return node < 0
        ? Optional.empty()
        : Optional.of(new Call(event.timeNanos(), node, toAdapter, tone, label));
  }

  private Optional<Step> box(TraceEvent event, Layer layer, Tone tone, Label label, String detail) {
    int node = nodes.indexOf(event.node());
    return node < 0
        ? Optional.empty()
        : Optional.of(new Box(event.timeNanos(), node, layer, tone, label, detail));
  }

  @Override
  public Optional<Step> posted(Posted event) {
    String summary = event.summary() + queuePairs.suffix(event.node(), event.queuePair());
    return call(event, true, Tone.PLAIN, Label.ofRequest("post", event.requestId(), summary));
  }

  @Override
  public Optional<Step> completed(Completed event) {
    if (!completions.isDrawn(event)) {
      return Optional.empty();
    }
    boolean good = event.status() == CompletionStatus.SUCCESS;
    String result = event.operation() + " " + event.status() + "(" + event.status().value() + ")";
    String suffix = queuePairs.suffix(event.node(), event.queuePair());
    Label label = Label.ofRequest("", event.requestId(), result + suffix);
    return box(event, Layer.ADAPTER, good ? Tone.GOOD : Tone.FAILURE, label, event.detail());
  }

  @Override
  public Optional<Step> completionEventRaised(CompletionEventRaised event) {
    Label label = Label.plain("completion event of CQ " + event.completionQueue());
    return box(event, Layer.ADAPTER, Tone.PLAIN, label, "");
  }

  @Override
  public Optional<Step> polled(Polled event) {
    boolean good = event.status() == CompletionStatus.SUCCESS;
    String result = good ? completions.operation(event) : event.status().toString();
    String suffix = queuePairs.suffix(event.node(), event.queuePair());
    Label label = Label.ofRequest("poll", event.requestId(), (result + suffix).strip());
    return call(event, false, good ? Tone.PLAIN : Tone.FAILURE, label);
  }

  @Override
  public Optional<Step> packetSent(PacketSent event) {
    sent.put(event.frame(), event);
    Flight flight = flight(event);
    if (isDrawn(flight)) {
      return Optional.of(new Departure(event.timeNanos(), flight));
    }
    String peer = flight.source() == flight.destination() ? "itself" : event.destination();
    Label label = Label.plain("to " + peer + ": " + flight.label());
    return box(event, Layer.ADAPTER, Tone.PLAIN, label, event.faults());
  }

  private Flight flight(PacketSent event) {
    String suffix = queuePairs.suffix(event.destination(), event.queuePair());
    return new Flight(
        event.frame(),
        nodes.indexOf(event.node()),
        nodes.indexOf(event.destination()),
        event.summary() + suffix,
        event.again(),
        event.faults());
  }

  /** Whether a packet has two different lanes between which it can be drawn. */
  private static boolean isDrawn(Flight flight) {
    return flight.source() >= 0
        && flight.destination() >= 0
        && flight.source() != flight.destination();
  }

  @Override
  public Optional<Step> packetDelivered(PacketDelivered event) {
    boolean first = delivered.add(event.frame());
    PacketSent origin = sent.get(event.frame());
    if (origin == null) {
      Label label = Label.plain("frame " + event.frame() + " arrives");
      return box(event, Layer.ADAPTER, Tone.PLAIN, label, "sent before the recording began");
    }
    Flight flight = flight(origin);
    if (isDrawn(flight)) {
      Outcome outcome = first ? Outcome.DELIVERED : Outcome.DUPLICATE;
      String remark = first ? withMark(flight.frame(), flight.faults()) : "";
      return Optional.of(new Arrival(event.timeNanos(), flight, outcome, remark));
    }
    String peer = flight.source() == flight.destination() ? "itself" : origin.node();
    Label label = Label.plain("from " + peer + ": " + flight.label());
    return box(event, Layer.ADAPTER, Tone.PLAIN, label, withMark(flight.frame(), ""));
  }

  /** A mark is told where the packet arrives, since that is where somebody looks at it. */
  @Override
  public Optional<Step> packetMarked(PacketMarked event) {
    marked.add(event.frame());
    return Optional.empty();
  }

  private String withMark(long frame, String remark) {
    if (!marked.contains(frame)) {
      return remark;
    }
    return remark.isEmpty() ? "marked" : remark + ", marked";
  }

  @Override
  public Optional<Step> packetDropped(PacketDropped event) {
    PacketSent origin = sent.get(event.frame());
    if (origin == null) {
      Label label = Label.plain("frame " + event.frame() + " lost");
      return box(event, Layer.ADAPTER, Tone.FAILURE, label, event.reason());
    }
    Flight flight = flight(origin);
    if (isDrawn(flight)) {
      boolean arrived = event.node().equals(origin.destination());
      Outcome outcome = arrived ? Outcome.REFUSED : Outcome.LOST;
      String remark = withMark(flight.frame(), reason(event.reason(), flight.faults()));
      return Optional.of(new Arrival(event.timeNanos(), flight, outcome, remark));
    }
    Label label = Label.plain("lost: " + flight.label());
    String detail = withMark(flight.frame(), event.reason());
    return box(event, Layer.ADAPTER, Tone.FAILURE, label, detail);
  }

  /** The reason of a loss and the rule behind it, without saying the same thing twice. */
  private static String reason(String reason, String faults) {
    if (faults.contains(reason)) {
      return faults;
    }
    return faults.isEmpty() || reason.contains(faults) ? reason : reason + ": " + faults;
  }

  @Override
  public Optional<Step> keyChanged(KeyChanged event) {
    String words =
        String.format(
            Locale.ROOT, "key 0x%08x %s", event.key(), event.valid() ? "valid" : "invalid");
    Tone tone = event.valid() ? Tone.GOOD : Tone.WARNING;
    return box(event, Layer.ADAPTER, tone, Label.plain(words), event.cause());
  }

  @Override
  public Optional<Step> stateChanged(StateChanged event) {
    String words = "QP " + event.queuePair() + " " + event.from() + " → " + event.to();
    Tone tone = event.to() == QueuePairState.ERR ? Tone.FAILURE : Tone.PLAIN;
    return box(event, Layer.ADAPTER, tone, Label.plain(words), event.cause());
  }

  @Override
  public Optional<Step> timerExpired(TimerExpired event) {
    String suffix = queuePairs.suffix(event.node(), event.queuePair());
    return box(event, Layer.ADAPTER, Tone.WARNING, Label.plain(event.what() + suffix), "");
  }

  @Override
  public Optional<Step> asyncRaised(AsyncRaised event) {
    String suffix = queuePairs.suffix(event.node(), event.queuePair());
    Label label = Label.plain("async event " + event.type() + suffix);
    return box(event, Layer.ADAPTER, Tone.WARNING, label, "");
  }

  @Override
  public Optional<Step> noted(Noted event) {
    return box(event, Layer.ULP, Tone.NOTE, Label.plain(event.text()), "");
  }
}

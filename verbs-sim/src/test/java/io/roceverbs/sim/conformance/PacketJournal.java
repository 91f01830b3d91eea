package io.roceverbs.sim.conformance;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceListener;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/** Notes every packet that leaves a port, so that a test can state the packets of an exchange. */
public final class PacketJournal implements TraceListener {
  private final List<TraceEvent.PacketSent> sent = new ArrayList<>();

  @Override
  public void onEvent(TraceEvent event) {
    if (event instanceof TraceEvent.PacketSent packet) {
      sent.add(packet);
    }
  }

  /** All packets in the order of sending. */
  public List<TraceEvent.PacketSent> all() {
    return List.copyOf(sent);
  }

  /** The packets that one node sent. */
  public List<TraceEvent.PacketSent> from(String node) {
    return sent.stream().filter(packet -> packet.node().equals(node)).toList();
  }

  /** Packets whose summary begins with a text. */
  public List<TraceEvent.PacketSent> startingWith(String summary) {
    Predicate<TraceEvent.PacketSent> matches = packet -> packet.summary().startsWith(summary);
    return sent.stream().filter(matches).toList();
  }

  /** The packets of one node as words: opcode and PSN, such as {@code SEND_ONLY 000100}. */
  public List<String> words(String node) {
    return from(node).stream()
        .map(
            packet ->
                packet.summary().split(" ", 2)[0]
                    + String.format(" %06x", packet.packetSequenceNumber()))
        .toList();
  }

  /** The PSNs of one node's packets. */
  public List<Integer> psns(String node) {
    return from(node).stream().map(TraceEvent.PacketSent::packetSequenceNumber).toList();
  }

  /** When the packets of one node left, in ns. */
  public List<Long> times(String node) {
    return from(node).stream().map(TraceEvent.PacketSent::timeNanos).toList();
  }

  /** Forgets what was noted. */
  public void clear() {
    sent.clear();
  }
}

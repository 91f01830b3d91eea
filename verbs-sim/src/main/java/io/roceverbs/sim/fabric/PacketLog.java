package io.roceverbs.sim.fabric;

import io.roceverbs.sim.trace.Trace;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TracePoint;
import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.Gid;

/** Reports what becomes of frames: always to the hash, as events only while somebody listens. */
final class PacketLog {
  private final Trace trace;

  PacketLog(Trace trace) {
    this.trace = trace;
  }

  void sent(long nowNanos, Frame frame) {
    trace.mix(nowNanos, TracePoint.PACKET_SENT, frame.icrc(), frame.number());
    if (trace.isRecording()) {
      recordSent(nowNanos, frame, frame.packet(), frame.fate().faults());
    }
  }

  void duplicated(long nowNanos, Frame original, Frame copy) {
    trace.mix(nowNanos, TracePoint.PACKET_SENT, copy.icrc(), copy.number());
    if (trace.isRecording()) {
      String faults = "duplicate of frame " + original.number() + " by " + original.fate().cause();
      recordSent(nowNanos, copy, original.packet(), faults);
    }
  }

  private void recordSent(long nowNanos, Frame frame, Packet packet, String faults) {
    Port destination = frame.destination();
    String to =
        destination == null
            ? new Gid(packet.network().destinationHigh(), packet.network().destinationLow())
                .toString()
            : destination.name();
    trace.record(
        new TraceEvent.PacketSent(
            nowNanos,
            frame.source().name(),
            frame.number(),
            to,
            packet.destinationQueuePair(),
            packet.psn(),
            packet.summary(),
            frame.isRetransmission(),
            faults));
  }

  void delivered(long nowNanos, Frame frame, Port receiver) {
    trace.mix(nowNanos, TracePoint.PACKET_DELIVERED, frame.number(), receiver.index());
    if (trace.isRecording()) {
      trace.record(new TraceEvent.PacketDelivered(nowNanos, receiver.name(), frame.number()));
    }
  }

  void marked(long nowNanos, Frame frame, Port receiver) {
    trace.mix(nowNanos, TracePoint.PACKET_MARKED, frame.number(), receiver.index());
    if (trace.isRecording()) {
      trace.record(new TraceEvent.PacketMarked(nowNanos, receiver.name(), frame.number()));
    }
  }

  void lost(long nowNanos, Frame frame, DropReason reason) {
    dropped(nowNanos, frame, frame.source(), reason.text());
  }

  void undecodable(long nowNanos, Frame frame, Port receiver, DecodeStatus status) {
    dropped(nowNanos, frame, receiver, status.text());
  }

  private void dropped(long nowNanos, Frame frame, Port where, String reason) {
    trace.mix(nowNanos, TracePoint.PACKET_DROPPED, frame.number(), reason.hashCode());
    if (trace.isRecording()) {
      trace.record(new TraceEvent.PacketDropped(nowNanos, where.name(), frame.number(), reason));
    }
  }
}

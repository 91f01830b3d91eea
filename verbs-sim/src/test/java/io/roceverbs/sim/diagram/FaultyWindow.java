package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.AsyncRaised;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.KeyChanged;
import io.roceverbs.sim.trace.TraceEvent.PacketDelivered;
import io.roceverbs.sim.trace.TraceEvent.PacketDropped;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import io.roceverbs.sim.trace.TraceEvent.Polled;
import io.roceverbs.sim.trace.TraceEvent.Posted;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import java.util.List;

/**
 * Packets that are on their way at the same time: one is corrupted, one arrives twice, one doesn't
 * arrive before the recording ends.
 */
final class FaultyWindow {
  private static final String A = "a";
  private static final String B = "b";
  private static final CompletionStatus SUCCESS = CompletionStatus.SUCCESS;

  private FaultyWindow() {}

  static List<TraceEvent> events() {
    return List.of(
        new KeyChanged(0, B, 0x2B00, true, "registerMemory 64 KiB"),
        new Posted(0, B, 5, false, 100, "RECV 4 KiB"),
        new Posted(0, B, 5, false, 101, "RECV 4 KiB"),
        new Posted(0, B, 5, false, 102, "RECV 4 KiB"),
        new Posted(0, A, 4, true, 1, "SEND 3 KiB"),
        toB(100, 1, "SEND_FIRST psn=0xffffff", false, ""),
        toB(190, 2, "SEND_MIDDLE psn=0x000000", false, "corrupted by rule #1"),
        toB(280, 3, "SEND_LAST psn=0x000001", false, "duplicated by rule #2"),
        new PacketDelivered(10_100, B, 1),
        new PacketDropped(10_190, B, 2, "ICRC"),
        new PacketDelivered(10_280, B, 3),
        new PacketSent(
            10_280, B, 4, A, 4, 0, "ACKNOWLEDGE psn=0x000000 NAK PSN_SEQUENCE", false, ""),
        new PacketDelivered(10_290, B, 3),
        new PacketDelivered(20_280, A, 4),
        toB(20_300, 5, "SEND_MIDDLE psn=0x000000", true, ""),
        toB(20_400, 6, "SEND_LAST psn=0x000001", true, ""),
        new PacketDelivered(30_300, B, 5),
        new PacketDelivered(30_400, B, 6),
        new Completed(30_400, B, 5, false, 100, "RECV", SUCCESS, ""),
        new PacketSent(30_400, B, 7, A, 4, 1, "ACKNOWLEDGE psn=0x000001", false, ""),
        new AsyncRaised(30_500, B, 5, AsyncEventType.COMM_EST),
        new Polled(40_000, B, 5, false, 100, SUCCESS));
  }

  private static TraceEvent toB(
      long timeNanos, long frame, String summary, boolean again, String faults) {
    return new PacketSent(timeNanos, A, frame, B, 5, 0, summary, again, faults);
  }
}

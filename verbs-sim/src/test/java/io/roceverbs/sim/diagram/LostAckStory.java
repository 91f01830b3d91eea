package io.roceverbs.sim.diagram;

import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceEvent.Completed;
import io.roceverbs.sim.trace.TraceEvent.KeyChanged;
import io.roceverbs.sim.trace.TraceEvent.Noted;
import io.roceverbs.sim.trace.TraceEvent.PacketDelivered;
import io.roceverbs.sim.trace.TraceEvent.PacketDropped;
import io.roceverbs.sim.trace.TraceEvent.PacketSent;
import io.roceverbs.sim.trace.TraceEvent.Polled;
import io.roceverbs.sim.trace.TraceEvent.Posted;
import io.roceverbs.sim.trace.TraceEvent.StateChanged;
import io.roceverbs.sim.trace.TraceEvent.TimerExpired;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.QueuePairState;
import java.util.List;

/** The story this project exists for, as events written by hand. */
final class LostAckStory {
  static final String TITLE = "The ACK of a SEND is lost, and the reply invalidates its key";
  static final List<String> NODES = List.of("initiator", "target");

  private static final String INITIATOR = "initiator";
  private static final String TARGET = "target";
  private static final int KEY = 0x1A00;
  private static final int INITIATOR_QP = 17;
  private static final int TARGET_QP = 23;
  private static final long TIMEOUT = 67_109_214;

  private LostAckStory() {}

  static List<TraceEvent> events() {
    return List.of(
        new Posted(0, INITIATOR, INITIATOR_QP, true, 7, "SEND 500 B through lkey 0x00001a00"),
        packet(350, INITIATOR, 1, TARGET_QP, 0x100, "SEND_ONLY psn=0x000100", ""),
        new PacketDelivered(10_414, TARGET, 1),
        completed(10_414, TARGET, 1, "RECV", CompletionStatus.SUCCESS, ""),
        packet(10_414, TARGET, 2, INITIATOR_QP, 0x100, "ACKNOWLEDGE psn=0x000100", ""),
        new PacketDropped(10_414, TARGET, 2, "dropped by rule: ACKNOWLEDGE from target, 1st"),
        new Polled(10_414, TARGET, TARGET_QP, false, 1, CompletionStatus.SUCCESS),
        new Posted(12_000, TARGET, TARGET_QP, true, 2, "SEND_WITH_INV 16 B"),
        packet(
            12_050,
            TARGET,
            3,
            INITIATOR_QP,
            0x500,
            "SEND_ONLY_WITH_INVALIDATE psn=0x000500 rkey=0x00001a00",
            ""),
        new PacketDelivered(22_067, INITIATOR, 3),
        new KeyChanged(22_067, INITIATOR, KEY, false, "SEND_WITH_INV from target"),
        completed(22_067, INITIATOR, 101, "RECV", CompletionStatus.SUCCESS, ""),
        packet(22_067, INITIATOR, 4, TARGET_QP, 0x500, "ACKNOWLEDGE psn=0x000500", ""),
        new Polled(22_067, INITIATOR, INITIATOR_QP, false, 101, CompletionStatus.SUCCESS),
        new Noted(22_067, INITIATOR, "command done, buffer unmapped"),
        new PacketDelivered(32_073, TARGET, 4),
        completed(32_073, TARGET, 2, "SEND", CompletionStatus.SUCCESS, ""),
        new Polled(32_073, TARGET, TARGET_QP, true, 2, CompletionStatus.SUCCESS),
        new TimerExpired(TIMEOUT, INITIATOR, INITIATOR_QP, "ACK timeout, back to psn 0x000100"),
        completed(
            TIMEOUT,
            INITIATOR,
            7,
            "SEND",
            CompletionStatus.LOC_PROT_ERR,
            "cannot gather psn 0x000100 again: lkey 0x00001a00 is invalid since 22.067 µs"),
        new StateChanged(
            TIMEOUT,
            INITIATOR,
            INITIATOR_QP,
            QueuePairState.RTS,
            QueuePairState.ERR,
            "wr 7 LOC_PROT_ERR"),
        flushed(102),
        flushed(103),
        flushed(104),
        new Polled(TIMEOUT, INITIATOR, INITIATOR_QP, true, 7, CompletionStatus.LOC_PROT_ERR),
        new Polled(TIMEOUT, INITIATOR, INITIATOR_QP, false, 102, CompletionStatus.WR_FLUSH_ERR),
        new Polled(TIMEOUT, INITIATOR, INITIATOR_QP, false, 103, CompletionStatus.WR_FLUSH_ERR),
        new Polled(TIMEOUT, INITIATOR, INITIATOR_QP, false, 104, CompletionStatus.WR_FLUSH_ERR));
  }

  private static TraceEvent packet(
      long timeNanos,
      String node,
      long frame,
      int queuePair,
      int psn,
      String summary,
      String faults) {
    String destination = node.equals(INITIATOR) ? TARGET : INITIATOR;
    return new PacketSent(
        timeNanos, node, frame, destination, queuePair, psn, summary, false, faults);
  }

  private static TraceEvent completed(
      long timeNanos,
      String node,
      long requestId,
      String operation,
      CompletionStatus status,
      String detail) {
    int queuePair = node.equals(INITIATOR) ? INITIATOR_QP : TARGET_QP;
    boolean send = operation.equals("SEND");
    return new Completed(timeNanos, node, queuePair, send, requestId, operation, status, detail);
  }

  private static TraceEvent flushed(long requestId) {
    return completed(
        TIMEOUT,
        INITIATOR,
        requestId,
        "RECV",
        CompletionStatus.WR_FLUSH_ERR,
        "first cause: wr 7 LOC_PROT_ERR");
  }
}

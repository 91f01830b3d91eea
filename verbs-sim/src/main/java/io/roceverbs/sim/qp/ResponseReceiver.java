package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.SendOpcode;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Takes the responses of an RC responder: completes what they acknowledge, places the data of READs
 * and atomics, and goes back where they show a loss.
 */
final class ResponseReceiver {
  private final QueuePairEngine engine;
  private final ReadResponses readResponses;
  private final SendQueue queue;
  private final SendWindow window;
  private final RequestCompleter completer;
  private final Retransmitter retransmitter;
  private final CreditLimit credits;
  private final TransportRules rules;

  ResponseReceiver(
      QueuePairEngine engine,
      ReadResponses readResponses,
      SendQueue queue,
      SendWindow window,
      RequestCompleter completer,
      Retransmitter retransmitter,
      CreditLimit credits,
      TransportRules rules) {
    this.engine = engine;
    this.readResponses = readResponses;
    this.queue = queue;
    this.window = window;
    this.completer = completer;
    this.retransmitter = retransmitter;
    this.credits = credits;
    this.rules = rules;
  }

  void handle(long nowNanos, Packet packet) {
    int psn = packet.psn();
    if (completer.isStuck() || !window.isOutstanding(psn)) {
      // Rule RESPONSE-GHOST: nothing outstanding has this PSN.
      engine.counters().countStaleResponse();
      return;
    }
    Opcode opcode = packet.opcode();
    if (opcode.hasAeth()) {
      credits.update(packet.aeth().syndrome(), packet.aeth().messageSequenceNumber());
    }
    if (opcode == Opcode.RC_ACKNOWLEDGE) {
      handleAcknowledge(nowNanos, packet);
    } else if (advance(nowNanos, psn)) {
      handleData(nowNanos, packet);
    } else if (rules.waitsInsideRead() && isInsideHead(psn)) {
      engine.counters().countStaleResponse();
    } else {
      retransmitter.goBackForImpliedNak(nowNanos);
    }
  }

  private boolean isInsideHead(int psn) {
    SendWork work = queue.at(queue.head());
    return PacketSequenceNumbers.difference(psn, work.firstPsn()) < work.psnCount();
  }

  // ---- acknowledgements ----------------------------------------------------------------------

  private void handleAcknowledge(long nowNanos, Packet packet) {
    int psn = packet.psn();
    switch (Syndrome.kind(packet.aeth().syndrome())) {
      case ACK -> {
        if (!advance(nowNanos, PacketSequenceNumbers.add(psn, 1))) {
          retransmitter.goBackForImpliedNak(nowNanos);
        }
      }
      case RNR_NAK -> {
        engine.counters().count(TransportCounter.RNR_NAKS_RECEIVED);
        if (retransmitter.isWaitingForReceiver()) {
          engine.counters().countStaleResponse();
        } else if (advance(nowNanos, psn)) {
          retransmitter.waitForReceiver(nowNanos, Syndrome.code(packet.aeth().syndrome()));
        } else {
          retransmitter.goBackForImpliedNak(nowNanos);
        }
      }
      case NAK -> handleNak(nowNanos, psn, Syndrome.nakCode(packet.aeth().syndrome()));
      case RESERVED -> {
        if (advance(nowNanos, psn)) {
          completer.fail(
              nowNanos, CompletionStatus.BAD_RESP_ERR, "the response has a reserved syndrome");
        }
      }
    }
  }

  private void handleNak(long nowNanos, int psn, @Nullable NakCode code) {
    // Rule NAK-ACKNOWLEDGES: a NAK acknowledges everything before the PSN that it names.
    if (!advance(nowNanos, psn)) {
      retransmitter.goBackForImpliedNak(nowNanos);
      return;
    }
    if (code == NakCode.PSN_SEQUENCE_ERROR) {
      engine.counters().count(TransportCounter.SEQUENCE_NAKS_RECEIVED);
      retransmitter.goBackForSequenceNak(nowNanos);
      return;
    }
    completer.fail(
        nowNanos,
        status(code),
        String.format(Locale.ROOT, "the peer answered psn 0x%06x with NAK %s", psn, code));
  }

  private static CompletionStatus status(@Nullable NakCode code) {
    if (code == null) {
      return CompletionStatus.BAD_RESP_ERR;
    }
    return switch (code) {
      case INVALID_REQUEST -> CompletionStatus.REM_INV_REQ_ERR;
      case REMOTE_ACCESS_ERROR -> CompletionStatus.REM_ACCESS_ERR;
      case REMOTE_OPERATIONAL_ERROR -> CompletionStatus.REM_OP_ERR;
      case PSN_SEQUENCE_ERROR, INVALID_RD_REQUEST -> CompletionStatus.BAD_RESP_ERR;
    };
  }

  /**
   * Completes what a response acknowledges (rule ACK-IMPLIED): every SEND and WRITE before {@code
   * endPsn}.
   *
   * @return false if a READ or an atomic before {@code endPsn} still lacks its own response: that
   *     one was lost, since responses come in order (rule NAK-IMPLIED)
   */
  private boolean advance(long nowNanos, int endPsn) {
    boolean complete = true;
    boolean moved = false;
    while (completer.isHeadAlive()) {
      SendWork work = queue.at(queue.head());
      if (!work.isStarted() || work.opcode().isLocal()) {
        break;
      }
      int missingPsn = PacketSequenceNumbers.add(work.firstPsn(), work.responsesReceived());
      if (PacketSequenceNumbers.difference(missingPsn, endPsn) >= 0) {
        break;
      }
      if (work.opcode().isReadOrAtomic()) {
        complete = false;
        break;
      }
      int workEnd = PacketSequenceNumbers.add(work.firstPsn(), work.psnCount());
      boolean whole = PacketSequenceNumbers.difference(workEnd, endPsn) <= 0;
      moved |= window.acknowledge(whole ? workEnd : endPsn);
      if (!whole) {
        break;
      }
      completer.completeHead(nowNanos, 0);
    }
    if (moved) {
      retransmitter.progress(nowNanos);
    }
    return complete;
  }

  // ---- data ----------------------------------------------------------------------------------

  private void handleData(long nowNanos, Packet packet) {
    if (!completer.isHeadAlive()) {
      return;
    }
    SendWork work = queue.at(queue.head());
    int expectedPsn = PacketSequenceNumbers.add(work.firstPsn(), work.responsesReceived());
    boolean read = packet.opcode().isReadResponse();
    boolean fits = read ? work.opcode() == SendOpcode.RDMA_READ : work.opcode().isAtomic();
    if (!fits) {
      completer.fail(
          nowNanos, CompletionStatus.BAD_RESP_ERR, packet.opcode() + " answers a " + work.opcode());
      return;
    }
    if (packet.psn() != expectedPsn) {
      engine.counters().countStaleResponse();
      return;
    }
    int pathMtu = engine.settings().pathMtuBytes();
    String mismatch = ReadResponses.mismatch(work, packet, pathMtu);
    if (!mismatch.isEmpty()) {
      completer.fail(nowNanos, CompletionStatus.BAD_RESP_ERR, mismatch);
      return;
    }
    KeyFault fault =
        read ? readResponses.place(work, packet, pathMtu) : readResponses.placeAtomic(work, packet);
    if (fault != KeyFault.NONE) {
      completer.fail(
          nowNanos,
          CompletionStatus.LOC_PROT_ERR,
          "the response can't be placed: " + work.segments().describe(fault));
      return;
    }
    accept(nowNanos, work, packet.psn());
  }

  private void accept(long nowNanos, SendWork work, int psn) {
    work.countResponse();
    window.acknowledge(PacketSequenceNumbers.add(psn, 1));
    if (work.responsesReceived() == work.psnCount()) {
      completer.completeHead(nowNanos, (int) work.messageBytes());
    }
    retransmitter.progress(nowNanos);
  }
}

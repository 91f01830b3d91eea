package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.wire.Credits;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.QueuePairState;
import java.util.Locale;

/**
 * Makes the packets of a responder's answers, in the order in which the requests came.
 *
 * <p>A READ's data is read when its packet is made, one packet at a time; so a key that dies in the
 * middle cuts the answer off there.
 */
final class ResponseSender {
  private static final int ACK = Syndrome.ackSyndrome(Syndrome.CREDITS_UNLIMITED);

  /** How long an acknowledgement waits for others. */
  private static final long ACK_DELAY_NANOS = 8_000;

  private final QueuePairEngine engine;
  private final KeyTable keys;
  private final TransportRules rules;
  private final ReceiveSource receives;
  private final boolean sendsCredits;
  private final ResponseQueue queue = new ResponseQueue();

  /** Requests that were executed and share the acknowledgement to come; and the last of them. */
  private int waiting;

  private int waitingPsn;
  private int waitingMsn;
  private long waitUntilNanos = RequesterTimers.NEVER;

  ResponseSender(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    this.engine = engine;
    this.keys = keys;
    this.rules = context.rules();
    this.sendsCredits = rules.usesCredits() && !receives.isShared();
    this.receives = receives;
  }

  void clear() {
    forgetWaiting();
    queue.clear();
  }

  private int ackSyndrome() {
    return sendsCredits ? Syndrome.ackSyndrome(Credits.codeOf(receives.size())) : ACK;
  }

  /** Queues a positive acknowledgement; a fatal one is the last word of this responder. */
  void acknowledge(int psn, int msn, boolean fatal) {
    add(psn, msn, ackSyndrome(), fatal);
  }

  /** Queues a NAK; a fatal one is the last word of this responder. */
  void nak(int psn, int msn, NakCode code, boolean fatal) {
    add(psn, msn, Syndrome.nakSyndrome(code), fatal);
  }

  /** Queues a receiver-not-ready NAK. */
  void notReady(int psn, int msn, int timerCode) {
    add(psn, msn, Syndrome.rnrSyndrome(timerCode), false);
  }

  /**
   * Acknowledges an executed request that asks for it: at once, or together with others (rule
   * ACK-COALESCED).
   */
  void acknowledgeRequest(long nowNanos, int psn, int msn) {
    waiting++;
    waitingPsn = psn;
    waitingMsn = msn;
    if (waiting >= rules.acknowledgesAfter()) {
      acknowledgeWaiting();
    } else if (waitUntilNanos == RequesterTimers.NEVER) {
      waitUntilNanos = nowNanos + ACK_DELAY_NANOS;
    }
  }

  /** Everything that is answered later comes behind the acknowledgement that waits. */
  private void acknowledgeWaiting() {
    if (waiting > 0) {
      forgetWaiting();
      append(waitingPsn, waitingMsn, ackSyndrome(), false);
    }
  }

  private void forgetWaiting() {
    waiting = 0;
    waitUntilNanos = RequesterTimers.NEVER;
  }

  long nextTimeoutNanos() {
    return waitUntilNanos;
  }

  void handleTimeout(long nowNanos) {
    if (waitUntilNanos <= nowNanos) {
      acknowledgeWaiting();
    }
  }

  private void add(int psn, int msn, int syndrome, boolean fatal) {
    acknowledgeWaiting();
    append(psn, msn, syndrome, fatal);
  }

  private void append(int psn, int msn, int syndrome, boolean fatal) {
    if (queue.isFull()) {
      if (!fatal) {
        return;
      }
      queue.clear();
    }
    queue.append().acknowledge(psn, msn, syndrome, fatal);
  }

  /** Queues an atomic's saved result. */
  void atomic(SavedRequest request, boolean replay) {
    acknowledgeWaiting();
    if (queue.isFull()) {
      request.markAnswered();
    } else {
      queue.append().atomic(request, replay);
    }
  }

  /** Queues the data of a READ or of a part of it. */
  void read(SavedRequest request, int psn, long address, long length, boolean replay) {
    acknowledgeWaiting();
    if (queue.isFull()) {
      request.markAnswered();
    } else {
      queue.append().read(request, psn, address, length, replay);
    }
  }

  /** Whether the next answer packet is one of a READ. */
  boolean nextHasData() {
    return !queue.isEmpty() && queue.first().kind() == Response.Kind.READ;
  }

  /** Whether an answer waits to be sent. */
  boolean hasNext() {
    return !queue.isEmpty();
  }

  /** Gives the next answer packet. */
  boolean pollTransmit(long nowNanos, Packet packet) {
    if (queue.isEmpty()) {
      return false;
    }
    Response response = queue.first();
    packet.ackRequest(false).solicited(false);
    switch (response.kind()) {
      case ACKNOWLEDGE -> sendAcknowledge(response, packet);
      case ATOMIC -> sendAtomic(response, packet);
      case READ -> sendReadPacket(nowNanos, response, packet);
    }
    engine.counters().countResponse();
    return true;
  }

  private void sendAcknowledge(Response response, Packet packet) {
    acknowledge(packet, response.psn(), response.messageSequenceNumber(), response.syndrome());
    if (response.isFatal()) {
      queue.clear();
    } else {
      queue.removeFirst();
    }
  }

  private static void acknowledge(Packet packet, int psn, int msn, int syndrome) {
    packet.aeth().syndrome(syndrome).messageSequenceNumber(msn);
    packet
        .opcode(Opcode.RC_ACKNOWLEDGE)
        .psn(psn)
        .payload(packet.payloadBuffer(), packet.payloadOffset(), 0);
  }

  private void sendAtomic(Response response, Packet packet) {
    packet.aeth().syndrome(ackSyndrome()).messageSequenceNumber(response.messageSequenceNumber());
    packet
        .opcode(Opcode.RC_ATOMIC_ACKNOWLEDGE)
        .psn(response.psn())
        .originalData(response.originalData())
        .payload(packet.payloadBuffer(), packet.payloadOffset(), 0);
    finish(response);
  }

  private void sendReadPacket(long nowNanos, Response response, Packet packet) {
    int length = (int) Math.min(response.remaining(), engine.settings().pathMtuBytes());
    KeyFault fault =
        length == 0
            ? KeyFault.NONE
            : keys.readRemote(
                response.rkey(),
                response.scope(),
                response.address(),
                length,
                packet.payloadBuffer(),
                packet.payloadOffset());
    if (fault != KeyFault.NONE) {
      breakOff(nowNanos, response, fault, packet);
      return;
    }
    int psn = response.psn();
    boolean last = response.remaining() == length;
    packet.aeth().syndrome(ackSyndrome()).messageSequenceNumber(response.messageSequenceNumber());
    packet
        .opcode(opcode(isFirst(response, psn), last))
        .psn(psn)
        .payload(packet.payloadBuffer(), packet.payloadOffset(), length);
    response.advance(PacketSequenceNumbers.add(psn, 1), length);
    if (last) {
      finish(response);
    }
  }

  private boolean isFirst(Response response, int psn) {
    return psn == response.firstPsn()
        || (rules.restartsPartialReplay() && psn == response.answerPsn());
  }

  private void finish(Response response) {
    if (!response.isReplay()) {
      response.source().markAnswered();
    }
    queue.removeFirst();
  }

  /**
   * Rule READ-REPLAY-OPCODE: a packet that is sent again keeps the opcode of its place in the whole
   * answer.
   */
  private static Opcode opcode(boolean first, boolean last) {
    if (first) {
      return last ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
    }
    return last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
  }

  /**
   * Rule READ-CUT-OFF: the key died after the READ was accepted; the packet that can't be made
   * becomes a NAK.
   */
  private void breakOff(long nowNanos, Response response, KeyFault fault, Packet packet) {
    acknowledge(
        packet,
        response.psn(),
        response.messageSequenceNumber(),
        Syndrome.nakSyndrome(NakCode.REMOTE_ACCESS_ERROR));
    boolean replay = response.isReplay();
    String detail =
        String.format(
            Locale.ROOT,
            "the answer to the peer's READ with rkey 0x%08x stops at psn 0x%06x: %s",
            response.rkey(),
            response.psn(),
            fault.text());
    queue.clear();
    engine.counters().countFatalNak();
    engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
    // A queue pair that has failed already, and only finishes its answers, reports no second fault.
    if (!replay && engine.state() != QueuePairState.ERR) {
      engine.raiseForFault(AsyncEventType.QP_ACCESS_ERR);
    }
    engine.responderFailed(nowNanos, detail);
  }
}

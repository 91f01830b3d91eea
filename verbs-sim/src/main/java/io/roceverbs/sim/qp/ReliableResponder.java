package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.ErrorSwitch.FailedRemoteInvalidation;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of an RC queue pair: takes requests in the order of their PSNs, executes each
 * once, and answers.
 *
 * <p>The PSN is looked at before anything else. So a repeated request is known for one before its
 * key, its length or its place in a message could be found wrong (rule PSN-FIRST).
 */
final class ReliableResponder extends Responder {
  private final TransportRules rules;
  private final FailedRemoteInvalidation failedInvalidation;
  private final @Nullable XrcReceives named;
  private final RequestSequence sequence;
  private final ResponseSender answers;
  private final Refusals refusals;
  private final ReadsAndAtomics readsAndAtomics;
  private final WriteTarget write;
  private long sendBytes;

  /**
   * A NAK for the expected PSN is out: everything ahead of it is dropped in silence until it
   * arrives.
   */
  private boolean nakOutstanding;

  ReliableResponder(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    super(engine, keys, receives, context);
    this.rules = context.rules();
    this.failedInvalidation = context.profile().get(FailedRemoteInvalidation.class);
    this.named = receives instanceof XrcReceives xrc ? xrc : null;
    this.sequence = new RequestSequence(rules.duplicateBeforeFirstNamesAllOnes());
    this.answers = new ResponseSender(engine, keys, receives, context);
    this.refusals = new Refusals(engine, this, answers, sequence, context.faults());
    this.readsAndAtomics = new ReadsAndAtomics(engine, keys, answers, sequence, refusals, rules);
    this.write = new WriteTarget(engine, keys, context);
  }

  @Override
  void start() {
    sequence.start(engine.settings().receivePsn());
    nakOutstanding = false;
    readsAndAtomics.start();
  }

  @Override
  void changeDepth() {
    readsAndAtomics.changeDepth();
  }

  @Override
  boolean nextAnswerHasData() {
    return answers.nextHasData();
  }

  @Override
  boolean hasAnswer() {
    return answers.hasNext();
  }

  @Override
  boolean pollTransmit(long nowNanos, Packet packet) {
    return answers.pollTransmit(nowNanos, packet);
  }

  @Override
  long nextTimeoutNanos() {
    return answers.nextTimeoutNanos();
  }

  @Override
  void handleTimeout(long nowNanos) {
    answers.handleTimeout(nowNanos);
  }

  // ---- requests ------------------------------------------------------------------------------

  @Override
  void handleRequest(long nowNanos, Packet packet) {
    int distance = PacketSequenceNumbers.difference(packet.psn(), sequence.expectedPsn());
    if (distance < 0) {
      engine.counters().countDuplicate();
      repeat(nowNanos, packet);
    } else if (distance > 0) {
      refuseGap();
    } else {
      nakOutstanding = false;
      take(nowNanos, packet);
    }
  }

  /** Rule NAK-ONCE-PER-GAP: one sequence NAK, with the PSN that is missing; then silence. */
  private void refuseGap() {
    engine.counters().count(TransportCounter.OUT_OF_SEQUENCE);
    if (nakOutstanding) {
      return;
    }
    nakOutstanding = true;
    engine.counters().countSequenceNak();
    answers.nak(
        sequence.expectedPsn(),
        sequence.messageSequenceNumber(),
        NakCode.PSN_SEQUENCE_ERROR,
        false);
  }

  /** As whom the present request uses keys. */
  private AccessScope scope() {
    return named == null ? engine.scope() : named.scope();
  }

  private void take(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    // Rule XRC-QUEUE-NAMED: every request names a queue of the target's domain, and all packets of
    // a message the same.
    if (named != null
        && !named.turnTo(
            packet.xrceth().sharedReceiveQueue(), sequence.message() != Message.NONE)) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          String.format(
              Locale.ROOT,
              "%s names shared receive queue 0x%06x, which is not one of the XRC domain, or not"
                  + " that of the message",
              opcode,
              packet.xrceth().sharedReceiveQueue()));
      return;
    }
    if (opcode == Opcode.RC_RESERVED && rules.dropsReservedOpcodes()) {
      engine.counters().countWrongState();
      return;
    }
    if (!sequence.message().goesOnWith(opcode)) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          opcode + " is out of place: message under way is " + sequence.message());
      return;
    }
    engine.requestArrived();
    if (opcode.isSend()) {
      takeSend(nowNanos, packet);
    } else if (opcode.isWrite()) {
      takeWrite(nowNanos, packet);
    } else if (opcode == Opcode.RC_READ_REQUEST) {
      readsAndAtomics.takeRead(nowNanos, packet, scope());
    } else if (opcode.isAtomicRequest()) {
      readsAndAtomics.takeAtomic(nowNanos, packet, scope());
    } else {
      // Rule OPCODE-RESERVED: an opcode of the RC class that nobody has defined, or that this
      // device does not do.
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          String.format(Locale.ROOT, "opcode 0x%02x is not supported", packet.opcodeValue()));
    }
  }

  // ---- SEND ----------------------------------------------------------------------------------

  private void takeSend(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.startsMessage()) {
      if (receives.isEmpty()) {
        refuseForNow(packet);
        return;
      }
      takeReceive();
      sendBytes = 0;
    }
    ReceiveWork receive = receives.taken();
    String lengthFault = packetLengthFault(packet);
    if (!lengthFault.isEmpty()) {
      refusals.refuse(nowNanos, packet, Refusal.LENGTH, lengthFault);
      return;
    }
    long offered = receive.segments().totalBytes();
    if (sendBytes + packet.payloadLength() > offered) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.TOO_LONG,
          "the message is longer than the receive of " + offered + " bytes");
      return;
    }
    KeyFault fault = place(sendBytes, packet);
    if (fault != KeyFault.NONE) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.RECEIVE,
          "the receive can't be filled: " + receive.segments().describe(fault));
      return;
    }
    sendBytes += packet.payloadLength();
    sequence.message(Message.SEND);
    if (opcode.endsMessage()) {
      finishSend(nowNanos, packet);
    } else {
      executed(nowNanos, packet);
    }
  }

  private void finishSend(long nowNanos, Packet packet) {
    // Rule INVALIDATE-BEFORE-COMPLETION: data placed, key invalidated, completion, acknowledgement;
    // in this order.
    if (packet.opcode().hasInvalidate()) {
      int rkey = packet.invalidateRkey();
      KeyFault fault = keys.invalidate(rkey, scope(), true);
      if (fault == KeyFault.NONE) {
        engine.keyChanged(nowNanos, rkey, false, "SEND_WITH_INV of the peer");
      } else if (failedInvalidation == FailedRemoteInvalidation.IGNORED) {
        packet.opcode(withoutInvalidation(packet.opcode()));
      } else {
        refuseInvalidation(nowNanos, packet, rkey, fault);
        return;
      }
    }
    sequence.completeMessage();
    completeReceive(nowNanos, packet, CompletionOpcode.RECV, (int) sendBytes);
    executed(nowNanos, packet);
  }

  private static Opcode withoutInvalidation(Opcode opcode) {
    return opcode.startsMessage() ? Opcode.RC_SEND_ONLY : Opcode.RC_SEND_LAST;
  }

  /**
   * Rule INVALIDATE-REFUSED: no NAK is defined, since the fault is about our own key. The SEND is
   * acknowledged with the MSN as it was, the receive fails, and the queue pair goes to ERR.
   */
  private void refuseInvalidation(long nowNanos, Packet packet, int rkey, KeyFault fault) {
    if (failedInvalidation != FailedRemoteInvalidation.NOT_ACKNOWLEDGED) {
      answers.acknowledge(packet.psn(), sequence.messageSequenceNumber(), true);
    }
    boolean rightMissing =
        failedInvalidation == FailedRemoteInvalidation.ACCESS_WITHOUT_RIGHTS
            && fault == KeyFault.RIGHT_MISSING;
    if (rightMissing) {
      engine.raise(AsyncEventType.QP_ACCESS_ERR);
    }
    refusals.fail(
        nowNanos,
        rightMissing ? CompletionStatus.REM_ACCESS_ERR : CompletionStatus.REM_INV_REQ_ERR,
        String.format(
            Locale.ROOT, "the peer's SEND_WITH_INV of key 0x%08x: %s", rkey, fault.text()),
        AsyncEventType.QP_REQ_ERR);
  }

  // ---- WRITE ---------------------------------------------------------------------------------

  private void takeWrite(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (!engine.settings().allows(AccessFlag.REMOTE_WRITE)) {
      refusals.refuseAccess(nowNanos, packet, "WRITE");
      return;
    }
    if (opcode.hasImmediate()) {
      // Rule RNR-BEFORE-KEY: a missing receive is found before a bad key is.
      if (receives.isEmpty()) {
        refuseForNow(packet);
        return;
      }
      takeReceive();
    }
    if (opcode.startsMessage()) {
      engine.counters().count(TransportCounter.WRITE_REQUESTS);
      write.begin(packet, scope());
    }
    String lengthFault = packetLengthFault(packet);
    if (lengthFault.isEmpty() && write.totalBytes() > DeviceLimits.MESSAGE_BYTES_MAX) {
      lengthFault = "a DMA length of " + write.totalBytes() + " is above 2^31";
    }
    if (!lengthFault.isEmpty()) {
      refusals.refuse(nowNanos, packet, Refusal.LENGTH, lengthFault);
      return;
    }
    placeWrite(nowNanos, packet);
  }

  private void placeWrite(long nowNanos, Packet packet) {
    KeyFault fault = write.check();
    if (fault != KeyFault.NONE) {
      engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
      refusals.refuse(nowNanos, packet, Refusal.ACCESS, write.describe(fault));
      return;
    }
    if (!write.fits(packet)) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.LENGTH,
          packet.payloadLength() + " bytes came where the WRITE lacks " + write.remainingBytes());
      return;
    }
    write.place(packet);
    sequence.message(Message.WRITE);
    if (packet.opcode().endsMessage()) {
      sequence.completeMessage();
      if (packet.opcode().hasImmediate()) {
        completeReceive(
            nowNanos, packet, CompletionOpcode.RECV_RDMA_WITH_IMM, (int) write.totalBytes());
      }
    }
    executed(nowNanos, packet);
  }

  // ---- repeated requests ---------------------------------------------------------------------

  private void repeat(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.isSend() || opcode.isWrite()) {
      // Rule DUPLICATE-ACK: no memory, no key and no receive is touched; only the answer is given
      // again.
      if (rules.acknowledgesEveryDuplicate() || packet.ackRequest()) {
        answers.acknowledge(sequence.lastExecutedPsn(), sequence.messageSequenceNumber(), false);
      }
      return;
    }
    readsAndAtomics.repeat(nowNanos, packet);
  }

  // ---- refusing ------------------------------------------------------------------------------

  /** No receive is posted: the peer is asked to come again later (rule RNR-NAK). */
  private void refuseForNow(Packet packet) {
    // Rule RNR-THEN-SILENCE: what was sent behind it is ahead of its place, and dropped.
    nakOutstanding = !rules.naksBehindRnr();
    engine.counters().countRnrNak();
    int timerCode = engine.settings().minRnrTimer();
    answers.notReady(packet.psn(), sequence.messageSequenceNumber(), timerCode);
  }

  private String packetLengthFault(Packet packet) {
    int pathMtu = engine.settings().pathMtuBytes();
    int length = packet.payloadLength();
    Opcode opcode = packet.opcode();
    boolean good =
        hasLegalLength(packet)
            || (opcode == Opcode.RC_SEND_FIRST
                && length < pathMtu
                && rules.acceptsShortSendFirst());
    return good ? "" : opcode + " with " + length + " bytes of payload at a path MTU of " + pathMtu;
  }

  // ---- finishing -----------------------------------------------------------------------------

  /**
   * A SEND or WRITE packet is done: its PSN counts as taken, and if it asks for an answer it gets
   * one.
   */
  private void executed(long nowNanos, Packet packet) {
    sequence.executed(packet.psn());
    if (packet.ackRequest()) {
      answers.acknowledgeRequest(nowNanos, packet.psn(), sequence.messageSequenceNumber());
    }
  }

  @Override
  void forgetMessage() {
    sequence.message(Message.NONE);
  }

  @Override
  void silence() {
    answers.clear();
  }

  @Override
  void reset() {
    super.reset();
    answers.clear();
    nakOutstanding = false;
    readsAndAtomics.clear();
  }
}

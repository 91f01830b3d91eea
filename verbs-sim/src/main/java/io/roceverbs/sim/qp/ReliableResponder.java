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
  private final FaultRules faults;
  private final ResponseSender answers;

  private final SavedRequests saved = new SavedRequests();

  private int expectedPsn;
  private int messageSequenceNumber;
  private int lastExecutedPsn;

  /**
   * A NAK for the expected PSN is out: everything ahead of it is dropped in silence until it
   * arrives.
   */
  private boolean nakOutstanding;

  private Message message = Message.NONE;
  private long messageBytes;
  private final WriteTarget write;
  private final @Nullable XrcReceives named;
  private final FailedRemoteInvalidation failedInvalidation;

  ReliableResponder(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    super(engine, keys, receives, context);
    this.rules = context.rules();
    this.faults = context.faults();
    this.answers = new ResponseSender(engine, keys, receives, context);
    this.write = new WriteTarget(engine, keys, context);
    this.named = receives instanceof XrcReceives xrc ? xrc : null;
    this.failedInvalidation = context.profile().get(FailedRemoteInvalidation.class);
  }

  @Override
  void start() {
    expectedPsn = engine.settings().receivePsn();
    lastExecutedPsn =
        rules.duplicateBeforeFirstNamesAllOnes()
            ? PacketSequenceNumbers.MASK
            : PacketSequenceNumbers.add(expectedPsn, -1);
    messageSequenceNumber = 0;
    nakOutstanding = false;
    saved.clear(engine.settings().maxDestinationReadAtomic());
  }

  @Override
  void changeDepth() {
    saved.resize(engine.settings().maxDestinationReadAtomic());
  }

  @Override
  boolean nextAnswerHasData() {
    return answers.nextHasData();
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
    int distance = PacketSequenceNumbers.difference(packet.psn(), expectedPsn);
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
    answers.nak(expectedPsn, messageSequenceNumber, NakCode.PSN_SEQUENCE_ERROR, false);
  }

  /** As whom the present request uses keys. */
  private AccessScope scope() {
    return named == null ? engine.scope() : named.scope();
  }

  private void take(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    // Rule XRC-QUEUE-NAMED: every request names a queue of the target's domain, and all packets of
    // a message the same.
    if (named != null && !named.turnTo(packet.sharedReceiveQueue(), message != Message.NONE)) {
      refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          String.format(
              Locale.ROOT,
              "%s names shared receive queue 0x%06x, which is not one of the XRC domain, or not"
                  + " that of the message",
              opcode,
              packet.sharedReceiveQueue()));
      return;
    }
    if (opcode == Opcode.RC_RESERVED && rules.dropsReservedOpcodes()) {
      engine.counters().countWrongState();
      return;
    }
    if (!message.goesOnWith(opcode)) {
      refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          opcode + " is out of place: message under way is " + message);
      return;
    }
    engine.requestArrived();
    if (opcode.isSend()) {
      takeSend(nowNanos, packet);
    } else if (opcode.isWrite()) {
      takeWrite(nowNanos, packet);
    } else if (opcode == Opcode.RC_READ_REQUEST) {
      takeRead(nowNanos, packet);
    } else if (opcode.isAtomicRequest()) {
      takeAtomic(nowNanos, packet);
    } else {
      // Rule OPCODE-RESERVED: an opcode of the RC class that nobody has defined, or that this
      // device does not do.
      refuse(
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
      messageBytes = 0;
    }
    ReceiveWork receive = receives.taken();
    String lengthFault = packetLengthFault(packet);
    if (!lengthFault.isEmpty()) {
      refuse(nowNanos, packet, Refusal.LENGTH, lengthFault);
      return;
    }
    long offered = receive.segments().totalBytes();
    if (messageBytes + packet.payloadLength() > offered) {
      refuse(
          nowNanos,
          packet,
          Refusal.TOO_LONG,
          "the message is longer than the receive of " + offered + " bytes");
      return;
    }
    KeyFault fault = place(messageBytes, packet);
    if (fault != KeyFault.NONE) {
      refuse(
          nowNanos,
          packet,
          Refusal.RECEIVE,
          "the receive can't be filled: " + receive.segments().describe(fault));
      return;
    }
    messageBytes += packet.payloadLength();
    message = Message.SEND;
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
    completeMessage();
    completeReceive(nowNanos, packet, CompletionOpcode.RECV, (int) messageBytes);
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
      answers.acknowledge(packet.psn(), messageSequenceNumber, true);
    }
    boolean rightMissing =
        failedInvalidation == FailedRemoteInvalidation.ACCESS_WITHOUT_RIGHTS
            && fault == KeyFault.RIGHT_MISSING;
    if (rightMissing) {
      engine.raise(AsyncEventType.QP_ACCESS_ERR);
    }
    fail(
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
      refuseAccess(nowNanos, packet, "WRITE");
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
      refuse(nowNanos, packet, Refusal.LENGTH, lengthFault);
      return;
    }
    placeWrite(nowNanos, packet);
  }

  private void placeWrite(long nowNanos, Packet packet) {
    KeyFault fault = write.check();
    if (fault != KeyFault.NONE) {
      engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
      refuse(nowNanos, packet, Refusal.ACCESS, write.describe(fault));
      return;
    }
    if (!write.fits(packet)) {
      refuse(
          nowNanos,
          packet,
          Refusal.LENGTH,
          packet.payloadLength() + " bytes came where the WRITE lacks " + write.remainingBytes());
      return;
    }
    write.place(packet);
    message = Message.WRITE;
    if (packet.opcode().endsMessage()) {
      completeMessage();
      if (packet.opcode().hasImmediate()) {
        completeReceive(
            nowNanos, packet, CompletionOpcode.RECV_RDMA_WITH_IMM, (int) write.totalBytes());
      }
    }
    executed(nowNanos, packet);
  }

  // ---- READ and atomics ----------------------------------------------------------------------

  private void takeRead(long nowNanos, Packet packet) {
    if (!engine.settings().allows(AccessFlag.REMOTE_READ)) {
      refuseAccess(nowNanos, packet, "READ");
      return;
    }
    if (!saved.hasRoom(rules.recyclesReadDepth())) {
      refuseDepth(nowNanos, packet);
      return;
    }
    long length = Integer.toUnsignedLong(packet.dmaLength());
    if (length > DeviceLimits.MESSAGE_BYTES_MAX) {
      refuse(nowNanos, packet, Refusal.LENGTH, "a DMA length of " + length + " is above 2^31");
      return;
    }
    KeyFault fault = readFault(packet, scope(), length);
    if (fault != KeyFault.NONE) {
      refuseKey(nowNanos, packet, "READ", packet.rkey(), packet.remoteAddress(), length, fault);
      return;
    }
    engine.counters().count(TransportCounter.READ_REQUESTS);
    completeMessage();
    int count = PacketSequenceNumbers.count(length, engine.settings().pathMtuBytes());
    SavedRequest request = saved.next();
    request.saveRead(packet, scope(), count, messageSequenceNumber);
    answers.read(request, packet.psn(), packet.remoteAddress(), length, false);
    expectedPsn = PacketSequenceNumbers.add(expectedPsn, count);
  }

  /** Checks the key of a READ; one of nothing does not look at its key (rule KEY-ZERO-LENGTH). */
  private KeyFault readFault(Packet packet, AccessScope asker, long length) {
    return length == 0
        ? KeyFault.NONE
        : keys.checkRemote(
            packet.rkey(), asker, AccessFlag.REMOTE_READ, packet.remoteAddress(), length);
  }

  private void takeAtomic(long nowNanos, Packet packet) {
    if (!engine.settings().allows(AccessFlag.REMOTE_ATOMIC)) {
      refuseAccess(nowNanos, packet, "an atomic");
      return;
    }
    if (!saved.hasRoom(rules.recyclesReadDepth())) {
      refuseDepth(nowNanos, packet);
      return;
    }
    long address = packet.remoteAddress();
    KeyFault fault =
        keys.checkRemote(packet.rkey(), scope(), AccessFlag.REMOTE_ATOMIC, address, Long.BYTES);
    if (fault != KeyFault.NONE) {
      refuseKey(nowNanos, packet, "an atomic", packet.rkey(), address, Long.BYTES, fault);
      return;
    }
    if ((address & (Long.BYTES - 1)) != 0) {
      refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          String.format(Locale.ROOT, "address 0x%x: %s", address, KeyFault.MISALIGNED.text()));
      return;
    }
    long original = keys.readLong(packet.rkey(), address);
    if (packet.opcode() == Opcode.RC_FETCH_ADD) {
      keys.writeLong(packet.rkey(), address, original + packet.swapOrAdd());
    } else if (original == packet.compare()) {
      keys.writeLong(packet.rkey(), address, packet.swapOrAdd());
    }
    engine.counters().count(TransportCounter.ATOMIC_REQUESTS);
    completeMessage();
    SavedRequest request = saved.next();
    request.saveAtomic(packet.psn(), messageSequenceNumber, original);
    answers.atomic(request, false);
    lastExecutedPsn = packet.psn();
    expectedPsn = PacketSequenceNumbers.add(expectedPsn, 1);
  }

  // ---- repeated requests ---------------------------------------------------------------------

  private void repeat(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.isSend() || opcode.isWrite()) {
      // Rule DUPLICATE-ACK: no memory, no key and no receive is touched; only the answer is given
      // again.
      if (rules.acknowledgesEveryDuplicate() || packet.ackRequest()) {
        answers.acknowledge(lastExecutedPsn, messageSequenceNumber, false);
      }
      return;
    }
    SavedRequest request = saved.find(packet.psn());
    if (request == null) {
      return;
    }
    if (opcode == Opcode.RC_READ_REQUEST
        && request.isRead()
        && request.covers(packet, engine.settings().pathMtuBytes())) {
      repeatRead(nowNanos, packet, request);
    } else if (opcode.isAtomicRequest() && !request.isRead()) {
      // Rule ATOMIC-ONCE: the result of the first execution, whatever the memory holds by now.
      answers.atomic(request, true);
    }
  }

  /** Rule DUPLICATE-READ: executed again from memory, so its key is looked at again. */
  private void repeatRead(long nowNanos, Packet packet, SavedRequest request) {
    long length = Integer.toUnsignedLong(packet.dmaLength());
    KeyFault fault = readFault(packet, request.scope(), length);
    if (fault == KeyFault.NONE) {
      answers.read(request, packet.psn(), packet.remoteAddress(), length, true);
      return;
    }
    if (rules.dropsReplayOfDeadKey()) {
      return;
    }
    engine.counters().countFatalNak();
    engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
    answers.nak(packet.psn(), messageSequenceNumber, NakCode.REMOTE_ACCESS_ERROR, true);
    engine.responderFailed(
        nowNanos,
        String.format(
            Locale.ROOT,
            "the peer's repeated READ with key 0x%08x: %s",
            packet.rkey(),
            fault.text()));
  }

  // ---- refusing ------------------------------------------------------------------------------

  /** No receive is posted: the peer is asked to come again later (rule RNR-NAK). */
  private void refuseForNow(Packet packet) {
    // Rule RNR-THEN-SILENCE: what was sent behind it is ahead of its place, and dropped.
    nakOutstanding = !rules.naksBehindRnr();
    engine.counters().countRnrNak();
    answers.notReady(packet.psn(), messageSequenceNumber, engine.settings().minRnrTimer());
  }

  private void refuseAccess(long nowNanos, Packet packet, String what) {
    refuse(
        nowNanos,
        packet,
        Refusal.INVALID,
        "the queue pair was not given the access flag for " + what);
  }

  /** Rule READ-DEPTH-EXCEEDED: the peer asks for more than was agreed. */
  private void refuseDepth(long nowNanos, Packet packet) {
    refuse(
        nowNanos,
        packet,
        Refusal.INVALID,
        "more READs and atomics are outstanding than max_dest_rd_atomic " + saved.depth());
  }

  private void refuseKey(
      long nowNanos,
      Packet packet,
      String what,
      int rkey,
      long address,
      long length,
      KeyFault fault) {
    engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
    refuse(
        nowNanos,
        packet,
        Refusal.ACCESS,
        String.format(
            Locale.ROOT,
            "the peer's %s with rkey 0x%08x, address 0x%x, length %d: %s",
            what,
            rkey,
            address,
            length,
            fault.text()));
  }

  private void refuse(long nowNanos, Packet packet, Refusal refusal, String detail) {
    engine.counters().countFatalNak();
    answers.nak(packet.psn(), messageSequenceNumber, faults.nakCode(refusal), true);
    fail(nowNanos, faults.receiveStatus(refusal), detail, refusal.event());
  }

  /**
   * Rule FAULT-REPORT: a receive that was taken carries the fault; where there is none, an
   * asynchronous event does.
   */
  private void fail(long nowNanos, CompletionStatus status, String detail, AsyncEventType event) {
    if (hasReceive()) {
      failReceive(nowNanos, status, detail);
    } else {
      engine.raiseForFault(event);
    }
    engine.responderFailed(nowNanos, detail);
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
    lastExecutedPsn = packet.psn();
    expectedPsn = PacketSequenceNumbers.add(expectedPsn, 1);
    if (packet.ackRequest()) {
      answers.acknowledgeRequest(nowNanos, packet.psn(), messageSequenceNumber);
    }
  }

  private void completeMessage() {
    message = Message.NONE;
    messageSequenceNumber = PacketSequenceNumbers.add(messageSequenceNumber, 1);
  }

  @Override
  void forgetMessage() {
    message = Message.NONE;
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
    saved.clear(0);
  }
}

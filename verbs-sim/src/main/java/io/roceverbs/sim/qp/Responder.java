package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import org.jspecify.annotations.Nullable;

/**
 * The receiving half of a queue pair: it takes request packets, and a receive for each message that
 * needs one.
 */
abstract class Responder {
  final QueuePairEngine engine;
  final KeyTable keys;
  final ReceiveSource receives;
  private final @Nullable HeldPlacements held;
  private boolean receiveTaken;

  Responder(QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    this.engine = engine;
    this.keys = keys;
    this.receives = receives;
    this.held =
        context.profile().is(Quirk.Placement.SHUFFLED)
            ? new HeldPlacements(this::placeNow, context.seed() ^ engine.number())
            : null;
  }

  /** Begins to take requests: the queue pair has come from INIT to RTR. */
  abstract void start();

  /** Takes a request packet. */
  abstract void handleRequest(long nowNanos, Packet packet);

  /** Forgets the message under way; its receive is not touched. */
  abstract void forgetMessage();

  /** The depth of READs and atomics was changed in SQD. */
  void changeDepth() {
    // Only a reliable responder has one.
  }

  /** When it wants to be called next although nothing happens. */
  long nextTimeoutNanos() {
    return RequesterTimers.NEVER;
  }

  /** Lets time pass: an acknowledgement may have waited long enough. */
  void handleTimeout(long nowNanos) {
    // Only a reliable responder waits.
  }

  /** Whether an answer packet waits to be sent. */
  boolean hasAnswer() {
    return false;
  }

  /** Whether the next answer packet bears data, and so has to keep to the rate of the sender. */
  boolean nextAnswerHasData() {
    return false;
  }

  /** Gives the next answer packet. */
  boolean pollTransmit(long nowNanos, Packet packet) {
    return false;
  }

  /**
   * Drops the answers that wait: the queue pair is in ERR for another reason than a request of the
   * peer.
   */
  void silence() {
    // Only a reliable responder answers.
  }

  /**
   * Rule PACKET-LENGTH: FIRST and MIDDLE are as long as the path MTU, LAST has something, ONLY
   * fits.
   */
  final boolean hasLegalLength(Packet packet) {
    int pathMtu = engine.settings().pathMtuBytes();
    int length = packet.payloadLength();
    Opcode opcode = packet.opcode();
    return opcode.endsMessage()
        ? length <= pathMtu && (length > 0 || opcode.startsMessage())
        : length == pathMtu;
  }

  // ---- the receive of the message ------------------------------------------------------------

  final boolean hasReceive() {
    return receiveTaken;
  }

  final ReceiveWork takeReceive() {
    receiveTaken = true;
    if (held != null) {
      held.clear();
    }
    return receives.take();
  }

  /** Leaves a receive of our own queue to the next message. */
  final void giveBackReceive() {
    assert !receives.isShared() : "a shared receive that was taken is gone for all others";
    receiveTaken = false;
  }

  /** Places the bytes of a packet into the receive that its message has taken. */
  final KeyFault place(long messageOffset, Packet packet) {
    byte[] source = packet.payloadBuffer();
    int length = packet.payloadLength();
    return held == null
        ? placeNow(messageOffset, source, packet.payloadOffset(), length)
        : held.place(
            messageOffset, source, packet.payloadOffset(), length, packet.opcode().endsMessage());
  }

  /** Places bytes of the message into the receive that it has taken. */
  final KeyFault placeNow(long messageOffset, byte[] source, int sourceOffset, int length) {
    return receives
        .taken()
        .segments()
        .scatter(keys, receives.domain(), messageOffset, source, sourceOffset, length);
  }

  final void completeReceive(
      long nowNanos, Packet packet, CompletionOpcode opcode, int byteLength) {
    ReceiveWork receive = receives.taken();
    receiveTaken = false;
    engine.receiveSucceeded(nowNanos, receive, packet, opcode, byteLength, receives.finish());
  }

  final void failReceive(long nowNanos, CompletionStatus status, String detail) {
    ReceiveWork receive = receives.taken();
    receiveTaken = false;
    engine.receiveFailed(nowNanos, receive, status, detail, receives.finish());
  }

  /**
   * Flushes the receives in order; the one that a message was filling is the first of them. Those
   * of a shared queue stay there for the others (rule SHARED-NOT-FLUSHED).
   */
  final void flush(long nowNanos) {
    forgetMessage();
    if (receiveTaken) {
      flushTaken(nowNanos);
    }
    if (receives.isShared()) {
      engine.takesNoMoreReceives();
      return;
    }
    while (!receives.isEmpty()) {
      takeReceive();
      flushTaken(nowNanos);
    }
  }

  private void flushTaken(long nowNanos) {
    ReceiveWork receive = receives.taken();
    receiveTaken = false;
    engine.receiveFlushed(nowNanos, receive, receives.finish());
  }

  /** Forgets everything, as RESET asks; a shared receive that was taken is lost. */
  void reset() {
    forgetMessage();
    if (receiveTaken) {
      receiveTaken = false;
      receives.finish();
    }
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.wire.AtomicEth;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Reth;
import io.roceverbs.verbs.AccessFlag;
import java.util.Locale;

/**
 * The requests of a peer that want something back: READs and atomics. They are kept, so that they
 * can be answered a second time.
 */
final class ReadsAndAtomics {
  private final QueuePairEngine engine;
  private final KeyTable keys;
  private final ResponseSender answers;
  private final RequestSequence sequence;
  private final Refusals refusals;
  private final TransportRules rules;
  private final SavedRequests saved = new SavedRequests();

  ReadsAndAtomics(
      QueuePairEngine engine,
      KeyTable keys,
      ResponseSender answers,
      RequestSequence sequence,
      Refusals refusals,
      TransportRules rules) {
    this.engine = engine;
    this.keys = keys;
    this.answers = answers;
    this.sequence = sequence;
    this.refusals = refusals;
    this.rules = rules;
  }

  /** Begins with room for as many as were agreed. */
  void start() {
    saved.clear(engine.settings().maxDestinationReadAtomic());
  }

  /** As many as are agreed now are kept. */
  void changeDepth() {
    saved.resize(engine.settings().maxDestinationReadAtomic());
  }

  void clear() {
    saved.clear(0);
  }

  // ---- the first time ------------------------------------------------------------------------

  /**
   * Takes a READ.
   *
   * @param asker as whom the peer uses keys
   */
  void takeRead(long nowNanos, Packet packet, AccessScope asker) {
    if (!mayTake(nowNanos, packet, AccessFlag.REMOTE_READ, "READ")) {
      return;
    }
    Reth reth = packet.reth();
    long length = Integer.toUnsignedLong(reth.dmaLength());
    if (length > DeviceLimits.MESSAGE_BYTES_MAX) {
      refusals.refuse(
          nowNanos, packet, Refusal.LENGTH, "a DMA length of " + length + " is above 2^31");
      return;
    }
    KeyFault fault = readFault(reth, asker, length);
    if (fault != KeyFault.NONE) {
      refusals.refuseKey(
          nowNanos, packet, "READ", reth.rkey(), reth.remoteAddress(), length, fault);
      return;
    }
    engine.counters().count(TransportCounter.READ_REQUESTS);
    sequence.completeMessage();
    int count = PacketSequenceNumbers.count(length, engine.settings().pathMtuBytes());
    SavedRequest request = saved.next();
    request.saveRead(packet, asker, count, sequence.messageSequenceNumber());
    answers.read(request, packet.psn(), reth.remoteAddress(), length, false);
    sequence.expect(count);
  }

  /** Checks the key of a READ; one of nothing does not look at its key (rule KEY-ZERO-LENGTH). */
  private KeyFault readFault(Reth reth, AccessScope asker, long length) {
    return length == 0
        ? KeyFault.NONE
        : keys.checkRemote(
            reth.rkey(), asker, AccessFlag.REMOTE_READ, reth.remoteAddress(), length);
  }

  /**
   * Takes an atomic.
   *
   * @param asker as whom the peer uses keys
   */
  void takeAtomic(long nowNanos, Packet packet, AccessScope asker) {
    if (!mayTake(nowNanos, packet, AccessFlag.REMOTE_ATOMIC, "an atomic")) {
      return;
    }
    AtomicEth operation = packet.atomicEth();
    int rkey = operation.rkey();
    long address = operation.remoteAddress();
    KeyFault fault = keys.checkRemote(rkey, asker, AccessFlag.REMOTE_ATOMIC, address, Long.BYTES);
    if (fault != KeyFault.NONE) {
      refusals.refuseKey(nowNanos, packet, "an atomic", rkey, address, Long.BYTES, fault);
      return;
    }
    if ((address & (Long.BYTES - 1)) != 0) {
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          String.format(Locale.ROOT, "address 0x%x: %s", address, KeyFault.MISALIGNED.text()));
      return;
    }
    long original = execute(packet.opcode(), operation);
    engine.counters().count(TransportCounter.ATOMIC_REQUESTS);
    sequence.completeMessage();
    SavedRequest request = saved.next();
    request.saveAtomic(packet.psn(), sequence.messageSequenceNumber(), original);
    answers.atomic(request, false);
    sequence.executed(packet.psn());
  }

  /** Executes an atomic, and returns what the memory held before. */
  private long execute(Opcode opcode, AtomicEth operation) {
    int rkey = operation.rkey();
    long address = operation.remoteAddress();
    long original = keys.readLong(rkey, address);
    if (opcode == Opcode.RC_FETCH_ADD) {
      keys.writeLong(rkey, address, original + operation.swapOrAdd());
    } else if (original == operation.compare()) {
      keys.writeLong(rkey, address, operation.swapOrAdd());
    }
    return original;
  }

  /** Refuses a request that the queue pair does not allow, or the depth. */
  private boolean mayTake(long nowNanos, Packet packet, AccessFlag right, String what) {
    if (!engine.settings().allows(right)) {
      refusals.refuseAccess(nowNanos, packet, what);
      return false;
    }
    if (!saved.hasRoom(rules.recyclesReadDepth())) {
      // Rule READ-DEPTH-EXCEEDED: the peer asks for more than was agreed.
      refusals.refuse(
          nowNanos,
          packet,
          Refusal.INVALID,
          "more READs and atomics are outstanding than max_dest_rd_atomic " + saved.depth());
      return false;
    }
    return true;
  }

  // ---- again ---------------------------------------------------------------------------------

  /** Answers a repeated request, if it is one of those that were kept. */
  void repeat(long nowNanos, Packet packet) {
    SavedRequest request = saved.find(packet.psn());
    if (request == null) {
      return;
    }
    Opcode opcode = packet.opcode();
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
    Reth reth = packet.reth();
    long length = Integer.toUnsignedLong(reth.dmaLength());
    KeyFault fault = readFault(reth, request.scope(), length);
    if (fault == KeyFault.NONE) {
      answers.read(request, packet.psn(), reth.remoteAddress(), length, true);
      return;
    }
    if (rules.dropsReplayOfDeadKey()) {
      return;
    }
    engine.counters().countFatalNak();
    engine.counters().count(TransportCounter.REMOTE_ACCESS_ERRORS_FOUND);
    answers.nak(packet.psn(), sequence.messageSequenceNumber(), NakCode.REMOTE_ACCESS_ERROR, true);
    engine.responderFailed(
        nowNanos,
        String.format(
            Locale.ROOT,
            "the peer's repeated READ with key 0x%08x: %s",
            reth.rkey(),
            fault.text()));
  }
}

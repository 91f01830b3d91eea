package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.WireSwitch.UcGap;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;

/**
 * The receiving half of a UC queue pair: whole messages, or nothing of them.
 *
 * <p>Whatever is wrong with a packet, its message is dropped without a word, and the next packet
 * that begins a message sets the PSN anew (rule UC-RESYNC). What a WRITE has placed until then
 * stays placed.
 */
final class UnreliableResponder extends OneWayResponder {
  private final boolean losesNext;
  private int expectedPsn;
  private Message message = Message.NONE;
  private long messageBytes;
  private final WriteTarget write;
  private boolean skipsNextMessage;

  UnreliableResponder(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    super(engine, keys, receives, context);
    this.write = new WriteTarget(engine, keys, context);
    this.losesNext = context.profile().is(UcGap.LOSES_NEXT);
  }

  @Override
  void start() {
    expectedPsn = engine.settings().receivePsn();
    skipsNextMessage = false;
  }

  @Override
  void forgetMessage() {
    message = Message.NONE;
  }

  @Override
  void handleRequest(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    boolean inPlace = packet.psn() == expectedPsn && message.goesOnWith(opcode);
    if (!inPlace && message != Message.NONE) {
      abandon(nowNanos, "the message was not received whole");
      skipsNextMessage = losesNext;
    }
    if (!inPlace && !opcode.startsMessage()) {
      engine.counters().countUnreliableDrop();
      return;
    }
    expectedPsn = PacketSequenceNumbers.add(packet.psn(), 1);
    if (skipsNextMessage) {
      skipsNextMessage = false;
      engine.counters().countUnreliableDrop();
      return;
    }
    engine.requestArrived();
    if (opcode.isSend()) {
      takeSend(nowNanos, packet);
    } else {
      takeWrite(nowNanos, packet);
    }
  }

  /**
   * Gives the message up. A receive of our own queue waits for the next message (rule
   * UC-RECEIVE-KEPT); one of a shared queue was taken from the others, and fails.
   */
  private void abandon(long nowNanos, String reason) {
    message = Message.NONE;
    engine.counters().countUnreliableDrop();
    if (!hasReceive()) {
      return;
    }
    if (receives.isShared()) {
      failReceive(nowNanos, CompletionStatus.REM_INV_REQ_ERR, reason);
    } else {
      giveBackReceive();
    }
  }

  private void takeSend(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.startsMessage()) {
      if (receives.isEmpty()) {
        abandon(nowNanos, "no receive is posted");
        return;
      }
      takeReceive();
      messageBytes = 0;
    }
    if (!hasLegalLength(packet)
        || messageBytes + packet.payloadLength() > receives.taken().segments().totalBytes()) {
      abandon(nowNanos, "the message has a wrong length or is longer than the receive");
      return;
    }
    KeyFault fault = place(messageBytes, packet);
    if (fault != KeyFault.NONE) {
      failOnReceive(nowNanos, fault);
      return;
    }
    messageBytes += packet.payloadLength();
    message = Message.SEND;
    if (opcode.endsMessage()) {
      message = Message.NONE;
      completeReceive(nowNanos, packet, CompletionOpcode.RECV, (int) messageBytes);
    }
  }

  private void takeWrite(long nowNanos, Packet packet) {
    Opcode opcode = packet.opcode();
    if (opcode.startsMessage()) {
      engine.counters().count(TransportCounter.WRITE_REQUESTS);
      write.begin(packet, engine.scope());
    }
    if (!mayWrite(packet)) {
      abandon(nowNanos, "the WRITE is not allowed");
      return;
    }
    if (opcode.hasImmediate() && receives.isEmpty()) {
      abandon(nowNanos, "no receive is posted");
      return;
    }
    write.place(packet);
    message = Message.WRITE;
    if (opcode.endsMessage()) {
      message = Message.NONE;
      if (opcode.hasImmediate()) {
        takeReceive();
        completeReceive(
            nowNanos, packet, CompletionOpcode.RECV_RDMA_WITH_IMM, (int) write.totalBytes());
      }
    }
  }

  private boolean mayWrite(Packet packet) {
    return write.fits(packet)
        && hasLegalLength(packet)
        && write.totalBytes() <= DeviceLimits.MESSAGE_BYTES_MAX
        && engine.settings().allows(AccessFlag.REMOTE_WRITE)
        && write.check() == KeyFault.NONE;
  }
}

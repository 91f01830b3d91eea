package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.PostingSwitch.DatagramHeaderGap;
import io.roceverbs.sim.profile.PostingSwitch.DatagramTooLongForReceive;
import io.roceverbs.sim.wire.NetworkHeader;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;

/**
 * The receiving half of a UD queue pair: each packet is a message, with the network header in front
 * of it.
 */
final class DatagramResponder extends OneWayResponder {
  private final DatagramTooLongForReceive tooLong;
  private final boolean zeroGap;
  private final byte[] header = new byte[NetworkHeader.AREA_BYTES];
  private long gapState;

  DatagramResponder(
      QueuePairEngine engine, KeyTable keys, ReceiveSource receives, EngineContext context) {
    super(engine, keys, receives, context);
    this.tooLong = context.profile().get(DatagramTooLongForReceive.class);
    this.zeroGap = context.profile().is(DatagramHeaderGap.ZERO);
    this.gapState = context.seed() ^ engine.number();
  }

  @Override
  void start() {
    // A datagram's PSN is not looked at.
  }

  @Override
  void forgetMessage() {
    // No message lasts longer than its packet.
  }

  @Override
  void handleRequest(long nowNanos, Packet packet) {
    // Rule QKEY-CHECK: a datagram under another key is dropped and counted; nobody is told.
    if (packet.deth().queueKey() != engine.settings().queueKey()) {
      engine.counters().countQueueKey();
      return;
    }
    if (receives.isEmpty()) {
      engine.counters().countDatagramWithoutReceive();
      return;
    }
    int bytes = NetworkHeader.AREA_BYTES + packet.payloadLength();
    if (bytes > receives.first().segments().totalBytes()) {
      refuse(nowNanos, bytes);
      return;
    }
    takeReceive();
    fillHeader(packet);
    KeyFault fault = placeNow(0, header, 0, NetworkHeader.AREA_BYTES);
    if (fault == KeyFault.NONE) {
      fault =
          placeNow(
              NetworkHeader.AREA_BYTES,
              packet.payloadBuffer(),
              packet.payloadOffset(),
              packet.payloadLength());
    }
    if (fault != KeyFault.NONE) {
      failOnReceive(nowNanos, fault);
      return;
    }
    completeReceive(nowNanos, packet, CompletionOpcode.RECV, bytes);
  }

  /** Rule DATAGRAM-TOO-LONG: by the rules it is dropped, and the receive waits for the next one. */
  private void refuse(long nowNanos, int bytes) {
    engine.counters().countDatagramTooLong();
    boolean fails =
        switch (tooLong) {
          case DROP -> false;
          case DROP_BUT_FAIL_SHARED -> receives.isShared();
          case LOC_LEN_ERR -> true;
        };
    if (fails) {
      long offered = takeReceive().segments().totalBytes();
      failReceive(
          nowNanos,
          CompletionStatus.LOC_LEN_ERR,
          bytes + " bytes of header and datagram are more than the receive's " + offered);
    }
  }

  /**
   * Rule DATAGRAM-HEADER: 40 bytes; an IPv4 header takes the last 20, and the first mean nothing.
   */
  private void fillHeader(Packet packet) {
    if (!packet.network().ipv6()) {
      for (int i = 0; i < NetworkHeader.IPV4_OFFSET; i++) {
        header[i] = zeroGap ? 0 : nextMeaninglessByte();
      }
    }
    NetworkHeader.write(packet, header);
  }

  /** Never zero, so that a ULP that takes it for one never gets away with it. */
  private byte nextMeaninglessByte() {
    gapState = gapState * 6_364_136_223_846_793_005L + 1_442_695_040_888_963_407L;
    return (byte) ((gapState >>> 33) | 1);
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.TransportClass;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendOpcode;
import java.util.Locale;

/**
 * Makes the packets of a send request, each time from what the request names and what the memory
 * holds now.
 *
 * <p>The first transmission and every later one take the same way (rule PAYLOAD-REREAD).
 */
final class RequestBuilder {
  private final KeyTable keys;
  private final int domain;
  private final TransportClass transport;

  RequestBuilder(KeyTable keys, int domain, TransportClass transport) {
    this.keys = keys;
    this.domain = domain;
    this.transport = transport;
  }

  /**
   * Fills in packet {@code index} of a SEND or WRITE message, payload included.
   *
   * @return the check that failed while the payload was gathered, or NONE
   */
  KeyFault buildMessagePacket(SendWork work, int index, int pathMtu, Packet packet) {
    boolean first = index == 0;
    boolean last = index == work.psnCount() - 1;
    long offset = (long) index * pathMtu;
    int length = last ? (int) (work.messageBytes() - offset) : pathMtu;
    KeyFault fault = gather(work, offset, length, packet);
    if (fault != KeyFault.NONE) {
      return fault;
    }
    Opcode opcode = opcode(work.opcode(), first, last).in(transport);
    packet.opcode(opcode).psn(PacketSequenceNumbers.add(work.firstPsn(), index));
    packet.xrceth().sharedReceiveQueue(work.sharedReceiveQueueNumber());
    if (opcode.hasReth()) {
      packet
          .reth()
          .remoteAddress(work.remoteAddress())
          .rkey(work.rkey())
          .dmaLength((int) work.messageBytes());
    }
    if (opcode.hasImmediate()) {
      packet.immediate(work.immediate());
    }
    if (opcode.hasInvalidate()) {
      packet.invalidateRkey(work.invalidateKey());
    }
    packet.solicited(last && work.has(SendFlag.SOLICITED) && consumesReceive(work.opcode()));
    return KeyFault.NONE;
  }

  private KeyFault gather(SendWork work, long offset, int length, Packet packet) {
    byte[] buffer = packet.payloadBuffer();
    int start = packet.payloadOffset();
    packet.payload(buffer, start, length);
    if (work.has(SendFlag.INLINE)) {
      System.arraycopy(work.inlineData(), (int) offset, buffer, start, length);
      return KeyFault.NONE;
    }
    return work.segments().gather(keys, domain, offset, buffer, start, length);
  }

  /** Fills in a READ request for what is still missing of the answer (rule READ-RESUME). */
  void buildReadRequest(SendWork work, int pathMtu, Packet packet) {
    long received = (long) work.responsesReceived() * pathMtu;
    packet
        .opcode(Opcode.RC_READ_REQUEST)
        .psn(PacketSequenceNumbers.add(work.firstPsn(), work.responsesReceived()));
    packet.xrceth().sharedReceiveQueue(work.sharedReceiveQueueNumber());
    packet
        .reth()
        .remoteAddress(work.remoteAddress() + received)
        .rkey(work.rkey())
        .dmaLength((int) (work.messageBytes() - received));
    noPayload(packet);
  }

  /** Fills in an atomic request. */
  void buildAtomicRequest(SendWork work, Packet packet) {
    boolean swap = work.opcode() == SendOpcode.ATOMIC_CMP_AND_SWP;
    packet.opcode(swap ? Opcode.RC_COMPARE_SWAP : Opcode.RC_FETCH_ADD).psn(work.firstPsn());
    packet.xrceth().sharedReceiveQueue(work.sharedReceiveQueueNumber());
    packet
        .atomicEth()
        .remoteAddress(work.remoteAddress())
        .rkey(work.rkey())
        .compare(work.compare())
        .swapOrAdd(work.swapOrAdd());
    noPayload(packet);
  }

  private static void noPayload(Packet packet) {
    packet.payload(packet.payloadBuffer(), packet.payloadOffset(), 0);
  }

  /** Says in words what a packet whose payload can't be gathered hit. */
  static String describe(SendWork work, int psn, KeyFault fault, boolean again) {
    return String.format(
        Locale.ROOT,
        "%spsn 0x%06x can't be gathered: %s",
        again ? "retransmission of " : "",
        psn,
        work.segments().describe(fault));
  }

  static boolean consumesReceive(SendOpcode opcode) {
    return opcode.isSend() || opcode == SendOpcode.RDMA_WRITE_WITH_IMM;
  }

  private static Opcode opcode(SendOpcode request, boolean first, boolean last) {
    return switch (request) {
      case SEND -> send(first, last, Opcode.RC_SEND_LAST, Opcode.RC_SEND_ONLY);
      case SEND_WITH_IMM ->
          send(first, last, Opcode.RC_SEND_LAST_WITH_IMMEDIATE, Opcode.RC_SEND_ONLY_WITH_IMMEDIATE);
      case SEND_WITH_INV ->
          send(
              first,
              last,
              Opcode.RC_SEND_LAST_WITH_INVALIDATE,
              Opcode.RC_SEND_ONLY_WITH_INVALIDATE);
      case RDMA_WRITE -> write(first, last, Opcode.RC_WRITE_LAST, Opcode.RC_WRITE_ONLY);
      case RDMA_WRITE_WITH_IMM ->
          write(
              first,
              last,
              Opcode.RC_WRITE_LAST_WITH_IMMEDIATE,
              Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE);
      case RDMA_READ,
          ATOMIC_CMP_AND_SWP,
          ATOMIC_FETCH_AND_ADD,
          MASKED_ATOMIC_CMP_AND_SWP,
          MASKED_ATOMIC_FETCH_AND_ADD,
          LOCAL_INV,
          BIND_MW,
          REG_MR,
          REG_MR_INTEGRITY,
          TSO,
          DRIVER1,
          FLUSH,
          ATOMIC_WRITE ->
          throw new AssertionError(request + " has no message packets");
    };
  }

  private static Opcode send(boolean first, boolean last, Opcode lastOpcode, Opcode onlyOpcode) {
    if (first) {
      return last ? onlyOpcode : Opcode.RC_SEND_FIRST;
    }
    return last ? lastOpcode : Opcode.RC_SEND_MIDDLE;
  }

  private static Opcode write(boolean first, boolean last, Opcode lastOpcode, Opcode onlyOpcode) {
    if (first) {
      return last ? onlyOpcode : Opcode.RC_WRITE_FIRST;
    }
    return last ? lastOpcode : Opcode.RC_WRITE_MIDDLE;
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.memory.KeyTable;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.sim.wire.SyndromeKind;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** Judges and places the response packets of READ requests and atomics at the requester. */
final class ReadResponses {
  private final KeyTable keys;
  private final int domain;
  private final @Nullable HeldPlacements held;

  /** Where the READ goes whose answer comes now. */
  private @Nullable SegmentList destination;

  ReadResponses(QueuePairEngine engine, KeyTable keys, int domain, EngineContext context) {
    this.keys = keys;
    this.domain = domain;
    this.held =
        context.profile().is(Quirk.Placement.SHUFFLED)
            ? new HeldPlacements(this::scatter, context.seed() ^ engine.number())
            : null;
  }

  /**
   * Says what is wrong with the response packet that is expected next, or nothing (rule
   * RESPONSE-WRONG).
   *
   * <p>Its place in the answer follows from its PSN. A responder that answers the rest of a READ
   * may go on with the opcodes of the first answer or begin anew, so both are taken there (rule
   * READ-REPLAY-OPCODE).
   */
  static String mismatch(SendWork work, Packet packet, int pathMtu) {
    if (packet.opcode().hasAeth() && Syndrome.kind(packet.aeth().syndrome()) != SyndromeKind.ACK) {
      return String.format(
          Locale.ROOT,
          "%s has syndrome 0x%02x, where data comes with an acknowledgement",
          packet.opcode(),
          packet.aeth().syndrome());
    }
    return work.opcode().isAtomic() ? "" : readMismatch(work, packet, pathMtu);
  }

  private static String readMismatch(SendWork work, Packet packet, int pathMtu) {
    int index = work.responsesReceived();
    boolean last = index == work.psnCount() - 1;
    long missing = work.messageBytes() - (long) index * pathMtu;
    long expectedLength = last ? missing : pathMtu;
    if (packet.payloadLength() != expectedLength) {
      return String.format(
          Locale.ROOT,
          "%s has %d bytes where the READ lacks %d",
          packet.opcode(),
          packet.payloadLength(),
          expectedLength);
    }
    boolean firstAnswer = index == 0;
    boolean newAnswer = packet.psn() == work.lastReadRequestPsn();
    if (!opcodeFits(packet.opcode(), last, firstAnswer, newAnswer)) {
      return packet.opcode() + " is out of place in the answer to the READ";
    }
    return "";
  }

  private static boolean opcodeFits(
      Opcode opcode, boolean last, boolean firstAnswer, boolean newAnswer) {
    Opcode begin = last ? Opcode.RC_READ_RESPONSE_ONLY : Opcode.RC_READ_RESPONSE_FIRST;
    Opcode goOn = last ? Opcode.RC_READ_RESPONSE_LAST : Opcode.RC_READ_RESPONSE_MIDDLE;
    if (firstAnswer) {
      return opcode == begin;
    }
    return opcode == goOn || (newAnswer && opcode == begin);
  }

  /** Scatters a READ response through the lkeys of the request, checked anew for each packet. */
  KeyFault place(SendWork work, Packet packet, int pathMtu) {
    int index = work.responsesReceived();
    long messageOffset = (long) index * pathMtu;
    byte[] source = packet.payloadBuffer();
    int sourceOffset = packet.payloadOffset();
    int length = packet.payloadLength();
    destination = work.segments();
    if (held == null) {
      return scatter(messageOffset, source, sourceOffset, length);
    }
    if (index == 0) {
      held.clear();
    }
    boolean last = index == work.psnCount() - 1;
    return held.place(messageOffset, source, sourceOffset, length, last);
  }

  private KeyFault scatter(long messageOffset, byte[] source, int sourceOffset, int length) {
    return Objects.requireNonNull(destination)
        .scatter(keys, domain, messageOffset, source, sourceOffset, length);
  }

  /** Stores the original value of an atomic as the host's integer (rule ATOMIC-HOST-ORDER). */
  KeyFault placeAtomic(SendWork work, Packet packet) {
    byte[] word = keys.atomicResult(packet.originalData());
    return work.segments().scatter(keys, domain, 0, word, 0, Long.BYTES);
  }
}

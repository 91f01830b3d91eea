package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.Credits;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Syndrome;
import io.roceverbs.sim.wire.SyndromeKind;

/**
 * How many messages a requester may begin before the responder says that it has more receives (rule
 * CREDIT-LIMIT). One more than that may always go, as a probe; without it both sides could wait.
 */
final class CreditLimit {
  private static final int PROBES = 1;

  private final boolean isUsed;
  private boolean isUnlimited;
  private int messages;
  private int limit;

  CreditLimit(boolean isUsed) {
    this.isUsed = isUsed;
    start();
  }

  /** Begins without any credit. */
  void start() {
    isUnlimited = !isUsed;
    messages = 0;
    limit = 0;
  }

  /** Whether one more message that takes a receive may begin. */
  boolean allowsMessage() {
    return isUnlimited || PacketSequenceNumbers.difference(messages, limit) < PROBES;
  }

  /** Counts a message that begins, whether it takes a receive or not. */
  void countMessage() {
    messages = PacketSequenceNumbers.add(messages, 1);
  }

  /** Takes over what an acknowledgement says. */
  void update(int syndrome, int messageSequenceNumber) {
    if (!isUsed || Syndrome.kind(syndrome) != SyndromeKind.ACK) {
      return;
    }
    int code = Syndrome.code(syndrome);
    isUnlimited = code == Syndrome.CREDITS_UNLIMITED;
    if (!isUnlimited) {
      limit = PacketSequenceNumbers.add(messageSequenceNumber, Credits.receives(code));
    }
  }
}

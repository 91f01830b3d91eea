package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.PacketSequenceNumbers;

/** Where an RC responder stands in the requests of its peer. */
final class RequestSequence {
  private final boolean duplicateBeforeFirstNamesAllOnes;
  private int expectedPsn;
  private int lastExecutedPsn;
  private int messageSequenceNumber;
  private Message message = Message.NONE;

  /**
   * Makes one that has yet to start.
   *
   * @param duplicateBeforeFirstNamesAllOnes as in {@link TransportRules}
   */
  RequestSequence(boolean duplicateBeforeFirstNamesAllOnes) {
    this.duplicateBeforeFirstNamesAllOnes = duplicateBeforeFirstNamesAllOnes;
  }

  /** Begins with the programmed PSN. */
  void start(int firstPsn) {
    expectedPsn = firstPsn;
    lastExecutedPsn =
        duplicateBeforeFirstNamesAllOnes
            ? PacketSequenceNumbers.MASK
            : PacketSequenceNumbers.add(firstPsn, -1);
    messageSequenceNumber = 0;
  }

  int expectedPsn() {
    return expectedPsn;
  }

  /**
   * PSN of the last request packet that was executed, which a repeated request is answered with.
   */
  int lastExecutedPsn() {
    return lastExecutedPsn;
  }

  /** How many messages were completed. */
  int messageSequenceNumber() {
    return messageSequenceNumber;
  }

  /** The message under way. */
  Message message() {
    return message;
  }

  /** A message goes on behind the present packet. */
  void message(Message kind) {
    message = kind;
  }

  /** The message under way, or a READ or an atomic, is complete. */
  void completeMessage() {
    message = Message.NONE;
    messageSequenceNumber = PacketSequenceNumbers.add(messageSequenceNumber, 1);
  }

  /** A packet was executed at once; the next one is expected. */
  void executed(int psn) {
    lastExecutedPsn = psn;
    expect(1);
  }

  /** So many PSNs are taken by a request whose answer is yet to be made. */
  void expect(int psnCount) {
    expectedPsn = PacketSequenceNumbers.add(expectedPsn, psnCount);
  }
}

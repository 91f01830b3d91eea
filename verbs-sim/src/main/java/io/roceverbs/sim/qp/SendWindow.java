package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.PacketSequenceNumbers;

/**
 * How far an RC requester has come: two positions in its send queue, and the PSNs that go with
 * them.
 *
 * <p>The head is the oldest incomplete request, moved by responses. The cursor is the next thing to
 * send; it runs ahead of the head and jumps back to it when a timeout or a NAK says so. Nothing
 * else is needed to send again, since each packet is made anew from its request.
 */
final class SendWindow {
  /**
   * With so many packets sent and not acknowledged no further request starts. A READ counts with
   * all its response packets, and one READ may go beyond.
   */
  static final int PACKETS_IN_FLIGHT_MAX = 128;

  /** A long message asks for an acknowledgement this often, so that its window can move on. */
  private static final int ACK_REQUEST_INTERVAL = PACKETS_IN_FLIGHT_MAX / 2;

  /** Half the PSN space: with more outstanding, old and new could not be told apart. */
  private static final int PSN_WINDOW_MAX = 1 << 23;

  private final SendQueue queue;
  private long cursor;
  private int cursorPacket;
  private int nextPsn;
  private int unacknowledgedPsn;
  private int readsOutstanding;
  private int packetsSinceAckRequest;

  SendWindow(SendQueue queue) {
    this.queue = queue;
  }

  /** Begins with the programmed PSN. */
  void start(int firstPsn) {
    nextPsn = firstPsn;
    unacknowledgedPsn = firstPsn;
  }

  /** Forgets what is outstanding. */
  void clear() {
    readsOutstanding = 0;
    cursorPacket = 0;
    packetsSinceAckRequest = 0;
  }

  /** Nothing that is in the queue now is sent any more. */
  void skipAll() {
    cursor = queue.tail();
  }

  // ---- the cursor ----------------------------------------------------------------------------

  /** Position of the next thing to send. */
  long cursor() {
    return cursor;
  }

  void cursor(long position) {
    cursor = position;
  }

  /** Whether there is a request at the cursor. */
  boolean hasNext() {
    return cursor < queue.tail();
  }

  /** The request at the cursor. */
  SendWork next() {
    return queue.at(cursor);
  }

  /** Which packet of the request at the cursor is next. */
  int cursorPacket() {
    return cursorPacket;
  }

  boolean isCursorAtHead() {
    return cursor == queue.head();
  }

  /** Whether nothing has been sent since the cursor went back. */
  boolean isCursorAtFirstPacket() {
    return isCursorAtHead() && cursorPacket == 0;
  }

  /**
   * Rule GO-BACK-N: from the oldest unacknowledged packet on, everything is sent again with its old
   * PSN.
   */
  void rewind() {
    cursor = queue.head();
    cursorPacket = 0;
    skipAcknowledged();
  }

  /** A late response may acknowledge what the cursor went back to send again: that is skipped. */
  void skipAcknowledged() {
    if (cursor > queue.head()) {
      return;
    }
    if (cursor < queue.head()) {
      cursor = queue.head();
      cursorPacket = 0;
    }
    if (hasNext()) {
      SendWork work = next();
      if (work.isStarted() && !work.opcode().isLocal() && !work.opcode().isReadOrAtomic()) {
        int acknowledged = PacketSequenceNumbers.difference(unacknowledgedPsn, work.firstPsn());
        cursorPacket = Math.max(cursorPacket, acknowledged);
      }
    }
  }

  // ---- sending -------------------------------------------------------------------------------

  /** How many packets are sent and not acknowledged, the responses of READs among them. */
  int outstanding() {
    return (nextPsn - unacknowledgedPsn) & PacketSequenceNumbers.MASK;
  }

  boolean isFull() {
    return outstanding() >= PACKETS_IN_FLIGHT_MAX;
  }

  int readsOutstanding() {
    return readsOutstanding;
  }

  /**
   * Whether one more READ or atomic may start.
   *
   * @param psnCount how many PSNs it takes
   * @param depth how many may be outstanding at a time
   */
  boolean allowsRead(int psnCount, int depth) {
    // Rule READ-DEPTH: the READ too many waits, and everything behind it.
    return readsOutstanding < depth && outstanding() + psnCount <= PSN_WINDOW_MAX;
  }

  /** Begins the request at the cursor, which takes so many PSNs. */
  void begin(SendWork work, int psnCount) {
    work.start(nextPsn, psnCount);
    cursorPacket = 0;
    if (work.opcode().isReadOrAtomic()) {
      readsOutstanding++;
    }
  }

  /** Whether a packet with this PSN had been sent before. */
  boolean wasSent(int psn) {
    return PacketSequenceNumbers.difference(psn, nextPsn) < 0;
  }

  /**
   * Rule ACK-REQUEST: the last packet of each message asks; a long message does so now and then.
   */
  boolean asksForAck(boolean last) {
    packetsSinceAckRequest++;
    if (!last && packetsSinceAckRequest < ACK_REQUEST_INTERVAL) {
      return false;
    }
    packetsSinceAckRequest = 0;
    return true;
  }

  /**
   * A packet of the request at the cursor leaves, for the first time or again.
   *
   * @param last whether it is the last of its request
   */
  void passPacket(SendWork work, boolean last, boolean again) {
    if (!again) {
      nextPsn =
          PacketSequenceNumbers.add(work.firstPsn(), last ? work.psnCount() : cursorPacket + 1);
    }
    if (last) {
      cursor++;
      cursorPacket = 0;
    } else {
      cursorPacket++;
    }
  }

  // ---- responses -----------------------------------------------------------------------------

  int unacknowledgedPsn() {
    return unacknowledgedPsn;
  }

  /** Whether a response with this PSN answers something that was sent and not acknowledged. */
  boolean isOutstanding(int psn) {
    return PacketSequenceNumbers.difference(psn, unacknowledgedPsn) >= 0
        && PacketSequenceNumbers.difference(psn, nextPsn) < 0;
  }

  /** Everything before {@code endPsn} is acknowledged; says whether that is news. */
  boolean acknowledge(int endPsn) {
    boolean moves = endPsn != unacknowledgedPsn;
    unacknowledgedPsn = endPsn;
    return moves;
  }

  /** A READ or an atomic has its whole answer. */
  void readEnds() {
    readsOutstanding--;
  }
}

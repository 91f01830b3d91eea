package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketSequenceNumbers;
import io.roceverbs.sim.wire.Reth;
import org.jspecify.annotations.Nullable;

/**
 * What a responder keeps of a READ or an atomic that it has taken, so that it can answer a second
 * time.
 *
 * <p>Of a READ it keeps where the data is, not the data; of an atomic the result, since that must
 * not run twice.
 */
final class SavedRequest {
  private @Nullable AccessScope scope;
  private boolean read;
  private int firstPsn;
  private int psnCount;
  private long address;
  private int rkey;
  private long length;
  private int messageSequenceNumber;
  private long originalData;
  private boolean used;
  private boolean answered;

  void saveRead(Packet request, AccessScope asker, int count, int msn) {
    scope = asker;
    read = true;
    used = true;
    answered = false;
    firstPsn = request.psn();
    psnCount = count;
    Reth reth = request.reth();
    address = reth.remoteAddress();
    rkey = reth.rkey();
    length = Integer.toUnsignedLong(reth.dmaLength());
    messageSequenceNumber = msn;
  }

  void saveAtomic(int psn, int msn, long original) {
    read = false;
    used = true;
    answered = false;
    firstPsn = psn;
    psnCount = 1;
    messageSequenceNumber = msn;
    originalData = original;
  }

  boolean isRead() {
    return read;
  }

  /** Whether its first answer has left in full. */
  boolean isAnswered() {
    return answered;
  }

  void markAnswered() {
    answered = true;
  }

  boolean contains(int psn) {
    return used
        && (PacketSequenceNumbers.difference(psn, firstPsn) & PacketSequenceNumbers.MASK)
            < psnCount;
  }

  /**
   * Whether a repeated READ asks for a part of what it asked for first, at the PSN at which that
   * part was answered (rule READ-REPLAY-INSIDE).
   */
  boolean covers(Packet request, int pathMtu) {
    long skipped = (long) PacketSequenceNumbers.difference(request.psn(), firstPsn) * pathMtu;
    Reth reth = request.reth();
    long asked = Integer.toUnsignedLong(reth.dmaLength());
    return reth.rkey() == rkey
        && reth.remoteAddress() == address + skipped
        && skipped + asked <= length
        && (asked > 0 || length == 0);
  }

  /** As whom a READ uses its key, also when it is repeated. */
  AccessScope scope() {
    AccessScope asker = scope;
    if (asker == null) {
      throw new AssertionError("only a READ is asked for it");
    }
    return asker;
  }

  int firstPsn() {
    return firstPsn;
  }

  int rkey() {
    return rkey;
  }

  int messageSequenceNumber() {
    return messageSequenceNumber;
  }

  long originalData() {
    return originalData;
  }
}

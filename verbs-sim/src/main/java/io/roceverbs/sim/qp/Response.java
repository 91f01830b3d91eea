package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.AccessScope;
import org.jspecify.annotations.Nullable;

/**
 * One answer that waits to leave: an acknowledgement of either kind, an atomic's result, or a
 * READ's data.
 */
final class Response {
  /** What it is. */
  enum Kind {
    ACKNOWLEDGE,
    ATOMIC,
    READ
  }

  private static final SavedRequest NO_REQUEST = new SavedRequest();

  private Kind kind = Kind.ACKNOWLEDGE;
  private int psn;
  private int messageSequenceNumber;
  private int syndrome;
  private boolean fatal;
  private long originalData;

  private SavedRequest source = NO_REQUEST;
  private int firstPsn;
  private int answerPsn;
  private long address;
  private int rkey;
  private @Nullable AccessScope scope;
  private long remaining;
  private boolean replay;

  void acknowledge(int newPsn, int msn, int newSyndrome, boolean isFatal) {
    kind = Kind.ACKNOWLEDGE;
    psn = newPsn;
    messageSequenceNumber = msn;
    syndrome = newSyndrome;
    fatal = isFatal;
  }

  void atomic(SavedRequest saved, boolean isReplay) {
    kind = Kind.ATOMIC;
    source = saved;
    replay = isReplay;
    psn = saved.firstPsn();
    messageSequenceNumber = saved.messageSequenceNumber();
    originalData = saved.originalData();
    fatal = false;
  }

  void read(SavedRequest saved, int fromPsn, long fromAddress, long length, boolean isReplay) {
    kind = Kind.READ;
    source = saved;
    psn = fromPsn;
    firstPsn = saved.firstPsn();
    answerPsn = fromPsn;
    messageSequenceNumber = saved.messageSequenceNumber();
    address = fromAddress;
    rkey = saved.rkey();
    scope = saved.scope();
    remaining = length;
    replay = isReplay;
    fatal = false;
  }

  /** Takes one packet's worth off the front of a READ's data. */
  void advance(int nextPsn, int bytes) {
    psn = nextPsn;
    address += bytes;
    remaining -= bytes;
  }

  Kind kind() {
    return kind;
  }

  int psn() {
    return psn;
  }

  int messageSequenceNumber() {
    return messageSequenceNumber;
  }

  int syndrome() {
    return syndrome;
  }

  /** Whether it is the last word of a responder that has gone to ERR. */
  boolean isFatal() {
    return fatal;
  }

  long originalData() {
    return originalData;
  }

  SavedRequest source() {
    return source;
  }

  /** The PSN of the first packet of the READ's whole answer. */
  int firstPsn() {
    return firstPsn;
  }

  /** The PSN of the first packet of this answer, which may be to the rest of a READ. */
  int answerPsn() {
    return answerPsn;
  }

  long address() {
    return address;
  }

  int rkey() {
    return rkey;
  }

  /** As whom a READ uses its key. */
  AccessScope scope() {
    AccessScope asker = scope;
    if (asker == null) {
      throw new AssertionError("only a READ is asked for it");
    }
    return asker;
  }

  long remaining() {
    return remaining;
  }

  /** Whether it answers a request that was answered before. */
  boolean isReplay() {
    return replay;
  }
}

package io.roceverbs.sim.qp;

import io.roceverbs.sim.wire.Packet;

/** The sending half of a queue pair: it owns the send queue and makes request packets. */
interface Requester {
  /** The send queue. */
  SendQueue queue();

  /** Begins with the programmed PSN: the queue pair has come from RTR to RTS. */
  void start();

  /** Attributes were changed in SQD, where nothing is outstanding. */
  void settingsChanged();

  /** Whether a started request is still incomplete, which an SQD queue pair waits for. */
  boolean isDraining();

  /** A request was appended to the send queue. */
  void posted(long nowNanos, SendWork work);

  /** Executes the local operations at the cursor, as far as they may start. */
  void executeLocalOperations(long nowNanos);

  /** Whether anything is left to send or to execute, whether or not it may start now. */
  boolean hasNext();

  /** Gives the next request packet, new or again. */
  boolean pollTransmit(long nowNanos, Packet packet);

  /** Whether the packet given last had been sent before. */
  boolean lastWasRetransmission();

  /** Takes a response packet. */
  void handleResponse(long nowNanos, Packet packet);

  /** When it wants to be called next although nothing happens. */
  long nextTimeoutNanos();

  /** Lets time pass: a timer may have run out. */
  void handleTimeout(long nowNanos);

  /** Flushes all incomplete requests in order. */
  void flush(long nowNanos);

  /** Forgets everything, as RESET asks. */
  void reset();
}

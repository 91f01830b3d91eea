package io.roceverbs.sim.qp;

/** A request in the receive queue. One object for each slot, used again and again. */
public final class ReceiveWork extends Work<ReceiveWork> {
  private final SegmentList segments = new SegmentList();
  private long id;

  /** Begins a new request in this slot. */
  public void reset(long newId) {
    id = newId;
    segments.clear();
  }

  /** The pieces of memory that it offers. */
  public SegmentList segments() {
    return segments;
  }

  public long id() {
    return id;
  }
}

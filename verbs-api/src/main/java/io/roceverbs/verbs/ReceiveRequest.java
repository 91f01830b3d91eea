package io.roceverbs.verbs;

import org.jspecify.annotations.Nullable;

/**
 * A receive to post: {@code struct ibv_recv_wr}, kernel {@code struct ib_recv_wr}.
 *
 * <p>The object is reusable and allocates nothing once warm:
 *
 * <pre>{@code
 * queuePair.post(receive.reset(id).segment(memory, 0, 4096));
 * }</pre>
 *
 * <p>{@link QueuePair#post(ReceiveRequest)} copies the whole chain, so each request may be reset
 * and used again as soon as the call returns. The <em>memory</em> its segments name is another
 * matter: it belongs to the adapter until the completion of the receive has been polled.
 *
 * <p>No segment at all is legal: such a receive takes zero-length messages, and WRITEs with
 * immediate of any length.
 *
 * <p>Not thread-safe: one thread at a time fills and posts a request.
 *
 * <p>Source: ibv_post_recv(3).
 */
public final class ReceiveRequest {
  private final SegmentList segments = new SegmentList();
  private long id;
  private @Nullable ReceiveRequest next;

  /** Makes an empty request with id 0. */
  public ReceiveRequest() {}

  /**
   * Clears everything and begins a new request.
   *
   * @param id the {@code wr_id}: any number, given back by {@link WorkCompletion#id()}
   * @return this request
   */
  public ReceiveRequest reset(long id) {
    this.id = id;
    segments.clear();
    next = null;
    return this;
  }

  /**
   * Adds a piece of a region to the scatter list. The message fills the pieces in the order in
   * which they were added.
   *
   * @param region the region, which needs LOCAL_WRITE
   * @param offset first byte, counted from the first byte of the region
   * @param length number of bytes, an unsigned 32-bit number. Neither it nor the offset is checked
   *     here: as on a device a piece outside the region completes with LOC_PROT_ERR
   * @return this request
   */
  public ReceiveRequest segment(MemoryRegion region, long offset, int length) {
    return segment(region.address() + offset, length, region.lkey());
  }

  /**
   * Adds a piece of a fast registration region, under its current key and mapping.
   *
   * @param region the region, which must be registered with LOCAL_WRITE when a message arrives
   * @param offset first byte, counted from the first byte of the mapping
   * @param length number of bytes, an unsigned 32-bit number; not checked here
   * @return this request
   */
  public ReceiveRequest segment(FastRegistrationRegion region, long offset, int length) {
    return segment(region.address() + offset, length, region.lkey());
  }

  /**
   * Adds a piece by address and key: a plain {@code struct ibv_sge}.
   *
   * @param address I/O virtual address of the first byte
   * @param length number of bytes, an unsigned 32-bit number
   * @param lkey local key that covers the bytes; not checked here
   * @return this request
   */
  public ReceiveRequest segment(long address, int length, int lkey) {
    segments.add(address, length, lkey);
    return this;
  }

  /**
   * Chains another request behind this one; one post takes the whole chain in order.
   *
   * @param request the request to post after this one; replaces an earlier choice
   * @return this request
   * @throws IllegalArgumentException if the chain would lead back to this request
   */
  public ReceiveRequest next(ReceiveRequest request) {
    for (ReceiveRequest r = request; r != null; r = r.next) {
      if (r == this) {
        throw new IllegalArgumentException(
            "request " + id + " is already in that chain; link each request once");
      }
    }
    next = request;
    return this;
  }

  /** {@return the id of this request, its {@code wr_id}} */
  public long id() {
    return id;
  }

  /** {@return how many segments there are, the {@code num_sge}} */
  public int segmentCount() {
    return segments.count();
  }

  /**
   * Returns where a segment begins.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its I/O virtual address
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public long segmentAddress(int index) {
    return segments.address(index);
  }

  /**
   * Returns how long a segment is.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its length in bytes, 0 to 2<sup>32</sup> - 1
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public long segmentLength(int index) {
    return segments.length(index);
  }

  /**
   * Returns the key of a segment.
   *
   * @param index 0 to {@code segmentCount() - 1}
   * @return its local key
   * @throws IndexOutOfBoundsException if there is no such segment
   */
  public int segmentLkey(int index) {
    return segments.lkey(index);
  }

  /** {@return the next request, or null at the end of the chain} */
  public @Nullable ReceiveRequest next() {
    return next;
  }

  @Override
  public String toString() {
    return "ReceiveRequest[id=" + id + ", segments=" + segmentCount() + "]";
  }
}

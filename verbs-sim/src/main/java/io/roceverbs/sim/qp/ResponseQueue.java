package io.roceverbs.sim.qp;

import java.util.Arrays;

/**
 * The answers that wait to leave, in order (rule RESPONSE-ORDER). A ring that grows to what its
 * queue pair needs.
 *
 * <p>Most queue pairs never have more than one answer waiting, because an answer leaves before the
 * next packet is taken.
 */
final class ResponseQueue {
  /**
   * A responder whose port stays blocked for longer than this many answers drops further ones; the
   * peer asks again.
   */
  static final int CAPACITY_MAX = 4096;

  private static final int INITIAL_CAPACITY = 2;

  private Response[] ring = new Response[0];
  private int head;
  private int size;

  boolean isEmpty() {
    return size == 0;
  }

  boolean isFull() {
    return size == CAPACITY_MAX;
  }

  /** Appends an answer, to be filled by the caller. */
  Response append() {
    assert !isFull() : "the caller checks for room";
    if (size == ring.length) {
      grow();
    }
    Response response = ring[(head + size) & (ring.length - 1)];
    size++;
    return response;
  }

  private void grow() {
    int capacity = Math.max(INITIAL_CAPACITY, ring.length * 2);
    Response[] larger = new Response[capacity];
    for (int i = 0; i < size; i++) {
      larger[i] = ring[(head + i) & (ring.length - 1)];
    }
    Arrays.setAll(larger, i -> larger[i] == null ? new Response() : larger[i]);
    ring = larger;
    head = 0;
  }

  Response first() {
    assert size > 0 : "no answer waits";
    return ring[head];
  }

  void removeFirst() {
    assert size > 0 : "no answer waits";
    head = (head + 1) & (ring.length - 1);
    size--;
  }

  void clear() {
    head = 0;
    size = 0;
  }
}

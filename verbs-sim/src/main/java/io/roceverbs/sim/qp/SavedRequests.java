package io.roceverbs.sim.qp;

import org.jspecify.annotations.Nullable;

/**
 * The READs and atomics that a responder can answer a second time: as many as were agreed, the
 * oldest overwritten by the next.
 */
final class SavedRequests {
  private @Nullable SavedRequest[] ring = new SavedRequest[0];
  private int next;

  /** Forgets all, and makes room for {@code depth}. */
  void clear(int depth) {
    ring = new SavedRequest[depth];
    next = 0;
  }

  /** Keeps the newest that fit another depth. */
  void resize(int depth) {
    if (depth == ring.length) {
      return;
    }
    @Nullable SavedRequest[] kept = new SavedRequest[depth];
    for (int age = 1; age <= Math.min(depth, ring.length); age++) {
      kept[depth - age] = ofAge(age);
    }
    ring = kept;
    next = 0;
  }

  int depth() {
    return ring.length;
  }

  /**
   * Whether one more can be saved: the oldest, which it overwrites, has been answered.
   *
   * @param recycles whether it is overwritten anyway
   */
  boolean hasRoom(boolean recycles) {
    if (ring.length == 0) {
      return false;
    }
    if (recycles) {
      return true;
    }
    SavedRequest oldest = ring[next];
    return oldest == null || oldest.isAnswered();
  }

  /** The place for the next one, to be filled by the caller. */
  SavedRequest next() {
    SavedRequest request = ring[next];
    if (request == null) {
      request = new SavedRequest();
      ring[next] = request;
    }
    next = (next + 1) % ring.length;
    return request;
  }

  /** The newest with a PSN; an older one may bear the same after the PSNs have wrapped. */
  @Nullable SavedRequest find(int psn) {
    for (int age = 1; age <= ring.length; age++) {
      SavedRequest request = ofAge(age);
      if (request != null && request.contains(psn)) {
        return request;
      }
    }
    return null;
  }

  private @Nullable SavedRequest ofAge(int age) {
    return ring[(next + ring.length - age) % ring.length];
  }
}

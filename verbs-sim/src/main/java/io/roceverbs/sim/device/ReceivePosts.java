package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.sim.qp.SlotCount;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ReceiveRequest;
import org.jspecify.annotations.Nullable;

/** The posts of receives, to a queue pair or to a shared receive queue. */
abstract class ReceivePosts extends Posts<ReceiveWork> {
  /**
   * Makes the way into a receive queue.
   *
   * @param call the name of the call, for its errors
   * @param number that of the queue pair, or 0 for a shared queue
   * @param slotsMax how many receives the queue ever holds
   */
  ReceivePosts(SimDevice device, String call, int number, int slotsMax) {
    super(device, call, false, number, slotsMax, ReceiveWork::new);
  }

  final void post(ReceiveRequest first) {
    if (mayStayOutside()) {
      postAllOutside(first);
    } else {
      postAllInside(first);
    }
  }

  private void postAllInside(ReceiveRequest first) {
    device().host().enter();
    try {
      begin(call());
      long nowNanos = device().host().nanoTime();
      int index = 0;
      try {
        for (ReceiveRequest request = first; request != null; request = request.next()) {
          check(request, index);
          requireNoFault(index, request.id());
          claim(request, index);
          PostChecks.copy(request, next());
          PostNotes.receive(device(), nowNanos, number(), request);
          push(nowNanos);
          index++;
        }
      } finally {
        device().host().activity().countCall();
        wake();
      }
    } finally {
      device().host().exit();
    }
  }

  private void postAllOutside(ReceiveRequest first) {
    requireOpen(call());
    ReceiveWork head = null;
    ReceiveWork last = null;
    int index = 0;
    try {
      for (ReceiveRequest request = first; request != null; request = request.next()) {
        check(request, index);
        claim(request, index);
        ReceiveWork work = blank();
        PostChecks.copy(request, work);
        last = link(last, work);
        head = head == null ? work : head;
        index++;
      }
    } finally {
      // Of a list that fails in the middle, what comes before is posted.
      if (head != null) {
        postOutside(head);
      }
    }
  }

  private void claim(ReceiveRequest request, int index) {
    if (!slots().claim(1)) {
      throw full(request, index);
    }
  }

  @Override
  final @Nullable ReceiveWork accept(long nowNanos, ReceiveWork work) {
    ReceiveWork spare = exchange(work);
    push(nowNanos);
    return spare;
  }

  // ---- the queue -----------------------------------------------------------------------------

  /** Refuses posts to what is closed, or has failed. */
  abstract void requireOpen(String name);

  /** Begins a call inside the host. */
  abstract void begin(String name);

  /** Refuses a request that is wrong. */
  abstract void check(ReceiveRequest request, int index);

  abstract PostException full(ReceiveRequest request, int index);

  abstract SlotCount slots();

  /** The object of the next free place. */
  abstract ReceiveWork next();

  /** Puts an object into the next free place instead, and gives back the one that was there. */
  abstract @Nullable ReceiveWork exchange(ReceiveWork filled);

  /** Takes the receive that was filled in into the queue. */
  abstract void push(long nowNanos);

  /** Something was posted: the device may have something to do. */
  abstract void wake();
}

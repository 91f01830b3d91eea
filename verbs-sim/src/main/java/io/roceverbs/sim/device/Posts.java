package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.Work;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * How requests get into a queue.
 *
 * <p>Inside the host, a post goes into the queue at once: in virtual time, and wherever the order
 * of posts and other things matters to somebody who listens. Outside of it, in real time, a post
 * claims a slot, leaves the request in a {@link PostRing} and rings; it waits for nobody, and who
 * drives the device takes the request in. Every call inside takes in first what was posted outside,
 * so a thread's calls take effect in their order.
 *
 * @param <W> the kind of request
 */
abstract class Posts<W extends Work<W>> extends Doorbell {
  private final SimDevice device;
  private final String call;
  private final boolean isSend;
  private final int number;
  private final int slotsMax;
  private final Supplier<W> maker;

  /** Made when something is posted outside for the first time. */
  private volatile @Nullable PostRing<W> ring;

  /**
   * Makes the way into a queue.
   *
   * @param call the name of the call that posts, for its errors
   * @param isSend whether sends are posted, or receives
   * @param number that of the queue pair, or 0 for a shared queue
   * @param slotsMax how many slots the queue ever has
   */
  Posts(
      SimDevice device, String call, boolean isSend, int number, int slotsMax, Supplier<W> maker) {
    this.device = device;
    this.call = call;
    this.isSend = isSend;
    this.number = number;
    this.slotsMax = slotsMax;
    this.maker = maker;
  }

  final SimDevice device() {
    return device;
  }

  final String call() {
    return call;
  }

  final int number() {
    return number;
  }

  /** Refuses a request that is to fail. */
  final void requireNoFault(int index, long id) {
    InjectedFaults faults = device.faults();
    if (faults != null) {
      faults.checkPost(call, isSend, number, index, id);
    }
  }

  /** Whether a post may stay outside: nobody listens, and nothing is to go wrong. */
  final boolean mayStayOutside() {
    return device.host().mayStayOutside()
        && !device.trace().isRecording()
        && device.faults() == null;
  }

  /** An object to be filled in outside; it has a slot. */
  final W blank() {
    return postRing().blank();
  }

  /** Links a request behind the last one of a list, if there is one; it is the last one then. */
  final W link(@Nullable W last, W work) {
    if (last != null) {
      last.next(work);
    }
    return work;
  }

  /** Puts requests, linked to each other, on their way to the queue. */
  final void postOutside(W first) {
    postRing().post(first);
    device.host().ring(this);
  }

  private PostRing<W> postRing() {
    PostRing<W> present = ring;
    return present == null ? makeRing() : present;
  }

  private synchronized PostRing<W> makeRing() {
    PostRing<W> present = ring;
    if (present == null) {
      present = new PostRing<>(slotsMax, maker);
      ring = present;
    }
    return present;
  }

  /**
   * Takes into the queue what was posted outside before this call. The caller has entered the host.
   */
  final void takeIn() {
    takeIn(true);
  }

  /** Takes what is there when the bell has rung; it waits for nobody, who is late rings again. */
  final void takeInReady() {
    takeIn(false);
  }

  private void takeIn(boolean isAll) {
    PostRing<W> from = ring;
    if (from == null) {
      return;
    }
    for (int calls = 0; calls < slotsMax; calls++) {
      W first = isAll ? from.take() : from.takeReady();
      if (first == null) {
        return;
      }
      takeIn(from, first);
    }
    device.host().ring(this); // threads post as fast as this goes: others have a turn first
  }

  private void takeIn(PostRing<W> from, W first) {
    long nowNanos = device.host().nanoTime();
    W work = first;
    while (work != null) {
      W next = work.next();
      work.next(null);
      from.giveBack(accept(nowNanos, work));
      work = next;
    }
  }

  /**
   * Takes a request into the queue.
   *
   * @return an object that is of no use there any more, or null
   */
  abstract @Nullable W accept(long nowNanos, W work);
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.qp.Work;
import java.util.function.Supplier;
import org.jctools.queues.atomic.MpscGrowableAtomicArrayQueue;
import org.jctools.queues.atomic.SpmcAtomicArrayQueue;
import org.jspecify.annotations.Nullable;

/**
 * The way of requests from the threads that post them to the one that drives the device: what one
 * call posted stays together, and what a thread posted stays in its order. Who posts waits for
 * nobody.
 *
 * <p>Every request that goes in has claimed a slot of its queue, so the ring is never full.
 *
 * @param <W> the kind of request
 */
final class PostRing<W extends Work<W>> {
  private static final int CAPACITY_AT_FIRST = 16;

  /** More objects than this that nobody uses are left to the garbage collector. */
  private static final int BLANKS_MAX = 1_024;

  private final Supplier<W> maker;
  private final MpscGrowableAtomicArrayQueue<W> posted;
  private final SpmcAtomicArrayQueue<W> blanks;

  /**
   * Makes an empty ring.
   *
   * @param slotsMax how many slots the queue ever has
   */
  PostRing(int slotsMax, Supplier<W> maker) {
    this.maker = maker;
    // The smallest limit that it takes is twice what it begins with.
    this.posted =
        new MpscGrowableAtomicArrayQueue<>(
            CAPACITY_AT_FIRST, Math.max(2 * CAPACITY_AT_FIRST, slotsMax));
    this.blanks = new SpmcAtomicArrayQueue<>(Math.min(slotsMax, BLANKS_MAX));
  }

  // ---- any thread ----------------------------------------------------------------------------

  /** An object to be filled in. */
  W blank() {
    W blank = blanks.poll();
    return blank == null ? maker.get() : blank;
  }

  /** Puts in what one call has posted: a request, and behind it those linked to it. */
  void post(W first) {
    if (!posted.offer(first)) {
      throw new AssertionError("more requests were posted than the queue has slots");
    }
  }

  // ---- who drives the device -----------------------------------------------------------------

  /**
   * Takes out what one call has posted. If a thread is just about to post, this waits until it has;
   * so whatever the caller posted itself, behind it, comes out.
   *
   * @return null if there is nothing
   */
  @Nullable W take() {
    return posted.poll();
  }

  /** Takes out what one call has posted, or null if that is not there yet; it waits for nobody. */
  @Nullable W takeReady() {
    return posted.relaxedPoll();
  }

  /** Takes back an object that is of no use any more. */
  void giveBack(@Nullable W used) {
    if (used != null) {
      blanks.offer(used);
    }
  }
}

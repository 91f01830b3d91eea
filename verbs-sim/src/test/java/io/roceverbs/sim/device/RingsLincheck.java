package io.roceverbs.sim.device;

import io.roceverbs.sim.Interleavings;
import io.roceverbs.sim.qp.ReceiveWork;
import io.roceverbs.verbs.CompletionOpcode;
import java.util.ArrayList;
import java.util.List;
import org.jetbrains.lincheck.datastructures.IntGen;
import org.jetbrains.lincheck.datastructures.Operation;
import org.jetbrains.lincheck.datastructures.Param;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The rings between threads and the device are linearizable. */
class RingsLincheck {
  /** Calls of this group come from who drives the device: one at a time. */
  private static final String DEVICE = "device";

  private static final int ENTRIES = 2;

  /** Threads that post one request or two at once, and the device that takes them. */
  @Param(name = "id", gen = IntGen.class, conf = "1:9")
  public static class Posting {
    private final PostRing<ReceiveWork> ring = new PostRing<>(16, ReceiveWork::new);

    @Operation
    public void post(@Param(name = "id") int id) {
      ring.post(work(id));
    }

    @Operation
    public void postTwo(@Param(name = "id") int id) {
      ReceiveWork first = work(id);
      first.next(work(-id));
      ring.post(first);
    }

    private ReceiveWork work(int id) {
      ReceiveWork work = ring.blank();
      work.reset(id);
      work.next(null);
      return work;
    }

    @Operation(nonParallelGroup = DEVICE)
    public List<Long> take() {
      List<Long> ids = new ArrayList<>();
      ReceiveWork work = ring.take();
      while (work != null) {
        ReceiveWork next = work.next();
        ids.add(work.id());
        ring.giveBack(work);
        work = next;
      }
      return ids;
    }
  }

  @Test
  void postsComeOutInTheirOrderAndWhatOneCallPostedStaysTogether() {
    Interleavings.check(Posting.class, 3);
  }

  /** A completion queue with the calls of both its sides. */
  private static final class Completions {
    /** A queue pair of whose slots nothing is asked here. */
    private static final class Holder implements SlotHolder {
      @Override
      public void polled(boolean send, long freesUpTo) {
        // Who gets the slots does not matter to the ring.
      }
    }

    private final CompletionRing ring = new CompletionRing(ENTRIES, true);
    private final Holder even = new Holder();
    private final Holder odd = new Holder();

    boolean complete(int id) {
      if (ring.isFull()) {
        return false;
      }
      CompletionRing.Entry entry = ring.blank();
      entry.completion.setSuccess(id, 1, CompletionOpcode.SEND, 0);
      entry.of(id % 2 == 0 ? even : odd);
      ring.append();
      return true;
    }

    int purgeEven() {
      return ring.purge(even);
    }

    @Nullable Long poll() {
      ring.beginPoll();
      try {
        if (ring.unread() == 0) {
          return null;
        }
        long id = ring.showNext().completion.id();
        ring.releaseShown();
        return id;
      } finally {
        ring.endPoll();
      }
    }
  }

  /** The device that completes, and threads that poll. */
  @Param(name = "id", gen = IntGen.class, conf = "1:9")
  public static class Polling {
    private final Completions completions = new Completions();

    @Operation(nonParallelGroup = DEVICE)
    public boolean complete(@Param(name = "id") int id) {
      return completions.complete(id);
    }

    @Operation
    public @Nullable Long poll() {
      return completions.poll();
    }
  }

  @Test
  void completionsComeOutOnceAndInTheirOrderAndTheRingIsFullOnlyWhenItIs() {
    Interleavings.check(Polling.class, 2);
  }

  /** The device that takes completions away again, and threads that poll. */
  @Param(name = "id", gen = IntGen.class, conf = "1:9")
  public static class TakingAway {
    private final Completions completions = new Completions();

    @Operation(nonParallelGroup = DEVICE)
    public boolean complete(@Param(name = "id") int id) {
      return completions.complete(id);
    }

    @Operation(nonParallelGroup = DEVICE)
    public int purgeEven() {
      return completions.purgeEven();
    }

    @Operation(nonParallelGroup = DEVICE)
    public boolean dropOldest() {
      return completions.ring.dropOldest();
    }

    @Operation(nonParallelGroup = DEVICE)
    public boolean resize(@Param(name = "id") int entries) {
      return completions.ring.resize(entries);
    }

    @Operation
    public @Nullable Long poll() {
      return completions.poll();
    }
  }

  @Test
  void whatIsTakenAwayIsNotPolledAndWhatIsPolledIsNotTakenAway() {
    Interleavings.check(TakingAway.class, 2);
  }
}

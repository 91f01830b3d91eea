package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.conformance.RealTimeLoad.Posting;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In real time, many threads post and poll at once, and no completion is lost or comes twice. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealTimeLoadTest {
  private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(300);

  /** How long the soak lasts: {@code -Droceverbs.soak.seconds=60}. */
  private static final long SOAK_SECONDS = Long.getLong("roceverbs.soak.seconds", 2);

  private static void load(int queuePairs, int senders, int receivers, double loss, long nanos)
      throws Exception {
    load(new RealTimeLoad(queuePairs, loss), senders, receivers, nanos);
  }

  private static void load(RealTimeLoad made, int senders, int receivers, long nanos)
      throws Exception {
    try (RealTimeLoad load = made) {
      load.run(senders, receivers, nanos);

      assertThat(load.posted.count()).isPositive();
      assertThat(load.completed).hasToString(load.posted.toString());
      assertThat(load.received).hasToString(load.posted.toString());
    }
  }

  @Test
  void manyThreadsPostOnOneQueuePair() throws Exception {
    load(1, 8, 1, 0, SHORT_NANOS);
  }

  @Test
  void manyQueuePairsCompleteIntoOneQueue() throws Exception {
    load(8, 8, 1, 0, SHORT_NANOS);
  }

  @Test
  void manyThreadsPollOneQueue() throws Exception {
    load(2, 2, 6, 0, SHORT_NANOS);
  }

  @Test
  void listsOfManyThreadsStayWhole() throws Exception {
    load(new RealTimeLoad(1, 0, Posting.LIST, false), 3, 1, SHORT_NANOS);
  }

  @Test
  void batchesOfManyThreadsGoIntoOneSharedReceiveQueue() throws Exception {
    load(new RealTimeLoad(2, 0, Posting.BATCH, true), 4, 2, SHORT_NANOS);
  }

  @Test
  void eightThreadsLoseNoCompletionAndHaveNoneTwiceWhilePacketsAreLost() throws Exception {
    load(4, 6, 2, 0.001, TimeUnit.SECONDS.toNanos(SOAK_SECONDS));
  }

  @Test
  void aQueuePairIsClosedWhileOthersPost() throws Exception {
    int threads = 4;
    ExecutorService pool = Executors.newFixedThreadPool(threads);
    try (Pair pair =
        Pair.unconnected(Fabric.builder().time(FabricTime.REAL).build(), init -> init)) {
      pair.withoutListeners();
      pair.connect(Pair.setup(), Pair.setup());
      CountDownLatch posted = new CountDownLatch(threads);
      List<Future<Errno>> ends = new ArrayList<>();
      for (int i = 0; i < threads; i++) {
        ends.add(pool.submit(() -> postUntilRefused(pair, posted)));
      }
      posted.await();

      pair.a.queuePair.close();

      for (Future<Errno> end : ends) {
        assertThat(end.get(10, TimeUnit.SECONDS)).isEqualTo(Errno.EINVAL);
      }
      assertThat(pair.a.pollSends()).isEmpty();
    } finally {
      pool.shutdownNow();
    }
  }

  private static Errno postUntilRefused(Pair pair, CountDownLatch posted) {
    SendRequest request = new SendRequest();
    while (true) {
      try {
        pair.a.queuePair.post(request.reset(1).send().signaled());
        posted.countDown();
      } catch (VerbsException e) {
        posted.countDown();
        if (e.errno() != Errno.ENOMEM) {
          return e.errno();
        }
      }
    }
  }
}

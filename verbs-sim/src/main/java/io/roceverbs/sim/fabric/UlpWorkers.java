package io.roceverbs.sim.fabric;

import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The Java threads under all ULP threads of this JVM. They are kept from run to run, since an
 * explorer makes thousands of fabrics a second; idle ones die after a while.
 */
final class UlpWorkers {
  private static final long IDLE_SECONDS = 10;

  private static final ThreadPoolExecutor POOL =
      new ThreadPoolExecutor(
          0,
          Integer.MAX_VALUE,
          IDLE_SECONDS,
          TimeUnit.SECONDS,
          new SynchronousQueue<>(),
          Worker::new);

  private UlpWorkers() {}

  /** A Java thread that knows whose body it runs. */
  private static final class Worker extends Thread {
    private static final String IDLE_NAME = "fabric-idle";

    private @Nullable Participant participant;

    Worker(Runnable task) {
      super(task, IDLE_NAME);
      setDaemon(true);
    }

    private void run(Participant started) {
      participant = started;
      setName(started.toString());
      try {
        started.runBody();
      } finally {
        participant = null;
        setName(IDLE_NAME);
      }
    }
  }

  /** Begins to run the body of a ULP thread. */
  static void start(Participant started) {
    POOL.execute(() -> ((Worker) Thread.currentThread()).run(started));
  }

  /** Whose body the present thread runs, or null if it is no ULP thread. */
  static @Nullable Participant current() {
    return Thread.currentThread() instanceof Worker worker ? worker.participant : null;
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import java.util.Random;

/**
 * One run of the {@link ChaosTest}: two programs with random work on one faulty fabric, everything
 * from one seed.
 */
final class ChaosRun implements AutoCloseable {
  private static final int STEPS_MAX = 400_000;
  private static final int OPERATIONS = 100;

  /**
   * In bits per second; on the slower links a response often comes while packets are being sent
   * again.
   */
  private static final long[] BANDWIDTHS = {
    LinkConfiguration.UNLIMITED, 1_000_000_000L, 20_000_000L, 2_000_000L
  };

  private final Random random;
  private final Fabric fabric;
  private final Side sideOfA;
  private final Side sideOfB;
  private final ChaosProgram a;
  private final ChaosProgram b;

  ChaosRun(int seed, double chance) {
    random = new Random(seed);
    long bandwidth = BANDWIDTHS[random.nextInt(BANDWIDTHS.length)];
    LinkConfiguration link = LinkConfiguration.DEFAULT.withBandwidth(bandwidth);
    Impairment impairment =
        chance == 0
            ? Impairment.NONE
            : new Impairment(chance, chance, chance, chance, chance, 100_000_000L);
    fabric = Fabric.builder().seed(seed).link(link).build();
    sideOfA = new Side(fabric, "a", ChaosRun::shape);
    sideOfB = new Side(fabric, "b", ChaosRun::shape);
    PathMtu[] mtus = {PathMtu.MTU_256, PathMtu.MTU_512, PathMtu.MTU_1024, PathMtu.MTU_4096};
    ConnectionSetup setup =
        Pair.setup()
            .withRetries(7, 7)
            .withPathMtu(mtus[random.nextInt(mtus.length)])
            .withFirstPsn(0xFFFFFF - random.nextInt(400))
            .withReadDepth(1 + random.nextInt(5))
            .withMinRnrTimer(1 + random.nextInt(14));
    setup.connect(sideOfA.queuePair, sideOfB.queuePair);
    a = new ChaosProgram(sideOfA, random);
    b = new ChaosProgram(sideOfB, random);
    a.meet(b);
    b.meet(a);
    fabric.impair(impairment);
  }

  private static QueuePairInit shape(CompletionQueue send, CompletionQueue receive) {
    return QueuePairInit.reliableConnected(send, ChaosProgram.DEPTH, ChaosProgram.DEPTH)
        .withReceiveCompletionQueue(receive)
        .withInline(64);
  }

  /**
   * Lets both programs work until all is done.
   *
   * @return false if the connection ran out of retries
   */
  boolean toTheEnd() {
    int postedByA = 0;
    int postedByB = 0;
    for (int step = 0; step < STEPS_MAX; step++) {
      if (postedByA < OPERATIONS && random.nextInt(4) == 0 && a.postOne()) {
        postedByA++;
      }
      if (postedByB < OPERATIONS && random.nextInt(4) == 0 && b.postOne()) {
        postedByB++;
      }
      if (random.nextInt(3) == 0) {
        a.postReceives();
        b.postReceives();
      }
      boolean happened = fabric.step();
      a.poll();
      b.poll();
      if (a.hasFailed() || b.hasFailed()) {
        fabric.run();
        a.poll();
        b.poll();
        checkLegalEnd();
        return false;
      }
      boolean posted = postedByA == OPERATIONS && postedByB == OPERATIONS;
      if (posted && a.isIdle() && b.isIdle()) {
        finish();
        return true;
      }
      assertThat(happened || !posted || a.owesReceives() || b.owesReceives())
          .as("the fabric stands still before all is done")
          .isTrue();
    }
    throw new AssertionError("not done after " + STEPS_MAX + " steps");
  }

  private void finish() {
    fabric.run();
    a.poll();
    b.poll();
    a.checkMemory();
    b.checkMemory();
    assertThat(sideOfA.state()).isEqualTo(QueuePairState.RTS);
    assertThat(sideOfB.state()).isEqualTo(QueuePairState.RTS);
    assertThat(sideOfA.pollEvents()).isEmpty();
    assertThat(sideOfB.pollEvents()).isEmpty();
  }

  /**
   * Only the retry count may have ended it; nobody saw another error, and all that was posted is
   * back.
   */
  private void checkLegalEnd() {
    assertThat(a.causes() + b.causes()).isBetween(1, 2);
    a.checkCauses();
    b.checkCauses();
    assertThat(sideOfA.pollEvents()).isEmpty();
    assertThat(sideOfB.pollEvents()).isEmpty();
  }

  @Override
  public void close() {
    fabric.close();
  }
}

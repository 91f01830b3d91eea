package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** In real time, one thread arms and polls a queue while another one makes completions. */
@Timeout(value = 10, unit = TimeUnit.MINUTES)
class RealTimeArmingTest {
  /** How many completions race with an arming: {@code -Droceverbs.soak.rounds=1000000}. */
  private static final int ROUNDS = Integer.getInteger("roceverbs.soak.rounds", 5_000);

  @Test
  @Checks({"C50", "ARM-ONE-SHOT", "ARM-MISSED"})
  void noArmingThatFoundTheQueueEmptyMissesTheNextCompletion() throws InterruptedException {
    try (Fabric fabric =
        Fabric.builder()
            .time(FabricTime.REAL)
            .link(LinkConfiguration.DEFAULT.withLatency(Duration.ZERO))
            .build()) {
      DeviceContext context = fabric.addNode("a").device().open();
      CompletionChannel channel = context.createCompletionChannel();
      CompletionQueue queue =
          context.createCompletionQueue(CompletionQueueInit.ofCapacity(4).withChannel(channel));
      QueuePair sender =
          context
              .allocateProtectionDomain()
              .createQueuePair(QueuePairInit.reliableConnected(queue, 4, 4));
      QueuePair peer = peer(fabric);
      Pair.setup().withTimeout(14).connect(sender, peer);
      AtomicInteger round = new AtomicInteger();
      Thread completing = new Thread(() -> complete(sender, round), "completing");
      completing.start();

      WorkCompletions completions = new WorkCompletions(4);
      int armings = 0;
      int events = 0;
      for (int i = 0; i < ROUNDS; i++) {
        round.set(i + 1);
        boolean isThere = queue.requestNotification(false);
        armings++;
        int polled = queue.poll(completions);
        assertThat(isThere && polled == 0).as("round %d: told of what is not there", i).isFalse();
        while (polled == 0) {
          channel.awaitEvent().acknowledgeEvents(1);
          events++;
          polled = queue.poll(completions);
        }
        assertThat(polled).isEqualTo(1);
        assertThat(completions.get(0).requireSuccess().id()).isEqualTo(i + 1);
      }
      completing.join();

      while (channel.pollEvent() != null) {
        queue.acknowledgeEvents(1);
        events++;
      }
      assertThat(events).isBetween(1, armings);
    }
  }

  private static QueuePair peer(Fabric fabric) {
    DeviceContext context = fabric.addNode("b").device().open();
    return context
        .allocateProtectionDomain()
        .createQueuePair(QueuePairInit.reliableConnected(context.createCompletionQueue(4), 4, 4));
  }

  /** One completion for each round, as soon as it has begun. */
  @SuppressWarnings("ThreadPriorityCheck") // the other thread may wait for this processor
  private static void complete(QueuePair sender, AtomicInteger round) {
    SendRequest request = new SendRequest();
    for (int i = 1; i <= ROUNDS; i++) {
      while (round.get() < i) {
        Thread.yield();
      }
      sender.post(request.reset(i).rdmaWrite(0, 0).signaled());
    }
  }
}

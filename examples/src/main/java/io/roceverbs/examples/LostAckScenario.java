package io.roceverbs.examples;

import io.roceverbs.examples.lostack.CarefulInitiator;
import io.roceverbs.examples.lostack.CarelessInitiator;
import io.roceverbs.examples.lostack.Initiator;
import io.roceverbs.examples.lostack.Target;
import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.diagram.EventRecorder;
import io.roceverbs.sim.diagram.SequenceDiagram;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * One command on a fabric that loses one packet.
 *
 * @param ulp which initiator
 * @param seed of the fabric
 * @param drop what is lost
 * @param timeout code of the ACK timeout
 * @param retries how often the initiator's adapter sends again
 * @param capture where the packets go, or null
 */
record LostAckScenario(
    Ulp ulp, long seed, DroppedPacket drop, int timeout, int retries, @Nullable Path capture) {
  private static final String INITIATOR = "initiator";
  private static final String TARGET = "target";
  private static final int RNR_RETRY_WITHOUT_END = 7;

  /** Which initiator runs. */
  enum Ulp {
    CARELESS,
    CAREFUL;

    @Override
    public String toString() {
      return name().toLowerCase(Locale.ROOT);
    }
  }

  /**
   * How it ended.
   *
   * @param send the completion of the command's SEND, or null if there was none
   * @param state of the initiator's queue pair
   * @param isDone whether the initiator called the command done
   * @param wasDoneBeforeSend whether it did so before its SEND had completed
   * @param executions how often the target executed the command
   * @param failedReply the completion of the target's reply if that failed, else null
   * @param flushedReceives receives of the initiator that were flushed
   * @param dropped packets that the rule dropped
   * @param diagram what happened
   */
  record Outcome(
      @Nullable WorkCompletion send,
      QueuePairState state,
      boolean isDone,
      boolean wasDoneBeforeSend,
      int executions,
      @Nullable WorkCompletion failedReply,
      int flushedReceives,
      long dropped,
      SequenceDiagram diagram) {}

  /**
   * Runs it to the end, when nothing can happen any more.
   *
   * @throws UsageException if the capture can't be written or the rule can never match
   */
  Outcome run() {
    try (Fabric fabric = Fabrics.open(Fabric.builder().seed(seed), capture)) {
      Node initiatorNode = fabric.addNode(INITIATOR);
      Node targetNode = fabric.addNode(TARGET);
      ActiveRule rule = Fabrics.impair(fabric, drop.rule());
      EventRecorder recorder = new EventRecorder();
      try (Initiator initiator =
              initiator(initiatorNode, text -> fabric.note(initiatorNode, text));
          Target target = new Target(targetNode.device(), text -> fabric.note(targetNode, text))) {
        ConnectionSetup.standard()
            .withPathMtu(PathMtu.MTU_4096)
            .withTimeout(timeout)
            .withRetries(retries, RNR_RETRY_WITHOUT_END)
            .connect(initiator.queuePair(), target.queuePair());
        fabric.trace().addListener(recorder);
        target.serve();
        initiator.submit();
        PollLoop.run(fabric, () -> false, initiator::progress, target::progress);
        fabric.trace().removeListener(recorder);
        return outcome(initiator, target, rule == null ? 0 : rule.hits(), recorder);
      }
    }
  }

  private Initiator initiator(Node node, Consumer<String> notes) {
    return switch (ulp) {
      case CARELESS -> new CarelessInitiator(node.device(), notes);
      case CAREFUL -> new CarefulInitiator(node.device(), notes);
    };
  }

  private Outcome outcome(
      Initiator initiator, Target target, long dropped, EventRecorder recorder) {
    String title = "A " + ulp + " initiator, dropped: " + drop;
    return new Outcome(
        initiator.sendCompletion(),
        initiator.queuePair().state(),
        initiator.isDone(),
        initiator.wasDoneBeforeSend(),
        target.executions(),
        target.failedReply(),
        initiator.flushedReceives(),
        dropped,
        SequenceDiagram.of(title, List.of(INITIATOR, TARGET), recorder));
  }
}

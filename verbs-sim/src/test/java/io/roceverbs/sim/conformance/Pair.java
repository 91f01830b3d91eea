package io.roceverbs.sim.conformance;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.fabric.impair.Rule;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.sim.trace.TraceListener;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.QueuePairInit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;

/**
 * The fixture of the conformance tests: two nodes, {@code a} and {@code b}, with one connected RC
 * queue pair each.
 *
 * <p>The defaults, which the exact times and PSNs of the tests follow from: path MTU 1024, PSN
 * 0x000100 in both directions, timeout 14 (T = {@value #ACK_TIMEOUT_NANOS} ns), retry_cnt 3,
 * rnr_retry 3, min_rnr_timer 12 (0.64 ms), READ depth 4, 16 entries a queue, one way latency
 * {@value #LATENCY_NANOS} ns, no loss, separate completion queues for sends and receives.
 */
public final class Pair implements AutoCloseable {
  /** 4.096 us times 2^14. */
  public static final long ACK_TIMEOUT_NANOS = 67_108_864;

  /** From node to node, one way. */
  public static final long LATENCY_NANOS = 10_000;

  public final Fabric fabric;
  public final Side a;
  public final Side b;
  public final PacketJournal journal;
  private final List<TraceEvent.Completed> completed = new ArrayList<>();
  private final TraceListener completions = this::noteCompletion;

  private Pair(Fabric fabric, Side.QueuePairShape shape) {
    this.fabric = fabric;
    this.a = new Side(fabric, "a", shape);
    this.b = new Side(fabric, "b", shape);
    this.journal = new PacketJournal();
    fabric.trace().addListener(journal);
    fabric.trace().addListener(completions);
  }

  /** The connection of the defaults. */
  public static ConnectionSetup setup() {
    return ConnectionSetup.standard().withRetries(3, 3);
  }

  /** A pair with everything at its default. */
  public static Pair connected() {
    return connected(setup());
  }

  /** A pair with another connection. */
  public static Pair connected(ConnectionSetup setup) {
    return connected(setup, setup);
  }

  /** A pair whose sides are set up differently. */
  public static Pair connected(ConnectionSetup setupOfA, ConnectionSetup setupOfB) {
    Pair pair = unconnected(init -> init);
    pair.connect(setupOfA, setupOfB);
    return pair;
  }

  /** A pair with other queue pairs. */
  public static Pair connected(ConnectionSetup setup, UnaryOperator<QueuePairInit> shape) {
    Pair pair = unconnected(shape);
    pair.connect(setup, setup);
    return pair;
  }

  /** A pair on devices of another kind. */
  public static Pair connected(DeviceProfile profile) {
    Pair pair = unconnected(Fabric.builder().profile(profile).build(), init -> init);
    pair.connect(setup(), setup());
    return pair;
  }

  /** A pair whose queue pairs are still in RESET. */
  public static Pair unconnected(UnaryOperator<QueuePairInit> shape) {
    return unconnected(Fabric.create(), shape);
  }

  /**
   * A pair on a fabric without nodes, which closes with the pair; the queue pairs are still in
   * RESET.
   */
  public static Pair unconnected(Fabric fabric, UnaryOperator<QueuePairInit> shape) {
    return new Pair(
        fabric,
        (CompletionQueue send, CompletionQueue receive) ->
            shape.apply(
                QueuePairInit.reliableConnected(send, 16, 16)
                    .withReceiveCompletionQueue(receive)
                    .withInline(64)));
  }

  /** Brings both queue pairs from RESET to RTS. */
  public void connect(ConnectionSetup setupOfA, ConnectionSetup setupOfB) {
    setupOfA.initialize(a.queuePair);
    setupOfB.initialize(b.queuePair);
    setupOfA.readyToReceive(a.queuePair, b.node.gid(), b.queuePair.number());
    setupOfB.readyToReceive(b.queuePair, a.node.gid(), a.queuePair.number());
    setupOfA.readyToSend(a.queuePair);
    setupOfB.readyToSend(b.queuePair);
  }

  /** Leaves the trace to itself: in real time, posts and polls take another way then. */
  public Pair withoutListeners() {
    fabric.trace().removeListener(journal);
    fabric.trace().removeListener(completions);
    return this;
  }

  /** Adds a fault rule by its text. */
  public ActiveRule impair(String rule) {
    return fabric.impair(Rule.parse(rule));
  }

  private void noteCompletion(TraceEvent event) {
    if (event instanceof TraceEvent.Completed completion) {
      completed.add(completion);
    }
  }

  /**
   * The completions of one node, polled or not, as words: {@code SEND 1 SUCCESS @20000}, with the
   * time in ns.
   */
  public List<String> completions(String node) {
    return completed.stream()
        .filter(completion -> completion.node().equals(node))
        .map(
            completion ->
                completion.operation()
                    + " "
                    + completion.requestId()
                    + " "
                    + completion.status()
                    + " @"
                    + completion.timeNanos())
        .toList();
  }

  /** Lets some virtual time pass. */
  public void runFor(long nanos) {
    fabric.runFor(Duration.ofNanos(nanos));
  }

  /** Lets everything happen that is going to happen by itself. */
  public void run() {
    fabric.run();
  }

  @Override
  public void close() {
    fabric.close();
  }
}

package io.roceverbs.examples;

import io.roceverbs.examples.pingpong.PingPongEnd;
import io.roceverbs.examples.ulp.Transport;
import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.fabric.impair.Impairment;
import io.roceverbs.verbs.PathMtu;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A ping-pong on a fabric that loses packets by chance. One thread polls for both ends.
 *
 * @param time by which clock; in real time links have no latency, so that what a round takes is
 *     what the code takes
 * @param transport the service
 * @param iterations messages in each direction
 * @param bytes length of each
 * @param mtu path MTU
 * @param loss chance that a packet is lost
 * @param seed of the fabric, and so of the losses
 * @param capture where the packets go, or null
 */
record PingPongRun(
    FabricTime time,
    Transport transport,
    int iterations,
    int bytes,
    PathMtu mtu,
    double loss,
    long seed,
    @Nullable Path capture) {
  /** 65.5 us, three times the way there and back: losses cost little time, and none is imagined. */
  private static final int TIMEOUT = 4;

  /** 16.8 ms: a thread that waits for a processor is not taken for a loss. */
  private static final int REAL_TIMEOUT = 12;

  /** The most there is: each stands for one more loss in a row of the same packet or its answer. */
  private static final int RETRIES = 7;

  private static final String CLIENT = "client";
  private static final String SERVER = "server";

  /**
   * How it ended.
   *
   * @param iterations rounds that were completed, every byte right
   * @param failure what went wrong, or empty
   * @param fabricNanos how long it took on the fabric
   * @param roundTripNanos how long a round took, the median; 0 in virtual time
   * @param packets sent by both
   * @param retransmissions of them, those sent again
   * @param traceHash digest of all that happened
   */
  record Outcome(
      int iterations,
      String failure,
      long fabricNanos,
      long roundTripNanos,
      long packets,
      long retransmissions,
      long traceHash) {}

  /**
   * Runs it to the end.
   *
   * @param progress is told how far it is
   * @throws UsageException if the capture can't be written
   */
  Outcome run(Progress progress) {
    Fabric.Builder lossy =
        Fabric.builder().time(time).link(link()).seed(seed).impairment(Impairment.loss(loss));
    try (Fabric fabric = Fabrics.open(lossy, capture)) {
      Node clientNode = fabric.addNode(CLIENT);
      Node serverNode = fabric.addNode(SERVER);
      try (PingPongEnd client = end(clientNode, PingPongEnd.Role.CLIENT);
          PingPongEnd server = end(serverNode, PingPongEnd.Role.SERVER)) {
        connect(client, server);
        if (transport == Transport.UD) {
          address(client, serverNode, server);
          address(server, clientNode, client);
        }
        RoundTrips roundTrips = new RoundTrips(iterations, System.nanoTime());
        server.start();
        client.start();
        String failure = play(fabric, client, server, progress, roundTrips);
        return new Outcome(
            client.received(),
            failure,
            fabric.nanoTime(),
            roundTrips.medianNanos(),
            clientNode.counters().framesSent() + serverNode.counters().framesSent(),
            clientNode.transport().retransmittedPackets()
                + serverNode.transport().retransmittedPackets(),
            fabric.trace().hash());
      }
    }
  }

  private void connect(PingPongEnd client, PingPongEnd server) {
    ConnectionSetup setup =
        ConnectionSetup.standard()
            .withPathMtu(mtu)
            .withTimeout(isRealTime() ? REAL_TIMEOUT : TIMEOUT)
            .withRetries(RETRIES, RETRIES);
    setup.connect(client.queuePair(), server.receivingQueuePair());
    if (transport.isExtended()) {
      setup.connect(server.queuePair(), client.receivingQueuePair());
      client.peer(server);
      server.peer(client);
    }
  }

  private static void address(PingPongEnd end, Node peerNode, PingPongEnd peer) {
    end.peer(peerNode.gid(), peer.queuePair().number(), ConnectionSetup.DEFAULT_QUEUE_KEY);
  }

  private boolean isRealTime() {
    return time == FabricTime.REAL;
  }

  private LinkConfiguration link() {
    return isRealTime()
        ? LinkConfiguration.DEFAULT.withLatency(Duration.ZERO)
        : LinkConfiguration.DEFAULT;
  }

  private PingPongEnd end(Node node, PingPongEnd.Role role) {
    return new PingPongEnd(node.device(), transport, role, iterations, bytes);
  }

  /** Returns what went wrong, or an empty text. */
  private String play(
      Fabric fabric,
      PingPongEnd client,
      PingPongEnd server,
      Progress progress,
      RoundTrips roundTrips) {
    BooleanSupplier isDone =
        () -> {
          progress.update(client.received());
          return !client.failure().isEmpty()
              || !server.failure().isEmpty()
              || (client.isFinished() && server.isFinished());
        };
    boolean isOver;
    if (isRealTime()) {
      BooleanSupplier timedClient =
          () -> {
            boolean came = client.progress();
            roundTrips.over(client.received(), System.nanoTime());
            return came;
          };
      isOver = PollLoop.runInRealTime(isDone, timedClient, server::progress);
    } else {
      isOver = PollLoop.run(fabric, isDone, client::progress, server::progress);
    }
    progress.end();
    if (!isOver) {
      String why =
          transport.isReliable()
              ? ""
              : ": a message was lost, which " + transport + " does not send again";
      return "both ends wait, and nothing can happen any more" + why;
    }
    return client.failure().isEmpty() ? server.failure() : client.failure();
  }
}

package io.roceverbs.examples;

import io.roceverbs.examples.ulp.Transport;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.FabricTime;
import io.roceverbs.verbs.PathMtu;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.Locale;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** A message back and forth, with losses. */
@Command(
    name = "pingpong",
    description = {
      "Sends a message back and forth between two nodes, whose network loses packets by chance,"
          + " and compares each byte at both ends."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {
      "0:all iterations are over, and no byte was wrong",
      "1:a byte was wrong, the connection was lost, or a message that is not sent again",
      ExitCode.USAGE_TEXT
    })
final class PingPongCommand implements Callable<Integer> {
  /** Three buffers of this size at each end are as much as an example should take. */
  private static final int SIZE_MAX = 16 * 1024 * 1024;

  /** What one packet carries. */
  private static final int DATAGRAM_MAX = 4_096;

  private static final double NANOS_PER_SECOND = 1e9;

  private final Terminal terminal;

  @Option(
      names = "--transport",
      paramLabel = "NAME",
      description =
          "rc, uc, ud or xrc; or srq: rc with a shared receive queue (default: ${DEFAULT-VALUE})")
  private Transport transport = Transport.RC;

  @Option(
      names = "--iterations",
      paramLabel = "N",
      description = "messages in each direction (default: ${DEFAULT-VALUE})")
  private int iterations = 1_000;

  @Option(
      names = "--size",
      paramLabel = "BYTES",
      description = "length of a message, 1 to 16777216 (default: ${DEFAULT-VALUE})")
  private int size = 4_096;

  @Option(
      names = "--mtu",
      paramLabel = "M",
      converter = PathMtuConverter.class,
      description = "path MTU: 256, 512, 1024, 2048 or 4096 (default: 1024)")
  private PathMtu mtu = PathMtu.MTU_1024;

  @Option(
      names = "--loss",
      paramLabel = "P",
      description = "chance that a packet is lost, 0 to 1 (default: ${DEFAULT-VALUE})")
  private double loss = 0;

  @Option(
      names = "--seed",
      paramLabel = "S",
      description = "where the chance comes from (default: ${DEFAULT-VALUE})")
  private long seed = Fabric.DEFAULT_SEED;

  @Option(names = "--pcap", paramLabel = "FILE", description = "write the packets as pcapng")
  private @Nullable Path capture;

  @Option(
      names = "--real-time",
      description = "on an event loop in real time, over links without latency")
  private boolean realTime;

  PingPongCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    UsageException.checkRange("--iterations", iterations, 1, Integer.MAX_VALUE);
    UsageException.checkRange("--size", size, 1, SIZE_MAX);
    if (transport == Transport.UD && size > DATAGRAM_MAX) {
      throw new UsageException(
          "--size " + size + " does not fit into a datagram, which has 1 to " + DATAGRAM_MAX);
    }
    if (!(loss >= 0 && loss <= 1)) {
      throw new UsageException("--loss " + loss + " is not in 0 to 1");
    }
    long startNanos = System.nanoTime();
    PingPongRun.Outcome outcome = run();
    report(outcome, System.nanoTime() - startNanos);
    return outcome.failure().isEmpty() ? ExitCode.OK : ExitCode.FAILED;
  }

  private PingPongRun.Outcome run() {
    Progress progress =
        new Progress(terminal.err(), terminal.isInteractive(), System::nanoTime, iterations);
    try {
      FabricTime time = realTime ? FabricTime.REAL : FabricTime.VIRTUAL;
      return new PingPongRun(time, transport, iterations, size, mtu, loss, seed, capture)
          .run(progress);
    } catch (UncheckedIOException e) {
      throw new UsageException("--pcap: " + e.getMessage(), e);
    }
  }

  private void report(PingPongRun.Outcome outcome, long wallNanos) {
    PrintWriter out = terminal.out();
    out.printf(
        "%s ping-pong, %d iterations of %d bytes, MTU %d, loss %s, seed %d%n",
        transport, iterations, size, mtu.bytes(), loss, seed);
    if (realTime) {
      out.println("round trip       " + outcome.roundTripNanos() + " ns (median)");
    } else {
      out.printf(
          Locale.ROOT, "virtual time     %.6f s%n", outcome.fabricNanos() / NANOS_PER_SECOND);
    }
    out.println("packets          " + outcome.packets());
    out.println("retransmissions  " + outcome.retransmissions());
    out.printf(Locale.ROOT, "wall time        %.3f s%n", wallNanos / NANOS_PER_SECOND);
    if (!outcome.failure().isEmpty()) {
      out.println("FAILED: " + outcome.failure());
    }
    if (realTime) {
      out.printf(
          "RESULT iterations=%d retransmissions=%d round_trip_median_ns=%d%n",
          outcome.iterations(), outcome.retransmissions(), outcome.roundTripNanos());
    } else {
      out.printf(
          "RESULT iterations=%d retransmissions=%d trace=%016x%n",
          outcome.iterations(), outcome.retransmissions(), outcome.traceHash());
    }
    out.flush();
  }
}

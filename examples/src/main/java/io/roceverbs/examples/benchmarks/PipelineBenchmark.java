package io.roceverbs.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * A stream of RC SENDs through everything in virtual time: post, engine, codec with ICRC, the Netty
 * pipelines of both ports, event queue, placement, acknowledgement, completion, poll. Read the
 * secondary result {@code packets}: packets for each second of wall time, acknowledgements
 * included.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class PipelineBenchmark {
  /** Bytes of a message; the path MTU is 1024. */
  @Param({"64", "1024", "65536"})
  public int messageBytes;

  private ConnectedPair pair = new ConnectedPair(1);
  private long packetsBefore;
  private long messagesBefore;

  /** What an iteration did, for each second. */
  @State(Scope.Thread)
  @AuxCounters(AuxCounters.Type.OPERATIONS)
  public static class Counters {
    /** Packets of both sides. */
    public long packets;

    /** Messages. */
    public long messages;
  }

  /** Connects. */
  @Setup(Level.Trial)
  public void setUp() {
    pair.close();
    pair = new ConnectedPair(messageBytes);
  }

  /** Notes where the iteration begins. */
  @Setup(Level.Iteration)
  public void beginIteration() {
    packetsBefore = pair.packets();
    messagesBefore = pair.completed();
  }

  /** Counts what the iteration did. */
  @TearDown(Level.Iteration)
  public void endIteration(Counters counters) {
    counters.packets = pair.packets() - packetsBefore;
    counters.messages = pair.completed() - messagesBefore;
  }

  /** Closes. */
  @TearDown(Level.Trial)
  public void tearDown() {
    pair.close();
  }

  /** Goes on until at least one more message is complete. */
  @Benchmark
  public void send() {
    pair.completeOneSend();
  }
}

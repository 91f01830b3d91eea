package io.roceverbs.examples.benchmarks;

import java.util.concurrent.TimeUnit;
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
 * One message at a time: post a receive, post a SEND, poll until both have completed. With {@code
 * -prof gc} the bytes allocated for each message must be 0.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class PostPollBenchmark {
  /** Bytes of a message. */
  @Param({"64", "1024"})
  public int messageBytes;

  private ConnectedPair pair = new ConnectedPair(1);

  /** Connects. */
  @Setup(Level.Trial)
  public void setUp() {
    pair.close();
    pair = new ConnectedPair(messageBytes);
  }

  /** Closes. */
  @TearDown(Level.Trial)
  public void tearDown() {
    pair.close();
  }

  /** One message and its acknowledgement. */
  @Benchmark
  public void oneMessage() {
    pair.completeOneMessage();
  }
}

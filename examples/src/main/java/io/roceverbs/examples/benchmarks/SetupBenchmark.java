package io.roceverbs.examples.benchmarks;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * What a test pays before its first line: a fabric with two nodes and a connected pair, made and
 * closed.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class SetupBenchmark {
  /** Makes and closes; 64 receives are posted in between. */
  @Benchmark
  public long fabricWithConnectedPair() {
    try (ConnectedPair pair = new ConnectedPair(64)) {
      return pair.packets();
    }
  }

  /** The same and the first message on top. */
  @Benchmark
  public long firstCompletion() {
    try (ConnectedPair pair = new ConnectedPair(64)) {
      pair.completeOneMessage();
      return pair.packets();
    }
  }
}

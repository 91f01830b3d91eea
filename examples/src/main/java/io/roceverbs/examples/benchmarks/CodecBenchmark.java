package io.roceverbs.examples.benchmarks;

import io.roceverbs.sim.wire.DecodeStatus;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.sim.wire.PacketCodec;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** One RC SEND_ONLY packet made into a frame and read back, ICRC both times. */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 10, time = 200, timeUnit = TimeUnit.MILLISECONDS)
@Fork(1)
public class CodecBenchmark {
  private static final long IPV4_MAPPED = 0xFFFF_0A00_0000L;

  /** Bytes of payload. */
  @Param({"64", "1024"})
  public int payloadBytes;

  private final PacketCodec codec = new PacketCodec();
  private final Packet packet = new Packet();
  private final Packet decoded = new Packet();
  private byte[] buffer = new byte[0];
  private int frameStart;
  private int frameLength;

  /** Makes one frame, which {@link #decode} reads. */
  @Setup
  public void setUp() {
    buffer = new byte[PacketCodec.HEADROOM + payloadBytes + PacketCodec.TAILROOM];
    packet
        .clear()
        .network()
        .sourceLow(IPV4_MAPPED | 1)
        .destinationLow(IPV4_MAPPED | 2)
        .sourcePort(0xC001);
    packet
        .opcode(Opcode.RC_SEND_ONLY)
        .destinationQueuePair(0x11)
        .ackRequest(true)
        .psn(0x100)
        .payload(buffer, PacketCodec.HEADROOM, payloadBytes);
    frameStart = encode();
    frameLength = PacketCodec.frameLength(packet);
    if (decode() != DecodeStatus.OK) {
      throw new IllegalStateException("the frame must be good");
    }
  }

  /** Fields to bytes. */
  @Benchmark
  public int encode() {
    return codec.encode(packet, buffer, PacketCodec.HEADROOM);
  }

  /** Bytes to fields. */
  @Benchmark
  public DecodeStatus decode() {
    return codec.decode(buffer, frameStart, frameLength, decoded);
  }
}

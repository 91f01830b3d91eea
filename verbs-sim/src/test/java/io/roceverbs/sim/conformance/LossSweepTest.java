package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.fabric.impair.ActiveRule;
import io.roceverbs.sim.trace.TraceEvent;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * One exchange with every kind of request in both directions, and one fault at each of its packets
 * in turn. Whatever happens to one packet, both programs see what they see without it.
 */
class LossSweepTest {
  /** Six PSNs before the end of their range, so that every longer message crosses it. */
  static final int FIRST_PSN = 0xFFFFFA;

  /**
   * More than the ACK timeout of {@value Pair#ACK_TIMEOUT_NANOS} ns: the packet comes back as a
   * ghost.
   */
  private static final String LATE = "delay=70ms";

  enum Mtu {
    MTU_256(PathMtu.MTU_256),
    MTU_1024(PathMtu.MTU_1024);

    final PathMtu value;

    Mtu(PathMtu value) {
      this.value = value;
    }
  }

  private static ConnectionSetup setup(PathMtu mtu) {
    return Pair.setup().withRetries(7, 7).withPathMtu(mtu).withFirstPsn(FIRST_PSN);
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"GO-BACK-N", "NAK-IMPLIED", "READ-RESUME", "LOCAL-ONCE", "C03", "C66"})
  void aLostPacketChangesNothingThatAProgramSees(Mtu mtu) {
    sweep(mtu, "drop");
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"DUPLICATE-ACK", "DUPLICATE-READ", "ATOMIC-ONCE", "RESPONSE-GHOST", "C70"})
  void aDuplicatedPacketChangesNothingThatAProgramSees(Mtu mtu) {
    sweep(mtu, "duplicate");
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"PSN-FIRST", "NAK-ONCE-PER-GAP"})
  void twoSwappedPacketsChangeNothingThatAProgramSees(Mtu mtu) {
    sweep(mtu, "behind");
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"ACK-TIMER", "RESPONSE-GHOST", "C71"})
  void aPacketDelayedPastTheTimeoutChangesNothingThatAProgramSees(Mtu mtu) {
    sweep(mtu, LATE);
  }

  @ParameterizedTest
  @EnumSource
  @Checks("C68")
  void aCorruptedPacketChangesNothingThatAProgramSees(Mtu mtu) {
    sweep(mtu, "corrupt");
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"INVALIDATE-BEFORE-COMPLETION", "C17"})
  void theLosslessRunIsAsItShouldBe(Mtu mtu) {
    Outcome lossless = run(setup(mtu.value), Exchange::postAll);
    Map<String, List<String>> seen = lossless.seen();
    assertThat(seen.get("sends of a"))
        .containsExactly(
            "WorkCompletion[id=1, queuePairNumber=17, SUCCESS SEND]",
            "WorkCompletion[id=2, queuePairNumber=17, SUCCESS RDMA_WRITE]",
            "WorkCompletion[id=3, queuePairNumber=17, SUCCESS SEND]",
            "WorkCompletion[id=4, queuePairNumber=17, SUCCESS REG_MR]",
            "WorkCompletion[id=5, queuePairNumber=17, SUCCESS SEND]",
            "WorkCompletion[id=6, queuePairNumber=17, SUCCESS RDMA_READ, byteLength=2700]",
            "WorkCompletion[id=7, queuePairNumber=17, SUCCESS COMP_SWAP, byteLength=8]",
            "WorkCompletion[id=8, queuePairNumber=17, SUCCESS FETCH_ADD, byteLength=8]",
            "WorkCompletion[id=9, queuePairNumber=17, SUCCESS RDMA_WRITE]",
            "WorkCompletion[id=10, queuePairNumber=17, SUCCESS SEND]",
            "WorkCompletion[id=11, queuePairNumber=17, SUCCESS LOCAL_INV]",
            "WorkCompletion[id=12, queuePairNumber=17, SUCCESS SEND]");
    assertThat(seen.get("receives of b"))
        .containsExactly(
            "WorkCompletion[id=200, queuePairNumber=4113, SUCCESS RECV, byteLength=2500]",
            "WorkCompletion[id=201, queuePairNumber=4113, SUCCESS RECV, byteLength=2,"
                + " immediate=0x1020304]",
            "WorkCompletion[id=202, queuePairNumber=4113, SUCCESS RECV, byteLength=600]",
            "WorkCompletion[id=203, queuePairNumber=4113, SUCCESS RECV_RDMA_WITH_IMM,"
                + " byteLength=1300, immediate=0xcafe0000]",
            "WorkCompletion[id=204, queuePairNumber=4113, SUCCESS RECV, byteLength=900,"
                + " invalidatedRkey=0x101402]",
            "WorkCompletion[id=205, queuePairNumber=4113, SUCCESS RECV, byteLength=0]");
    assertThat(seen.get("keys of b by SEND_WITH_INV of the peer")).containsExactly("101402 false");
    assertThat(seen.get("keys of b by LOCAL_INV")).containsExactly("101102 false");
    assertThat(seen.get("events of b")).isEmpty();
    assertThat(seen.get("state of a")).containsExactly("RTS");
    assertThat(seen.get("state of b")).containsExactly("RTS");
    assertMemory(lossless.memory());
  }

  private static void assertMemory(Map<String, ByteBuffer> memory) {
    for (int i = 0; i < 1100; i++) {
      assertThat(memory.get("written of b").get(10 + i)).isEqualTo((byte) ((i + 5) * 7 + 1));
    }
    assertThat(memory.get("written of b").get(9)).isZero();
    assertThat(memory.get("written of b").get(1110)).isEqualTo((byte) (1500 * 7 + 1));
    assertThat(memory.get("written of b").get(2510)).isZero();
    for (int i = 0; i < 2700; i++) {
      assertThat(memory.get("read sink of a").get(i)).isEqualTo((byte) ((i + 3) * 13 + 2));
    }
    ByteBuffer counter = memory.get("counter of b").order(ByteOrder.LITTLE_ENDIAN);
    assertThat(counter.getLong(0)).isEqualTo(5);
    assertThat(counter.getLong(8)).isEqualTo(0x0202020202020202L + 3);
    ByteBuffer results = memory.get("results of a").order(ByteOrder.LITTLE_ENDIAN);
    assertThat(results.getLong(0)).isEqualTo(0x0202020202020202L);
    assertThat(results.getLong(8)).isEqualTo(0x0202020202020202L);
    ByteBuffer received = memory.get("received of b");
    assertThat(received.get(2499)).isEqualTo((byte) (2499 * 7 + 1));
    assertThat(received.get(2500)).isZero();
    assertThat(received.get(Exchange.BYTES + 1)).isEqualTo((byte) 8);
    assertThat(received.get(2 * Exchange.BYTES + 599)).isEqualTo((byte) 0x41);
    assertThat(received.get(3 * Exchange.BYTES)).isZero();
    assertThat(received.get(4 * Exchange.BYTES)).isEqualTo((byte) (2000 * 7 + 1));
    assertThat(memory.get("lent of b").get(1299)).isEqualTo((byte) (1299 * 7 + 1));
    assertThat(memory.get("lent of b").get(1300)).isZero();
  }

  private static void sweep(Mtu mtu, String verdict) {
    Outcome lossless = run(setup(mtu.value), Exchange::postAll);
    assertThat(lossless.faults()).isZero();
    assertThat(lossless.packets("a")).isGreaterThan(20);
    for (String direction : List.of("a>b", "b>a")) {
      int packets = lossless.packets(direction.substring(0, 1));
      for (int packet = 1; packet <= packets; packet++) {
        String rule = verdict + ":" + direction + "/ANY#" + packet;
        Outcome outcome = run(setup(mtu.value), Exchange::postAll, rule);
        assertThat(outcome.faults()).as(rule).isEqualTo(1);
        outcome.assertSameAs(lossless, rule);
      }
    }
  }

  /** Lets an exchange happen under some rules and notes how it ended. */
  static Outcome run(ConnectionSetup setup, Script script, String... rules) {
    return run(LinkConfiguration.DEFAULT, setup, script, rules);
  }

  /** The same on other links. */
  static Outcome run(
      LinkConfiguration link, ConnectionSetup setup, Script script, String... rules) {
    Fabric fabric = Fabric.builder().link(link).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      pair.connect(setup, setup);
      Exchange exchange = new Exchange(pair);
      pair.run();
      exchange.drain();
      pair.journal.clear();
      List<ActiveRule> active = Stream.of(rules).map(pair::impair).toList();
      script.post(exchange);
      pair.run();
      return exchange.outcome(active.stream().mapToLong(ActiveRule::hits).sum());
    }
  }

  /** What both programs post. */
  interface Script {
    void post(Exchange exchange);
  }

  /** How an exchange ended: everything that a program can see, without times. */
  record Outcome(
      Map<String, List<String>> seen,
      Map<String, ByteBuffer> memory,
      long faults,
      List<String> senders) {
    int packets(String node) {
      return (int) senders.stream().filter(node::equals).count();
    }

    void assertSameAs(Outcome expected, String why) {
      for (String what : expected.seen().keySet()) {
        assertThat(seen().get(what)).as("%s, %s", what, why).isEqualTo(expected.seen().get(what));
      }
      assertThat(memory()).as("memory, %s", why).isEqualTo(expected.memory());
    }
  }

  /** The memory of both sides, and the requests over it. */
  static final class Exchange {
    private static final int BYTES = 3000;

    private final Pair pair;
    private final Program a;
    private final Program b;
    private final Map<String, List<String>> keys = new TreeMap<>();

    Exchange(Pair pair) {
      this.pair = pair;
      pair.fabric.trace().addListener(this::noteKey);
      this.a = new Program(pair.a, 1);
      this.b = new Program(pair.b, 2);
    }

    private void noteKey(TraceEvent event) {
      if (event instanceof TraceEvent.KeyChanged key) {
        keys.computeIfAbsent("keys of " + key.node() + " by " + key.cause(), n -> new ArrayList<>())
            .add(Integer.toHexString(key.key()) + " " + key.valid());
      }
    }

    void drain() {
      pair.a.pollSends();
      pair.b.pollSends();
    }

    /** Every kind of request, multi-packet where there is one, in both directions at once. */
    void postAll() {
      a.postAll(b);
      b.postAll(a);
    }

    /** One request of each class that loss treats differently. */
    void postShort() {
      a.postShort(b);
      b.postShort(a);
    }

    /**
     * A local operation between a message and a READ, behind which nothing comes that would tell of
     * a loss.
     */
    void postTiny() {
      a.postTiny(b);
    }

    Outcome outcome(long faults) {
      Map<String, List<String>> seen = new TreeMap<>(keys);
      a.note(seen, "a");
      b.note(seen, "b");
      Map<String, ByteBuffer> memory = new TreeMap<>();
      a.noteMemory(memory, "a");
      b.noteMemory(memory, "b");
      List<String> senders = pair.journal.all().stream().map(TraceEvent.PacketSent::node).toList();
      return new Outcome(seen, memory, faults, senders);
    }
  }

  /** One side of an {@link Exchange}. */
  private static final class Program {
    private final Side side;
    private final Side.Memory source;
    private final Side.Memory written;
    private final Side.Memory readSource;
    private final Side.Memory readSink;
    private final Side.Memory counter;
    private final Side.Memory results;
    private final Side.Memory received;
    private final Side.FastMemory ownFast;
    private final Side.FastMemory lentFast;

    Program(Side side, int salt) {
      this.side = side;
      source = side.memory(Exchange.BYTES, 0);
      written = side.memory(Exchange.BYTES, 0);
      readSource = side.memory(Exchange.BYTES, 0);
      readSink = side.memory(Exchange.BYTES, 0);
      counter = side.memory(16, salt);
      results = side.memory(16, 0);
      received = side.memory(6 * Exchange.BYTES, 0);
      ownFast = side.fastMemory(Exchange.BYTES, 0x40 + salt);
      lentFast = side.fastMemory(Exchange.BYTES, 0);
      for (int i = 0; i < Exchange.BYTES; i++) {
        source.bytes().put(i, (byte) (i * 7 + salt));
        readSource.bytes().put(i, (byte) (i * 13 + salt));
      }
      side.postRegister(100, lentFast);
    }

    private void postReceives(int count) {
      ReceiveRequest receive = new ReceiveRequest();
      for (int i = 0; i < count; i++) {
        side.queuePair.post(
            receive
                .reset(200 + i)
                .segment(received.region(), (long) i * Exchange.BYTES, 700)
                .segment(received.region(), (long) i * Exchange.BYTES + 700, 2300));
      }
    }

    private void post(SendRequest request) {
      side.queuePair.post(request.signaled());
    }

    void postAll(Program peer) {
      postReceives(6);
      SendRequest r = side.request;
      post(r.reset(1).send().segment(source.region(), 0, 2500));
      post(
          r.reset(2)
              .rdmaWrite(peer.written.address() + 10, peer.written.rkey())
              .segment(source.region(), 5, 1100)
              .segment(source.region(), 1500, 1400));
      post(r.reset(3).sendWithImmediate(0x01020304).inlineData(ByteBuffer.wrap(new byte[] {9, 8})));
      side.postRegister(4, ownFast);
      post(r.reset(5).send().segment(ownFast.region(), 100, 600));
      post(
          r.reset(6)
              .rdmaRead(peer.readSource.address() + 3, peer.readSource.rkey())
              .segment(readSink.region(), 0, 2700));
      post(
          r.reset(7)
              .compareAndSwap(
                  peer.counter.address(), peer.counter.rkey(), peer.counter.bytes().getLong(0), 5)
              .segment(results.region(), 0, 8));
      post(
          r.reset(8)
              .fetchAndAdd(peer.counter.address() + 8, peer.counter.rkey(), 3)
              .segment(results.region(), 8, 8));
      post(
          r.reset(9)
              .rdmaWriteWithImmediate(peer.lentFast.address(), peer.lentFast.key(), 0xCAFE0000)
              .segment(source.region(), 0, 1300));
      post(r.reset(10).sendWithInvalidate(peer.lentFast.key()).segment(source.region(), 2000, 900));
      post(r.reset(11).localInvalidate(ownFast.key()).fenced());
      post(r.reset(12).send());
    }

    void postShort(Program peer) {
      postReceives(2);
      SendRequest r = side.request;
      post(r.reset(1).send().segment(source.region(), 0, 400));
      side.postRegister(2, ownFast);
      post(
          r.reset(3)
              .rdmaRead(peer.readSource.address(), peer.readSource.rkey())
              .segment(readSink.region(), 0, 600));
      post(
          r.reset(4)
              .fetchAndAdd(peer.counter.address(), peer.counter.rkey(), 3)
              .segment(results.region(), 0, 8));
      post(
          r.reset(5)
              .rdmaWrite(peer.lentFast.address(), peer.lentFast.key())
              .segment(ownFast.region(), 0, 300));
      post(r.reset(6).localInvalidate(ownFast.key()).fenced());
      post(r.reset(7).sendWithInvalidate(peer.lentFast.key()));
    }

    void postTiny(Program peer) {
      peer.postReceives(1);
      SendRequest r = side.request;
      post(r.reset(1).send().segment(source.region(), 0, 200));
      side.postRegister(2, ownFast);
      post(
          r.reset(3)
              .rdmaRead(peer.readSource.address(), peer.readSource.rkey())
              .segment(ownFast.region(), 0, 500));
      post(r.reset(4).localInvalidate(ownFast.key()).fenced());
    }

    void note(Map<String, List<String>> seen, String name) {
      seen.put("sends of " + name, words(side.pollSends()));
      seen.put("receives of " + name, words(side.pollReceives()));
      seen.put("events of " + name, side.pollEvents().stream().map(Enum::toString).toList());
      seen.put("state of " + name, List.of(side.state().toString()));
    }

    private static List<String> words(List<WorkCompletion> completions) {
      return completions.stream().map(WorkCompletion::toString).toList();
    }

    void noteMemory(Map<String, ByteBuffer> memory, String name) {
      memory.put("written of " + name, bytes(written));
      memory.put("read sink of " + name, bytes(readSink));
      memory.put("counter of " + name, bytes(counter));
      memory.put("results of " + name, bytes(results));
      memory.put("received of " + name, bytes(received));
      memory.put("lent of " + name, bytes(lentFast.memory()));
      memory.put("own of " + name, bytes(ownFast.memory()));
    }

    private static ByteBuffer bytes(Side.Memory memory) {
      return ByteBuffer.wrap(memory.slice(0, memory.bytes().capacity()));
    }
  }
}

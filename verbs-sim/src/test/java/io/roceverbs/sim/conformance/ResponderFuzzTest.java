package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.sim.wire.Packet;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Requests without rhyme or reason: none of them touches foreign memory, loses a receive, or fails
 * unreported.
 */
class ResponderFuzzTest {
  private static final int PACKETS = 1500;
  private static final int RECEIVES = 4;
  private static final int GUARD = 2048;
  private static final int REGION = 4096;
  private static final Pattern ANSWER = Pattern.compile("(\\S+) psn=0x([0-9a-f]{6}).*");
  private static final List<Opcode> OPCODES = requests();
  private static final int[] LENGTHS = {0, 1, 7, 1020, 1023, 1024, 1024, 1024, 1025, 2048};

  private final RawPeer raw = RawPeer.connected();
  private final byte[] arena = new byte[REGION + 2 * GUARD];
  private final MemoryRegion region =
      raw.b.domain.registerMemory(
          ByteBuffer.wrap(arena, GUARD, REGION),
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);
  private int expected = RawPeer.PSN;
  private int posted;
  private int failures;

  @AfterEach
  void close() {
    raw.close();
  }

  private static List<Opcode> requests() {
    List<Opcode> requests = new ArrayList<>();
    for (Opcode opcode : Opcode.values()) {
      if (opcode.value() < 0x20 && opcode.isRequest()) {
        requests.add(opcode);
      }
    }
    return requests;
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Checks({"FAULT-REPORT", "FLUSH-IN-ORDER", "KEY-CHECK-ORDER"})
  void nothingThatAPeerSendsDoesHarm(long seed) {
    Random random = new Random(seed);
    fillReceives();
    for (int i = 0; i < PACKETS; i++) {
      sendSomething(random);
      raw.run();
      learnExpectedPsn();
      if (raw.b.state() == QueuePairState.ERR) {
        failures++;
        assertReportedOnce();
        raw.reconnect(Pair.setup());
        expected = RawPeer.PSN;
      }
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      fillReceives();
    }
    assertThat(failures).as("the packets are wrong often enough to be a test").isGreaterThan(100);
    assertThat(raw.completions().stream().filter(text -> text.endsWith("SUCCESS")))
        .as("and right often enough")
        .hasSizeGreaterThan(20);
    assertGuardsUntouched();
  }

  private void fillReceives() {
    long done = raw.completions().size();
    while (posted - done < RECEIVES) {
      posted++;
      raw.b.queuePair.post(
          new ReceiveRequest().reset(posted).segment(region, 0, 1024).segment(region, 1024, 1500));
    }
    raw.b.pollReceives();
  }

  private void sendSomething(Random random) {
    Opcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
    int distance = random.nextInt(10) < 7 ? 0 : random.nextInt(7) - 3;
    int length = opcode.carriesPayload() ? LENGTHS[random.nextInt(LENGTHS.length)] : 0;
    raw.send(
        opcode, expected + distance, length, random.nextInt(256), packet -> fill(packet, random));
  }

  private void fill(Packet packet, Random random) {
    boolean goodKey = random.nextInt(8) != 0;
    packet.ackRequest(random.nextBoolean());
    long address = region.address() + random.nextInt(REGION + 64) - 32;
    int rkey = goodKey ? region.rkey() : random.nextInt();
    packet
        .reth()
        .remoteAddress(address)
        .rkey(rkey)
        .dmaLength(random.nextInt(8) == 0 ? random.nextInt() : random.nextInt(4) * 1024);
    packet
        .atomicEth()
        .remoteAddress(address)
        .rkey(rkey)
        .compare(random.nextLong())
        .swapOrAdd(random.nextLong());
    packet.invalidateRkey(goodKey ? region.rkey() : random.nextInt());
  }

  private void learnExpectedPsn() {
    for (String answer : raw.received()) {
      Matcher matcher = ANSWER.matcher(answer);
      assertThat(matcher.matches()).as(answer).isTrue();
      boolean missing = matcher.group(1).startsWith("NAK(PSN") || answer.startsWith("RNR");
      int next = Integer.parseInt(matcher.group(2), 16) + (missing ? 0 : 1);
      expected = Math.max(expected, next);
    }
    raw.clear();
  }

  /** One receive carries the fault or one event does, and every receive has come back once. */
  private void assertReportedOnce() {
    List<String> completions = raw.completions();
    assertThat(completions).hasSize(posted);
    long faults =
        completions.subList(completions.size() - RECEIVES, completions.size()).stream()
            .filter(text -> !text.endsWith("SUCCESS") && !text.endsWith("WR_FLUSH_ERR"))
            .count();
    assertThat(faults + raw.b.pollEvents().size()).isEqualTo(1);
  }

  private void assertGuardsUntouched() {
    for (int i = 0; i < GUARD; i++) {
      assertThat(arena[i]).isZero();
      assertThat(arena[GUARD + REGION + i]).isZero();
    }
  }
}

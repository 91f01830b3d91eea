package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Responses without rhyme or reason: every request still completes once, in order, and one of them
 * names the cause.
 */
class RequesterFuzzTest {
  private static final int ROUNDS = 300;
  private static final int REQUESTS = 6;
  private static final int LOCAL = 3000;
  private static final int GUARD = 1096;
  private static final List<Opcode> OPCODES =
      List.of(
          Opcode.RC_ACKNOWLEDGE,
          Opcode.RC_ACKNOWLEDGE,
          Opcode.RC_READ_RESPONSE_FIRST,
          Opcode.RC_READ_RESPONSE_MIDDLE,
          Opcode.RC_READ_RESPONSE_LAST,
          Opcode.RC_READ_RESPONSE_ONLY,
          Opcode.RC_ATOMIC_ACKNOWLEDGE);
  private static final int[] SYNDROMES = {
    0x1F, 0x1F, 0x1F, 0x60, 0x61, 0x62, 0x63, 0x21, 0x7F, 0x80
  };
  private static final int[] LENGTHS = {0, 8, 952, 1024, 1024, 1024, 1025};

  private final RawPeer raw = RawPeer.connected(Pair.setup().withTimeout(0));
  private final Side.Memory local = raw.b.memory(LOCAL + GUARD, 0);
  private long nextId = 1;

  @AfterEach
  void close() {
    raw.close();
  }

  @ParameterizedTest
  @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
  @Checks({"FLUSH-IN-ORDER", "FAULT-IN-ORDER", "RESPONSE-GHOST"})
  void nothingThatAPeerAnswersDoesHarm(long seed) {
    Random random = new Random(seed);
    int failures = 0;
    for (int round = 0; round < ROUNDS; round++) {
      long firstId = nextId;
      for (int i = 0; i < REQUESTS; i++) {
        post(random);
      }
      for (int i = 0; i < 400 && !isQuiet(); i++) {
        respond(random);
        raw.runRoundTrip();
      }
      if (raw.b.state() == QueuePairState.ERR) {
        failures++;
      }
      assertRoundEnded(firstId);
      raw.b.pollEvents();
      raw.reconnect(Pair.setup().withTimeout(0));
    }
    assertThat(failures).as("responses are wrong often enough to be a test").isGreaterThan(50);
    assertThat(local.slice(LOCAL, LOCAL + GUARD)).containsOnly(0);
  }

  private boolean isQuiet() {
    return raw.completions().size() == nextId - 1;
  }

  private void post(Random random) {
    SendRequest request = raw.b.request.reset(nextId++);
    int length = random.nextInt(LOCAL + 1);
    switch (random.nextInt(4)) {
      case 0 -> request.send();
      case 1 -> request.rdmaWrite(0x10000, 0x2300);
      case 2 -> request.rdmaRead(0x10000, 0x2300);
      default -> {
        request.fetchAndAdd(0x10000, 0x2300, 1);
        length = 8;
      }
    }
    raw.b.queuePair.post(request.segment(local.region(), 0, length).signaled());
  }

  private void respond(Random random) {
    Opcode opcode = OPCODES.get(random.nextInt(OPCODES.size()));
    int length = opcode.carriesPayload() ? LENGTHS[random.nextInt(LENGTHS.length)] : 0;
    int syndrome =
        opcode == Opcode.RC_ACKNOWLEDGE ? SYNDROMES[random.nextInt(SYNDROMES.length)] : 0;
    int psn = RawPeer.PSN - 2 + random.nextInt(3 * REQUESTS + 4);
    raw.send(opcode, psn, length, 0x5A, packet -> packet.aeth().syndrome(syndrome));
  }

  /**
   * Ids in order: successes, then at most one cause, then flushed ones; a cause if and only if the
   * state is ERR.
   */
  private void assertRoundEnded(long firstId) {
    List<String> completions = raw.completions();
    List<String> round = completions.subList((int) firstId - 1, completions.size());
    int causes = 0;
    for (int i = 0; i < round.size(); i++) {
      String[] words = round.get(i).split(" ", 3);
      assertThat(words[1]).isEqualTo(Long.toString(firstId + i));
      boolean flushed = words[2].equals("WR_FLUSH_ERR");
      boolean success = words[2].equals("SUCCESS");
      assertThat(causes).as(round.toString()).isEqualTo(flushed ? 1 : 0);
      causes += flushed || success ? 0 : 1;
    }
    boolean failed = raw.b.state() == QueuePairState.ERR;
    assertThat(causes).isEqualTo(failed ? 1 : 0);
    if (failed) {
      assertThat(round).hasSize(REQUESTS);
    }
    raw.b.pollSends();
    nextId = completions.size() + 1L;
  }
}

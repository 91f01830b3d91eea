package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** The PSN wraps inside each operation in turn, and a packet on either side of the wrap is lost. */
class SequenceWrapTest {
  /** WRITE 3, SEND 1, READ 3, atomic 1, SEND_WITH_INV 1, READ of nothing 1, WRITE with data 2. */
  private static final int PSNS = 12;

  private static final int PSN_SPACE = 1 << 24;

  static Stream<Arguments> losses() {
    return IntStream.rangeClosed(0, PSNS)
        .boxed()
        .flatMap(
            before ->
                Stream.of("a>b/REQUEST", "b>a/RESPONSE")
                    .flatMap(
                        way ->
                            Stream.of("0x000000", "0xffffff")
                                .map(psn -> Arguments.of(before, way + "@" + psn))));
  }

  @ParameterizedTest
  @MethodSource("losses")
  @Checks({"C66", "GO-BACK-N", "LOCAL-ONCE"})
  void whereverThePsnWrapsALossThereIsHealed(int before, String lost) {
    int firstPsn = (PSN_SPACE - before) % PSN_SPACE;
    try (Pair pair = Pair.connected(Pair.setup().withFirstPsn(firstPsn))) {
      Side a = pair.a;
      Side b = pair.b;
      Side.FastMemory invalidated = b.fastMemory(64, 0);
      b.postRegister(90, invalidated);
      pair.run();
      Side.FastMemory source = a.fastMemory(4096, 3);
      Side.Memory data = a.memory(4096, 5);
      Side.Memory landing = a.memory(4096, 0);
      Side.Memory remote = b.memory(8192, 0);
      Side.Memory original = b.memory(3000, 7);
      Side.Memory receive = b.memory(8, 0);
      for (int i = 1; i <= 3; i++) {
        b.postReceive(i, receive);
      }
      pair.impair("drop:" + lost + "#1");

      a.queuePair.post(
          a.request
              .reset(1)
              .rdmaWrite(remote.address(), remote.rkey())
              .segment(data.region(), 0, 2500)
              .signaled());
      a.queuePair.post(a.request.reset(2).send().segment(data.region(), 0, 8).signaled());
      a.postRegister(3, source);
      a.queuePair.post(
          a.request
              .reset(4)
              .rdmaRead(original.address(), original.rkey())
              .segment(landing.region(), 0, 3000)
              .signaled());
      a.queuePair.post(
          a.request
              .reset(5)
              .fetchAndAdd(remote.address() + 8000, remote.rkey(), 1)
              .segment(landing.region(), 4000, 8)
              .signaled());
      a.queuePair.post(a.request.reset(6).sendWithInvalidate(invalidated.key()).signaled());
      a.queuePair.post(a.request.reset(7).rdmaRead(0, 0).signaled());
      a.queuePair.post(
          a.request
              .reset(8)
              .rdmaWriteWithImmediate(remote.address() + 4000, remote.rkey(), 77)
              .segment(source.address(), 1500, source.key())
              .fenced()
              .signaled());
      pair.run();

      assertThat(ids(a.pollSends())).containsExactly(1L, 2L, 3L, 4L, 5L, 6L, 7L, 8L);
      assertThat(ids(b.pollReceives())).containsExactly(1L, 2L, 3L);
      assertThat(remote.slice(0, 2500)).containsOnly(5);
      assertThat(remote.slice(4000, 5500)).containsOnly(3);
      assertThat(remote.slice(8000, 8008)).containsExactly(1, 0, 0, 0, 0, 0, 0, 0);
      assertThat(landing.slice(0, 3000)).containsOnly(7);
      assertThat(landing.slice(4000, 4008)).containsOnly(0);
      assertThat(a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  private static List<Long> ids(List<WorkCompletion> completions) {
    List<Long> ids = new ArrayList<>();
    for (WorkCompletion completion : completions) {
      ids.add(completion.requireSuccess().id());
    }
    return ids;
  }
}

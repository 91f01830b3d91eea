package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.verbs.SendRequest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** When an invalidation takes effect, on each kind of device. */
class LocalInvalidateOrderTest {
  private static Pair with(ProfileSwitch... values) {
    return Pair.connected(DeviceProfile.strict().with(values));
  }

  private static FastMemory registered(Side side, int bytes, int fill) {
    FastMemory memory = side.fastMemory(bytes, fill);
    side.postRegister(9, memory);
    side.fabric.run();
    assertThat(words(side.pollSends())).containsExactly("9 SUCCESS");
    return memory;
  }

  // ---- when an invalidation takes effect -----------------------------------------------------

  /** A WRITE out of a region whose packet is lost, and an unfenced invalidation of the region. */
  @ParameterizedTest
  @CsvSource({
    "RELAXED, 1 LOC_PROT_ERR, 2 WR_FLUSH_ERR",
    "WAIT_EARLIER, 1 SUCCESS, 2 SUCCESS",
    "RELAXED_LATE, 1 LOC_PROT_ERR, 2 WR_FLUSH_ERR",
    "AT_POST, 1 LOC_PROT_ERR, 2 WR_FLUSH_ERR"
  })
  @Checks({"S28", "FENCE-INVALIDATE", "FAULT-IN-ORDER"})
  void anUnfencedInvalidationBehindALostWrite(
      WireSwitch.LocalInvalidateOrder value, String write, String invalidation) {
    try (Pair pair = with(value)) {
      FastMemory source = registered(pair.a, 64, 5);
      Memory target = pair.b.memory(64, 0);
      pair.impair("drop:a>b/WRITE#1");
      postWriteOutOf(pair, source, target);
      pair.runFor(1000);
      pair.a.queuePair.post(pair.a.request.reset(2).localInvalidate(source.key()).signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly(write, invalidation);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks({"S28", "S39", "FENCE-INVALIDATE"})
  void aFencedInvalidationWaitsForTheWriteOnEveryDevice(WireSwitch.LocalInvalidateOrder value) {
    try (Pair pair = with(value)) {
      FastMemory source = registered(pair.a, 64, 5);
      Memory target = pair.b.memory(64, 0);
      pair.impair("drop:a>b/WRITE#1");
      postWriteOutOf(pair, source, target);
      pair.a.queuePair.post(
          pair.a.request.reset(2).localInvalidate(source.key()).fenced().signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS");
      assertThat(target.slice(0, 64)).containsOnly(5);
    }
  }

  private static void postWriteOutOf(Pair pair, FastMemory source, Memory target) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .rdmaWrite(target.address(), target.rkey())
            .segment(source.region(), 0, 64)
            .signaled());
  }

  /** In one chain: invalidation, then a SEND that still gathers through the key. */
  @ParameterizedTest
  @CsvSource({
    "RELAXED, 2 LOC_PROT_ERR, 0",
    "WAIT_EARLIER, 2 LOC_PROT_ERR, 0",
    "RELAXED_LATE, 2 SUCCESS, 1",
    "AT_POST, 2 LOC_PROT_ERR, 0"
  })
  void theRequestBehindAnInvalidationOvertakesItOnOneKindOfDevice(
      WireSwitch.LocalInvalidateOrder value, String send, int packets) {
    try (Pair pair = with(value)) {
      FastMemory source = registered(pair.a, 64, 5);
      pair.b.postReceive(10, pair.b.memory(64, 0));
      SendRequest behind =
          new SendRequest().reset(2).send().segment(source.region(), 0, 64).signaled();
      pair.a.queuePair.post(
          pair.a.request.reset(1).localInvalidate(source.key()).signaled().next(behind));
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", send);
      assertThat(pair.journal.from("a")).hasSize(packets);
    }
  }

  @Test
  void onlyOnePacketOvertakesALateInvalidation() {
    try (Pair pair = with(WireSwitch.LocalInvalidateOrder.RELAXED_LATE)) {
      FastMemory source = registered(pair.a, 4096, 5);
      pair.b.postReceive(10, pair.b.memory(4096, 0));
      SendRequest behind =
          new SendRequest().reset(2).send().segment(source.region(), 0, 4096).signaled();
      pair.a.queuePair.post(
          pair.a.request.reset(1).localInvalidate(source.key()).signaled().next(behind));
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 LOC_PROT_ERR");
      assertThat(pair.journal.words("a")).containsExactly("SEND_FIRST 000100");
    }
  }

  @Test
  void aLateInvalidationThatFailsEndsTheQueuePairBehindThePacketThatOvertookIt() {
    try (Pair pair = with(WireSwitch.LocalInvalidateOrder.RELAXED_LATE)) {
      pair.b.postReceive(10, pair.b.memory(64, 0));
      SendRequest behind =
          new SendRequest().reset(2).send().segment(pair.a.memory(64, 3).region(), 0, 64);
      pair.a.queuePair.post(pair.a.request.reset(1).localInvalidate(0xABC).next(behind));
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 MW_BIND_ERR", "2 WR_FLUSH_ERR");
      assertThat(words(pair.b.pollReceives())).containsExactly("10 SUCCESS");
    }
  }

  @ParameterizedTest
  @EnumSource
  void anInvalidationWithNothingBehindItCompletesAtOnce(WireSwitch.LocalInvalidateOrder value) {
    try (Pair pair = with(value)) {
      FastMemory source = registered(pair.a, 64, 5);
      pair.a.queuePair.post(pair.a.request.reset(1).localInvalidate(source.key()).signaled());
      pair.run();
      assertThat(pair.completions("a").get(1)).isEqualTo("LOCAL_INV 1 SUCCESS @0");
    }
  }

  @ParameterizedTest
  @CsvSource({"RELAXED, 1 SUCCESS", "AT_POST, 1 LOC_PROT_ERR"})
  void anInvalidationAtPostOvertakesWhatWaitsInTheQueue(
      WireSwitch.LocalInvalidateOrder value, String write) {
    try (Pair pair = with(value)) {
      FastMemory source = registered(pair.a, 64, 5);
      Memory target = pair.b.memory(64, 0);
      Memory sink = pair.a.memory(64, 0);
      pair.a.postRead(0, sink, 64, target.address(), target.rkey());
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(source.region(), 0, 64)
              .fenced()
              .signaled());
      pair.a.queuePair.post(pair.a.request.reset(2).localInvalidate(source.key()).signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).contains("0 SUCCESS", write);
    }
  }

  @Test
  @Checks("LOCAL-ONCE")
  void anInvalidationAtPostRunsOnce() {
    try (Pair pair = with(WireSwitch.LocalInvalidateOrder.AT_POST)) {
      FastMemory source = registered(pair.a, 64, 5);
      pair.b.postEmptyReceive(10);
      pair.impair("drop:a>b/SEND#1");
      pair.a.queuePair.post(pair.a.request.reset(1).send().signaled());
      pair.a.queuePair.post(pair.a.request.reset(2).localInvalidate(source.key()).signaled());
      pair.a.postRegister(3, source);
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    }
  }
}

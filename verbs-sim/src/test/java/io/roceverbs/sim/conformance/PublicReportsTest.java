package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AddressVector;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairTransitionException;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Scenarios of public bug reports and statements, with the values that are right. */
class PublicReportsTest {
  private static final long T = Pair.ACK_TIMEOUT_NANOS;

  private static void postWrite(Pair pair, long id, Memory data, Memory target) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(id)
            .rdmaWrite(target.address(), target.rkey())
            .segment(data.region(), 0, data.bytes().capacity())
            .signaled());
  }

  @Test
  @Checks({"C07", "S29"})
  void aRegionThatWasNotInvalidatedIsNotRegisteredAgain() {
    try (Pair pair = Pair.connected()) {
      FastMemory memory = pair.a.fastMemory(4096, 0x31);
      pair.a.postRegister(1, memory);
      int key = memory.key();
      pair.a.postRegister(2, memory);
      pair.a.postSend(3, pair.a.memory(8, 0x33));
      pair.run();

      assertThat(words(pair.a.pollSends()))
          .containsExactly("1 SUCCESS", "2 MW_BIND_ERR", "3 WR_FLUSH_ERR");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.journal.from("a")).isEmpty();
      assertThat(readOfA(pair, memory.address(), key)).isEqualTo("9 SUCCESS");
      assertThat(readOfA(pair, memory.address(), memory.key())).isEqualTo("9 REM_ACCESS_ERR");
    }
  }

  /** How a READ by b through another pair of queue pairs ends. */
  private static String readOfA(Pair pair, long address, int key) {
    pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    pair.b.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
    pair.connect(Pair.setup(), Pair.setup());
    pair.b.queuePair.post(
        pair.b
            .request
            .reset(9)
            .rdmaRead(address, key)
            .segment(pair.b.memory(8, 0).region(), 0, 8)
            .signaled());
    pair.run();
    return words(pair.b.pollSends()).get(0);
  }

  @Test
  @Checks("S29")
  void aRegistrationAndTheRequestThatUsesItRunInOnePostedList() {
    try (Pair pair = Pair.connected()) {
      FastMemory memory = pair.a.fastMemory(4096, 0x31);
      Memory landing = pair.b.memory(4096, 0);
      pair.b.postReceive(10, landing);
      int key = memory.region().nextKey();
      SendRequest send =
          new SendRequest().reset(2).send().segment(memory.address(), 4096, key).signaled();
      pair.a.queuePair.post(
          new SendRequest()
              .reset(1)
              .registerMemory(memory.region(), key, AccessFlag.LOCAL_WRITE)
              .next(send));
      pair.run();

      assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
      assertThat(landing.slice(0, 4096)).containsOnly(0x31);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks("C20")
  void resetThrowsWorkAwayInSilenceAndErrFlushesIt(boolean throughErr) {
    try (Pair pair = Pair.connected()) {
      Memory data = pair.a.memory(8, 0x33);
      Memory target = pair.b.memory(8, 0);
      postWrite(pair, 1, data, target);
      pair.run();
      pair.impair("drop:a>b/ANY");
      for (int id = 2; id <= 4; id++) {
        postWrite(pair, id, data, target);
      }
      pair.a.postEmptyReceive(20);
      pair.a.postEmptyReceive(21);
      if (throughErr) {
        pair.a.modifyToError();
        assertThat(words(pair.a.pollSends()))
            .containsExactly("1 SUCCESS", "2 WR_FLUSH_ERR", "3 WR_FLUSH_ERR", "4 WR_FLUSH_ERR");
        assertThat(words(pair.a.pollReceives()))
            .containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR");
      }
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      pair.run();

      assertThat(pair.a.pollSends()).isEmpty();
      assertThat(pair.a.pollReceives()).isEmpty();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RESET);
    }
  }

  @Test
  @Checks({"C22", "S12", "S13"})
  void theFirstFailureCarriesItsCauseAndTheReceiveQueueIsFlushedToItsOwnCompletionQueue() {
    try (Pair pair = Pair.connected()) {
      Memory data = pair.a.memory(8, 0x33);
      pair.a.postEmptyReceive(20);
      pair.a.postEmptyReceive(21);
      for (int id = 10; id <= 12; id++) {
        pair.b.postReceive(id, pair.b.memory(8, 0));
      }
      pair.a.postSend(1, data);
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(0, 0x7777).segment(data.region(), 0, 8).signaled());
      pair.a.postSend(3, data);
      pair.a.postSend(4, data);
      pair.run();

      assertThat(pair.a.pollSends())
          .extracting(completion -> completion.status().value())
          .containsExactly(0, 10, 5, 5);
      assertThat(words(pair.a.pollReceives()))
          .containsExactly("20 WR_FLUSH_ERR", "21 WR_FLUSH_ERR");
      assertThat(words(pair.b.pollReceives()))
          .containsExactly("10 SUCCESS", "11 WR_FLUSH_ERR", "12 WR_FLUSH_ERR");
    }
  }

  @Test
  @Checks("S08")
  void anUnsignalledRequestThatFailsCompletesAndOneBeforeItThatSucceededDoesNot() {
    try (Pair pair = Pair.connected()) {
      Memory data = pair.a.memory(8, 0x33);
      Memory target = pair.b.memory(8, 0);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWrite(target.address(), target.rkey())
              .segment(data.region(), 0, 8));
      pair.a.queuePair.post(
          pair.a.request.reset(2).rdmaWrite(0, 0x7777).segment(data.region(), 0, 8));
      pair.a.queuePair.post(
          pair.a.request.reset(3).rdmaWrite(0, 0x7777).segment(data.region(), 0, 8));
      pair.run();

      assertThat(words(pair.a.pollSends())).containsExactly("2 REM_ACCESS_ERR", "3 WR_FLUSH_ERR");
      assertThat(target.slice(0, 8)).containsOnly(0x33);
    }
  }

  @Test
  @Checks("C26")
  void inlineDataIsCopiedAtPostItsKeyIsNotLookedAtAndItsLimitHolds() {
    try (Pair pair = Pair.connected()) {
      Memory landing = pair.b.memory(64, 0);
      pair.b.postReceive(10, landing);
      pair.impair("drop:a>b/SEND#1");
      ByteBuffer data = ByteBuffer.allocate(64);
      for (int i = 0; i < 64; i++) {
        data.put(i, (byte) 0x44);
      }
      pair.a.queuePair.post(pair.a.request.reset(1).send().inlineData(data).signaled());
      for (int i = 0; i < 64; i++) {
        data.put(i, (byte) 0x55);
      }
      pair.run();
      assertThat(pair.journal.times("a")).containsExactly(0L, T);
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
      assertThat(landing.slice(0, 64)).containsOnly(0x44);

      assertInvalid(pair, new SendRequest().reset(2).send().inlineData(ByteBuffer.allocate(65)));
      assertInvalid(pair, new SendRequest().reset(3).rdmaRead(0, 0).inlineData(data));
      assertInvalid(pair, new SendRequest().reset(4).fetchAndAdd(0, 0, 1).inlineData(data));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.journal.times("a")).hasSize(2);
    }
    try (Pair pair = Pair.connected(Pair.setup(), init -> init.withInline(0))) {
      assertInvalid(pair, new SendRequest().reset(5).send().inlineData(ByteBuffer.allocate(16)));
    }
  }

  private static void assertInvalid(Pair pair, SendRequest request) {
    PostException refused =
        catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(request));
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused.badRequestId()).isEqualTo(request.id());
  }

  @Test
  @Checks("C31")
  void theAddressVectorChangesInSqdAndNotInRts() {
    try (Pair pair = Pair.connected()) {
      AddressVector before = pair.a.queuePair.query().addressVector();
      AddressVector after = before.withTrafficClass(8);
      QueuePairTransitionException refused =
          catchThrowableOfType(
              QueuePairTransitionException.class,
              () ->
                  pair.a.queuePair.modify(
                      QueuePairAttributes.builder().addressVector(after).build()));
      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.a.queuePair.query().addressVector()).isEqualTo(before);

      pair.a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
      pair.a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).addressVector(after).build());
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).build());
      assertThat(pair.a.queuePair.query().addressVector()).isEqualTo(after);
      assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks("C33")
  void trafficBeforeThePeerIsInRtrIsDroppedAndNotRefused(boolean inTheEnd) {
    try (Pair pair = Pair.unconnected(init -> init)) {
      ConnectionSetup setup = Pair.setup();
      setup.initialize(pair.a.queuePair);
      setup.initialize(pair.b.queuePair);
      setup.readyToReceive(pair.a.queuePair, pair.b.node.gid(), pair.b.queuePair.number());
      setup.readyToSend(pair.a.queuePair);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      pair.a.postSend(1, pair.a.memory(8, 0x33));
      pair.runFor(T + T / 2);
      assertThat(pair.journal.from("b")).isEmpty();
      if (inTheEnd) {
        setup.readyToReceive(pair.b.queuePair, pair.a.node.gid(), pair.a.queuePair.number());
      }
      pair.run();

      if (inTheEnd) {
        assertThat(pair.journal.times("a")).containsExactly(0L, T, 2 * T);
        assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @" + (2 * T + 20_000));
        assertThat(words(pair.b.pollReceives())).containsExactly("10 SUCCESS");
      } else {
        assertThat(pair.journal.times("a")).containsExactly(0L, T, 2 * T, 3 * T);
        assertThat(pair.completions("a")).containsExactly("SEND 1 RETRY_EXC_ERR @" + 4 * T);
        assertThat(pair.b.pollReceives()).isEmpty();
      }
    }
  }

  @Test
  @Checks("Additional.mkey_remote_invalidate")
  void aKeyWorksUntilThePeerInvalidatesIt() {
    try (Pair pair = Pair.connected()) {
      FastMemory memory = pair.b.fastMemory(4096, 0x31);
      pair.b.postRegister(20, memory);
      pair.b.postReceive(10, pair.b.memory(8, 0));
      Memory sink = pair.a.memory(8, 0);
      pair.a.queuePair.post(
          new SendRequest()
              .reset(1)
              .rdmaRead(memory.address(), memory.key())
              .segment(sink.region(), 0, 8)
              .signaled());
      pair.run();
      assertThat(sink.slice(0, 8)).containsOnly(0x31);
      pair.a.queuePair.post(
          new SendRequest()
              .reset(2)
              .sendWithInvalidate(memory.key())
              .segment(sink.region(), 0, 8)
              .signaled());
      pair.a.queuePair.post(
          new SendRequest()
              .reset(3)
              .rdmaRead(memory.address(), memory.key())
              .segment(sink.region(), 0, 8)
              .signaled());
      pair.run();

      assertThat(words(pair.a.pollSends()))
          .containsExactly("1 SUCCESS", "2 SUCCESS", "3 REM_ACCESS_ERR");
      assertThat(pair.b.pollReceives().get(0).invalidatedRkey()).isEqualTo(memory.key());
    }
  }

  @Test
  @Checks("Additional.data_after_completion")
  void ofManyMessagesEachIsRightWhenAllHaveCompleted() {
    try (Pair pair = Pair.connected()) {
      Memory target = pair.b.memory(16 * 2000, 0);
      for (int id = 0; id < 16; id++) {
        Memory data = pair.a.memory(2000, id + 1);
        pair.a.queuePair.post(
            pair.a
                .request
                .reset(id)
                .rdmaWrite(target.address() + 2000L * id, target.rkey())
                .segment(data.region(), 0, 2000)
                .signaled());
      }
      pair.run();

      assertThat(pair.a.pollSends()).hasSize(16).allMatch(WorkCompletion::isSuccess);
      for (int id = 0; id < 16; id++) {
        assertThat(target.slice(2000 * id, 2000 * (id + 1))).containsOnly(id + 1);
      }
    }
  }
}

package io.roceverbs.sim.conformance;

import static io.roceverbs.verbs.CompletionStatus.LOC_PROT_ERR;
import static io.roceverbs.verbs.CompletionStatus.WR_FLUSH_ERR;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.WireSwitch;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** UC: messages arrive whole or not at all, and nobody is told. */
class UnreliableConnectedTest {
  private static Pair pair(DeviceProfile profile) {
    Pair pair =
        Pair.unconnected(
            Fabric.builder().profile(profile).build(), init -> init.withType(QueuePairType.UC));
    pair.connect(Pair.setup(), Pair.setup());
    return pair;
  }

  private static Pair pair() {
    return pair(DeviceProfile.strict());
  }

  private static void send(Side side, long id, Side.Memory memory, int length) {
    side.queuePair.post(
        side.request.reset(id).send().segment(memory.region(), 0, length).signaled());
  }

  private static void write(Side side, long id, Side.Memory local, Side.Memory remote, int rkey) {
    side.queuePair.post(
        side.request
            .reset(id)
            .rdmaWrite(remote.address(), rkey)
            .segment(local.region(), 0, local.bytes().capacity())
            .signaled());
  }

  @Test
  @Checks("ONE-WAY-COMPLETE")
  void aSendIsCompleteWhenItsLastPacketHasLeftAndNothingComesBack() {
    try (Pair pair = pair()) {
      Side.Memory target = pair.b.memory(3000, 0);
      pair.b.postReceive(11, target);
      pair.a.postSend(1, pair.a.memory(3000, 0x5A));
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0");
      assertThat(pair.completions("b")).containsExactly("RECV 11 SUCCESS @10000");
      assertThat(pair.journal.all().stream().map(packet -> packet.summary()))
          .containsExactly(
              "UC_SEND_FIRST psn=0x000100 len=1024",
              "UC_SEND_MIDDLE psn=0x000101 len=1024",
              "UC_SEND_LAST psn=0x000102 len=952");
      assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(3000);
      assertThat(target.slice(0, 3000)).containsOnly(0x5A);
    }
  }

  @ParameterizedTest
  @CsvSource({"0,1", "1,1", "255,1", "256,1", "257,2", "1024,4", "1025,5"})
  void everyLengthArrives(int bytes, int packets) {
    try (Pair pair = Pair.unconnected(init -> init.withType(QueuePairType.UC))) {
      pair.connect(
          Pair.setup().withPathMtu(PathMtu.MTU_256).withFirstPsn(0xFFFFFE),
          Pair.setup().withPathMtu(PathMtu.MTU_256).withFirstPsn(0xFFFFFE));
      Side.Memory target = pair.b.memory(2048, 0);
      pair.b.postReceive(11, target);
      Side.Memory source = pair.a.memory(2048, 0x77);
      send(pair.a, 1, source, bytes);
      pair.run();

      assertThat(pair.b.pollReceives().get(0).byteLength()).isEqualTo(bytes);
      assertThat(pair.journal.psns("a")).hasSize(packets);
      assertThat(pair.journal.psns("a").get(0)).isEqualTo(0xFFFFFE);
      assertThat(target.slice(0, bytes)).doesNotContain(0);
      assertThat(target.slice(bytes, 2048)).containsOnly(0);
    }
  }

  @Test
  void aWriteWithImmediateTakesAReceiveAndWritesTheMemory() {
    try (Pair pair = pair()) {
      Side.Memory target = pair.b.memory(2000, 0);
      pair.b.postEmptyReceive(11);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .rdmaWriteWithImmediate(target.address(), target.rkey(), 0xCAFE)
              .segment(pair.a.memory(2000, 9).region(), 0, 2000)
              .signaled());
      pair.run();

      WorkCompletion completion = pair.b.pollReceives().get(0);
      assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
      assertThat(completion.byteLength()).isEqualTo(2000);
      assertThat(completion.immediate()).isEqualTo(0xCAFE);
      assertThat(target.slice(0, 2000)).containsOnly(9);
    }
  }

  /** The scenario of the report: five messages, of which two arrive. */
  private static Pair fiveMessages(DeviceProfile profile) {
    Pair pair = pair(profile);
    pair.b.postReceive(11, pair.b.memory(3000, 0));
    pair.b.postReceive(12, pair.b.memory(3000, 0));
    Side.Memory remote = pair.b.memory(3000, 0);
    Side.Memory source = pair.a.memory(3000, 0x33);
    pair.impair("drop:a>b/UC_SEND_MIDDLE#1");
    pair.impair("drop:a>b/UC_WRITE_LAST#1");
    send(pair.a, 1, source, 3000);
    send(pair.a, 2, source, 500);
    write(pair.a, 3, source, remote, remote.rkey());
    write(pair.a, 4, pair.a.memory(10, 1), remote, remote.rkey() + 1);
    send(pair.a, 5, source, 20);
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly(
            "SEND 1 SUCCESS @0",
            "SEND 2 SUCCESS @0",
            "RDMA_WRITE 3 SUCCESS @0",
            "RDMA_WRITE 4 SUCCESS @0",
            "SEND 5 SUCCESS @0");
    assertThat(pair.journal.from("b")).isEmpty();
    assertThat(pair.journal.from("a")).noneMatch(packet -> packet.summary().contains("ackreq"));
    assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    assertThat(pair.b.pollEvents()).isEmpty();
    assertThat(remote.slice(0, 2048)).containsOnly(0x33);
    assertThat(remote.slice(2048, 3000)).containsOnly(0);
    return pair;
  }

  @Test
  @Checks({"C64", "UC-RESYNC", "UC-RECEIVE-KEPT", "Additional.uc_traffic"})
  void aLossDropsItsMessageAndTheReceiveWaitsForTheNext() {
    try (Pair pair = fiveMessages(DeviceProfile.strict())) {
      List<WorkCompletion> received = pair.b.pollReceives();
      assertThat(received.stream().map(WorkCompletion::id)).containsExactly(11L, 12L);
      assertThat(received.stream().map(WorkCompletion::byteLength)).containsExactly(500, 20);
    }
  }

  @Test
  @Checks("C64")
  void softRoceLosesTheMessageBehindALossAsWell() {
    try (Pair pair = fiveMessages(DeviceProfile.softRoce())) {
      List<WorkCompletion> received = pair.b.pollReceives();
      assertThat(received.stream().map(WorkCompletion::id)).containsExactly(11L);
      assertThat(received.get(0).byteLength()).isEqualTo(20);
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void ofFourMessagesWhoseFirstLosesItsMiddleTheThirdAndFourthArriveOnSoftRoce(boolean loses) {
    DeviceProfile profile =
        DeviceProfile.strict().with(loses ? WireSwitch.UcGap.LOSES_NEXT : WireSwitch.UcGap.RESYNC);
    try (Pair pair = pair(profile)) {
      for (int i = 0; i < 4; i++) {
        pair.b.postReceive(11 + i, pair.b.memory(3000, 0));
      }
      pair.impair("drop:a>b/UC_SEND_MIDDLE#1");
      Side.Memory source = pair.a.memory(3000, 1);
      send(pair.a, 1, source, 3000);
      send(pair.a, 2, source, 3000);
      send(pair.a, 3, source, 64);
      send(pair.a, 4, source, 64);
      pair.run();

      List<Integer> lengths =
          pair.b.pollReceives().stream().map(WorkCompletion::byteLength).toList();
      assertThat(lengths).isEqualTo(loses ? List.of(64, 64) : List.of(3000, 64, 64));
    }
  }

  @Test
  void aDuplicatedOnlyPacketIsDeliveredTwice() {
    try (Pair pair = pair()) {
      pair.b.postReceive(11, pair.b.memory(64, 0));
      pair.b.postReceive(12, pair.b.memory(64, 0));
      pair.impair("duplicate:a>b/UC_SEND_ONLY#1");
      pair.a.postSend(1, pair.a.memory(64, 1));
      pair.run();

      assertThat(pair.completions("a")).containsExactly("SEND 1 SUCCESS @0");
      assertThat(pair.b.pollReceives().stream().map(WorkCompletion::id)).containsExactly(11L, 12L);
    }
  }

  @Test
  void whateverPacketOfAMessageIsLostItsReceiveTakesTheNextOne() {
    for (int lost = 1; lost <= 4; lost++) {
      try (Pair pair = pair()) {
        Side.Memory target = pair.b.memory(4096, 0);
        pair.b.postReceive(11, target);
        pair.impair("drop:a>b/SEND#" + lost);
        pair.a.postSend(1, pair.a.memory(4096, 1));
        pair.a.postSend(2, pair.a.memory(2048, 2));
        pair.run();

        List<WorkCompletion> received = pair.b.pollReceives();
        assertThat(received).as("packet %s lost", lost).hasSize(1);
        assertThat(received.get(0).byteLength()).isEqualTo(2048);
        assertThat(target.slice(0, 2048)).containsOnly(2);
      }
    }
  }

  @Test
  void whatHasNoReceiveOrDoesNotFitIsDropped() {
    try (Pair pair = pair()) {
      Side.Memory source = pair.a.memory(3000, 1);
      send(pair.a, 1, source, 3000);
      pair.run();
      Side.Memory target = pair.b.memory(100, 0);
      pair.b.postReceive(11, target);
      send(pair.a, 2, source, 101);
      send(pair.a, 3, source, 3000);
      send(pair.a, 4, source, 100);
      pair.run();

      List<WorkCompletion> received = pair.b.pollReceives();
      assertThat(received).hasSize(1);
      assertThat(received.get(0).byteLength()).isEqualTo(100);
      assertThat(pair.b.node.transport().droppedUnreliable()).isPositive();
      assertThat(pair.b.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  void aWriteWithoutTheRightOfTheQueuePairIsDropped() {
    try (Pair pair = Pair.unconnected(init -> init.withType(QueuePairType.UC))) {
      pair.connect(Pair.setup(), Pair.setup().withAccess(AccessFlags.of(AccessFlag.REMOTE_READ)));
      Side.Memory remote = pair.b.memory(10, 0);
      write(pair.a, 1, pair.a.memory(10, 1), remote, remote.rkey());
      pair.run();

      assertThat(remote.slice(0, 10)).containsOnly(0);
      assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 1 SUCCESS @0");
      assertThat(pair.b.pollEvents()).isEmpty();
    }
  }

  @Test
  void aReceiveWithABadKeyFailsItsQueuePair() {
    try (Pair pair = pair()) {
      Side.Memory closed = pair.b.memory(64, 0);
      pair.b.postReceive(11, closed);
      pair.b.postReceive(12, pair.b.memory(64, 0));
      closed.region().close();
      pair.a.postSend(1, pair.a.memory(64, 1));
      pair.run();

      assertThat(pair.completions("b"))
          .containsExactly("RECV 11 LOC_PROT_ERR @10000", "RECV 12 WR_FLUSH_ERR @10000");
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @Test
  @Checks({"SQE-ENTRY", "SQE-RECEIVES", "POST-IN-ERR"})
  void aFailedSendStopsTheSendQueueOnlyAndRtsBringsItBack() {
    try (Pair pair = pair()) {
      Side a = pair.a;
      Side.Memory memory = a.memory(64, 1);
      a.postReceive(21, a.memory(64, 0));
      a.queuePair.post(a.request.reset(1).send().segment(memory.address(), 64, 0xBAD).signaled());
      send(a, 2, memory, 64);
      assertThat(a.state()).isEqualTo(QueuePairState.SQE);
      send(a, 3, memory, 64);

      List<WorkCompletion> failed = a.pollSends();
      assertThat(failed.stream().map(WorkCompletion::status))
          .containsExactly(LOC_PROT_ERR, WR_FLUSH_ERR, WR_FLUSH_ERR);
      assertThat(failed.get(2).detail()).startsWith("send request 1 failed with LOC_PROT_ERR");
      pair.b.postSend(4, pair.b.memory(64, 7));
      pair.run();
      assertThat(a.pollReceives().get(0).id()).isEqualTo(21);

      a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.RTS).currentState(QueuePairState.SQE).build());
      pair.b.postReceive(11, pair.b.memory(64, 0));
      send(a, 5, memory, 64);
      pair.run();
      assertThat(a.pollSends().get(0).status().value()).isZero();
      assertThat(pair.b.pollReceives().get(0).id()).isEqualTo(11);
      assertThat(pair.journal.words("a")).containsExactly("UC_SEND_ONLY 000100");
    }
  }

  @Test
  void withTheSwitchAFailedSendEndsTheWholeQueuePair() {
    DeviceProfile profile = DeviceProfile.strict().with(PostingSwitch.SendErrorState.ERR);
    try (Pair pair = pair(profile)) {
      Side a = pair.a;
      a.postReceive(21, a.memory(64, 0));
      a.queuePair.post(a.request.reset(1).send().segment(0, 64, 0xBAD).signaled());

      assertThat(a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.completions("a"))
          .containsExactly("SEND 1 LOC_PROT_ERR @0", "RECV 21 WR_FLUSH_ERR @0");
    }
  }

  @Test
  @Checks("SQE-ENTRY")
  void aMessageThatFailsInItsMiddleHasSentItsBeginning() {
    try (Pair pair = pair()) {
      Side a = pair.a;
      pair.b.postReceive(11, pair.b.memory(4096, 0));
      Side.Memory good = a.memory(1024, 1);
      a.queuePair.post(
          a.request
              .reset(1)
              .send()
              .segment(good.region(), 0, 1024)
              .segment(0x1000, 1024, 0xBAD)
              .signaled());
      pair.run();

      assertThat(pair.journal.words("a")).containsExactly("UC_SEND_FIRST 000100");
      assertThat(pair.completions("a")).containsExactly("SEND 1 LOC_PROT_ERR @0");
      assertThat(pair.b.pollReceives()).isEmpty();
    }
  }

  @Test
  void anSqdQueuePairHoldsWhatHasNotBegun() {
    try (Pair pair = pair()) {
      Side a = pair.a;
      pair.b.postReceive(11, pair.b.memory(64, 0));
      a.queuePair.modify(
          QueuePairAttributes.to(QueuePairState.SQD).enableSqdNotification(true).build());
      assertThat(a.pollEvents()).containsExactly(AsyncEventType.SQ_DRAINED);
      a.postSend(1, a.memory(64, 1));
      pair.run();
      assertThat(pair.journal.all()).isEmpty();

      a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RTS).build());
      pair.run();
      assertThat(pair.b.pollReceives().get(0).id()).isEqualTo(11);
    }
  }

  @Test
  @Checks("POST-OPCODE")
  void operationsThatNeedAnAnswerAreRefusedAtPost() {
    try (Pair pair = pair()) {
      Side a = pair.a;
      Side.Memory memory = a.memory(8, 0);
      List<SendRequest> refused =
          List.of(
              new SendRequest().reset(7).rdmaRead(0, 1),
              new SendRequest().reset(7).fetchAndAdd(0, 1, 1).segment(memory.region(), 0, 8),
              new SendRequest().reset(7).compareAndSwap(0, 1, 1, 2).segment(memory.region(), 0, 8),
              new SendRequest().reset(7).sendWithInvalidate(1));
      for (SendRequest request : refused) {
        PostException exception =
            catchThrowableOfType(PostException.class, () -> a.queuePair.post(request));
        assertThat(exception.errno()).isEqualTo(Errno.EINVAL);
        assertThat(exception).hasMessageContaining("is not an operation of a UC queue pair");
      }
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void memoryOperationsRunOnUcUnlessTheSwitchTakesThemAway(boolean on) {
    DeviceProfile profile =
        DeviceProfile.strict()
            .with(
                on
                    ? PostingSwitch.MemoryOperationsOnUc.ON
                    : PostingSwitch.MemoryOperationsOnUc.OFF);
    try (Pair pair = pair(profile)) {
      Side.FastMemory memory = pair.a.fastMemory(64, 0);
      if (on) {
        pair.a.postRegister(1, memory);
        assertThat(pair.completions("a")).containsExactly("REG_MR 1 SUCCESS @0");
      } else {
        PostException refused =
            catchThrowableOfType(PostException.class, () -> pair.a.postRegister(1, memory));
        assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      }
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairAttributes;
import io.roceverbs.verbs.QueuePairCapacities;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Each point in which devices differ in how they report faults, and at the post. */
class FaultAndPostingSwitchTest {
  @ParameterizedTest
  @CsvSource({
    "LOC_LEN_ERR,NAK(INVALID_REQUEST),LOC_LEN_ERR",
    "REMOTE_OPERATION,NAK(REMOTE_OPERATIONAL_ERROR),LOC_QP_OP_ERR",
    "LOC_QP_OP_ERR,NAK(INVALID_REQUEST),LOC_QP_OP_ERR"
  })
  void aMessageLongerThanItsReceiveIsReportedInThreeWays(
      ErrorSwitch.ReceiveTooShort value, String nak, String status) {
    try (RawPeer peer = Switched.peer(value)) {
      peer.b.postReceive(1, peer.b.memory(8, 0));
      peer.send(Opcode.RC_SEND_ONLY, RawPeer.PSN, 9, 1);
      peer.run();
      assertThat(peer.received()).containsExactly(nak + " psn=0x000100 msn=0");
      assertThat(peer.completions()).containsExactly("RECV 1 " + status);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aLocalFaultHasItsStatusAndPerhapsAnEvent(ErrorSwitch.LocalFaultStatus value) {
    try (Pair pair = Switched.pair(value)) {
      pair.a.queuePair.post(pair.a.request.reset(1).send().segment(0x1000, 8, 0xBAD00).signaled());
      String status =
          switch (value) {
            case LOC_PROT_ERR, LOC_PROT_ERR_AND_EVENT -> "LOC_PROT_ERR";
            case RXE_6_1 -> "LOC_QP_OP_ERR";
            case RXE_6_12 -> "WR_FLUSH_ERR";
          };
      assertThat(pair.completions("a")).containsExactly("SEND 1 " + status + " @0");
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents().contains(AsyncEventType.QP_ACCESS_ERR))
          .isEqualTo(value == ErrorSwitch.LocalFaultStatus.LOC_PROT_ERR_AND_EVENT);
    }
  }

  @ParameterizedTest
  @CsvSource({
    "COMPLETE_FIRST,SEND 1 SUCCESS;SEND 2 LOC_PROT_ERR;SEND 3 WR_FLUSH_ERR",
    "NEVER_COMPLETED,''",
    "FLUSHED,SEND 1 WR_FLUSH_ERR;SEND 2 WR_FLUSH_ERR;SEND 3 WR_FLUSH_ERR"
  })
  void whatIsBeforeALocalFaultEndsInThreeWays(ErrorSwitch.BeforeLocalFault value, String ends) {
    try (Pair pair = Switched.pair(value)) {
      pair.b.postReceive(11, pair.b.memory(8, 0));
      Side.Memory good = pair.a.memory(8, 1);
      pair.a.postSend(1, good);
      pair.a.queuePair.post(pair.a.request.reset(2).send().segment(0x1000, 8, 0xBAD00).signaled());
      pair.a.postSend(3, good);
      pair.run();
      assertThat(
              String.join(
                  ";", pair.completions("a").stream().map(t -> t.replaceAll(" @.*", "")).toList()))
          .isEqualTo(ends);
    }
  }

  // ---- posting -------------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"EINVAL,EINVAL", "ENOMEM_AT_SEND,ENOMEM"})
  void aSendBeforeRtsOrWithTooManySegmentsHasItsErrno(PostingSwitch.PostErrno value, Errno errno) {
    Fabric fabric = Fabric.builder().profile(DeviceProfile.strict().with(value)).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      SendRequest send = new SendRequest().reset(1).send();
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
      PostException receive =
          catchThrowableOfType(PostException.class, () -> pair.a.postEmptyReceive(1));
      assertThat(receive.errno()).isEqualTo(Errno.EINVAL);
      pair.connect(Pair.setup(), Pair.setup());
      for (int i = 0; i < 5; i++) {
        send.segment(0, 1, 1);
      }
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
    }
  }

  @ParameterizedTest
  @CsvSource({"EINVAL,EINVAL", "ENOSPC_AT_COMPLETE,EINVAL", "ENOMEM,ENOMEM"})
  void tooMuchInlineDataHasItsErrno(PostingSwitch.InlineTooLong value, Errno errno) {
    try (Pair pair = Switched.pair(value)) {
      SendRequest send = new SendRequest().reset(1).send().inlineData(ByteBuffer.allocate(65));
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(send)).errno())
          .isEqualTo(errno);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aReadWithoutDepthIsRefusedOrWaits(PostingSwitch.ZeroReadDepth value) {
    try (Pair pair =
        Switched.pair(DeviceProfile.strict().with(value), Pair.setup().withReadDepth(0))) {
      Side.Memory remote = pair.b.memory(8, 0);
      SendRequest read =
          new SendRequest()
              .reset(1)
              .rdmaRead(remote.address(), remote.rkey())
              .segment(pair.a.memory(8, 0).region(), 0, 8);
      if (value == PostingSwitch.ZeroReadDepth.EINVAL_AT_POST) {
        assertThat(
                catchThrowableOfType(PostException.class, () -> pair.a.queuePair.post(read))
                    .errno())
            .isEqualTo(Errno.EINVAL);
      } else {
        pair.a.queuePair.post(read);
        pair.run();
        assertThat(pair.journal.all()).isEmpty();
        assertThat(pair.completions("a")).isEmpty();
      }
    }
  }

  @ParameterizedTest
  @CsvSource({"NONE,5,8,3,9", "UP_TO_POWER_LESS_ONE,7,15,4,15", "UP_TO_POWER,8,8,3,16"})
  @Checks("CAPACITY-EXACT")
  void capacitiesAreExactOrRoundedUp(
      PostingSwitch.CapacityRounding value, int sends, int receives, int depth, int shared) {
    Fabric fabric = Fabric.builder().profile(DeviceProfile.strict().with(value)).build();
    try (Pair pair =
        Pair.unconnected(
            fabric, init -> init.withCapacities(new QueuePairCapacities(5, 8, 3, 3, 0)))) {
      QueuePairCapacities given = pair.a.queuePair.init().capacities();
      assertThat(given).isEqualTo(new QueuePairCapacities(sends, receives, 3, 3, 0));
      pair.connect(Pair.setup().withReadDepth(3), Pair.setup().withReadDepth(3));
      assertThat(pair.a.queuePair.query().maxReadAtomic()).isEqualTo(depth);
      assertThat(pair.a.queuePair.query().maxDestinationReadAtomic()).isEqualTo(depth);
      for (int i = 0; i < receives; i++) {
        pair.a.postEmptyReceive(i);
      }
      assertThat(
              catchThrowableOfType(PostException.class, () -> pair.a.postEmptyReceive(9)).errno())
          .isEqualTo(Errno.ENOMEM);
      assertThat(pair.a.domain.createSharedReceiveQueue(9, 1).query().maxRequests())
          .isEqualTo(shared);
      try (CompletionQueue queue = pair.a.context.createCompletionQueue(5)) {
        assertThat(queue.capacity()).isEqualTo(sends);
        queue.resize(9);
        assertThat(queue.capacity()).isEqualTo(shared);
      }
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks("SQ-DRAINED")
  void aDrainedSendQueueIsToldIfAskedOrAlways(PostingSwitch.SendQueueDrainedEvent value) {
    try (Pair pair = Switched.pair(value)) {
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.SQD).build());
      assertThat(pair.a.pollEvents())
          .isEqualTo(
              value == PostingSwitch.SendQueueDrainedEvent.ALWAYS
                  ? List.of(AsyncEventType.SQ_DRAINED)
                  : List.of());
    }
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks({"C30", "RESET-OF-RESET"})
  void aResetOfAFreshQueuePairIsHarmlessOrSpoilsTheNextInit(boolean spoils) {
    Quirk.ResetSpoilsInit value = spoils ? Quirk.ResetSpoilsInit.YES : Quirk.ResetSpoilsInit.NO;
    Fabric fabric = Fabric.builder().profile(DeviceProfile.strict().with(value)).build();
    try (Pair pair = Pair.unconnected(fabric, init -> init)) {
      pair.a.queuePair.modify(QueuePairAttributes.to(QueuePairState.RESET).build());
      if (spoils) {
        assertThat(
                catchThrowableOfType(
                        VerbsException.class, () -> Pair.setup().initialize(pair.a.queuePair))
                    .errno())
            .isEqualTo(Errno.EINVAL);
        assertThat(pair.a.state()).isEqualTo(QueuePairState.RESET);
      }
      pair.connect(Pair.setup(), Pair.setup());
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }
}

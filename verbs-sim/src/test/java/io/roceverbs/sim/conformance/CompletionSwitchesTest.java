package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.PostingSwitch.CompletionQueueOverrun;
import io.roceverbs.sim.profile.PostingSwitch.CompletionsAtDestroy;
import io.roceverbs.sim.profile.PostingSwitch.CompletionsAtReset;
import io.roceverbs.sim.profile.PostingSwitch.ErrorFields;
import io.roceverbs.sim.profile.PostingSwitch.SendSlotFree;
import io.roceverbs.sim.profile.PostingSwitch.SolicitedOnError;
import io.roceverbs.sim.profile.PostingSwitch.UnsignalledErrorCompletion;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.QueuePair;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.ReceiveRequest;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import io.roceverbs.verbs.WorkCompletions;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Each switch that concerns completions, with each of its values. */
class CompletionSwitchesTest {
  private static final int BAD_KEY = 0x7777;

  private final List<ReceivingEnd> ends = new ArrayList<>();
  private final SendRequest request = new SendRequest();
  private final WorkCompletions polled = new WorkCompletions(64);

  private ReceivingEnd endWith(PostingSwitch value) {
    return endWith(value, ReceivingEnd.CAPACITY);
  }

  private ReceivingEnd endWith(PostingSwitch value, int capacity) {
    ReceivingEnd end =
        new ReceivingEnd(
            DeviceProfile.strict().with(value), CompletionQueueInit.ofCapacity(capacity));
    ends.add(end);
    return end;
  }

  @AfterEach
  void closeFabrics() {
    ends.forEach(ReceivingEnd::close);
  }

  // ---- sendSlotFree --------------------------------------------------------------------------

  private void sendAcknowledged(ReceivingEnd end, int count, boolean signaled) {
    for (int i = 0; i < count; i++) {
      end.peer.post(new ReceiveRequest().reset(i));
      SendRequest send = request.reset(i).send();
      end.queuePair.post(signaled ? send.signaled() : send);
      end.settle();
    }
  }

  @Test
  @Checks("SLOT-AT-POLL")
  void aSendSlotIsFreeOnlyWhenItsCompletionIsPolled() {
    ReceivingEnd end = endWith(SendSlotFree.AT_POLL);
    sendAcknowledged(end, 16, true);
    assertThatThrownBy(() -> end.queuePair.post(request.reset(16).send()))
        .isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.ENOMEM);

    assertThat(end.ids(end.sends)).hasSize(16);
    sendAcknowledged(end, 16, true);
  }

  @Test
  @Checks("SLOT-AT-POLL")
  void aSendSlotIsFreeAsSoonAsTheSendIsAcknowledged() {
    ReceivingEnd end = endWith(SendSlotFree.AT_COMPLETION);
    sendAcknowledged(end, 100, false);
    sendAcknowledged(end, 16, true);
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(request.reset(100 + i).send());
    }
    assertThatThrownBy(() -> end.queuePair.post(request.reset(116).send()))
        .isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.ENOMEM);

    assertThat(end.ids(end.sends)).hasSize(16);
    assertThatThrownBy(() -> end.queuePair.post(request.reset(116).send()))
        .isInstanceOf(VerbsException.class);
  }

  @ParameterizedTest
  @EnumSource(SendSlotFree.class)
  @Checks("SLOT-AT-POLL")
  void slotsOfFailedAndFlushedSendsComeBackInEitherCase(SendSlotFree value) {
    ReceivingEnd end = endWith(value);
    end.queuePair.post(request.reset(1).send().segment(0, 8, BAD_KEY));
    for (int i = 2; i <= 16; i++) {
      end.queuePair.post(request.reset(i).send());
    }
    end.settle();
    assertThat(end.ids(end.sends)).hasSize(16);
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(request.reset(i).send());
    }

    assertThat(end.outcomes(end.sends)).hasSize(16).allMatch(text -> text.endsWith("WR_FLUSH_ERR"));
  }

  // ---- unsignalledErrorCqe -------------------------------------------------------------------

  private List<String> outcomesOfAFailure(ReceivingEnd end) {
    end.queuePair.post(request.reset(1).send().segment(0, 8, BAD_KEY));
    end.queuePair.post(request.reset(2).send());
    end.queuePair.post(request.reset(3).send().signaled());
    end.queuePair.post(request.reset(4).send());
    end.settle();
    end.queuePair.post(request.reset(5).send());
    end.queuePair.post(request.reset(6).send().signaled());
    return end.outcomes(end.sends);
  }

  @Test
  @Checks({"UNSIGNALLED-ERROR", "FLUSH-IN-ORDER"})
  void failedAndFlushedSendsCompleteSignalledOrNot() {
    assertThat(outcomesOfAFailure(endWith(UnsignalledErrorCompletion.YES)))
        .containsExactly(
            "1 LOC_PROT_ERR",
            "2 WR_FLUSH_ERR",
            "3 WR_FLUSH_ERR",
            "4 WR_FLUSH_ERR",
            "5 WR_FLUSH_ERR",
            "6 WR_FLUSH_ERR");
  }

  @Test
  @Checks("UNSIGNALLED-ERROR")
  void unsignalledSendsThatFailOrAreFlushedSayNothing() {
    ReceivingEnd end = endWith(UnsignalledErrorCompletion.DROPPED);
    assertThat(outcomesOfAFailure(end)).containsExactly("3 WR_FLUSH_ERR", "6 WR_FLUSH_ERR");
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.ERR);
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(request.reset(i).send());
    }
    assertThatThrownBy(() -> end.queuePair.post(request.reset(16).send()))
        .isInstanceOf(VerbsException.class);
  }

  @Test
  @Checks("UNSIGNALLED-ERROR")
  void anUnsignalledFailureItselfSaysNothing() {
    ReceivingEnd end = endWith(UnsignalledErrorCompletion.DROPPED);
    end.queuePair.post(request.reset(1).send().segment(0, 8, BAD_KEY).signaled());
    end.settle();

    assertThat(end.outcomes(end.sends)).containsExactly("1 LOC_PROT_ERR");
  }

  // ---- errorFields ---------------------------------------------------------------------------

  /** A successful WRITE with immediate of 24 bytes, then a flushed receive. */
  private WorkCompletion errorAfterASuccess(ReceivingEnd end) {
    MemoryRegion target =
        end.domain.registerMemory(
            ByteBuffer.allocate(64), AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    end.post(
        end.queuePair,
        end.peer,
        1,
        new SendRequest()
            .reset(1)
            .rdmaWriteWithImmediate(target.address(), target.rkey(), 0xABCD)
            .segment(end.registerAtPeer(24), 0, 24));
    end.settle();
    end.queuePair.post(new ReceiveRequest().reset(2));
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);
    assertThat(end.queue.poll(polled)).isEqualTo(2);
    assertThat(polled.get(0).immediate()).isEqualTo(0xABCD);
    WorkCompletion error = polled.get(1);
    assertThat(error.id()).isEqualTo(2);
    assertThat(error.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    assertThat(error.queuePairNumber()).isEqualTo(end.queuePair.number());
    assertThat(error.vendorError()).isEqualTo(5);
    return error;
  }

  @Test
  @Checks({"ERROR-FIELDS", "C15", "S11"})
  void theUndefinedFieldsOfAnErrorAreUseless() {
    WorkCompletion error = errorAfterASuccess(endWith(ErrorFields.POISON));
    for (Runnable getter :
        List.<Runnable>of(
            error::opcode,
            error::byteLength,
            error::flags,
            error::immediate,
            error::invalidatedRkey,
            error::withImmediate,
            error::withInvalidate)) {
      assertThatThrownBy(getter::run)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("completed with WR_FLUSH_ERR");
    }
  }

  @Test
  @Checks({"ERROR-FIELDS", "C15", "S11"})
  void theUndefinedFieldsOfAnErrorAreZero() {
    WorkCompletion error = errorAfterASuccess(endWith(ErrorFields.ZERO));

    assertThat(error.opcode()).isEqualTo(CompletionOpcode.SEND);
    assertThat(error.byteLength()).isZero();
    assertThat(error.flags()).isZero();
    assertThat(error.immediate()).isZero();
    assertThat(error.invalidatedRkey()).isZero();
    assertThat(error.withImmediate()).isFalse();
    assertThat(error.withInvalidate()).isFalse();
    assertThat(error.toString()).contains("WR_FLUSH_ERR").doesNotContain("byteLength");
  }

  @Test
  @Checks({"ERROR-FIELDS", "C15", "S11"})
  void theUndefinedFieldsOfAnErrorAreThoseOfTheSuccessBefore() {
    WorkCompletion error = errorAfterASuccess(endWith(ErrorFields.LEFT_OVER));

    assertThat(error.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(error.byteLength()).isEqualTo(24);
    assertThat(error.withImmediate()).isTrue();
    assertThat(error.immediate()).isEqualTo(0xABCD);
    assertThat(error.isSuccess()).isFalse();
    assertThat(error.copy().immediate()).isEqualTo(0xABCD);
    assertThatThrownBy(() -> error.setImmediate(1)).isInstanceOf(IllegalStateException.class);
  }

  @Test
  @Checks({"ERROR-FIELDS", "C15"})
  void withoutASuccessBeforeThereIsNothingLeftButZeros() {
    ReceivingEnd end = endWith(ErrorFields.LEFT_OVER);
    end.queuePair.post(new ReceiveRequest().reset(2));
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);
    assertThat(end.queue.startPoll()).isTrue();

    assertThat(end.queue.status()).isEqualTo(CompletionStatus.WR_FLUSH_ERR);
    assertThat(end.queue.opcode()).isEqualTo(CompletionOpcode.SEND);
    assertThat(end.queue.flags()).isZero();
  }

  @ParameterizedTest
  @EnumSource(ErrorFields.class)
  @Checks("ERROR-FIELDS")
  void aSuccessAfterAnErrorIsWhole(ErrorFields value) {
    ReceivingEnd end = endWith(value);
    errorAfterASuccess(end);
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);
    ReceivingEnd.toState(end.peer, QueuePairState.RESET);
    Pair.setup().connect(end.peer, end.queuePair);
    end.message(3);
    assertThat(end.queue.poll(polled)).isEqualTo(1);

    assertThat(polled.get(0).opcode()).isEqualTo(CompletionOpcode.RECV);
    assertThat(polled.get(0).byteLength()).isZero();
    assertThatThrownBy(() -> polled.get(0).immediate()).isInstanceOf(IllegalStateException.class);
  }

  // ---- cqesAtReset, cqesAtDestroy ------------------------------------------------------------

  @Test
  @Checks({"CQ-PURGE", "S60"})
  void aResetTakesTheCompletionsOfTheQueuePairAlong() {
    ReceivingEnd end = endWith(CompletionsAtReset.PURGE);
    end.message(1);
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);

    assertThat(end.ids()).isEmpty();
  }

  @Test
  @Checks({"CQ-PURGE", "RESET-SILENT"})
  void aResetLeavesTheCompletionsThatAreThere() {
    ReceivingEnd end = endWith(CompletionsAtReset.KEEP);
    end.message(1);
    end.queuePair.post(new ReceiveRequest().reset(2));
    ReceivingEnd.toState(end.queuePair, QueuePairState.RESET);
    ReceivingEnd.toState(end.peer, QueuePairState.RESET);
    Pair.setup().connect(end.peer, end.queuePair);
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(new ReceiveRequest().reset(10 + i));
    }

    assertThat(end.outcomes(end.queue)).containsExactly("1 SUCCESS");
    assertThatThrownBy(() -> end.queuePair.post(new ReceiveRequest()))
        .isInstanceOf(VerbsException.class)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(Errno.ENOMEM);
    end.queuePair.close();
    assertThat(end.ids()).isEmpty();
  }

  @Test
  @Checks({"CQ-PURGE", "S59"})
  void aDestroyedQueuePairTakesItsCompletionsAlong() {
    ReceivingEnd end = endWith(CompletionsAtDestroy.PURGE);
    end.message(1);
    end.queuePair.close();

    assertThat(end.ids()).isEmpty();
  }

  @Test
  @Checks("CQ-PURGE")
  void aDestroyedQueuePairLeavesItsCompletions() {
    ReceivingEnd end = endWith(CompletionsAtDestroy.KEEP);
    end.message(1);
    int number = end.queuePair.number();
    end.queuePair.post(new ReceiveRequest().reset(2));
    end.queuePair.close();
    assertThat(end.queue.poll(polled)).isEqualTo(1);

    assertThat(polled.get(0).id()).isEqualTo(1);
    assertThat(polled.get(0).queuePairNumber()).isEqualTo(number);
    end.queue.close();
    assertThat(end.queue.isOpen()).isFalse();
  }

  // ---- cqOverrun -----------------------------------------------------------------------------

  @Test
  @Checks({"CQ-OVERRUN", "C28", "S44"})
  void anOverrunClosesTheQueueAndFellsAllQueuePairsOnIt() {
    ReceivingEnd end = endWith(CompletionQueueOverrun.CLOSE, 2);
    QueuePair idle = end.newQueuePair(end.sends, end.queue);
    QueuePair peerOfIdle = end.connectPeer(idle);
    for (int i = 1; i <= 3; i++) {
      end.post(i);
    }
    end.settle();
    end.post(idle, peerOfIdle, 9, new SendRequest().reset(9).send());
    end.settle();

    assertThat(end.asyncEvents())
        .containsExactlyInAnyOrder(
            "CQ_ERR", "QP_FATAL " + end.queuePair.number(), "QP_FATAL " + idle.number());
    assertThat(end.outcomes(end.queue)).containsExactly("1 SUCCESS", "2 SUCCESS");
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(idle.state()).isEqualTo(QueuePairState.ERR);
    assertThat(end.outcomes(end.queue)).isEmpty();
    end.queuePair.post(new ReceiveRequest().reset(4));
    assertThat(end.outcomes(end.queue)).isEmpty();
  }

  @Test
  @Checks({"CQ-OVERRUN", "C28"})
  void anOverrunLosesAReceiveFellsItsQueuePairInSilenceAndTheQueueGoesOn() {
    ReceivingEnd end = endWith(CompletionQueueOverrun.LOSE, 2);
    QueuePair other = end.newQueuePair(end.sends, end.queue);
    QueuePair peerOfOther = end.connectPeer(other);
    for (int i = 1; i <= 4; i++) {
      end.post(i);
    }
    end.settle();

    // Message 3 was lost; receive 4 was flushed, and lost as well.
    assertThat(end.asyncEvents()).containsExactly("CQ_ERR", "CQ_ERR");
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.ERR);
    assertThat(other.state()).isEqualTo(QueuePairState.RTS);
    assertThat(end.outcomes(end.queue)).containsExactly("1 SUCCESS", "2 SUCCESS");
    end.post(other, peerOfOther, 9, new SendRequest().reset(9).send());
    end.settle();
    assertThat(end.outcomes(end.queue)).containsExactly("9 SUCCESS");
  }

  @Test
  @Checks({"CQ-OVERRUN", "C28"})
  void anOverrunBySendsLosesThemWithoutOtherEffect() {
    ReceivingEnd end = endWith(CompletionQueueOverrun.LOSE);
    end.sends.resize(2);
    sendAcknowledged(end, 5, true);

    assertThat(end.asyncEvents()).containsExactly("CQ_ERR", "CQ_ERR", "CQ_ERR");
    assertThat(end.queuePair.state()).isEqualTo(QueuePairState.RTS);
    assertThat(end.outcomes(end.sends)).containsExactly("0 SUCCESS", "1 SUCCESS");
    sendAcknowledged(end, 1, true);
    assertThat(end.outcomes(end.sends)).containsExactly("0 SUCCESS");
    for (int i = 0; i < 16; i++) {
      end.queuePair.post(request.reset(i).send());
    }
  }

  // ---- solicitedOnError ----------------------------------------------------------------------

  private int eventsOfAFlush(ReceivingEnd end) {
    end.queue.requestNotification(true);
    end.queuePair.post(new ReceiveRequest().reset(1));
    ReceivingEnd.toState(end.queuePair, QueuePairState.ERR);
    return end.events();
  }

  @Test
  @Checks({"SOLICITED-ERROR", "S41"})
  void anErrorCompletionWakesOrNot() {
    assertThat(eventsOfAFlush(endWith(SolicitedOnError.YES))).isEqualTo(1);
    assertThat(eventsOfAFlush(endWith(SolicitedOnError.NO))).isZero();
  }

  @Test
  @Checks("SOLICITED-ERROR")
  void aFlushedSendStaysQuiet() {
    ReceivingEnd end = endWith(SolicitedOnError.NO);
    CompletionQueue sends =
        end.context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(8).withChannel(end.channel));
    QueuePair queuePair = end.newQueuePair(sends, end.queue);
    end.connectPeer(queuePair);
    sends.requestNotification(true);
    queuePair.post(request.reset(1).send());
    ReceivingEnd.toState(queuePair, QueuePairState.ERR);

    assertThat(end.events()).isZero();
    assertThat(end.outcomes(sends)).containsExactly("1 WR_FLUSH_ERR");
  }

  @Test
  @Checks({"SOLICITED-ERROR", "S41"})
  void aFailedReceiveOfASolicitedMessageWakesOnEitherDevice() {
    for (SolicitedOnError value : SolicitedOnError.values()) {
      ReceivingEnd end = endWith(value);
      end.queue.requestNotification(true);
      end.queuePair.post(new ReceiveRequest().reset(1).segment(0, 8, BAD_KEY));
      end.peer.post(
          new SendRequest().reset(1).send().segment(end.registerAtPeer(8), 0, 8).solicited());

      assertThat(end.events()).as(value.name()).isEqualTo(1);
      assertThat(end.outcomes(end.queue)).containsExactly("1 LOC_PROT_ERR");
    }
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.fault.VerbsFault;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.QueuePairInit;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.QueuePairType;
import io.roceverbs.verbs.SendBatch;
import io.roceverbs.verbs.SendOperation;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** A batch is posted as a whole, and refused as a whole. */
class SendBatchTest {
  private static final SendOperation[] OPERATIONS = {
    SendOperation.SEND, SendOperation.RDMA_WRITE, SendOperation.ATOMIC_FETCH_AND_ADD
  };

  private Pair pair = Pair.connected(Pair.setup(), init -> init.withSendOperations(OPERATIONS));
  private SendBatch batch = pair.a.queuePair.createSendBatch();

  @AfterEach
  void close() {
    pair.close();
  }

  private void use(Pair other) {
    pair.close();
    pair = other;
    batch = pair.a.queuePair.createSendBatch();
  }

  private static Pair pair(DeviceProfile profile) {
    return Pair.unconnected(
        Fabric.builder().profile(profile).build(),
        init -> init.withSendOperations(OPERATIONS).withInline(64));
  }

  private VerbsException refused(Errno errno) {
    VerbsException refused = catchThrowableOfType(VerbsException.class, batch::complete);
    assertThat(refused).as("complete").isNotNull();
    assertThat(refused.errno()).isEqualTo(errno);
    assertThat(refused.call()).isEqualTo("SendBatch.complete");
    assertThat(refused).hasMessageContaining("nothing was posted");
    assertThat(batch.size()).isZero();
    return refused;
  }

  private void assertNothingIsSent() {
    pair.run();
    assertThat(pair.journal.all()).isEmpty();
    assertThat(pair.completions("a")).isEmpty();
  }

  @Test
  @Checks("BATCH-ALL-OR-NONE")
  void allRequestsOfABatchAreExecutedInTheirOrder() {
    for (int i = 0; i < 3; i++) {
      pair.b.postEmptyReceive(10 + i);
      batch.begin(i).send().signaled();
    }
    assertThat(batch.size()).isEqualTo(3);
    batch.complete();
    assertThat(batch.size()).isZero();
    pair.run();
    assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(0L, 1L, 2L);
    assertThat(pair.b.pollReceives()).extracting(WorkCompletion::id).containsExactly(10L, 11L, 12L);
  }

  @ParameterizedTest
  @CsvSource({"0", "1", "2"})
  @Checks("BATCH-ALL-OR-NONE")
  void oneBadRequestKeepsAllFromBeingPostedWhereverItStands(int bad) {
    for (int i = 0; i < 3; i++) {
      SendRequest request = batch.begin(i).signaled();
      if (i == bad) {
        request.fetchAndAdd(1, 1, 1);
      } else {
        request.send();
      }
    }
    assertThat(refused(Errno.EINVAL)).hasMessageContaining("request " + bad + " of the batch");
    assertNothingIsSent();

    // The queue pair is as it was, and the batch can be filled again.
    pair.b.postEmptyReceive(10);
    batch.begin(9).send().signaled();
    batch.complete();
    pair.run();
    assertThat(pair.a.pollSends().get(0).requireSuccess().id()).isEqualTo(9);
  }

  @Test
  @Checks("BATCH-ALL-OR-NONE")
  void aBatchThatDoesNotFitIsRefusedAsAWhole() {
    pair.a.queuePair.post(pair.a.request.reset(100).rdmaWrite(0, 0).signaled());
    for (int i = 0; i < 16; i++) {
      batch.begin(i).rdmaWrite(0, 0);
    }
    assertThat(refused(Errno.ENOMEM)).hasMessageContaining("15 of 16 slots");
    pair.run();
    assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(100L);

    for (int i = 0; i < 16; i++) {
      batch.begin(i).rdmaWrite(0, 0).signaled();
    }
    batch.complete();
    pair.run();
    assertThat(pair.a.pollSends()).hasSize(16);
  }

  @Test
  void noMoreRequestsAreBegunThanTheQueueHasSlots() {
    for (int i = 0; i < 16; i++) {
      batch.begin(i);
    }
    assertThatThrownBy(() -> batch.begin(16))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageContaining("16 requests");
    batch.abort();
    assertThat(batch.begin(1).id()).isEqualTo(1);
  }

  @Test
  @Checks("BATCH-ALL-OR-NONE")
  void anAbortedBatchPostsNothing() {
    batch.begin(1).send().signaled();
    batch.abort();
    assertThat(batch.size()).isZero();
    batch.complete();
    assertNothingIsSent();
  }

  @Test
  @Checks("BATCH-OPERATIONS")
  void anOperationThatWasNotAskedForIsInvalid() {
    batch.begin(1).sendWithImmediate(7);
    assertThat(refused(Errno.EINVAL)).hasMessageContaining("SEND_WITH_IMM is not among");
    batch.begin(2).rdmaRead(0, 0);
    assertThat(refused(Errno.EINVAL)).hasMessageContaining("RDMA_READ is not among");
    batch.begin(3);
    assertThat(refused(Errno.EINVAL)).hasMessageContaining("no operation");
    assertNothingIsSent();
    // An ordinary post has all operations.
    pair.a.queuePair.post(pair.a.request.reset(4).rdmaRead(0, 0).signaled());
    pair.run();
    assertThat(pair.a.pollSends().get(0).requireSuccess().id()).isEqualTo(4);
  }

  @Test
  @Checks("BATCH-OPERATIONS")
  void aQueuePairWithoutOperationsHasNoBatches() {
    try (Pair plain = Pair.connected()) {
      VerbsException refused =
          catchThrowableOfType(VerbsException.class, plain.a.queuePair::createSendBatch);
      assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
      assertThat(refused).hasMessageContaining("sendOperations");
    }
  }

  @ParameterizedTest
  @EnumSource(
      value = SendOperation.class,
      names = {"SEND", "SEND_WITH_IMM"},
      mode = EnumSource.Mode.EXCLUDE)
  @Checks("BATCH-OPERATIONS")
  void anOperationThatDatagramsDoNotHaveCannotBeAskedFor(SendOperation operation) {
    QueuePairInit init =
        QueuePairInit.datagram(pair.a.sendQueue, 1, 1).withSendOperations(operation);
    VerbsException refused =
        catchThrowableOfType(VerbsException.class, () -> pair.a.domain.createQueuePair(init));
    assertThat(refused.errno()).isEqualTo(Errno.EOPNOTSUPP);
    assertThat(refused).hasMessageContaining(operation.name());
  }

  @Test
  void aRequestOfABatchHasNoChain() {
    batch.begin(1).send().next(new SendRequest().reset(2).send());
    assertThat(refused(Errno.EINVAL)).hasMessageContaining("chain");
    assertNothingIsSent();
  }

  @Test
  void anInjectedErrorRefusesTheWholeBatch() {
    pair.fabric.inject(VerbsFault.parse("post-send:a#2=EIO"));
    batch.begin(1).send();
    batch.begin(2).send();
    assertThat(refused(Errno.EIO)).hasMessageContaining("request 1 of the batch (id 2)");
    assertNothingIsSent();
  }

  @Test
  void twoBatchesOfOneQueuePairDoNotDisturbEachOther() {
    SendBatch other = pair.a.queuePair.createSendBatch();
    pair.b.postEmptyReceive(10);
    pair.b.postEmptyReceive(11);
    batch.begin(1).send().signaled();
    other.begin(2).send().signaled();
    other.complete();
    batch.complete();
    pair.run();
    assertThat(pair.a.pollSends()).extracting(WorkCompletion::id).containsExactly(2L, 1L);
  }

  @Test
  @Checks("POST-IN-ERR")
  void inErrAWholeBatchIsFlushed() {
    pair.a.modifyToError();
    batch.begin(1).send();
    batch.begin(2).rdmaWrite(0, 0);
    batch.complete();
    assertThat(pair.completions("a"))
        .containsExactly("SEND 1 WR_FLUSH_ERR @0", "RDMA_WRITE 2 WR_FLUSH_ERR @0");
  }

  @Test
  void aBatchOutlivesItsQueuePairButIsRefused() {
    batch.begin(1).send();
    pair.a.queuePair.close();
    VerbsException refused = catchThrowableOfType(VerbsException.class, batch::complete);
    assertThat(refused.errno()).isEqualTo(Errno.EINVAL);
    assertThat(refused).hasMessageContaining("was closed");
    assertThat(batch.size()).isZero();
    assertNothingIsSent();
  }

  @Test
  void inlineDataIsCopiedAtTheComplete() {
    ByteBuffer data = ByteBuffer.wrap(new byte[] {1, 2, 3, 4});
    use(
        Pair.connected(
            Pair.setup(), init -> init.withSendOperations(SendOperation.SEND).withInline(4)));
    Side.Memory landing = pair.b.memory(4, 0);
    pair.b.postReceive(10, landing);
    batch.begin(1).send().inlineData(data);
    data.put(0, (byte) 9);
    batch.complete();
    data.put(0, (byte) 8);
    pair.run();
    assertThat(landing.slice(0, 4)).containsExactly(9, 2, 3, 4);
  }

  // ---- what devices differ in ----------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"EINVAL, EINVAL", "ENOSPC_AT_COMPLETE, ENOSPC", "ENOMEM, ENOMEM"})
  void tooMuchInlineDataHasItsErrnoAtTheComplete(PostingSwitch.InlineTooLong value, Errno errno) {
    use(pair(DeviceProfile.strict().with(value)));
    pair.connect(Pair.setup(), Pair.setup());
    batch.begin(1).send().inlineData(ByteBuffer.allocate(65));
    refused(errno);
    assertNothingIsSent();
  }

  @ParameterizedTest
  @EnumSource
  void aCompleteBeforeRtsOrWithTooManySegmentsIsInvalidWhateverAPostSays(
      PostingSwitch.PostErrno value) {
    use(pair(DeviceProfile.strict().with(value)));
    for (QueuePairState state : new QueuePairState[] {QueuePairState.RESET, QueuePairState.RTS}) {
      if (state == QueuePairState.RTS) {
        pair.connect(Pair.setup(), Pair.setup());
      }
      SendRequest request = batch.begin(1).send();
      for (int i = 0; i < 5; i++) {
        request.segment(0, 1, 1);
      }
      refused(Errno.EINVAL);
    }
  }

  @Test
  void softRoceSaysNoSpaceAndConnectXNoMemory() {
    use(pair(DeviceProfile.softRoce()));
    pair.connect(Pair.setup(), Pair.setup());
    batch.begin(1).send().inlineData(ByteBuffer.allocate(65));
    refused(Errno.ENOSPC);
    use(pair(DeviceProfile.connectX()));
    batch.begin(1).send();
    refused(Errno.EINVAL);
    pair.connect(Pair.setup(), Pair.setup());
    batch.begin(1).send().inlineData(ByteBuffer.allocate(65));
    refused(Errno.ENOMEM);
    assertThat(pair.a.queuePair.type()).isEqualTo(QueuePairType.RC);
  }
}

package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.util.List;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WorkCompletionTest {
  private final WorkCompletion completion = new WorkCompletion();

  @Test
  void anErrorHasOnlyItsFiveFields() {
    completion.setFailure(7, 17, CompletionStatus.RETRY_EXC_ERR, 3, "no answer in 8 tries");

    assertThat(completion.id()).isEqualTo(7);
    assertThat(completion.queuePairNumber()).isEqualTo(17);
    assertThat(completion.status()).isEqualTo(CompletionStatus.RETRY_EXC_ERR);
    assertThat(completion.vendorError()).isEqualTo(3);
    assertThat(completion.detail()).isEqualTo("no answer in 8 tries");
    assertThat(completion.isSuccess()).isFalse();
    assertPoisoned("opcode", WorkCompletion::opcode);
    assertPoisoned("byteLength", WorkCompletion::byteLength);
    assertPoisoned("flags", WorkCompletion::flags);
    assertPoisoned("withImmediate", WorkCompletion::withImmediate);
    assertPoisoned("immediate", WorkCompletion::immediate);
    assertPoisoned("withInvalidate", WorkCompletion::withInvalidate);
    assertPoisoned("invalidatedRkey", WorkCompletion::invalidatedRkey);
    assertPoisoned("sourceQueuePairNumber", WorkCompletion::sourceQueuePairNumber);
    assertPoisoned("sourceLocalIdentifier", WorkCompletion::sourceLocalIdentifier);
    assertPoisoned("serviceLevel", WorkCompletion::serviceLevel);
    assertPoisoned("localIdentifierPathBits", WorkCompletion::localIdentifierPathBits);
    assertPoisoned("partitionKeyIndex", WorkCompletion::partitionKeyIndex);
  }

  private void assertPoisoned(String field, Consumer<WorkCompletion> read) {
    assertThatThrownBy(() -> read.accept(completion))
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            field
                + " is undefined, because request 7 completed with RETRY_EXC_ERR;"
                + " valid are id, status, queuePairNumber, vendorError and detail");
  }

  @Test
  void nothingOfAnEarlierSuccessShinesThroughAnError() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV, 64);
    completion.setImmediate(5);

    completion.setFailure(7, 17, CompletionStatus.RETRY_EXC_ERR, 3, "no answer in 8 tries");

    assertPoisoned("opcode", WorkCompletion::opcode);
    assertPoisoned("immediate", WorkCompletion::immediate);
  }

  @Test
  void nothingOfAnEarlierErrorShinesThroughASuccess() {
    completion.setFailure(7, 17, CompletionStatus.RETRY_EXC_ERR, 3, "no answer in 8 tries");

    completion.setSuccess(8, 18, CompletionOpcode.SEND, 0);

    assertThat(completion.vendorError()).isZero();
    assertThat(completion.detail()).isEmpty();
    assertThat(completion.requireSuccess()).isSameAs(completion);
    assertThat(completion.id()).isEqualTo(8);
    assertThat(completion.queuePairNumber()).isEqualTo(18);
  }

  @Test
  void aReceiveWithImmediateHasTheImmediateAndNoKey() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV_RDMA_WITH_IMM, 4096);
    completion.setImmediate(0xcafe0001);

    assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECV_RDMA_WITH_IMM);
    assertThat(completion.byteLength()).isEqualTo(4096);
    assertThat(completion.flags()).isEqualTo(2);
    assertThat(completion.withImmediate()).isTrue();
    assertThat(completion.immediate()).isEqualTo(0xcafe0001);
    assertThat(completion.withInvalidate()).isFalse();
    assertThatThrownBy(completion::invalidatedRkey)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "invalidatedRkey is undefined, because the completion of request 1 lacks the flag"
                + " WITH_INV; ask withInvalidate() first");
  }

  @Test
  void aReceiveWithInvalidateHasTheUserSpaceFlag() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV, 16);
    completion.setInvalidatedRkey(0x1234);

    assertThat(completion.flags()).isEqualTo(8);
    assertThat(completion.withInvalidate()).isTrue();
    assertThat(completion.invalidatedRkey()).isEqualTo(0x1234);
    assertThat(completion.withImmediate()).isFalse();
    assertThatThrownBy(completion::immediate).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void immediateAndInvalidateNeverComeTogether() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV, 16);
    completion.setInvalidatedRkey(0x1234);

    assertThatThrownBy(() -> completion.setImmediate(1))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("WITH_IMM belongs to a successful receive without other flags");
  }

  @Test
  void aDatagramHasTheFieldsOfItsLocalRoute() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV, 40);
    completion.setDatagram(0x123);
    assertThat(completion.sourceLocalIdentifier()).isZero();
    assertThat(completion.serviceLevel()).isZero();
    assertThat(completion.localIdentifierPathBits()).isZero();
    assertThatThrownBy(completion::partitionKeyIndex)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "partitionKeyIndex is undefined, because request 1 is no receive of the general"
                + " services queue pair");

    completion.setLocalRoute(0xC001, 3, 0x7F);
    completion.setPartitionKeyIndex(2);
    WorkCompletion copy = completion.copy();
    assertThat(copy.sourceQueuePairNumber()).isEqualTo(0x123);
    assertThat(copy.sourceLocalIdentifier()).isEqualTo(0xC001);
    assertThat(copy.serviceLevel()).isEqualTo(3);
    assertThat(copy.localIdentifierPathBits()).isEqualTo(0x7F);
    assertThat(copy.partitionKeyIndex()).isEqualTo(2);

    completion.setSuccess(2, 17, CompletionOpcode.RECV, 40);
    completion.setDatagram(0x124);
    assertThat(completion.sourceLocalIdentifier()).isZero();
    assertThatThrownBy(completion::partitionKeyIndex).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void onlyADatagramHasALocalRoute() {
    completion.setSuccess(4, 17, CompletionOpcode.RECV, 16);
    for (ThrowingCallable getter :
        List.<ThrowingCallable>of(
            completion::sourceLocalIdentifier,
            completion::serviceLevel,
            completion::localIdentifierPathBits)) {
      assertThatThrownBy(getter)
          .isInstanceOf(IllegalStateException.class)
          .hasMessageContaining("request 4 lacks the flag GRH; ask withGlobalRouteHeader() first");
    }
    assertThatThrownBy(() -> completion.setLocalRoute(1, 0, 0))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a local route belongs to a received datagram");
    assertThatThrownBy(() -> completion.setPartitionKeyIndex(0))
        .isInstanceOf(IllegalStateException.class);
  }

  @ParameterizedTest
  @EnumSource(
      value = CompletionOpcode.class,
      names = {"SEND", "RDMA_WRITE", "LOCAL_INV", "REG_MR"})
  void operationsThatBringNoBytesHaveNoByteLength(CompletionOpcode opcode) {
    completion.setSuccess(9, 17, opcode, 100);

    assertThatThrownBy(completion::byteLength)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage(
            "byteLength is undefined for "
                + opcode
                + " of request 9; it counts the bytes that a receive, READ or atomic brought");
  }

  @ParameterizedTest
  @EnumSource(
      value = CompletionOpcode.class,
      names = {"RDMA_READ", "COMP_SWAP", "FETCH_ADD", "RECV", "RECV_RDMA_WITH_IMM"})
  void operationsThatBringBytesHaveAByteLength(CompletionOpcode opcode) {
    completion.setSuccess(9, 17, opcode, 8);

    assertThat(completion.byteLength()).isEqualTo(8);
  }

  @Test
  void theLeftOversOfAnErrorCanBeReadAndItStaysAnError() {
    WorkCompletion before = new WorkCompletion();
    before.setSuccess(1, 17, CompletionOpcode.RECV, 16);
    before.setImmediate(0xcafe);
    completion.setFailure(7, 18, CompletionStatus.REM_ACCESS_ERR, 12, "key 0x1200 is free");
    completion.setLeftOvers(before);

    assertThat(completion.id()).isEqualTo(7);
    assertThat(completion.queuePairNumber()).isEqualTo(18);
    assertThat(completion.isSuccess()).isFalse();
    assertThat(completion.opcode()).isEqualTo(CompletionOpcode.RECV);
    assertThat(completion.byteLength()).isEqualTo(16);
    assertThat(completion.immediate()).isEqualTo(0xcafe);
    assertThat(completion.invalidatedRkey()).isEqualTo(0xcafe);
    assertThat(completion.withInvalidate()).isFalse();
    assertThat(completion)
        .hasToString(
            "WorkCompletion[id=7, queuePairNumber=18, REM_ACCESS_ERR(10) remote access error,"
                + " vendorError=12: key 0x1200 is free]");
    assertThatThrownBy(() -> completion.setInvalidatedRkey(1))
        .isInstanceOf(IllegalStateException.class);
    assertThatThrownBy(() -> completion.setDatagram(1)).isInstanceOf(IllegalStateException.class);
    completion.setSuccess(9, 17, CompletionOpcode.SEND, 0);
    assertThatThrownBy(completion::byteLength).isInstanceOf(IllegalStateException.class);
  }

  @Test
  void theLeftOversOfABlankPlaceAreZeros() {
    completion.setFailure(7, 18, CompletionStatus.WR_FLUSH_ERR, 5, "flushed");
    completion.setLeftOvers(new WorkCompletion());

    assertThat(completion.opcode()).isEqualTo(CompletionOpcode.SEND);
    assertThat(completion.byteLength()).isZero();
    assertThat(completion.flags()).isZero();
    assertThat(completion.immediate()).isZero();
    assertThat(completion.sourceQueuePairNumber()).isZero();
    assertThat(completion.sourceLocalIdentifier()).isZero();
    assertThat(completion.serviceLevel()).isZero();
    assertThat(completion.localIdentifierPathBits()).isZero();
    assertThat(completion.partitionKeyIndex()).isZero();
  }

  @Test
  void aSuccessHasNoLeftOvers() {
    completion.setSuccess(1, 17, CompletionOpcode.SEND, 0);

    assertThatThrownBy(() -> completion.setLeftOvers(new WorkCompletion()))
        .isInstanceOf(IllegalStateException.class)
        .hasMessageStartingWith("a success has no undefined fields");
  }

  @Test
  void requireSuccessThrowsWithEverythingThatIsValid() {
    completion.setFailure(7, 17, CompletionStatus.REM_ACCESS_ERR, 12, "key 0x1200 is free");

    CompletionException e =
        catchThrowableOfType(CompletionException.class, completion::requireSuccess);
    completion.setSuccess(8, 18, CompletionOpcode.SEND, 0);

    assertThat(e)
        .hasMessage(
            "request 7 of queue pair 17: REM_ACCESS_ERR (10) remote access error:"
                + " key 0x1200 is free");
    assertThat(e.completion().id()).isEqualTo(7);
    assertThat(e.completion().queuePairNumber()).isEqualTo(17);
    assertThat(e.completion().status()).isEqualTo(CompletionStatus.REM_ACCESS_ERR);
    assertThat(e.completion().vendorError()).isEqualTo(12);
    assertThat(e.completion().detail()).isEqualTo("key 0x1200 is free");
  }

  @Test
  void aCopyOutlivesItsSource() {
    completion.setSuccess(1, 17, CompletionOpcode.RECV, 16);
    completion.setInvalidatedRkey(0x1234);

    WorkCompletion copy = completion.copy();
    completion.setFailure(2, 18, CompletionStatus.WR_FLUSH_ERR, 1, "flushed");

    assertThat(copy)
        .hasToString(
            "WorkCompletion[id=1, queuePairNumber=17, SUCCESS RECV, byteLength=16,"
                + " invalidatedRkey=0x1234]");
    assertThat(completion)
        .hasToString(
            "WorkCompletion[id=2, queuePairNumber=18, WR_FLUSH_ERR(5) Work Request Flushed Error,"
                + " vendorError=1: flushed]");
  }

  @Test
  void aFailureNeedsAnErrorStatus() {
    assertThatThrownBy(() -> completion.setFailure(1, 2, CompletionStatus.SUCCESS, 0, "none"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("SUCCESS is no failure; use setSuccess");
  }

  @Test
  void aBatchShowsOnlyWhatThePollBrought() {
    WorkCompletions completions = new WorkCompletions(2);
    completions.append().setSuccess(1, 17, CompletionOpcode.SEND, 0);

    assertThat(completions.capacity()).isEqualTo(2);
    assertThat(completions.size()).isEqualTo(1);
    assertThat(completions.get(0).id()).isEqualTo(1);
    assertThatThrownBy(() -> completions.get(1))
        .isInstanceOf(IndexOutOfBoundsException.class)
        .hasMessage("completion 1 of 1");
    assertThatThrownBy(() -> completions.get(-1)).isInstanceOf(IndexOutOfBoundsException.class);
  }

  @Test
  void aFullBatchTakesNoMore() {
    WorkCompletions completions = new WorkCompletions(1);
    completions.append();

    assertThatThrownBy(completions::append)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("all 1 entries are in use");
  }

  @Test
  void anEntryIsReusedAndComesBackBlank() {
    WorkCompletions completions = new WorkCompletions(1);
    WorkCompletion first = completions.append();
    first.setSuccess(1, 17, CompletionOpcode.SEND, 0);

    completions.clear();

    assertThat(completions.size()).isZero();
    assertThat(completions.append()).isSameAs(first);
    assertThatThrownBy(first::status)
        .isInstanceOf(IllegalStateException.class)
        .hasMessage("blank completion: no poll has filled this entry");
  }

  @Test
  void aBatchOfNothingIsRefused() {
    assertThatThrownBy(() -> new WorkCompletions(0))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("capacity 0 is less than 1");
  }
}

package io.roceverbs.sim.fault;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.WorkCompletion;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class VerbsFaultTest {
  @Test
  void theTextFormSaysWhatTheFaultIs() {
    Occurrence third = new Occurrence(3, 3);
    assertThat(VerbsFault.parse("post-send:host#3=ENOMEM"))
        .isEqualTo(new VerbsFault.FailPost(true, FaultTarget.node("host"), third, Errno.ENOMEM));
    assertThat(VerbsFault.parse("post-receive:host/qp0x000011=EINVAL"))
        .isEqualTo(
            new VerbsFault.FailPost(
                false, FaultTarget.queuePair("host", 0x11), Occurrence.ALL, Errno.EINVAL));
    assertThat(VerbsFault.parse("create:host/MemoryRegion#3=ENOMEM"))
        .isEqualTo(
            new VerbsFault.FailCreation("host", ResourceKind.MEMORY_REGION, third, Errno.ENOMEM));
    assertThat(VerbsFault.parse("rewrite:host/cq2#3=id:-1,opcode:RECV,length:12"))
        .isEqualTo(
            new VerbsFault.RewriteCompletion(
                FaultTarget.completionQueue("host", 2),
                third,
                CompletionChange.NONE
                    .withId(-1)
                    .withOpcode(CompletionOpcode.RECV)
                    .withByteLength(12)));
    assertThat(VerbsFault.parse("invent:host#3=status:RETRY_EXC_ERR"))
        .isEqualTo(
            new VerbsFault.InventCompletion(
                FaultTarget.node("host"),
                third,
                CompletionChange.NONE.withStatus(CompletionStatus.RETRY_EXC_ERR)));
    assertThat(VerbsFault.parse("hold:host/cq1#2+"))
        .isEqualTo(
            new VerbsFault.HoldCompletions(
                FaultTarget.completionQueue("host", 1), new Occurrence(2, Occurrence.UNLIMITED)));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "post-send:host#3=ENOMEM",
        "post-send:host/qp0x000011#2-4=EINVAL",
        "post-receive:a.b-c_d=EIO",
        "create:host/DeviceContext=EIO",
        "create:host/ProtectionDomain#1=ENOMEM",
        "create:host/CompletionQueue#2+=ENOMEM",
        "create:host/QueuePair#2-3=ENOMEM",
        "create:host/MemoryRegion#1=EPERM",
        "create:host/FastRegistrationRegion#1=ENOMEM",
        "rewrite:host/cq2#3=id:77,status:WR_FLUSH_ERR",
        "rewrite:host#1=status:SUCCESS,opcode:RDMA_READ,length:0",
        "invent:host#1",
        "invent:host/qp0xffffff#1=id:9",
        "hold:host",
        "hold:host/qp0x000011#9+"
      })
  void theTextFormIsReadBack(String token) {
    assertThat(VerbsFault.parse(token)).hasToString(token);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "drop:host#1=ENOMEM        | verb \"drop\" is unknown",
        "post-send                 | verb \"\" is unknown",
        "post-send:host#3=EFOO     | errno \"EFOO\" is unknown; legal are [EPERM,",
        "post-send:host#3          | errno \"\" is unknown",
        "post-send:host#=ENOMEM    | nothing stands behind '#' or '='",
        "post-send:host#1=         | nothing stands behind '#' or '='",
        "post-send:host#0=ENOMEM   | occurrence \"0\" is not a whole number of 1 or more",
        "post-send:host#3-2=ENOMEM | occurrences 3-2 end before they begin",
        "post-send:host/cq1=ENOMEM | nothing is posted to host/cq1",
        "post-send:host/qp0xz=EIO  | the number in \"qp0xz\" is none",
        "post-send:host/qp0x1000000=EIO | number 16777216 is not legal for QUEUE_PAIR",
        "post-send:host/mr1=EIO    | object \"mr1\" is neither a queue pair",
        "create:host#1=ENOMEM      | there is no '/' between node and type",
        "create:host/Socket=ENOMEM | kind \"Socket\" is unknown; legal are [DeviceContext,",
        "rewrite:host#1            | \"\" is no field and value",
        "rewrite:host#1=id         | \"id\" is no field and value",
        "rewrite:host#1=id:x       | id \"x\" is not a number",
        "rewrite:host#1=mood:1     | field \"mood\" is unknown; legal are id, status, opcode",
        "rewrite:host#1=status:BAD | status \"BAD\" is unknown; legal are [SUCCESS,",
        "rewrite:host#1=length:-1  | length -1 is not in 0..2147483647",
        "rewrite:host#1=status:WR_FLUSH_ERR,length:1 | has neither opcode nor length",
        "rewrite:host/cq0#1=id:1   | number 0 is not legal for COMPLETION_QUEUE",
        "hold:host#2               | completions are held from one on, as #2+",
        "hold:host#2+=x            | hold takes no value",
      })
  void aTextThatIsNoFaultIsRefusedWithAReason(String token, String reason) {
    assertThatThrownBy(() -> VerbsFault.parse(token))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageStartingWith("fault \"" + token + "\": ")
        .hasMessageContaining(reason);
  }

  @Test
  void aRewriteWithoutAChangeIsNone() {
    assertThatThrownBy(
            () ->
                new VerbsFault.RewriteCompletion(
                    FaultTarget.node("a"), Occurrence.ALL, CompletionChange.NONE))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("nothing is different about the completion");
  }

  @Test
  void aChangeLeavesWhatItDoesNotName() {
    WorkCompletion completion = new WorkCompletion();
    completion.setSuccess(7, 0x11, CompletionOpcode.RECV, 100);
    completion.setImmediate(0x1234);
    CompletionChange.NONE.withByteLength(5).applyTo(completion, false, "cause");
    assertThat(completion)
        .hasToString(
            "WorkCompletion[id=7, queuePairNumber=17, SUCCESS RECV, byteLength=5,"
                + " immediate=0x1234]");
    CompletionChange.NONE
        .withStatus(CompletionStatus.LOC_LEN_ERR)
        .applyTo(completion, false, "cause");
    assertThat(completion)
        .hasToString(
            "WorkCompletion[id=7, queuePairNumber=17, LOC_LEN_ERR(1) local length error,"
                + " vendorError=1: cause]");
    CompletionChange.NONE.withStatus(CompletionStatus.SUCCESS).applyTo(completion, false, "cause");
    assertThat(completion)
        .hasToString("WorkCompletion[id=7, queuePairNumber=17, SUCCESS RECV, byteLength=0]");
  }
}

package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.Node;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.profile.DeviceLimits;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.CompletionChannel;
import io.roceverbs.verbs.CompletionField;
import io.roceverbs.verbs.CompletionQueue;
import io.roceverbs.verbs.CompletionQueueFlag;
import io.roceverbs.verbs.CompletionQueueInit;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.ExtendedCompletionQueue;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletions;
import java.util.EnumSet;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** What completion queues and channels can be made from. */
class CompletionQueueCreationTest {
  private static final EnumSet<CompletionField> KNOWN =
      EnumSet.of(
          CompletionField.BYTE_LEN,
          CompletionField.IMM,
          CompletionField.QP_NUM,
          CompletionField.SRC_QP,
          CompletionField.SLID,
          CompletionField.SL,
          CompletionField.DLID_PATH_BITS,
          CompletionField.COMPLETION_TIMESTAMP,
          CompletionField.COMPLETION_TIMESTAMP_WALLCLOCK);

  private final Fabric fabric = Fabric.create();
  private final Node node = fabric.addNode("a");
  private final DeviceContext context = node.device().open();

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private static void assertRefused(Errno errno, String words, ThrowingCallable call) {
    assertThatThrownBy(call)
        .isInstanceOf(VerbsException.class)
        .hasMessageContaining(words)
        .extracting(e -> ((VerbsException) e).errno())
        .isEqualTo(errno);
  }

  static int[][] legalShapes() {
    return new int[][] {
      {1, 0}, {1, 1}, {1, 3}, {16_383, 0}, {16_383, 1}, {16_383, 3}, {32_767, 0}, {32_767, 3}
    };
  }

  @ParameterizedTest
  @MethodSource("legalShapes")
  @Checks("CQAPITest.test_create_cq")
  void everyCapacityAndVectorThatTheDeviceOffersIsGivenAsAsked(int[] shape) {
    assertThat(context.queryDevice().maxCompletionQueueEntries()).isEqualTo(32_767);
    assertThat(context.completionVectors()).isEqualTo(4);
    CompletionQueueInit init =
        CompletionQueueInit.ofCapacity(shape[0]).withCompletionVector(shape[1]);

    CompletionQueue queue = context.createCompletionQueue(init);
    assertThat(queue.capacity()).isEqualTo(shape[0]);
    assertThat(queue.channel()).isNull();
    queue.close();
    assertThat(queue.isOpen()).isFalse();
  }

  @ParameterizedTest
  @MethodSource("legalShapes")
  @Checks("CQAPITest.test_create_cq_with_comp_channel")
  void theSameWithAChannelWhichClosesAfterItsQueue(int[] shape) {
    CompletionChannel channel = context.createCompletionChannel();
    CompletionQueue queue =
        context.createCompletionQueue(
            CompletionQueueInit.ofCapacity(shape[0])
                .withCompletionVector(shape[1])
                .withChannel(channel)
                .withAttachment(this));
    assertThat(queue.channel()).isSameAs(channel);
    assertThat(queue.attachment()).isSameAs(this);
    assertThat(channel.context()).isSameAs(context);

    queue.close();
    channel.close();
    assertThat(channel.isOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {Integer.MIN_VALUE, -1, 0, 32_768, Integer.MAX_VALUE})
  @Checks({"CQAPITest.test_create_cq_bad_flow", "CQEXAPITest.test_create_cq_ex_bad_flow"})
  void aCapacityThatTheDeviceDoesNotOfferIsInvalid(int capacity) {
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(capacity);
    String words = "capacity " + capacity + " is not in 1..32767";
    assertRefused(Errno.EINVAL, words, () -> context.createCompletionQueue(capacity));
    assertRefused(Errno.EINVAL, words, () -> context.createCompletionQueue(init));
    assertRefused(Errno.EINVAL, words, () -> context.createExtendedCompletionQueue(init));
    context.close();
    assertThat(context.isOpen()).isFalse();
  }

  @ParameterizedTest
  @ValueSource(ints = {-1, 4, 5, Integer.MAX_VALUE})
  @Checks({"CQAPITest.test_create_cq_bad_flow", "CQEXAPITest.test_create_cq_ex_bad_flow"})
  void aCompletionVectorThatTheDeviceDoesNotOfferIsInvalid(int vector) {
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8).withCompletionVector(vector);
    String words = "completion vector " + vector + " is not in 0..3";
    assertRefused(Errno.EINVAL, words, () -> context.createCompletionQueue(init));
    assertRefused(Errno.EINVAL, words, () -> context.createExtendedCompletionQueue(init));
  }

  @ParameterizedTest
  @EnumSource(CompletionField.class)
  @Checks("CQEXAPITest.test_create_cq_ex")
  void eachFieldWorksOrIsNotSupported(CompletionField field) {
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8).withFields(field);
    if (KNOWN.contains(field)) {
      ExtendedCompletionQueue queue = context.createExtendedCompletionQueue(init);
      assertThat(queue.capacity()).isEqualTo(8);
      queue.close();
    } else {
      assertRefused(
          Errno.EOPNOTSUPP,
          "does not know [" + field + "]",
          () -> context.createExtendedCompletionQueue(init));
    }
    context.close();
    assertThat(context.isOpen()).isFalse();
  }

  @ParameterizedTest
  @EnumSource(CompletionQueueFlag.class)
  @Checks("CQEXAPITest.test_create_cq_ex")
  void eachFlagWorks(CompletionQueueFlag flag) {
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8).withFlags(flag);
    assertThat(context.createExtendedCompletionQueue(init).capacity()).isEqualTo(8);
    assertThat(context.createCompletionQueue(init).capacity()).isEqualTo(8);
  }

  @Test
  void aPlainQueueHasNoFields() {
    CompletionQueueInit init =
        CompletionQueueInit.ofCapacity(8).withFields(CompletionField.BYTE_LEN);
    assertRefused(
        Errno.EINVAL,
        "only an extended completion queue gives [BYTE_LEN]",
        () -> context.createCompletionQueue(init));
  }

  @Test
  @Checks("PARENT-CONTEXT")
  void theChannelOfAnotherContextIsRefused() {
    CompletionQueueInit init =
        CompletionQueueInit.ofCapacity(8)
            .withChannel(node.device().open().createCompletionChannel());
    assertRefused(
        Errno.EINVAL,
        "the completion channel must be open and of the same device context",
        () -> context.createCompletionQueue(init));
  }

  @Test
  @Checks("PARENT-CONTEXT")
  void aClosedChannelIsRefusedAndTakesNoCallButClose() {
    CompletionChannel channel = context.createCompletionChannel();
    channel.close();
    channel.close();
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8).withChannel(channel);
    assertRefused(Errno.EINVAL, "channel must be open", () -> context.createCompletionQueue(init));
    assertRefused(Errno.EINVAL, "channel was closed", channel::pollEvent);
    assertRefused(Errno.EINVAL, "channel was closed", channel::awaitEvent);
  }

  @Test
  void aClosedQueueTakesNoCallButClose() {
    ExtendedCompletionQueue queue =
        context.createExtendedCompletionQueue(CompletionQueueInit.ofCapacity(8));
    queue.close();
    queue.close();
    String words = "queue was closed";
    assertRefused(Errno.EINVAL, words, () -> queue.poll(new WorkCompletions(1)));
    assertRefused(Errno.EINVAL, words, queue::startPoll);
    assertRefused(Errno.EINVAL, words, () -> queue.requestNotification(false));
    assertRefused(Errno.EINVAL, words, () -> queue.acknowledgeEvents(0));
    assertRefused(Errno.EINVAL, words, () -> queue.moderate(0, 0));
    assertRefused(Errno.EINVAL, words, () -> queue.resize(4));

    assertThat(queue.capacity()).isEqualTo(8);
  }

  @Test
  void aClosedContextMakesNeitherQueueNorChannel() {
    context.close();
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8);
    assertRefused(Errno.EINVAL, "context was closed", () -> context.createCompletionQueue(init));
    assertRefused(
        Errno.EINVAL, "context was closed", () -> context.createExtendedCompletionQueue(init));
    assertRefused(Errno.EINVAL, "context was closed", context::createCompletionChannel);
  }

  @Test
  void theDevicesLimitOfQueuesCountsPlainAndExtendedOnes() {
    DeviceProfile small =
        DeviceProfile.strict().withLimits(limitsWithTwoQueues(DeviceProfile.strict()));
    DeviceContext limited =
        fabric.addNode(NodeConfiguration.named("b").withProfile(small)).device().open();
    CompletionQueueInit init = CompletionQueueInit.ofCapacity(8);
    CompletionQueue first = limited.createCompletionQueue(init);
    limited.createExtendedCompletionQueue(init);
    assertRefused(Errno.ENOMEM, "limit of 2", () -> limited.createExtendedCompletionQueue(init));
    first.close();

    assertThat(limited.createCompletionQueue(8).isOpen()).isTrue();
  }

  private static DeviceLimits limitsWithTwoQueues(DeviceProfile profile) {
    DeviceLimits all = profile.limits();
    return new DeviceLimits(
        all.maxQueuePairs(),
        all.maxQueuePairRequests(),
        all.maxSegments(),
        all.maxInlineBytes(),
        2,
        all.maxCompletionQueueEntries(),
        all.maxMemoryRegions(),
        all.maxMemoryWindows(),
        all.maxProtectionDomains(),
        all.maxReadAtomic(),
        all.maxFastRegistrationPages(),
        all.maxSharedReceiveQueues(),
        all.maxSharedReceiveRequests(),
        all.maxSharedReceiveSegments(),
        all.maxAddressHandles(),
        all.maxMulticastGroups(),
        all.maxMulticastAttachments(),
        all.maxDeviceMemoryBytes(),
        all.completionVectors(),
        all.maxMtu(),
        all.localAckDelay());
  }
}

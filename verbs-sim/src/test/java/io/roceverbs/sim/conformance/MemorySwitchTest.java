package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.profile.PostingSwitch;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.sim.profile.Quirk;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryRegionChange;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.VerbsException;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * The points about keys and memory operations in which devices differ, each with all its values.
 */
class MemorySwitchTest {
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

  private static void assertRefused(Errno errno, Runnable post) {
    assertThatThrownBy(post::run)
        .isInstanceOfSatisfying(
            VerbsException.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  // ---- lkeys at post -------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void aBadLkeyIsFoundWhereTheDeviceLooksForIt(PostingSwitch.LkeyCheckAtPost value) {
    try (Pair pair = with(value)) {
      Memory memory = pair.a.memory(8, 1, AccessFlag.REMOTE_READ);
      Memory remote = pair.b.memory(8, 1);
      pair.b.postEmptyReceive(1);
      Runnable bad =
          () ->
              pair.a.queuePair.post(
                  pair.a.request.reset(2).send().segment(memory.address(), 8, memory.rkey()));
      Runnable readInto = () -> pair.a.postRead(3, memory, 8, remote.address(), remote.rkey());
      if (value == PostingSwitch.LkeyCheckAtPost.YES) {
        assertRefused(Errno.EINVAL, bad);
        assertRefused(Errno.EINVAL, readInto);
        assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      } else {
        readInto.run();
        bad.run();
        pair.run();
        assertThat(words(pair.a.pollSends())).containsExactly("3 LOC_PROT_ERR", "2 WR_FLUSH_ERR");
      }
    }
  }

  @Test
  void aSegmentOfNoBytesNeedsNoGoodLkeyAtPost() {
    try (Pair pair = with(PostingSwitch.LkeyCheckAtPost.YES)) {
      pair.b.postEmptyReceive(1);
      pair.a.queuePair.post(pair.a.request.reset(2).send().segment(0, 0, 0xBAD).signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("2 SUCCESS");
    }
  }

  // ---- status of memory operations -----------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "MW_BIND_ERR, MW_BIND_ERR, MW_BIND_ERR",
    "LOC_QP_OP_ERR, LOC_QP_OP_ERR, LOC_QP_OP_ERR",
    "GENERAL_ERR_IF_VALID, GENERAL_ERR, MW_BIND_ERR"
  })
  @Checks("C07")
  void aFailedMemoryOperationHasTheStatusOfTheDevice(
      ErrorSwitch.MemoryOperationStatus value, CompletionStatus valid, CompletionStatus other) {
    try (Pair pair = with(value)) {
      FastMemory memory = registered(pair.b, 64, 1);
      int key = memory.key();
      pair.b.postRegister(1, memory);
      pair.b.queuePair.post(pair.b.request.reset(2).send().signaled());
      pair.run();
      assertThat(words(pair.b.pollSends())).containsExactly("1 " + valid, "2 WR_FLUSH_ERR");
      assertThat(pair.b.pollEvents())
          .isEqualTo(
              valid == CompletionStatus.GENERAL_ERR ? List.of(AsyncEventType.QP_FATAL) : List.of());
      assertThat(pair.b.state()).isEqualTo(QueuePairState.ERR);

      SecondConnection second = new SecondConnection(pair);
      second.a.queuePair.post(
          second
              .a
              .request
              .reset(3)
              .rdmaWrite(memory.address(), key)
              .segment(pair.a.memory(64, 7).region(), 0, 64)
              .signaled());
      pair.run();
      assertThat(second.a.poll()).containsExactly("3 SUCCESS");
      second.b.queuePair.post(second.b.request.reset(4).localInvalidate(key + 1).signaled());
      pair.run();
      assertThat(second.b.poll()).containsExactly("4 " + other);
    }
  }

  @ParameterizedTest
  @EnumSource
  void aFailedBindIsAlwaysABindError(ErrorSwitch.MemoryOperationStatus value) {
    try (Pair pair = with(value)) {
      Memory noBind = pair.b.memory(64, 0);
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      pair.b.postBind(1, window, noBind, 0, 64, AccessFlag.REMOTE_READ);
      assertThat(words(pair.b.pollSends())).containsExactly("1 MW_BIND_ERR");
    }
  }

  // ---- invalidating what is free -------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  void invalidatingAFreeRegionFailsOrCountsAsDone(ErrorSwitch.InvalidateFree value) {
    try (Pair pair = with(value)) {
      FastMemory memory = registered(pair.b, 64, 1);
      pair.b.queuePair.post(pair.b.request.reset(1).localInvalidate(memory.key()).signaled());
      pair.b.queuePair.post(pair.b.request.reset(2).localInvalidate(memory.key()).signaled());
      pair.run();
      boolean accepts = value == ErrorSwitch.InvalidateFree.ACCEPT_REGION;
      assertThat(words(pair.b.pollSends()))
          .containsExactly("1 SUCCESS", accepts ? "2 SUCCESS" : "2 MW_BIND_ERR");
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks("WINDOW-INVALIDATE")
  void invalidatingAFreeWindowAlwaysFails(ErrorSwitch.InvalidateFree value) {
    try (Pair pair = with(value)) {
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      pair.b.queuePair.post(pair.b.request.reset(1).localInvalidate(window.rkey()).signaled());
      assertThat(words(pair.b.pollSends())).containsExactly("1 MW_BIND_ERR");
    }
  }

  // ---- failed remote invalidation ------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({
    "ACKNOWLEDGED, false, 1 SUCCESS, 10 REM_INV_REQ_ERR",
    "ACKNOWLEDGED, true, 1 SUCCESS, 10 REM_INV_REQ_ERR",
    "ACCESS_WITHOUT_RIGHTS, false, 1 SUCCESS, 10 REM_INV_REQ_ERR",
    "ACCESS_WITHOUT_RIGHTS, true, 1 SUCCESS, 10 REM_ACCESS_ERR",
    "NOT_ACKNOWLEDGED, false, 1 RETRY_EXC_ERR, 10 REM_INV_REQ_ERR",
    "IGNORED, false, 1 SUCCESS, 10 SUCCESS"
  })
  @Checks("INVALIDATE-REFUSED")
  void aRefusedRemoteInvalidationEndsAsTheDeviceEndsIt(
      ErrorSwitch.FailedRemoteInvalidation value, boolean localOnly, String sent, String received) {
    try (Pair pair = with(value)) {
      FastMemory memory = pair.b.fastMemory(64, 0);
      int key = memory.region().nextKey();
      if (localOnly) {
        pair.b.queuePair.post(
            pair.b.request.reset(9).registerMemory(memory.region(), key, AccessFlag.LOCAL_WRITE));
      }
      Memory receive = pair.b.memory(2000, 0);
      pair.b.postReceive(10, receive);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .sendWithInvalidate(key)
              .segment(pair.a.memory(2000, 6).region(), 0, 2000)
              .signaled());
      pair.run();
      boolean ignored = value == ErrorSwitch.FailedRemoteInvalidation.IGNORED;
      boolean answered = value != ErrorSwitch.FailedRemoteInvalidation.NOT_ACKNOWLEDGED;
      assertThat(words(pair.a.pollSends())).containsExactly(sent);
      List<WorkCompletion> completions = pair.b.pollReceives();
      assertThat(words(completions)).containsExactly(received);
      if (ignored) {
        assertThat(completions.get(0).withInvalidate()).isFalse();
        assertThat(completions.get(0).byteLength()).isEqualTo(2000);
      }
      assertThat(receive.slice(0, 2000)).containsOnly(6);
      assertThat(pair.journal.from("b")).hasSize(answered ? 1 : 0);
      if (answered) {
        assertThat(pair.journal.from("b").get(0).summary()).endsWith(ignored ? " msn=1" : " msn=0");
      }
      assertThat(pair.b.pollEvents())
          .isEqualTo(
              received.endsWith("REM_ACCESS_ERR")
                  ? List.of(AsyncEventType.QP_ACCESS_ERR)
                  : List.of());
      assertThat(pair.b.state()).isEqualTo(ignored ? QueuePairState.RTS : QueuePairState.ERR);
    }
  }

  // ---- closing a bound region ----------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"EINVAL, EINVAL", "EBUSY, EBUSY"})
  @Checks({"C08", "WINDOW-KEEPS-REGION"})
  void aBoundRegionIsNotClosedWithTheErrorOfTheDevice(
      ErrorSwitch.DeregisterBound value, Errno errno) {
    try (Pair pair = with(value)) {
      Memory memory = pair.b.windowed(64, 0);
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      pair.b.postBind(1, window, memory, 0, 64, AccessFlag.REMOTE_READ);
      assertRefused(errno, memory.region()::close);
      assertRefused(
          errno,
          () ->
              memory
                  .region()
                  .reregister(MemoryRegionChange.NONE.withBuffer(ByteBuffer.allocate(8))));
      window.close();
      memory.region().close();
    }
  }

  // ---- keys of user regions ------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"DIFFERENT, REM_ACCESS_ERR", "EQUAL, SUCCESS", "EQUAL_OR_NO_RKEY, SUCCESS"})
  @Checks("C42")
  void anLkeyInPlaceOfTheRkeyIsFoundWhereTheyDiffer(
      ErrorSwitch.UserRegionKeys value, CompletionStatus status) {
    try (Pair pair = with(value)) {
      Memory memory = pair.b.memory(64, 4, AccessFlag.REMOTE_READ);
      boolean different = value == ErrorSwitch.UserRegionKeys.DIFFERENT;
      assertThat(memory.lkey() == memory.rkey()).isEqualTo(!different);
      pair.a.postRead(1, pair.a.memory(64, 0), 64, memory.address(), memory.lkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 " + status);
    }
  }

  @ParameterizedTest
  @EnumSource
  @Checks("C42")
  void aRegionWithoutARemoteRightIsOfNoUseToThePeer(ErrorSwitch.UserRegionKeys value) {
    try (Pair pair = with(value)) {
      Memory memory = pair.b.memory(64, 4, AccessFlag.LOCAL_WRITE);
      boolean none = value == ErrorSwitch.UserRegionKeys.EQUAL_OR_NO_RKEY;
      assertThat(memory.rkey() == 0).isEqualTo(none);
      assertThat(memory.lkey()).isNotZero();
      pair.a.postRead(1, pair.a.memory(64, 0), 64, memory.address(), memory.rkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
      memory.region().close();
    }
  }

  @Test
  void anRkeyComesAndGoesWithTheRemoteRights() {
    try (Pair pair = with(ErrorSwitch.UserRegionKeys.EQUAL_OR_NO_RKEY)) {
      Memory memory = pair.b.memory(64, 4, AccessFlag.LOCAL_WRITE);
      MemoryRegionChange readable =
          MemoryRegionChange.NONE.withAccess(AccessFlags.of(AccessFlag.REMOTE_READ));
      memory.region().reregister(readable);
      assertThat(memory.rkey()).isEqualTo(memory.lkey());
      pair.a.postRead(1, pair.a.memory(64, 0), 64, memory.address(), memory.rkey());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    }
  }

  // ---- quirks --------------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource
  @Checks("C11")
  void sendWithInvalidateThatIsAnnouncedAndDoesNotWork(Quirk.SendWithInvalidate value) {
    try (Pair pair = with(value)) {
      FastMemory memory = registered(pair.b, 64, 0);
      pair.b.postEmptyReceive(10);
      pair.a.queuePair.post(pair.a.request.reset(1).sendWithInvalidate(memory.key()).signaled());
      pair.run();
      List<WorkCompletion> completions = pair.a.pollSends();
      if (value == Quirk.SendWithInvalidate.WORKS) {
        assertThat(words(completions)).containsExactly("1 SUCCESS");
        return;
      }
      assertThat(words(completions)).containsExactly("1 LOC_QP_OP_ERR");
      assertThat(completions.get(0).vendorError()).isNotZero();
      assertThat(pair.a.state()).isEqualTo(QueuePairState.ERR);
      assertThat(pair.a.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(pair.journal.all()).isEmpty();
      assertThat(pair.a.context.queryDevice().capabilities())
          .contains(DeviceCapability.MEM_MGT_EXTENSIONS);
    }
  }

  @Test
  @Checks("C11")
  void withoutMemoryManagementExtensionsTheirRequestsAreRefused() {
    DeviceProfile without =
        DeviceProfile.strict().withoutCapability(DeviceCapability.MEM_MGT_EXTENSIONS);
    try (Pair pair = Pair.connected(without)) {
      SendRequest first = new SendRequest().reset(1).send();
      first.next(pair.a.request.reset(2).sendWithInvalidate(0x100));
      assertThatThrownBy(() -> pair.a.queuePair.post(first))
          .isInstanceOfSatisfying(
              PostException.class,
              refusal -> {
                assertThat(refusal.errno()).isEqualTo(Errno.EINVAL);
                assertThat(refusal.badRequestId()).isEqualTo(2);
              });
      assertRefused(
          Errno.EINVAL, () -> pair.a.queuePair.post(pair.a.request.reset(3).localInvalidate(1)));
      assertRefused(Errno.EOPNOTSUPP, () -> pair.a.domain.allocateFastRegistrationRegion(1));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
    }
  }

  @ParameterizedTest
  @CsvSource({"HOST, 8", "SWAPPED, 1"})
  @Checks({"C73", "ATOMIC-HOST-ORDER"})
  void theOldValueOfAnAtomicComesBackInTheDevicesOrder(
      Quirk.AtomicByteOrder value, byte firstByte) {
    try (Pair pair = with(value)) {
      Memory word = pair.b.memory(8, 0);
      for (int i = 0; i < 8; i++) {
        word.bytes().put(i, (byte) (8 - i));
      }
      Memory result = pair.a.memory(8, 0);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .fetchAndAdd(word.address(), word.rkey(), 1)
              .segment(result.region(), 0, 8)
              .signaled());
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
      assertThat(word.slice(0, 8)).containsExactly(9, 7, 6, 5, 4, 3, 2, 1);
      assertThat(result.bytes().get(0)).isEqualTo(firstByte);
      assertThat(result.bytes().get(7)).isEqualTo((byte) (9 - firstByte));
    }
  }

  @ParameterizedTest
  @CsvSource({"EIGHT_BITS, 1 REM_ACCESS_ERR", "TWO_BITS, 1 SUCCESS"})
  void afterFourRegistrationsALateWriteHitsTheNewOneWhereKeysAreShort(
      Quirk.KeyVariant value, String completion) {
    try (Pair pair = with(value)) {
      FastMemory memory = registered(pair.b, 64, 0);
      int first = memory.key();
      for (int i = 0; i < 4; i++) {
        pair.b.queuePair.post(pair.b.request.reset(i).localInvalidate(memory.key()));
        pair.b.postRegister(20 + i, memory);
        pair.run();
        assertThat(words(pair.b.pollSends())).containsExactly((20 + i) + " SUCCESS");
      }
      assertThat(memory.key() == first).isEqualTo(value == Quirk.KeyVariant.TWO_BITS);
      pair.a.postWrite(1, pair.a.memory(64, 9), 64, memory.address(), first);
      pair.run();
      assertThat(words(pair.a.pollSends())).containsExactly(completion);
    }
  }

  @Test
  void theKeysOfWindowsWrapAroundLikeThoseOfRegions() {
    try (Pair pair = with(Quirk.KeyVariant.TWO_BITS)) {
      MemoryWindow window = pair.b.window(MemoryWindowType.TYPE_2);
      int first = window.rkey();
      List<Integer> keys = new ArrayList<>();
      for (int i = 0; i < 4; i++) {
        window.restoreRkey(window.nextRkey());
        keys.add(window.rkey());
      }
      assertThat(keys).doesNotHaveDuplicates().allMatch(key -> key >>> 2 == first >>> 2);
      assertThat(window.rkey()).isEqualTo(first);
    }
  }
}

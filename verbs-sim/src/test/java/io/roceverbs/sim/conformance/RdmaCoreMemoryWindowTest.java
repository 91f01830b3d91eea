package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.WorkCompletion;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rows of rdma-core's test_mr.py about windows, and windows of type 1. */
class RdmaCoreMemoryWindowTest {
  private static final int BYTES = 1024;
  private static final AccessFlags WRITE = AccessFlags.of(AccessFlag.REMOTE_WRITE);

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;
  private final Memory target = b.windowed(BYTES, 0);
  private final Memory source = a.memory(BYTES, 0x53);

  @AfterEach
  void close() {
    pair.close();
  }

  private MemoryWindowBinding whole() {
    return MemoryWindowBinding.of(target.region(), 0, BYTES, WRITE);
  }

  private void writeThrough(MemoryWindow window) {
    a.postWrite(1, source, BYTES, target.address(), window.rkey());
    pair.run();
  }

  private void assertWritten(MemoryWindow window) {
    writeThrough(window);
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(target.slice(0, BYTES)).containsOnly(0x53);
    target.fill(0);
  }

  private void assertRefused(MemoryWindow window) {
    writeThrough(window);
    assertThat(a.pollSends())
        .singleElement()
        .satisfies(
            completion -> assertThat(completion.status().text()).isEqualTo("remote access error"));
    assertThat(target.slice(0, BYTES)).containsOnly(0);
  }

  private MemoryWindow boundTypeOne() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    int before = window.rkey();
    int key = b.queuePair.bind(window, 7, whole(), SendFlag.SIGNALED);
    assertThat(key).isEqualTo(before + 1).isEqualTo(window.rkey());
    pair.run();
    WorkCompletion completion = b.pollSends().get(0);
    assertThat(completion.id()).isEqualTo(7);
    assertThat(completion.opcode()).isEqualTo(CompletionOpcode.BIND_MW);
    return window;
  }

  private MemoryWindow boundTypeTwo() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(7, window, whole());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("7 SUCCESS");
    return window;
  }

  // ---- rdma-core -----------------------------------------------------------------------------

  @Test
  @Checks({"MWTest.test_mw_type1", "MWTest.test_mw_ex_type1"})
  void aWriteGoesThroughAWindowOfTypeOneOverAWholeRegion() {
    assertWritten(boundTypeOne());
  }

  @Test
  @Checks({"MWTest.test_invalidate_mw_type1", "BIND-STATE"})
  void aWindowOfTypeOneThatIsBoundToNothingRefusesAWrite() {
    MemoryWindow window = boundTypeOne();
    assertWritten(window);
    int oldKey = window.rkey();
    b.queuePair.bind(window, 8, MemoryWindowBinding.NONE, SendFlag.SIGNALED);
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("8 SUCCESS");
    assertThat(window.rkey()).isEqualTo(oldKey + 1);
    target.region().close();
    assertRefused(window);
  }

  @Test
  @Checks({"MWTest.test_mw_type2", "BIND-NEW-KEY"})
  void aWriteGoesThroughAWindowOfTypeTwoUnderTheCallersKey() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    int key = window.nextRkey();
    assertThat(key).isNotEqualTo(window.rkey());
    b.postBind(7, window, whole());
    assertThat(window.rkey()).isEqualTo(key);
    pair.run();
    assertWritten(window);
  }

  @Test
  @Checks("MWTest.test_mw_type2_invalidate_local")
  void aWindowThatItsOwnerInvalidatedRefusesAWrite() {
    MemoryWindow window = boundTypeTwo();
    assertWritten(window);
    b.queuePair.post(b.request.reset(8).localInvalidate(window.rkey()).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("8 SUCCESS");
    assertRefused(window);
  }

  @Test
  @Checks({"MWTest.test_mw_type2_invalidate_remote", "S25"})
  void windowsThatThePeersTookAwayRefuseAWrite() {
    MemoryWindow windowOfB = boundTypeTwo();
    Memory memoryOfA = a.windowed(BYTES, 0);
    MemoryWindow windowOfA = a.window(MemoryWindowType.TYPE_2);
    a.postBind(7, windowOfA, memoryOfA, 0, BYTES, AccessFlag.REMOTE_WRITE);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("7 SUCCESS");
    assertWritten(windowOfB);
    b.postEmptyReceive(20);
    a.postEmptyReceive(21);
    a.queuePair.post(a.request.reset(8).sendWithInvalidate(windowOfB.rkey()).signaled());
    b.queuePair.post(b.request.reset(9).sendWithInvalidate(windowOfA.rkey()).signaled());
    pair.run();
    assertTaken(b.pollReceives(), windowOfB.rkey());
    assertTaken(a.pollReceives(), windowOfA.rkey());
    assertThat(words(a.pollSends())).containsExactly("8 SUCCESS");
    assertRefused(windowOfB);
  }

  private static void assertTaken(List<WorkCompletion> received, int key) {
    assertThat(received).hasSize(1);
    assertThat(received.get(0).isSuccess()).isTrue();
    assertThat(received.get(0).withInvalidate()).isTrue();
    assertThat(received.get(0).invalidatedRkey()).isEqualTo(key);
  }

  @Test
  @Checks({"MWTest.test_mw_type2_invalidate_dealloc", "WINDOW-CLOSE"})
  void aWindowThatWasFreedWhileBoundRefusesAWrite() {
    MemoryWindow window = boundTypeTwo();
    assertWritten(window);
    window.close();
    assertRefused(window);
  }

  @Test
  @Checks("MWTest.test_reg_mw_wrong_type")
  void thereIsNoThirdType() {
    assertThatThrownBy(() -> MemoryWindowType.fromValue(3))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("3");
  }

  @Test
  void aWindowBoundWithoutTheWriteRightRefusesAWriteThoughTheRegionHasIt() {
    Memory writable =
        b.memory(BYTES, 0, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.MW_BIND);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(7, window, writable, 0, BYTES, AccessFlag.REMOTE_READ);
    pair.run();
    a.postWrite(1, source, BYTES, writable.address(), window.rkey());
    pair.run();
    assertThat(a.pollSends().get(0).status().value()).isEqualTo(10);
    assertThat(writable.slice(0, BYTES)).containsOnly(0);
  }

  // ---- type 1 --------------------------------------------------------------------------------

  @Test
  @Checks({"WINDOW-SCOPE", "BIND-STATE"})
  void aWindowOfTypeOneIsForAllQueuePairsOfItsDomain() {
    SecondConnection second = new SecondConnection(pair);
    MemoryWindow window = boundTypeOne();
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(2)
            .rdmaWrite(target.address(), window.rkey())
            .segment(source.region(), 0, BYTES)
            .signaled());
    pair.run();
    assertThat(second.a.poll()).containsExactly("2 SUCCESS");
    assertWritten(window);
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void aWindowOfTypeOneOutlivesTheQueuePairThatBoundIt() {
    SecondConnection second = new SecondConnection(pair);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    second.b.queuePair.bind(window, 7, whole(), SendFlag.SIGNALED);
    pair.run();
    assertThat(second.b.poll()).containsExactly("7 SUCCESS");
    second.b.queuePair.close();
    assertWritten(window);
  }

  @Test
  @Checks("BIND-STATE")
  void bindingAWindowOfTypeOneAgainReplacesItsBinding() {
    MemoryWindow window = boundTypeOne();
    int oldKey = window.rkey();
    Memory other = b.windowed(BYTES, 0);
    b.queuePair.bind(
        window, 8, MemoryWindowBinding.of(other.region(), 0, BYTES, WRITE), SendFlag.SIGNALED);
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("8 SUCCESS");
    target.region().close();
    a.postWrite(1, source, BYTES, other.address(), window.rkey());
    a.postWrite(2, source, BYTES, other.address(), oldKey);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
  }

  @Test
  @Checks({"WINDOW-INVALIDATE", "S27"})
  void aWindowOfTypeOneIsNotInvalidatedByARequest() {
    MemoryWindow window = boundTypeOne();
    b.queuePair.post(b.request.reset(8).localInvalidate(window.rkey()).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("8 MW_BIND_ERR");
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  @Checks({"BIND-STATE", "BIND-NEW-KEY"})
  void aFailedBindOfTypeOneLeavesTheOldBindingUnderTheOldKey() {
    SecondConnection second = new SecondConnection(pair);
    MemoryWindow window = boundTypeOne();
    int key = window.rkey();
    second.b.queuePair.bind(
        window, 8, MemoryWindowBinding.of(target.region(), 1, BYTES, WRITE), SendFlag.SIGNALED);
    pair.run();
    assertThat(second.b.poll()).containsExactly("8 MW_BIND_ERR");
    assertThat(window.rkey()).isEqualTo(key + 1);
    window.restoreRkey(key);
    assertWritten(window);
    b.queuePair.bind(window, 9, whole(), SendFlag.SIGNALED);
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("9 SUCCESS");
  }

  @Test
  @Checks("BIND-NEW-KEY")
  void withoutRestoringTheKeyTheNextBindFails() {
    SecondConnection second = new SecondConnection(pair);
    MemoryWindow window = boundTypeOne();
    second.b.queuePair.bind(window, 8, MemoryWindowBinding.of(target.region(), 1, BYTES, WRITE));
    b.queuePair.bind(window, 9, whole(), SendFlag.SIGNALED);
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("9 MW_BIND_ERR");
  }

  @Test
  void anUnsignalledBindGivesNoCompletion() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    b.queuePair.bind(window, 7, whole());
    pair.run();
    assertThat(b.pollSends()).isEmpty();
    assertWritten(window);
  }

  @Test
  @Checks("FENCE-READ")
  void aFencedBindWaitsForEarlierReads() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    Memory remote = a.memory(8, 1);
    b.postRead(1, b.memory(8, 0), 8, remote.address(), remote.rkey());
    b.queuePair.bind(window, 2, whole(), SendFlag.SIGNALED, SendFlag.FENCE);
    pair.run();
    assertThat(pair.completions("b"))
        .containsExactly("RDMA_READ 1 SUCCESS @20000", "BIND_MW 2 SUCCESS @20000");
  }

  // ---- refused calls -------------------------------------------------------------------------

  private void assertCallRefused(Errno errno, MemoryWindow window, MemoryWindowBinding binding) {
    int key = window.rkey();
    assertThatThrownBy(() -> b.queuePair.bind(window, 7, binding, SendFlag.SIGNALED))
        .isInstanceOfSatisfying(
            PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
    assertThat(window.rkey()).isEqualTo(key);
    assertThat(b.state()).isEqualTo(QueuePairState.RTS);
    assertThat(b.pollSends()).isEmpty();
  }

  @Test
  @Checks("BIND-CALL")
  void aWindowOfTypeTwoIsNotBoundByTheCall() {
    assertCallRefused(Errno.EINVAL, b.window(MemoryWindowType.TYPE_2), whole());
  }

  @Test
  @Checks("BIND-CALL")
  void anAddressOrALengthNeedsARegion() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    assertCallRefused(Errno.EINVAL, window, new MemoryWindowBinding(null, 0, 0, 1, WRITE));
    assertCallRefused(Errno.EINVAL, window, new MemoryWindowBinding(null, 0, 1, 0, WRITE));
  }

  @Test
  @Checks({"C09", "BIND-CALL", "BIND-DOMAIN"})
  void aRegionOfAnotherDomainIsEpermAtTheCall() {
    MemoryWindow foreign =
        b.context.allocateProtectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
    assertCallRefused(Errno.EPERM, foreign, whole());
  }

  @Test
  @Checks("BIND-CALL")
  void rightsThatAWindowOfTypeOneCantHaveAreRefused() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    for (AccessFlag flag :
        List.of(AccessFlag.ZERO_BASED, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND)) {
      assertCallRefused(
          Errno.EINVAL,
          window,
          MemoryWindowBinding.of(target.region(), 0, BYTES, AccessFlags.of(flag)));
    }
  }

  @Test
  @Checks({"BIND-CALL", "BIND-DOMAIN"})
  void aQueuePairOfAnotherDomainFailsTheBindWhenItRuns() {
    SecondConnection foreign =
        new SecondConnection(pair, a.domain, b.context.allocateProtectionDomain());
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    foreign.b.queuePair.bind(window, 7, whole(), SendFlag.SIGNALED);
    pair.run();
    assertThat(foreign.b.poll()).containsExactly("7 MW_BIND_ERR");
  }

  @Test
  void aClosedWindowAQueuePairInResetAndInlineDataAreRefused() {
    MemoryWindow closed = b.window(MemoryWindowType.TYPE_1);
    closed.close();
    assertCallRefused(Errno.EINVAL, closed, whole());
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    assertThatThrownBy(() -> b.queuePair.bind(window, 7, whole(), SendFlag.INLINE))
        .isInstanceOfSatisfying(
            PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    try (Pair fresh = Pair.unconnected(init -> init)) {
      MemoryWindow other = fresh.a.window(MemoryWindowType.TYPE_1);
      assertThatThrownBy(() -> fresh.a.queuePair.bind(other, 7, MemoryWindowBinding.NONE))
          .isInstanceOfSatisfying(
              PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    }
  }
}

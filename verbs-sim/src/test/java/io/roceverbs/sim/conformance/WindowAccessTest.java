package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.assertErrno;
import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.CompletionStatus;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Access through windows of type 2, their invalidation, and what they keep from happening. */
class WindowAccessTest {
  private static final AccessFlag WRITE = AccessFlag.REMOTE_WRITE;
  private static final AccessFlag READ = AccessFlag.REMOTE_READ;

  private Pair pair = Pair.connected();
  private Side a = pair.a;
  private Side b = pair.b;

  @AfterEach
  void close() {
    pair.close();
  }

  private void useDevicesWithType2a() {
    pair.close();
    pair =
        Pair.connected(
            DeviceProfile.strict()
                .withoutCapability(DeviceCapability.MEM_WINDOW_TYPE_2B)
                .withCapability(DeviceCapability.MEM_WINDOW_TYPE_2A));
    a = pair.a;
    b = pair.b;
  }

  private MemoryWindow bound(Memory memory, AccessFlag... rights) {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(80, window, memory, 0, memory.bytes().capacity(), rights);
    pair.run();
    assertThat(b.pollSends())
        .extracting(WorkCompletion::id, WorkCompletion::status)
        .containsExactly(tuple(80L, CompletionStatus.SUCCESS));
    return window;
  }

  private void assertAccessRefused(long id, Memory untouched, int fill) {
    pair.run();
    assertThat(words(a.pollSends())).containsExactly(id + " REM_ACCESS_ERR");
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(untouched.slice(0, untouched.bytes().capacity())).containsOnly(fill);
  }

  // ---- rights and range ----------------------------------------------------------------------

  @Test
  @Checks("WINDOW-SCOPE")
  void aRightThatOnlyTheRegionHasIsMissingInTheWindow() {
    Memory memory = b.memory(64, 1, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND, WRITE, READ);
    MemoryWindow window = bound(memory, READ);
    a.postWrite(1, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(1, memory, 1);
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void theRegionsOwnKeyKeepsItsOwnRights() {
    Memory memory = b.windowed(64, 1);
    bound(memory, WRITE);
    a.postWrite(1, a.memory(64, 9), 64, memory.address(), memory.rkey());
    assertAccessRefused(1, memory, 1);
  }

  @ParameterizedTest
  @CsvSource({"-1, 8", "57, 8", "0, 65", "64, 1", "9223372036854775807, 1"})
  @Checks({"WINDOW-SCOPE", "KEY-CHECK-ORDER"})
  void theRangeIsThatOfTheWindowNotOfTheRegion(long offset, int length) {
    Memory memory = b.windowed(4096, 1);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(80, window, memory, 1024, 64, WRITE);
    pair.run();
    a.postWrite(1, a.memory(128, 9), length, memory.address() + 1024 + offset, window.rkey());
    assertAccessRefused(1, memory, 1);
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void twoWindowsOnOneRegionDoNotReachIntoEachOther() {
    Memory memory = b.windowed(4096, 1);
    MemoryWindow first = b.window(MemoryWindowType.TYPE_2);
    MemoryWindow second = b.window(MemoryWindowType.TYPE_2);
    b.postBind(80, first, memory, 0, 1000, WRITE);
    b.postBind(81, second, memory, 1000, 1000, WRITE);
    pair.run();
    a.postWrite(1, a.memory(1000, 7), 1000, memory.address(), first.rkey());
    a.postWrite(2, a.memory(1000, 8), 1000, memory.address() + 1000, second.rkey());
    a.postWrite(3, a.memory(1000, 9), 1, memory.address() + 1000, first.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 SUCCESS", "3 REM_ACCESS_ERR");
    assertThat(memory.slice(0, 1000)).containsOnly(7);
    assertThat(memory.slice(1000, 2000)).containsOnly(8);
  }

  @Test
  void aWindowHasNoLkey() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE, READ);
    a.postEmptyReceive(5);
    b.queuePair.post(
        b.request.reset(1).send().segment(memory.address(), 64, window.rkey()).signaled());
    pair.run();
    assertThat(b.pollSends())
        .singleElement()
        .satisfies(
            completion -> {
              assertThat(completion.status()).isEqualTo(CompletionStatus.LOC_PROT_ERR);
              assertThat(completion.detail()).contains("rkey of a window");
            });
  }

  @Test
  void anUnboundWindowLeadsNowhere() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    a.postWrite(1, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(1, memory, 1);
  }

  // ---- whose window it is --------------------------------------------------------------------

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  @Checks("WINDOW-SCOPE")
  void anotherQueuePairOfTheSameDomainDoesNotUseAWindowOfTypeTwo(boolean type2a) {
    if (type2a) {
      useDevicesWithType2a();
    }
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    SecondConnection second = new SecondConnection(pair);
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(1)
            .rdmaWrite(memory.address(), window.rkey())
            .segment(a.memory(64, 9).region(), 0, 64)
            .signaled());
    pair.run();
    assertThat(second.a.poll()).containsExactly("1 REM_ACCESS_ERR");
    assertThat(memory.slice(0, 64)).containsOnly(1);

    a.postWrite(2, a.memory(64, 5), 64, memory.address(), window.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void aWindowOfADestroyedQueuePairLeadsNowhereAndStillHoldsItsRegion() {
    SecondConnection first = new SecondConnection(pair);
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    first.b.queuePair.post(
        first
            .b
            .request
            .reset(80)
            .bindMemoryWindow(
                window,
                window.nextRkey(),
                MemoryWindowBinding.of(memory.region(), 0, 64, AccessFlags.of(WRITE)))
            .signaled());
    pair.run();
    assertThat(first.b.poll()).containsExactly("80 SUCCESS");
    first.b.queuePair.close();
    assertErrno(Errno.EINVAL, () -> memory.region().close());
    a.postWrite(1, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(1, memory, 1);
    window.close();
    memory.region().close();
    assertThat(memory.region().isOpen()).isFalse();
  }

  // ---- invalidation --------------------------------------------------------------------------

  @Test
  @Checks("WINDOW-INVALIDATE")
  void aLocalInvalidationFreesTheWindowAndItsRegion() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    assertErrno(Errno.EINVAL, () -> memory.region().close());
    b.queuePair.post(b.request.reset(1).localInvalidate(window.rkey()).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 SUCCESS");
    memory.region().close();
    a.postWrite(2, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(2, memory, 1);
  }

  @Test
  @Checks("WINDOW-INVALIDATE")
  void invalidatingAFreeWindowIsAnError() {
    MemoryWindow window = bound(b.windowed(64, 1), WRITE);
    b.queuePair.post(b.request.reset(1).localInvalidate(window.rkey()).signaled());
    b.queuePair.post(b.request.reset(2).localInvalidate(window.rkey()).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 SUCCESS", "2 MW_BIND_ERR");
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
  }

  @ParameterizedTest
  @ValueSource(ints = {1, 0xFF})
  @Checks("WINDOW-INVALIDATE")
  void invalidatingAnOldKeyIsAnErrorAndTheWindowStaysBound(int behind) {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    int stale = (window.rkey() & ~0xFF) | ((window.rkey() - behind) & 0xFF);
    b.queuePair.post(b.request.reset(1).localInvalidate(stale).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 MW_BIND_ERR");
    assertErrno(Errno.EINVAL, () -> memory.region().close());
  }

  @Test
  @Checks("WINDOW-INVALIDATE")
  void anotherQueuePairDoesNotInvalidateAWindowOfTypeTwo() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    SecondConnection second = new SecondConnection(pair);
    second.b.queuePair.post(second.b.request.reset(1).localInvalidate(window.rkey()).signaled());
    pair.run();
    assertThat(second.b.poll()).containsExactly("1 MW_BIND_ERR");
    a.postWrite(2, a.memory(64, 9), 64, memory.address(), window.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
  }

  @Test
  @Checks({"S25", "WINDOW-INVALIDATE", "INVALIDATE-BEFORE-COMPLETION"})
  void thePeerTakesAWindowAwayWithItsSend() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    b.postEmptyReceive(10);
    a.queuePair.post(a.request.reset(1).sendWithInvalidate(window.rkey()).signaled());
    pair.run();
    WorkCompletion received = b.pollReceives().get(0);
    assertThat(received.withInvalidate()).isTrue();
    assertThat(received.withImmediate()).isFalse();
    assertThat(received.invalidatedRkey()).isEqualTo(window.rkey());
    memory.region().close();
    assertThat(a.pollSends()).hasSize(1);
    a.postWrite(2, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(2, memory, 1);
  }

  private void assertRemoteInvalidationRefused(int key) {
    b.postEmptyReceive(10);
    a.queuePair.post(a.request.reset(1).sendWithInvalidate(key).signaled());
    pair.run();
    assertThat(pair.journal.from("b").get(0).summary()).isEqualTo("ACK psn=0x000100 msn=0");
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(words(b.pollReceives())).containsExactly("10 REM_INV_REQ_ERR");
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
  }

  @Test
  @Checks({"S27", "WINDOW-INVALIDATE", "INVALIDATE-REFUSED"})
  void thePeerDoesNotTakeAWindowOfTypeOneAway() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    b.queuePair.bind(
        window, 3, MemoryWindowBinding.of(memory.region(), 0, 64, AccessFlags.of(WRITE)));
    assertRemoteInvalidationRefused(window.rkey());
    assertErrno(Errno.EINVAL, () -> memory.region().close());
  }

  @Test
  @Checks({"WINDOW-INVALIDATE", "INVALIDATE-REFUSED"})
  void thePeerDoesNotTakeAFreeWindowAway() {
    assertRemoteInvalidationRefused(b.window(MemoryWindowType.TYPE_2).rkey());
  }

  @Test
  @Checks({"WINDOW-INVALIDATE", "INVALIDATE-REFUSED"})
  void thePeerDoesNotTakeAWindowOfAnotherQueuePairAway() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    SecondConnection second = new SecondConnection(pair);
    second.b.queuePair.post(
        second
            .b
            .request
            .reset(80)
            .bindMemoryWindow(
                window,
                window.nextRkey(),
                MemoryWindowBinding.of(memory.region(), 0, 64, AccessFlags.of(WRITE))));
    assertRemoteInvalidationRefused(window.rkey());
  }

  @Test
  @Checks({"WINDOW-KEEPS-REGION", "INVALIDATE-REFUSED"})
  void thePeerDoesNotTakeARegionWithWindowsAway() {
    FastMemory fast = registeredWithWindow();
    assertRemoteInvalidationRefused(fast.key());
  }

  @Test
  @Checks("WINDOW-KEEPS-REGION")
  void aRegionWithWindowsIsNotInvalidatedByItsOwner() {
    FastMemory fast = registeredWithWindow();
    b.queuePair.post(b.request.reset(3).localInvalidate(fast.key()).signaled());
    pair.run();
    assertThat(b.pollSends())
        .singleElement()
        .satisfies(
            completion -> {
              assertThat(completion.status()).isEqualTo(CompletionStatus.MW_BIND_ERR);
              assertThat(completion.detail()).contains("windows are bound");
            });
  }

  @Test
  @Checks("WINDOW-KEEPS-REGION")
  void aFastRegistrationRegionWithWindowsIsNotClosed() {
    FastMemory fast = registeredWithWindow();
    assertErrno(Errno.EINVAL, fast.region()::close);
    assertThat(fast.region().isOpen()).isTrue();
  }

  private FastMemory registeredWithWindow() {
    FastMemory fast = b.fastMemory(64, 1);
    b.queuePair.post(
        b.request
            .reset(1)
            .registerMemory(
                fast.region(),
                fast.region().nextKey(),
                AccessFlag.LOCAL_WRITE,
                READ,
                AccessFlag.MW_BIND));
    MemoryWindow window = b.window(MemoryWindowType.TYPE_2);
    b.postBind(2, window, MemoryWindowBinding.of(fast.region(), 0, 64, AccessFlags.of(WRITE)));
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("2 SUCCESS");
    return fast;
  }

  // ---- lifetime ------------------------------------------------------------------------------

  @Test
  @Checks({"C08", "S49", "WINDOW-KEEPS-REGION"})
  void aRegionWithABoundWindowCantBeDeregisteredAndBothStayUsable() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    assertErrno(Errno.EINVAL, () -> memory.region().close());
    assertThat(memory.region().isOpen()).isTrue();
    a.postWrite(1, a.memory(64, 2), 64, memory.address(), window.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(memory.slice(0, 64)).containsOnly(2);

    b.queuePair.post(b.request.reset(2).localInvalidate(window.rkey()).signaled());
    pair.run();
    memory.region().close();
    assertThat(memory.region().isOpen()).isFalse();
    a.postWrite(3, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(3, memory, 2);
  }

  @Test
  @Checks({"S49", "WINDOW-CLOSE"})
  void closingABoundWindowUnbindsIt() {
    Memory memory = b.windowed(64, 1);
    MemoryWindow window = bound(memory, WRITE);
    window.close();
    window.close();
    assertThat(window.isOpen()).isFalse();
    memory.region().close();
    a.postWrite(1, a.memory(64, 9), 64, memory.address(), window.rkey());
    assertAccessRefused(1, memory, 1);
  }

  @Test
  @Checks({"S49", "PARENT-BUSY"})
  void aDomainWithAWindowIsBusy() {
    MemoryWindow window =
        b.context.allocateProtectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_1);
    assertErrno(Errno.EBUSY, window.protectionDomain()::close);
    assertThat(window.protectionDomain().isOpen()).isTrue();
    window.close();
    window.protectionDomain().close();
    assertErrno(
        Errno.EINVAL,
        () -> window.protectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_1));
  }

  @Test
  void theKeyOfAClosedWindowRestsBeforeItIsUsedAgain() {
    MemoryWindow first = b.window(MemoryWindowType.TYPE_2);
    int key = first.rkey();
    first.close();
    for (int i = 0; i < 1000; i++) {
      MemoryWindow next = b.window(MemoryWindowType.TYPE_2);
      assertThat(next.rkey() >>> 8).isNotEqualTo(key >>> 8);
      next.close();
    }
  }

  @Test
  void aDeviceGivesNoMoreWindowsThanItSays() {
    try (Pair small = Pair.connected(MemoryLimits.of(8, 2, 0))) {
      assertThat(small.a.context.queryDevice().maxMemoryWindows()).isEqualTo(2);
      MemoryWindow first = small.a.window(MemoryWindowType.TYPE_1);
      small.a.context.allocateProtectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
      assertErrno(Errno.ENOMEM, () -> small.a.window(MemoryWindowType.TYPE_1));
      first.close();
      small.a.window(MemoryWindowType.TYPE_1);
    }
  }

  @ParameterizedTest
  @CsvSource({"MEM_WINDOW, TYPE_1, TYPE_2", "MEM_WINDOW_TYPE_2B, TYPE_2, TYPE_1"})
  void aWindowNeedsTheCapabilityOfItsType(
      DeviceCapability missing, MemoryWindowType refused, MemoryWindowType offered) {
    try (Pair other = Pair.connected(DeviceProfile.strict().withoutCapability(missing))) {
      assertErrno(Errno.EOPNOTSUPP, () -> other.a.window(refused));
      assertThat(other.a.window(offered).type()).isEqualTo(offered);
    }
  }
}

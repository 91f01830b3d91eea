package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.CompletionOpcode;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Binding memory windows: what is legal, and what a refused bind leaves behind. */
class WindowBindTest {
  private static final AccessFlag WRITE = AccessFlag.REMOTE_WRITE;
  private static final AccessFlag READ = AccessFlag.REMOTE_READ;
  private static final AccessFlags WRITE_ONLY = AccessFlags.of(WRITE);

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;

  @AfterEach
  void close() {
    pair.close();
  }

  private MemoryWindow typeTwo() {
    return b.window(MemoryWindowType.TYPE_2);
  }

  private void assertBound(long id) {
    assertThat(b.pollSends())
        .singleElement()
        .satisfies(
            completion -> {
              assertThat(completion.id()).isEqualTo(id);
              assertThat(completion.opcode()).isEqualTo(CompletionOpcode.BIND_MW);
            });
  }

  /** The bind failed on the queue pair of {@code b}, and only there. */
  private void assertBindRefused(long id, String why) {
    List<WorkCompletion> completions = b.pollSends();
    assertThat(completions).hasSize(1);
    assertThat(completions.get(0).id()).isEqualTo(id);
    assertThat(completions.get(0).status().value()).isEqualTo(6);
    assertThat(completions.get(0).detail()).contains(why);
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
    assertThat(a.state()).isEqualTo(QueuePairState.RTS);
    assertThat(pair.journal.from("b")).isEmpty();
  }

  private void assertWriteThrough(MemoryWindow window, long address, int bytes, Memory target) {
    Memory source = a.memory(bytes, 0x5A);
    a.postWrite(90, source, bytes, address, window.rkey());
    pair.run();
    assertThat(a.pollSends()).extracting(c -> c.id() + " " + c.status()).contains("90 SUCCESS");
    int offset = (int) (address - target.address());
    assertThat(target.slice(offset, offset + bytes)).containsOnly(0x5A);
  }

  // ---- legal binds ---------------------------------------------------------------------------

  @Test
  @Checks({"S50", "BIND-ACCESS"})
  void theRegionNeedsNoRemoteRightOfItsOwn() {
    Memory memory = b.windowed(4096, 0);
    MemoryWindow window = typeTwo();
    b.postBind(1, window, memory, 1000, 2000, WRITE);
    pair.run();
    assertBound(1);
    assertWriteThrough(window, memory.address() + 1000, 2000, memory);
  }

  @ParameterizedTest
  @ValueSource(ints = {0, 1, 0x7F, 0xFF})
  @Checks({"S50", "C09", "BIND-KEY"})
  void everyLowByteOfTheNewKeyIsFine(int lowByte) {
    Memory memory = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    int key = (window.rkey() & ~0xFF) | lowByte;
    b.queuePair.post(
        b.request
            .reset(1)
            .bindMemoryWindow(
                window, key, MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY))
            .signaled());
    assertThat(window.rkey()).isEqualTo(key);
    pair.run();
    assertBound(1);
    assertWriteThrough(window, memory.address(), 64, memory);
  }

  @Test
  @Checks({"C09", "BIND-KEY"})
  void afterAnInvalidationTheSameKeyCanBeBoundAgain() {
    Memory memory = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    b.postBind(1, window, memory, 0, 64, WRITE);
    int key = window.rkey();
    b.queuePair.post(b.request.reset(2).localInvalidate(key).signaled());
    b.queuePair.post(
        b.request
            .reset(3)
            .bindMemoryWindow(
                window, key, MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY))
            .signaled());
    pair.run();
    assertThat(b.pollSends())
        .extracting(c -> c.id() + " " + c.status())
        .containsExactly("1 SUCCESS", "2 SUCCESS", "3 SUCCESS");
    assertWriteThrough(window, memory.address(), 64, memory);
  }

  @Test
  void aSendBehindTheBindMayTellTheKeyAtOnce() {
    Memory memory = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    a.postReceive(7, a.memory(64, 0));
    b.queuePair.post(
        b.request
            .reset(1)
            .bindMemoryWindow(
                window,
                window.nextRkey(),
                MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY)));
    b.postSend(2, b.memory(8, 1));
    pair.runFor(Pair.LATENCY_NANOS);
    assertThat(a.pollReceives()).hasSize(1);
    assertWriteThrough(window, memory.address(), 64, memory);
    assertThat(b.pollSends()).extracting(WorkCompletion::id).containsExactly(2L);
  }

  @Test
  void aFastRegistrationRegionCanBeTheRegionOfAWindow() {
    FastMemory fast = b.fastMemory(4096, 0);
    int key = fast.region().nextKey();
    b.queuePair.post(
        b.request
            .reset(1)
            .registerMemory(fast.region(), key, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND));
    MemoryWindow window = typeTwo();
    b.postBind(2, window, MemoryWindowBinding.of(fast.region(), 100, 64, WRITE_ONLY));
    pair.run();
    assertBound(2);
    a.postWrite(3, a.memory(64, 0x66), 64, fast.address() + 100, window.rkey());
    pair.run();
    assertThat(pair.completions("a")).containsExactly("RDMA_WRITE 3 SUCCESS @20000");
    assertThat(fast.memory().slice(100, 164)).containsOnly(0x66);
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void aZeroBasedWindowCountsItsAddressesFromItsFirstByte() {
    Memory memory = b.windowed(4096, 0);
    MemoryWindow window = typeTwo();
    b.postBind(
        1, window, memory, 1000, 128, WRITE, READ, AccessFlag.REMOTE_ATOMIC, AccessFlag.ZERO_BASED);
    pair.run();
    assertBound(1);
    a.postWrite(2, a.memory(64, 0x77), 64, 64, window.rkey());
    Memory sink = a.memory(8, 0);
    a.postRead(3, sink, 8, 64, window.rkey());
    Memory result = a.memory(8, 0);
    a.queuePair.post(
        a.request
            .reset(4)
            .fetchAndAdd(0, window.rkey(), 5)
            .segment(result.region(), 0, 8)
            .signaled());
    a.postWrite(5, a.memory(65, 1), 65, 64, window.rkey());
    pair.run();
    assertThat(a.pollSends())
        .extracting(c -> c.id() + " " + c.status())
        .containsExactly("2 SUCCESS", "3 SUCCESS", "4 SUCCESS", "5 REM_ACCESS_ERR");
    assertThat(memory.slice(1064, 1128)).containsOnly(0x77);
    assertThat(memory.bytes().get(1128)).isZero();
    assertThat(memory.bytes().get(1000)).isEqualTo((byte) 5);
    assertThat(sink.slice(0, 8)).containsOnly(0x77);
  }

  // ---- refused binds -------------------------------------------------------------------------

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_WRITE", "REMOTE_ATOMIC"})
  @Checks({"C09", "BIND-ACCESS"})
  void aWindowToWriteThroughNeedsARegionWithLocalWrite(AccessFlag right) {
    Memory readOnly = b.memory(64, 0, AccessFlag.MW_BIND, READ);
    b.postBind(1, typeTwo(), readOnly, 0, 64, right);
    assertBindRefused(1, "need local write access");
  }

  @Test
  @Checks("BIND-ACCESS")
  void aWindowToReadThroughNeedsNoLocalWrite() {
    Memory readOnly = b.memory(64, 3, AccessFlag.MW_BIND);
    MemoryWindow window = typeTwo();
    b.postBind(1, window, readOnly, 0, 64, READ);
    Memory sink = a.memory(64, 0);
    a.postRead(2, sink, 64, readOnly.address(), window.rkey());
    pair.run();
    assertThat(pair.completions("a")).containsExactly("RDMA_READ 2 SUCCESS @20000");
    assertThat(sink.slice(0, 64)).containsOnly(3);
  }

  @Test
  @Checks({"C09", "S50", "BIND-REGION"})
  void aRegionWithoutMwBindTakesNoWindow() {
    b.postBind(1, typeTwo(), b.memory(64, 0), 0, 64, WRITE);
    assertBindRefused(1, "without MW_BIND");
  }

  @Test
  @Checks({"C09", "S50", "BIND-DOMAIN"})
  void aRegionOfAnotherDomainIsRefused() {
    ProtectionDomain other = b.context.allocateProtectionDomain();
    MemoryWindowBinding foreign =
        MemoryWindowBinding.of(
            other.registerMemory(
                ByteBuffer.allocate(64), AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND),
            0,
            64,
            WRITE_ONLY);
    b.postBind(1, typeTwo(), foreign);
    assertBindRefused(1, "another protection domain");
  }

  @Test
  @Checks({"C09", "S50", "BIND-DOMAIN"})
  void aWindowOfAnotherDomainIsRefused() {
    MemoryWindow foreign =
        b.context.allocateProtectionDomain().allocateMemoryWindow(MemoryWindowType.TYPE_2);
    b.postBind(1, foreign, b.windowed(64, 0), 0, 64, WRITE);
    assertBindRefused(1, "another protection domain");
  }

  @ParameterizedTest
  @CsvSource({"0, 65", "1, 64", "64, 1", "-1, 1", "-1, 64", "0, -1", "1, -1", "-64, -64"})
  @Checks({"C09", "S50", "BIND-RANGE"})
  void aRangeThatLeavesTheRegionIsRefused(long offset, long length) {
    b.postBind(1, typeTwo(), b.windowed(64, 0), offset, length, WRITE);
    assertBindRefused(1, "leaves the region");
  }

  @Test
  @Checks({"C09", "BIND-STATE"})
  void aBoundWindowOfTypeTwoIsNotBoundAgainAndKeepsItsBinding() {
    Memory memory = b.windowed(64, 0);
    Memory other = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    SecondConnection second = new SecondConnection(pair);
    second.b.queuePair.post(
        second
            .b
            .request
            .reset(1)
            .bindMemoryWindow(
                window,
                window.nextRkey(),
                MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY))
            .signaled());
    int key = window.rkey();
    b.postBind(2, window, other, 0, 64, WRITE);
    assertBindRefused(2, "bound already");
    assertThat(window.rkey()).isEqualTo(key + 1);
    window.restoreRkey(key);

    second.a.queuePair.post(
        second
            .a
            .request
            .reset(3)
            .rdmaWrite(memory.address(), window.rkey())
            .segment(a.memory(64, 0x44).region(), 0, 64)
            .signaled());
    pair.run();
    assertThat(second.b.poll()).containsExactly("1 SUCCESS");
    assertThat(second.a.poll()).containsExactly("3 SUCCESS");
    assertThat(memory.slice(0, 64)).containsOnly(0x44);
  }

  @Test
  @Checks("BIND-STATE")
  void aWindowOfTypeTwoIsNotBoundToNothing() {
    b.postBind(1, typeTwo(), b.windowed(64, 0), 0, 0, WRITE);
    assertBindRefused(1, "to no bytes");
  }

  @Test
  @Checks("BIND-REGION")
  void aZeroBasedRegionTakesNoWindow() {
    Memory zeroBased =
        b.memory(64, 0, AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND, AccessFlag.ZERO_BASED);
    b.postBind(1, typeTwo(), zeroBased, 0, 64, WRITE);
    assertBindRefused(1, "zero-based region");
  }

  @Test
  @Checks("BIND-REGION")
  void aFreeRegionTakesNoWindow() {
    FastMemory free = b.fastMemory(64, 0);
    b.postBind(1, typeTwo(), MemoryWindowBinding.of(free.region(), 0, 64, WRITE_ONLY));
    assertBindRefused(1, "free state");
  }

  @Test
  @Checks("BIND-REGION")
  void aClosedRegionTakesNoWindow() {
    Memory memory = b.windowed(64, 0);
    MemoryWindowBinding binding = MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY);
    memory.region().close();
    b.postBind(1, typeTwo(), binding);
    assertBindRefused(1, "no region has this key");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Checks("BIND-REGION")
  void theRkeyOfARegionAndAWindowsKeyAreNoLkey(boolean rkey) {
    Memory memory = b.windowed(64, 0);
    int key = rkey ? memory.rkey() : typeTwo().rkey();
    b.postBind(
        1, typeTwo(), new MemoryWindowBinding(b.domain, key, memory.address(), 64, WRITE_ONLY));
    assertBindRefused(1, "no region has this key");
  }

  @ParameterizedTest
  @EnumSource(
      mode = EnumSource.Mode.EXCLUDE,
      names = {"REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC", "ZERO_BASED"})
  @Checks("BIND-ACCESS")
  void aWindowHasNoOtherRightsThanThoseOfAPeer(AccessFlag flag) {
    b.postBind(1, typeTwo(), b.windowed(64, 0), 0, 64, flag);
    assertBindRefused(1, "only remote read, write and atomic rights");
  }

  @Test
  @Checks({"S50", "BIND-KEY"})
  void aNewKeyWithAnotherIndexIsRefused() {
    MemoryWindow window = typeTwo();
    b.queuePair.post(
        b.request
            .reset(1)
            .bindMemoryWindow(
                window,
                window.rkey() + 0x100,
                MemoryWindowBinding.of(b.windowed(64, 0).region(), 0, 64, WRITE_ONLY))
            .signaled());
    assertBindRefused(1, "key");
  }

  @Test
  @Checks({"BIND-KEY", "BIND-NEW-KEY"})
  void aBindMustNameThePresentKeyOfTheWindow() {
    MemoryWindow window = typeTwo();
    window.restoreRkey(window.rkey() + 1);
    b.postBind(1, window, b.windowed(64, 0), 0, 64, WRITE);
    assertBindRefused(1, "another key by now");
  }

  @Test
  @Checks("BIND-KEY")
  void theKeyOfARegionIsNoWindow() {
    MemoryWindow window = typeTwo();
    Memory memory = b.windowed(64, 0);
    window.restoreRkey(memory.rkey());
    b.postBind(1, window, memory, 0, 64, WRITE);
    assertBindRefused(1, "not that of a window");
  }

  @Test
  void aWindowThatIsClosedBeforeItsBindRunsIsRefused() {
    MemoryWindow window = typeTwo();
    Memory source = b.memory(8, 1);
    Memory target = a.memory(8, 1);
    b.postRead(1, source, 8, target.address(), target.rkey());
    b.queuePair.post(
        b.request
            .reset(2)
            .bindMemoryWindow(
                window,
                window.nextRkey(),
                MemoryWindowBinding.of(b.windowed(64, 0).region(), 0, 64, WRITE_ONLY))
            .fenced()
            .signaled());
    window.close();
    pair.run();
    assertThat(pair.completions("b"))
        .containsExactly("RDMA_READ 1 SUCCESS @20000", "BIND_MW 2 MW_BIND_ERR @20000");
  }

  // ---- refused posts -------------------------------------------------------------------------

  private static void assertRefused(Errno errno, Runnable post) {
    assertThatThrownBy(post::run)
        .isInstanceOfSatisfying(
            PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(errno));
  }

  @Test
  void aRequestDoesNotBindAWindowOfTypeOne() {
    MemoryWindow window = b.window(MemoryWindowType.TYPE_1);
    int key = window.rkey();
    Memory memory = b.windowed(64, 0);
    assertRefused(Errno.EINVAL, () -> b.postBind(1, window, memory, 0, 64, WRITE));
    assertThat(window.rkey()).isEqualTo(key);
    assertThat(b.state()).isEqualTo(QueuePairState.RTS);
  }

  @Test
  void aRequestDoesNotBindAClosedOrForeignWindow() {
    Memory memory = b.windowed(64, 0);
    MemoryWindow closed = typeTwo();
    closed.close();
    assertRefused(Errno.EINVAL, () -> b.postBind(1, closed, memory, 0, 64, WRITE));
    MemoryWindow foreign = a.window(MemoryWindowType.TYPE_2);
    assertRefused(Errno.EINVAL, () -> b.postBind(1, foreign, memory, 0, 64, WRITE));
  }

  @Test
  void aBindTakesNoSegmentsAndNoInlineData() {
    Memory memory = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    MemoryWindowBinding binding = MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY);
    int key = window.rkey();
    assertRefused(
        Errno.EINVAL,
        () ->
            b.queuePair.post(
                b.request
                    .reset(1)
                    .bindMemoryWindow(window, key, binding)
                    .segment(memory.region(), 0, 8)));
    assertRefused(
        Errno.EINVAL,
        () ->
            b.queuePair.post(
                b.request
                    .reset(1)
                    .bindMemoryWindow(window, key, binding)
                    .inlineData(ByteBuffer.allocate(8))));
    assertThat(window.rkey()).isEqualTo(key);
  }

  @Test
  void bindsTakeSlotsOfTheSendQueue() {
    Memory memory = b.windowed(64, 0);
    MemoryWindowBinding binding = MemoryWindowBinding.of(memory.region(), 0, 64, WRITE_ONLY);
    for (int i = 0; i < 16; i++) {
      MemoryWindow window = typeTwo();
      b.queuePair.post(b.request.reset(i).bindMemoryWindow(window, window.nextRkey(), binding));
    }
    pair.run();
    assertRefused(Errno.ENOMEM, () -> b.postBind(17, typeTwo(), binding));
  }

  @Test
  void aBindPostedInErrorIsFlushedAndBindsNothing() {
    Memory memory = b.windowed(64, 0);
    MemoryWindow window = typeTwo();
    int before = window.rkey();
    b.modifyToError();
    b.postBind(1, window, memory, 0, 64, WRITE);
    assertThat(pair.completions("b")).containsExactly("BIND_MW 1 WR_FLUSH_ERR @0");
    assertThat(window.rkey()).isEqualTo(before + 1);
    window.restoreRkey(before);
    memory.region().close();
    assertThat(memory.region().isOpen()).isFalse();
  }
}

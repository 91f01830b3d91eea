package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.ConnectionSetup;
import io.roceverbs.sim.conformance.Side.FastMemory;
import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.QueuePairState;
import io.roceverbs.verbs.SendRequest;
import io.roceverbs.verbs.WorkCompletion;
import java.nio.ByteBuffer;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The life of a fast registration region, and what implementers get wrong about keys. */
class FastRegistrationTest {
  private static final AccessFlags ALL =
      AccessFlags.of(
          AccessFlag.LOCAL_WRITE,
          AccessFlag.REMOTE_WRITE,
          AccessFlag.REMOTE_READ,
          AccessFlag.REMOTE_ATOMIC);

  private final Pair pair = Pair.connected();
  private final Side a = pair.a;
  private final Side b = pair.b;

  @AfterEach
  void close() {
    pair.close();
  }

  private FastMemory registered(Side side, int bytes, int fill) {
    FastMemory memory = side.fastMemory(bytes, fill);
    side.postRegister(9, memory);
    pair.run();
    assertThat(words(side.pollSends())).containsExactly("9 SUCCESS");
    return memory;
  }

  private SendRequest register(FastMemory memory, int key, AccessFlags access) {
    return new SendRequest().reset(5).registerMemory(memory.region(), key, access).signaled();
  }

  // ---- registering ---------------------------------------------------------------------------

  @Test
  @Checks({"S29", "LOCAL-ONCE"})
  void aRegistrationAndASendOutOfTheRegionRunInOnePostedList() {
    FastMemory memory = a.fastMemory(64, 0x21);
    Memory received = b.memory(64, 0);
    b.postReceive(10, received);
    int key = memory.region().nextKey();
    SendRequest send = new SendRequest().reset(6).send().segment(memory.region(), 0, 64).signaled();
    a.queuePair.post(register(memory, key, ALL).next(send));
    pair.run();
    assertThat(pair.completions("a"))
        .containsExactly("REG_MR 5 SUCCESS @0", "SEND 6 SUCCESS @20000");
    assertThat(received.slice(0, 64)).containsOnly(0x21);
  }

  @Test
  @Checks({"S29", "C07"})
  void aRegistrationOfARegisteredRegionFailsAndTheOldKeyStays() {
    FastMemory memory = registered(b, 64, 0);
    int key = memory.key();
    SecondConnection second = new SecondConnection(pair);
    b.postRegister(1, memory);
    b.postSend(2, b.memory(8, 0));
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 MW_BIND_ERR", "2 WR_FLUSH_ERR");
    assertThat(b.state()).isEqualTo(QueuePairState.ERR);
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(3)
            .rdmaWrite(memory.address(), key)
            .segment(a.memory(64, 7).region(), 0, 64)
            .signaled());
    pair.run();
    assertThat(second.a.poll()).containsExactly("3 SUCCESS");
    assertThat(memory.memory().slice(0, 64)).containsOnly(7);
  }

  @Test
  void aRegistrationOnAQueuePairOfAnotherDomainFails() {
    SecondConnection foreign =
        new SecondConnection(pair, a.domain, b.context.allocateProtectionDomain());
    FastMemory memory = b.fastMemory(64, 0);
    foreign.b.queuePair.post(register(memory, memory.region().nextKey(), ALL));
    pair.run();
    assertThat(foreign.b.poll()).containsExactly("5 MW_BIND_ERR");
  }

  @Test
  void aKeyWithAnotherIndexIsNotRegistered() {
    FastMemory memory = b.fastMemory(64, 0);
    b.queuePair.post(register(memory, memory.key() + 0x100, ALL));
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("5 MW_BIND_ERR");
  }

  @Test
  void aLocalRegistrationIsASinkForReadsAndNothingForThePeer() {
    FastMemory sink = a.fastMemory(64, 0);
    Memory source = b.memory(64, 8);
    a.queuePair.post(
        register(sink, sink.region().nextKey(), AccessFlags.of(AccessFlag.LOCAL_WRITE)));
    a.queuePair.post(
        a.request
            .reset(6)
            .rdmaRead(source.address(), source.rkey())
            .segment(sink.region(), 0, 64)
            .signaled());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("5 SUCCESS", "6 SUCCESS");
    assertThat(sink.memory().slice(0, 64)).containsOnly(8);
    b.postWrite(7, source, 64, sink.address(), sink.key());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("7 REM_ACCESS_ERR");
  }

  @Test
  void aZeroBasedMappingCountsFromItsFirstByte() {
    ByteBuffer data = ByteBuffer.allocate(8192);
    FastRegistrationRegion region = b.domain.allocateFastRegistrationRegion(2);
    region.map(0, data);
    b.queuePair.post(b.request.reset(1).registerMemory(region, region.nextKey(), ALL).signaled());
    a.postWrite(2, a.memory(100, 3), 100, 8092, region.rkey());
    a.postWrite(3, a.memory(101, 3), 101, 8092, region.rkey());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS", "3 REM_ACCESS_ERR");
    assertThat(data.get(8191)).isEqualTo((byte) 3);
  }

  // ---- keys ----------------------------------------------------------------------------------

  @Test
  @Checks({"S30", "KEY-CHECK-ORDER"})
  void theKeyOfAnEarlierRegistrationIsRefused() {
    FastMemory memory = registered(b, 64, 0);
    int old = memory.key();
    b.queuePair.post(b.request.reset(1).localInvalidate(old));
    b.postRegister(2, memory);
    pair.run();
    a.postWrite(3, a.memory(64, 9), 64, memory.address(), old);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("3 REM_ACCESS_ERR");
    assertThat(memory.memory().slice(0, 64)).containsOnly(0);
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
  }

  @Test
  void aStaleAccessUnderAKeyThatDidNotChangeHitsTheNewMapping() {
    FastMemory memory = registered(b, 64, 0);
    ByteBuffer next = ByteBuffer.allocate(64);
    int key = memory.key();
    long address = memory.address();
    b.queuePair.post(b.request.reset(1).localInvalidate(key));
    memory.region().map(address, next);
    b.queuePair.post(register(memory, key, ALL));
    pair.run();
    a.postWrite(3, a.memory(64, 9), 64, address, key);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("3 SUCCESS");
    assertThat(next.get(63)).isEqualTo((byte) 9);
    assertThat(memory.memory().slice(0, 64)).containsOnly(0);
  }

  @Test
  @Checks({"S24", "DUPLICATE-ACK"})
  void aRepeatedInvalidationLeavesTheSameKeyAloneThatWasRegisteredAgain() {
    FastMemory memory = registered(b, 64, 0);
    int key = memory.key();
    b.postEmptyReceive(10);
    pair.impair("drop:b>a/ACK#1");
    a.queuePair.post(a.request.reset(1).sendWithInvalidate(key).signaled());
    pair.runFor(Pair.LATENCY_NANOS);
    assertThat(b.pollReceives().get(0).invalidatedRkey()).isEqualTo(key);
    b.queuePair.post(register(memory, key, ALL));
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    a.postWrite(2, a.memory(64, 4), 64, memory.address(), key);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
    assertThat(memory.memory().slice(0, 64)).containsOnly(4);
  }

  // ---- invalidating --------------------------------------------------------------------------

  @ParameterizedTest
  @CsvSource({"1, another key by now", "256, no region has this key index"})
  void onlyTheWholeCurrentKeyIsInvalidated(int difference, String why) {
    FastMemory memory = registered(b, 64, 0);
    b.queuePair.post(b.request.reset(1).localInvalidate(memory.key() + difference).signaled());
    pair.run();
    assertThat(b.pollSends().get(0).detail()).contains(why);
  }

  @Test
  void aUserRegionIsNotInvalidated() {
    Memory memory = b.memory(64, 0);
    b.queuePair.post(b.request.reset(1).localInvalidate(memory.rkey()).signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 MW_BIND_ERR");
  }

  @Test
  void aRegionOfAnotherDomainIsNotInvalidated() {
    FastMemory memory = registered(b, 64, 0);
    SecondConnection foreign =
        new SecondConnection(pair, a.domain, b.context.allocateProtectionDomain());
    foreign.b.queuePair.post(foreign.b.request.reset(1).localInvalidate(memory.key()).signaled());
    pair.run();
    assertThat(foreign.b.poll()).containsExactly("1 MW_BIND_ERR");
    a.postWrite(2, a.memory(64, 4), 64, memory.address(), memory.key());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("2 SUCCESS");
  }

  @Test
  @Checks("DUPLICATE-ACK")
  void afterTheInvalidationNoRepeatedWriteLands() {
    FastMemory memory = registered(b, 64, 0);
    pair.impair("drop:b>a/ACK#1");
    a.postWrite(1, a.memory(64, 4), 64, memory.address(), memory.key());
    pair.runFor(Pair.LATENCY_NANOS);
    b.queuePair.post(b.request.reset(2).localInvalidate(memory.key()).signaled());
    memory.memory().fill(9);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(memory.memory().slice(0, 64)).containsOnly(9);
  }

  @Test
  @Checks("FLUSH-IN-ORDER")
  void flushedOperationsDoNothing() {
    FastMemory valid = registered(b, 64, 0);
    FastMemory free = b.fastMemory(64, 0);
    b.modifyToError();
    b.queuePair.post(b.request.reset(1).localInvalidate(valid.key()));
    b.postRegister(2, free);
    SecondConnection second = new SecondConnection(pair);
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(3)
            .rdmaWrite(valid.address(), valid.key())
            .segment(a.memory(8, 7).region(), 0, 8)
            .signaled());
    second.a.queuePair.post(
        second
            .a
            .request
            .reset(4)
            .rdmaWrite(free.address(), free.key())
            .segment(a.memory(8, 7).region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(words(b.pollSends())).containsExactly("1 WR_FLUSH_ERR", "2 WR_FLUSH_ERR");
    assertThat(second.a.poll()).containsExactly("3 SUCCESS", "4 REM_ACCESS_ERR");
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  void aRegionIsClosedInEveryState(boolean valid) {
    FastMemory memory = valid ? registered(b, 64, 0) : b.fastMemory(64, 0);
    memory.region().close();
    a.postWrite(1, a.memory(8, 1), 8, memory.address(), memory.key());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
  }

  // ---- one line each -------------------------------------------------------------------------

  @Test
  @Checks({"S23", "DUPLICATE-READ"})
  void aRepeatedReadWhoseRegionWasInvalidatedIsRefused() {
    FastMemory memory = registered(b, 64, 1);
    pair.impair("drop:b>a/READ_RESPONSE#1");
    a.postRead(1, a.memory(64, 0), 64, memory.address(), memory.key());
    pair.runFor(2 * Pair.LATENCY_NANOS);
    b.queuePair.post(b.request.reset(2).localInvalidate(memory.key()));
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertThat(pair.journal.words("b"))
        .containsExactly("READ_RESPONSE_ONLY 000100", "NAK(REMOTE_ACCESS_ERROR) 000100");
    assertThat(b.pollEvents()).isEmpty();
  }

  @Test
  @Checks({"S31", "C45"})
  void twoBytesFromTheLastAddressOnAreOutsideOfEveryRegion() {
    ByteBuffer last = ByteBuffer.allocate(4096);
    int rkey = b.domain.registerMemory(last, -4096, ALL).rkey();
    a.postWrite(1, a.memory(2, 5), 1, -1, rkey);
    a.postWrite(2, a.memory(2, 5), 2, -1, rkey);
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS", "2 REM_ACCESS_ERR");
    assertThat(last.get(4095)).isEqualTo((byte) 5);
    assertThat(last.get(0)).isZero();
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ"})
  @Checks({"S32", "C13", "KEY-ZERO-LENGTH"})
  void nothingAtAWildAddressWithKeyZeroNeedsOnlyTheRightOfTheQueuePair(String operation) {
    zeroLength(pair, operation);
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(pair.journal.psns("a")).containsExactly(0x100);

    ConnectionSetup without = withoutRight(right(operation));
    try (Pair other = Pair.connected(Pair.setup(), without)) {
      zeroLength(other, operation);
      assertThat(words(other.a.pollSends())).containsExactly("1 REM_INV_REQ_ERR");
    }
  }

  private static void zeroLength(Pair pair, String operation) {
    SendRequest request = pair.a.request.reset(1);
    if (operation.equals("WRITE")) {
      request.rdmaWrite(0xDEAD_BEEF_0000_0003L, 0);
    } else {
      request.rdmaRead(0xDEAD_BEEF_0000_0003L, 0);
    }
    pair.a.queuePair.post(request.signaled());
    pair.run();
  }

  private static AccessFlag right(String operation) {
    return switch (operation) {
      case "WRITE" -> AccessFlag.REMOTE_WRITE;
      case "READ" -> AccessFlag.REMOTE_READ;
      case "FETCH_ADD" -> AccessFlag.REMOTE_ATOMIC;
      default -> throw new AssertionError(operation);
    };
  }

  private static ConnectionSetup withoutRight(AccessFlag missing) {
    Set<AccessFlag> rights =
        EnumSet.of(AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ, AccessFlag.REMOTE_ATOMIC);
    rights.remove(missing);
    return Pair.setup().withAccess(AccessFlags.of(rights.toArray(new AccessFlag[0])));
  }

  @Test
  @Checks("C13")
  void aWriteOfNothingWithImmediateTakesAReceive() {
    b.postReceive(10, b.memory(64, 3));
    a.queuePair.post(a.request.reset(1).rdmaWriteWithImmediate(7, 0xDEADBEEF, 0x55).signaled());
    pair.run();
    assertThat(words(a.pollSends())).containsExactly("1 SUCCESS");
    WorkCompletion received = b.pollReceives().get(0);
    assertThat(received.byteLength()).isZero();
    assertThat(received.immediate()).isEqualTo(0x55);
  }

  @ParameterizedTest
  @ValueSource(strings = {"WRITE", "READ", "FETCH_ADD"})
  @Checks("S33")
  void theMissingRightOfTheQueuePairIsAnotherFaultThanThatOfTheRegion(String operation) {
    Memory bare = b.memory(8, 0, AccessFlag.LOCAL_WRITE);
    post(pair, operation, bare);
    assertThat(words(a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertThat(b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
    try (Pair other = Pair.connected(Pair.setup(), withoutRight(right(operation)))) {
      post(other, operation, other.b.memory(8, 0));
      assertThat(words(other.a.pollSends())).containsExactly("1 REM_INV_REQ_ERR");
      assertThat(other.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
    }
  }

  private static void post(Pair pair, String operation, Memory remote) {
    SendRequest request = pair.a.request.reset(1);
    switch (operation) {
      case "WRITE" -> request.rdmaWrite(remote.address(), remote.rkey());
      case "READ" -> request.rdmaRead(remote.address(), remote.rkey());
      case "FETCH_ADD" -> request.fetchAndAdd(remote.address(), remote.rkey(), 1);
      default -> throw new AssertionError(operation);
    }
    pair.a.queuePair.post(request.segment(pair.a.memory(8, 1).region(), 0, 8).signaled());
    pair.run();
    assertThat(remote.slice(0, 8)).containsOnly(0);
  }
}

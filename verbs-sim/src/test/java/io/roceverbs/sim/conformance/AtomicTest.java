package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AsyncEventType;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.QueuePairState;
import java.nio.ByteOrder;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** FETCH_ADD and COMPARE_SWAP: executed once, whatever is lost, on the integers of the host. */
class AtomicTest {
  private static long word(Side.Memory memory) {
    return memory.bytes().order(ByteOrder.LITTLE_ENDIAN).getLong(0);
  }

  private static void word(Side.Memory memory, long value) {
    memory.bytes().order(ByteOrder.LITTLE_ENDIAN).putLong(0, value);
  }

  /** Both sides ours. */
  @Nested
  class BetweenTwoSides {
    private final Pair pair = Pair.connected();
    private final Side.Memory remote = pair.b.memory(16, 0);
    private final Side.Memory result = pair.a.memory(8, 0xEE);

    @AfterEach
    void close() {
      pair.close();
    }

    private void fetchAndAdd(long id, long add) {
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(id)
              .fetchAndAdd(remote.address(), remote.rkey(), add)
              .segment(result.region(), 0, 8)
              .signaled());
    }

    private void compareAndSwap(long id, long compare, long swap) {
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(id)
              .compareAndSwap(remote.address(), remote.rkey(), compare, swap)
              .segment(result.region(), 0, 8)
              .signaled());
    }

    @Test
    @Checks({"C71", "ATOMIC-ONCE"})
    void anAtomicWhoseAnswerIsLostOnceIsExecutedOnce() {
      word(remote, 5);
      pair.impair("drop:b>a/ATOMIC_RESPONSE#1");
      fetchAndAdd(1, 3);
      pair.run();

      assertThat(word(result)).isEqualTo(5);
      assertThat(word(remote)).isEqualTo(8);
      assertThat(pair.completions("a"))
          .containsExactly("ATOMIC_FETCH_AND_ADD 1 SUCCESS @" + (Pair.ACK_TIMEOUT_NANOS + 20_000));
      assertThat(pair.journal.words("a")).containsExactly("FETCH_ADD 000100", "FETCH_ADD 000100");
      assertThat(pair.journal.words("b"))
          .containsExactly("ATOMIC_ACKNOWLEDGE 000100", "ATOMIC_ACKNOWLEDGE 000100");
      assertThat(pair.b.node.transport().duplicateRequests()).isEqualTo(1);
    }

    @Test
    @Checks({"C71", "ATOMIC-ONCE", "S22"})
    void anAtomicWhoseAnswerIsLostTwiceIsExecutedOnce() {
      word(remote, 8);
      pair.impair("drop:b>a/ATOMIC_RESPONSE#1-2");
      compareAndSwap(1, 8, 1);
      pair.run();

      assertThat(word(result)).isEqualTo(8);
      assertThat(word(remote)).isEqualTo(1);
      assertThat(pair.completions("a"))
          .containsExactly(
              "ATOMIC_CMP_AND_SWP 1 SUCCESS @" + (2 * Pair.ACK_TIMEOUT_NANOS + 20_000));
      assertThat(pair.journal.psns("a")).containsExactly(0x100, 0x100, 0x100);
    }

    @Test
    @Checks({"ATOMIC-HOST-ORDER", "C73"})
    void theOperandIsTheHostsInteger() {
      word(remote, 0x0102030405060708L);
      fetchAndAdd(1, 1);
      pair.run();

      assertThat(result.slice(0, 8)).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
      assertThat(remote.slice(0, 8)).containsExactly(9, 7, 6, 5, 4, 3, 2, 1);
      assertThat(pair.a.pollSends())
          .singleElement()
          .satisfies(completion -> assertThat(completion.byteLength()).isEqualTo(8));
    }

    @Test
    @Checks("ATOMIC-HOST-ORDER")
    void anAdditionWrapsAndTouchesOnlyItsEightBytes() {
      word(remote, -1L);
      fetchAndAdd(1, 2);
      pair.run();
      assertThat(word(result)).isEqualTo(-1L);
      assertThat(word(remote)).isEqualTo(1L);
      assertThat(remote.slice(8, 16)).containsOnly(0);
    }

    @Test
    @Checks("ATOMIC-ONCE")
    void aSwapThatFindsAnotherValueChangesNothing() {
      word(remote, 5);
      compareAndSwap(1, 4, 9);
      pair.run();
      assertThat(word(result)).isEqualTo(5);
      assertThat(word(remote)).isEqualTo(5);
      assertThat(pair.completions("a")).containsExactly("ATOMIC_CMP_AND_SWP 1 SUCCESS @20000");
    }

    @Test
    @Checks("ATOMIC-ONCE")
    void atomicsInFlightAreExecutedInOrder() {
      fetchAndAdd(1, 1);
      compareAndSwap(2, 1, 7);
      fetchAndAdd(3, 1);
      pair.run();
      assertThat(word(remote)).isEqualTo(8);
      assertThat(word(result)).isEqualTo(7);
      assertThat(pair.completions("a"))
          .containsExactly(
              "ATOMIC_FETCH_AND_ADD 1 SUCCESS @20000",
              "ATOMIC_CMP_AND_SWP 2 SUCCESS @20000",
              "ATOMIC_FETCH_AND_ADD 3 SUCCESS @20000");
    }

    @Test
    @Checks("ATOMIC-HOST-ORDER")
    void anAddressThatIsNoMultipleOfEightIsRefusedAtPost() {
      assertThatThrownBy(
              () ->
                  pair.a.queuePair.post(
                      pair.a
                          .request
                          .reset(1)
                          .fetchAndAdd(remote.address() + 4, remote.rkey(), 1)
                          .segment(result.region(), 0, 8)))
          .isInstanceOfSatisfying(
              PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
      assertThat(pair.a.state()).isEqualTo(QueuePairState.RTS);
      assertThat(pair.journal.all()).isEmpty();
    }

    @Test
    @Checks({"KEY-CHECK-ORDER", "FAULT-REPORT", "S33"})
    void aRegionWithoutTheRightRefusesTheAtomic() {
      Side.Memory closed =
          pair.b.memory(
              8, 0, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE, AccessFlag.REMOTE_READ);
      pair.a.queuePair.post(
          pair.a
              .request
              .reset(1)
              .fetchAndAdd(closed.address(), closed.rkey(), 1)
              .segment(result.region(), 0, 8)
              .signaled());
      pair.run();
      assertThat(pair.completions("a"))
          .containsExactly("ATOMIC_FETCH_AND_ADD 1 REM_ACCESS_ERR @20000");
      assertThat(pair.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
      assertThat(word(closed)).isZero();
      assertThat(result.slice(0, 8)).containsOnly(0xEE);
    }
  }

  /** Atomics made by hand. */
  @Nested
  class AtTheResponder {
    private final RawPeer raw = RawPeer.connected();
    private final Side.Memory memory = raw.b.memory(16, 0);

    @AfterEach
    void close() {
      raw.close();
    }

    private void fetchAndAdd(int psn, long offset, long add) {
      raw.send(Opcode.RC_FETCH_ADD, psn, RawPeer.fetchAdd(memory, offset, add));
    }

    @Test
    @Checks("ATOMIC-HOST-ORDER")
    void theAnswerCarriesTheIntegerMostSignificantByteFirst() {
      word(memory, 0x0102030405060708L);
      fetchAndAdd(0x000100, 0, 1);
      raw.run();
      assertThat(raw.received())
          .containsExactly("ATOMIC_ACKNOWLEDGE psn=0x000100 msn=1 original=0x102030405060708");
    }

    @Test
    @Checks({"ATOMIC-ONCE", "S22"})
    void aRepeatedAtomicGivesTheSavedResultThoughMemoryAndKeyHaveChanged() {
      word(memory, 5);
      fetchAndAdd(0x000100, 0, 3);
      raw.run();
      word(memory, 77);
      memory.region().close();
      fetchAndAdd(0x000100, 0, 3);
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ATOMIC_ACKNOWLEDGE psn=0x000100 msn=1 original=0x5",
              "ATOMIC_ACKNOWLEDGE psn=0x000100 msn=1 original=0x5");
      assertThat(word(memory)).isEqualTo(77);
      assertThat(raw.b.state()).isEqualTo(QueuePairState.RTS);
      assertThat(raw.b.pollEvents()).isEmpty();
    }

    @Test
    @Checks("ATOMIC-ONCE")
    void asManyResultsAreKeptAsWereAgreed() {
      for (int i = 0; i < 5; i++) {
        fetchAndAdd(0x000100 + i, 0, 1);
      }
      raw.run();
      raw.clear();
      for (int i = 0; i < 5; i++) {
        fetchAndAdd(0x000100 + i, 0, 1);
      }
      raw.run();

      assertThat(raw.received())
          .containsExactly(
              "ATOMIC_ACKNOWLEDGE psn=0x000101 msn=2 original=0x1",
              "ATOMIC_ACKNOWLEDGE psn=0x000102 msn=3 original=0x2",
              "ATOMIC_ACKNOWLEDGE psn=0x000103 msn=4 original=0x3",
              "ATOMIC_ACKNOWLEDGE psn=0x000104 msn=5 original=0x4");
      assertThat(word(memory)).isEqualTo(5);
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 4, 7})
    @Checks("FAULT-REPORT")
    void anAddressThatIsNoMultipleOfEightIsAnInvalidRequest(long offset) {
      fetchAndAdd(0x000100, offset, 1);
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(INVALID_REQUEST) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_REQ_ERR);
      assertThat(memory.slice(0, 16)).containsOnly(0);
    }

    @ParameterizedTest
    @ValueSource(longs = {16, -8, Long.MIN_VALUE})
    @Checks({"C45", "FAULT-REPORT"})
    void anAtomicOutsideItsRegionIsRefused(long offset) {
      fetchAndAdd(0x000100, offset, 1);
      raw.run();
      assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
      assertThat(raw.b.pollEvents()).containsExactly(AsyncEventType.QP_ACCESS_ERR);
      assertThat(memory.slice(0, 16)).containsOnly(0);
    }
  }
}

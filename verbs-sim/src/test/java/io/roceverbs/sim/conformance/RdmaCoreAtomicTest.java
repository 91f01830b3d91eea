package io.roceverbs.sim.conformance;

import static io.roceverbs.sim.conformance.Outcomes.words;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.roceverbs.sim.conformance.Side.Memory;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.PostException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** The rows of rdma-core's test_atomic.py. */
class RdmaCoreAtomicTest {
  private Pair pair = Pair.connected();

  @AfterEach
  void close() {
    pair.close();
  }

  private void compareAndSwap(Memory remote, long compare, long swap, Memory result) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .compareAndSwap(remote.address(), remote.rkey(), compare, swap)
            .segment(result.region(), 0, 8)
            .signaled());
    pair.run();
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
  }

  private void fetchAndAdd(long address, int rkey, Memory result, int lkey) {
    pair.a.queuePair.post(
        pair.a
            .request
            .reset(1)
            .fetchAndAdd(address, rkey, 0x0101010101010101L)
            .segment(result.address(), 8, lkey)
            .signaled());
    pair.run();
  }

  @Test
  @Checks("AtomicTest.test_atomic_cmp_and_swap")
  void aMismatchLeavesMemoryAloneAndAMatchSwaps() {
    Memory remote = pair.b.memory(8, 2);
    Memory result = pair.a.memory(8, 0);
    compareAndSwap(remote, 0x0303030303030303L, 0x0404040404040404L, result);
    assertThat(result.slice(0, 8)).containsOnly(2);
    assertThat(remote.slice(0, 8)).containsOnly(2);
    result.fill(0);
    compareAndSwap(remote, 0x0202020202020202L, 0x0404040404040404L, result);
    assertThat(result.slice(0, 8)).containsOnly(2);
    assertThat(remote.slice(0, 8)).containsOnly(4);
  }

  @Test
  @Checks("AtomicTest.test_atomic_fetch_and_add")
  void theSumIsStoredAndTheOldValueComesBack() {
    Memory remote = pair.b.memory(8, 2);
    Memory result = pair.a.memory(8, 0);
    fetchAndAdd(remote.address(), remote.rkey(), result, result.lkey());
    assertThat(words(pair.a.pollSends())).containsExactly("1 SUCCESS");
    assertThat(result.slice(0, 8)).containsOnly(2);
    assertThat(remote.slice(0, 8)).containsOnly(3);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_qp_access")
  void aQueuePairWithoutTheRightRefuses() {
    pair.close();
    pair =
        Pair.connected(
            Pair.setup(), Pair.setup().withAccess(AccessFlags.of(AccessFlag.REMOTE_WRITE)));
    Memory remote = pair.b.memory(8, 2);
    Memory result = pair.a.memory(8, 0);
    fetchAndAdd(remote.address(), remote.rkey(), result, result.lkey());
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_INV_REQ_ERR");
    assertThat(remote.slice(0, 8)).containsOnly(2);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_mr_access")
  void aRegionWithoutTheRightRefuses() {
    Memory remote = pair.b.memory(8, 2, AccessFlag.LOCAL_WRITE);
    Memory result = pair.a.memory(8, 0);
    fetchAndAdd(remote.address(), remote.rkey(), result, result.lkey());
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertThat(remote.slice(0, 8)).containsOnly(2);
  }

  @Test
  @Checks("AtomicTest.test_atomic_non_aligned_addr")
  void anAddressThatIsNotAlignedIsRefusedAtPost() {
    Memory remote = pair.b.memory(16, 2);
    Memory result = pair.a.memory(8, 0);
    assertThatThrownBy(
            () -> fetchAndAdd(remote.address() + 1, remote.rkey(), result, result.lkey()))
        .isInstanceOfSatisfying(
            PostException.class, refusal -> assertThat(refusal.errno()).isEqualTo(Errno.EINVAL));
    assertThat(remote.slice(0, 16)).containsOnly(2);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_lkey")
  void aBadLkeyFailsWhenTheResultReturnsAndTheMemoryHasChanged() {
    Memory remote = pair.b.memory(8, 2);
    Memory result = pair.a.memory(8, 0);
    fetchAndAdd(remote.address(), remote.rkey(), result, result.lkey() + 1);
    assertThat(words(pair.a.pollSends())).containsExactly("1 LOC_PROT_ERR");
    assertThat(remote.slice(0, 8)).containsOnly(3);
    assertThat(result.slice(0, 8)).containsOnly(0);
  }

  @Test
  @Checks("AtomicTest.test_atomic_invalid_rkey")
  void aBadRkeyIsRefused() {
    Memory remote = pair.b.memory(8, 2);
    Memory result = pair.a.memory(8, 0);
    fetchAndAdd(remote.address(), remote.rkey() + 1, result, result.lkey());
    assertThat(words(pair.a.pollSends())).containsExactly("1 REM_ACCESS_ERR");
    assertThat(remote.slice(0, 8)).containsOnly(2);
  }
}

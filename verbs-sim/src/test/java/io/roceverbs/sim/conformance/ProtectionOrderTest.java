package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.wire.Opcode;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.FastRegistrationRegion;
import io.roceverbs.verbs.MemoryRegion;
import io.roceverbs.verbs.ProtectionDomain;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/**
 * The order of the checks of a key, seen in the words of the failed receive: each key here also
 * fails all checks behind the one that is reported.
 */
@Checks("KEY-CHECK-ORDER")
class ProtectionOrderTest {
  private static final AccessFlag[] NO_REMOTE_WRITE = {
    AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_READ
  };

  private final RawPeer raw = RawPeer.connected();
  private final ByteBuffer bytes = ByteBuffer.allocate(64);

  @AfterEach
  void close() {
    raw.close();
  }

  private void assertReported(int rkey, long address, String reason) {
    raw.b.postEmptyReceive(1);
    raw.clear();
    raw.send(
        Opcode.RC_WRITE_ONLY_WITH_IMMEDIATE, RawPeer.PSN, 8, 1, RawPeer.reth(address, rkey, 8));
    raw.run();
    assertThat(raw.received()).containsExactly("NAK(REMOTE_ACCESS_ERROR) psn=0x000100 msn=0");
    assertThat(raw.b.pollReceives())
        .singleElement()
        .satisfies(
            completion -> {
              assertThat(completion.status().value()).isEqualTo(8);
              assertThat(completion.detail()).endsWith(reason);
            });
    assertThat(bytes.array()).containsOnly(0);
  }

  private FastRegistrationRegion registeredThenInvalidated(
      ProtectionDomain domain, AccessFlag... access) {
    FastRegistrationRegion region = domain.allocateFastRegistrationRegion(1);
    region.map(bytes);
    int key = region.nextKey();
    raw.b.queuePair.post(raw.b.request.reset(100).registerMemory(region, key, access));
    raw.b.queuePair.post(raw.b.request.reset(101).localInvalidate(key).signaled());
    assertThat(raw.completions()).containsExactly("LOCAL_INV 101 SUCCESS");
    return region;
  }

  @Test
  void firstTheIndex() {
    MemoryRegion gone = raw.b.domain.registerMemory(bytes, NO_REMOTE_WRITE);
    gone.close();
    assertReported(gone.rkey(), -1L, "no region has this key index");
  }

  @Test
  void thenTheWholeKeyBeforeTheDomain() {
    ProtectionDomain other = raw.b.context.allocateProtectionDomain();
    MemoryRegion region = other.registerMemory(bytes, NO_REMOTE_WRITE);
    assertReported(region.rkey() ^ 1, -1L, "the region of this key index has another key by now");
  }

  @Test
  void anLkeyIsNamedForWhatItIs() {
    MemoryRegion region = raw.b.domain.registerMemory(bytes, NO_REMOTE_WRITE);
    assertReported(region.lkey(), -1L, "this is the region's lkey; the peer needs its rkey");
  }

  @Test
  void thenTheDomainBeforeTheRight() {
    ProtectionDomain other = raw.b.context.allocateProtectionDomain();
    MemoryRegion region = other.registerMemory(bytes, NO_REMOTE_WRITE);
    assertReported(
        region.rkey(), -1L, "the region belongs to another protection domain than the queue pair");
  }

  @Test
  void thenTheRightBeforeTheState() {
    FastRegistrationRegion region = registeredThenInvalidated(raw.b.domain, NO_REMOTE_WRITE);
    assertReported(
        region.rkey(), -1L, "the region was registered without the right that this access needs");
  }

  @Test
  void thenTheStateBeforeTheRange() {
    FastRegistrationRegion region =
        registeredThenInvalidated(raw.b.domain, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    assertReported(
        region.rkey(), -1L, "the region is in the free state: invalidated, or not registered yet");
  }

  @Test
  void lastTheRange() {
    MemoryRegion region =
        raw.b.domain.registerMemory(bytes, AccessFlag.LOCAL_WRITE, AccessFlag.REMOTE_WRITE);
    assertReported(region.rkey(), region.address() + 57, "the access leaves the region");
  }
}

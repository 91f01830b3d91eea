package io.roceverbs.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Keys: their numbers, and every check between a key and the memory behind it, in order. */
class KeyTableTest {
  private static final int DOMAIN = 3;
  private static final int OTHER_DOMAIN = 4;
  private static final AccessScope SCOPE = new AccessScope(DOMAIN, 0x11);
  private static final AccessScope OTHER_SCOPE = new AccessScope(OTHER_DOMAIN, 0x12);
  private static final long ADDRESS = 0x10_0000;
  private static final int LOCAL_WRITE = AccessFlag.LOCAL_WRITE.value();
  private static final int ALL =
      AccessFlags.of(
              AccessFlag.LOCAL_WRITE,
              AccessFlag.REMOTE_WRITE,
              AccessFlag.REMOTE_READ,
              AccessFlag.REMOTE_ATOMIC)
          .value();

  private final KeyTable keys = new KeyTable(0x2001, DeviceProfile.strict());
  private final ByteBuffer buffer = ByteBuffer.allocate(64);
  private final MemoryMapping mapping = new MemoryMapping(ADDRESS, new ByteBuffer[] {buffer}, 1);

  private Registration user(int access) {
    return keys.registerUser(DOMAIN, access, mapping);
  }

  private KeyFault remoteWrite(int key) {
    return keys.checkRemote(key, SCOPE, AccessFlag.REMOTE_WRITE, ADDRESS, 64);
  }

  // ---- numbers -------------------------------------------------------------------------------

  @Test
  void aUserRegionHasTwoKeysAndAFastOneHasOne() {
    Registration user = user(ALL);
    Registration fast = keys.allocateFast(DOMAIN, 4);
    assertThat(user.lkey()).isEqualTo(0x2001_01);
    assertThat(user.rkey()).isEqualTo(0x2002_01);
    assertThat(fast.lkey()).isEqualTo(0x2003_01);
    assertThat(fast.rkey()).isEqualTo(0x2003_01);
    assertThat(user.isValid()).isTrue();
    assertThat(fast.isValid()).isFalse();
    assertThat(fast.pagesMax()).isEqualTo(4);
  }

  @Test
  void theNextVariantWrapsInTheLowByteAlone() {
    assertThat(keys.nextVariant(0x123456_00)).isEqualTo(0x123456_01);
    assertThat(keys.nextVariant(0x123456_FF)).isEqualTo(0x123456_00);
    assertThat(keys.nextVariant(0xFFFFFF_FF)).isEqualTo(0xFFFFFF_00);
    int key = 0xABCDEF_7E;
    for (int i = 0; i < 256; i++) {
      key = keys.nextVariant(key);
      assertThat(KeyTable.index(key)).isEqualTo(0xABCDEF);
    }
    assertThat(key).isEqualTo(0xABCDEF_7E);
  }

  @Test
  void aFreedIndexComesBackWithTheNextVariantOfItsLastKey() {
    Registration fast = keys.allocateFast(DOMAIN, 1);
    int index = KeyTable.index(fast.rkey());
    assertThat(keys.register(fast, DOMAIN, index << 8 | 0xFF, ALL, mapping))
        .isEqualTo(KeyFault.NONE);
    keys.deregister(fast);
    Registration again = registerUntilIndexComesBack(index);
    assertThat(again.rkey()).isEqualTo(index << 8);
    assertThat(again.rkey()).isNotZero();
  }

  private Registration registerUntilIndexComesBack(int index) {
    for (int i = 0; i < 100_000; i++) {
      Registration registration = keys.allocateFast(DOMAIN, 1);
      if (KeyTable.index(registration.rkey()) == index) {
        return registration;
      }
      keys.deregister(registration);
    }
    throw new AssertionError("index " + index + " was never used again");
  }

  @Test
  void aFreedIndexRestsBeforeItIsUsedAgain() {
    Registration first = user(ALL);
    keys.deregister(first);
    Set<Integer> used = new HashSet<>();
    used.add(first.lkey());
    used.add(first.rkey());
    for (int i = 0; i < 1000; i++) {
      Registration next = user(ALL);
      assertThat(used.add(next.lkey())).as("lkey of registration %d is new", i).isTrue();
      assertThat(used.add(next.rkey())).as("rkey of registration %d is new", i).isTrue();
      keys.deregister(next);
    }
  }

  @Test
  void manyRegionsLiveSideBySide() {
    Registration[] all = new Registration[1000];
    Set<Integer> used = new HashSet<>();
    for (int i = 0; i < all.length; i++) {
      all[i] = user(ALL);
      assertThat(used.add(all[i].lkey()) && used.add(all[i].rkey())).isTrue();
    }
    for (int i = 0; i < all.length; i += 2) {
      keys.deregister(all[i]);
    }
    for (int i = 0; i < all.length; i++) {
      assertThat(remoteWrite(all[i].rkey()))
          .isEqualTo(i % 2 == 0 ? KeyFault.UNKNOWN_KEY : KeyFault.NONE);
    }
  }

  @Test
  void whenAllIndicesAreInUseItSaysSo() {
    KeyTable small = new KeyTable(KeyTable.INDEX_MAX, DeviceProfile.strict());
    Registration last = small.allocateFast(DOMAIN, 1);
    assertThat(KeyTable.index(last.rkey())).isEqualTo(0xFFFFFF);
    assertThat(small.hasRoom(1)).isFalse();
    small.deregister(last);
    assertThat(small.hasRoom(1)).isTrue();
    assertThat(small.hasRoom(2)).isFalse();
    assertThat(KeyTable.index(small.allocateFast(DOMAIN, 1).rkey())).isEqualTo(0xFFFFFF);
  }

  // ---- faults, in order ----------------------------------------------------------------------

  @Test
  void anIndexThatIsNotInUseIsUnknown() {
    Registration region = user(ALL);
    for (int key : new int[] {0, 1, 0x2000_01, 0x2003_01, 0xFFFFFF_FF, 0x2001_01 ^ 0x800000_00}) {
      assertThat(remoteWrite(key)).as("key %x", key).isEqualTo(KeyFault.UNKNOWN_KEY);
      assertThat(keys.checkLocal(key, DOMAIN, false, ADDRESS, 1)).isEqualTo(KeyFault.UNKNOWN_KEY);
      assertThat(keys.invalidate(key, SCOPE, false)).isEqualTo(KeyFault.UNKNOWN_KEY);
    }
    keys.deregister(region);
    assertThat(remoteWrite(region.rkey())).isEqualTo(KeyFault.UNKNOWN_KEY);
    assertThat(region.isValid()).isFalse();
  }

  @Test
  void everyOtherVariantOfAKeyIsStale() {
    Registration region = user(ALL);
    for (int step = 1; step < 256; step++) {
      int lkey = (region.lkey() & ~0xFF) | ((region.lkey() + step) & 0xFF);
      int rkey = (region.rkey() & ~0xFF) | ((region.rkey() + step) & 0xFF);
      assertThat(keys.checkLocal(lkey, DOMAIN, false, ADDRESS, 1)).isEqualTo(KeyFault.STALE_KEY);
      assertThat(remoteWrite(rkey)).isEqualTo(KeyFault.STALE_KEY);
    }
  }

  @Test
  void lkeyAndRkeyMixedUpAreTold() {
    Registration region = user(ALL);
    assertThat(remoteWrite(region.lkey())).isEqualTo(KeyFault.LKEY_FOR_RKEY);
    assertThat(keys.checkLocal(region.rkey(), DOMAIN, false, ADDRESS, 1))
        .isEqualTo(KeyFault.RKEY_FOR_LKEY);
    assertThat(keys.invalidate(region.lkey(), SCOPE, true)).isEqualTo(KeyFault.LKEY_FOR_RKEY);
  }

  @Test
  void theDomainComesBeforeTheRightTheRightBeforeTheStateTheStateBeforeTheRange() {
    Registration fast = keys.allocateFast(DOMAIN, 1);
    int key = fast.rkey();
    long outside = ADDRESS + 64;
    assertThat(keys.checkRemote(key, OTHER_SCOPE, AccessFlag.REMOTE_READ, outside, 1))
        .isEqualTo(KeyFault.WRONG_PROTECTION_DOMAIN);
    assertThat(keys.checkRemote(key, SCOPE, AccessFlag.REMOTE_READ, outside, 1))
        .isEqualTo(KeyFault.RIGHT_MISSING);
    keys.register(fast, DOMAIN, key, AccessFlag.REMOTE_READ.value(), mapping);
    keys.invalidate(key, SCOPE, false);
    assertThat(keys.checkRemote(key, SCOPE, AccessFlag.REMOTE_READ, outside, 1))
        .isEqualTo(KeyFault.NOT_VALID);
    keys.register(fast, DOMAIN, key, AccessFlag.REMOTE_READ.value(), mapping);
    assertThat(keys.checkRemote(key, SCOPE, AccessFlag.REMOTE_READ, outside, 1))
        .isEqualTo(KeyFault.OUT_OF_RANGE);
    assertThat(keys.checkRemote(key, SCOPE, AccessFlag.REMOTE_READ, ADDRESS + 63, 1))
        .isEqualTo(KeyFault.NONE);
  }

  @ParameterizedTest
  @EnumSource(names = {"REMOTE_WRITE", "REMOTE_READ", "REMOTE_ATOMIC"})
  void eachRemoteRightIsCheckedForItself(AccessFlag right) {
    Registration with = user(LOCAL_WRITE | right.value());
    Registration without = user(ALL & ~right.value());
    assertThat(keys.checkRemote(with.rkey(), SCOPE, right, ADDRESS, 8)).isEqualTo(KeyFault.NONE);
    assertThat(keys.checkRemote(without.rkey(), SCOPE, right, ADDRESS, 8))
        .isEqualTo(KeyFault.RIGHT_MISSING);
  }

  @Test
  void readingLocallyNeedsNoRightAndWritingNeedsLocalWrite() {
    Registration readOnly = user(0);
    assertThat(keys.checkLocal(readOnly.lkey(), DOMAIN, false, ADDRESS, 64))
        .isEqualTo(KeyFault.NONE);
    assertThat(keys.checkLocal(readOnly.lkey(), DOMAIN, true, ADDRESS, 64))
        .isEqualTo(KeyFault.RIGHT_MISSING);
    assertThat(keys.checkLocal(readOnly.lkey(), OTHER_DOMAIN, true, ADDRESS, 64))
        .isEqualTo(KeyFault.WRONG_PROTECTION_DOMAIN);
  }

  @Test
  void aRangeAtTheEndOfTheAddressesDoesNotWrap() {
    MemoryMapping atTheEnd = new MemoryMapping(-64, new ByteBuffer[] {buffer}, 1);
    Registration region = keys.registerUser(DOMAIN, ALL, atTheEnd);
    AccessFlag write = AccessFlag.REMOTE_WRITE;
    assertThat(keys.checkRemote(region.rkey(), SCOPE, write, -1, 1)).isEqualTo(KeyFault.NONE);
    assertThat(keys.checkRemote(region.rkey(), SCOPE, write, -1, 2))
        .isEqualTo(KeyFault.OUT_OF_RANGE);
    assertThat(keys.checkRemote(region.rkey(), SCOPE, write, 0, 1))
        .isEqualTo(KeyFault.OUT_OF_RANGE);
    assertThat(keys.checkRemote(region.rkey(), SCOPE, write, -65, 1))
        .isEqualTo(KeyFault.OUT_OF_RANGE);
  }

  @Test
  void aRefusedAccessTouchesNothing() {
    Registration region = user(ALL);
    byte[] bytes = {1, 2, 3, 4};
    assertThat(keys.writeRemote(region.rkey(), SCOPE, ADDRESS + 61, 4, bytes, 0))
        .isEqualTo(KeyFault.OUT_OF_RANGE);
    assertThat(keys.writeLocal(region.rkey(), DOMAIN, ADDRESS, 4, bytes, 0))
        .isEqualTo(KeyFault.RKEY_FOR_LKEY);
    assertThat(buffer).isEqualTo(ByteBuffer.allocate(64));
    byte[] target = {9, 9, 9, 9};
    assertThat(keys.readRemote(region.rkey(), OTHER_SCOPE, ADDRESS, 4, target, 0))
        .isEqualTo(KeyFault.WRONG_PROTECTION_DOMAIN);
    assertThat(target).containsExactly(9, 9, 9, 9);
  }

  // ---- registration by request ---------------------------------------------------------------

  @Test
  void registrationChecksEachThingInOrderAndAFailureChangesNothing() {
    Registration fast = keys.allocateFast(DOMAIN, 1);
    int key = fast.rkey();
    int illegal = AccessFlag.REMOTE_WRITE.value();
    int foreign = key + 0x100;
    assertThat(keys.register(fast, OTHER_DOMAIN, foreign, illegal, null))
        .isEqualTo(KeyFault.WRONG_PROTECTION_DOMAIN);
    assertThat(keys.register(fast, DOMAIN, foreign, illegal, null)).isEqualTo(KeyFault.UNKNOWN_KEY);
    assertThat(keys.register(fast, DOMAIN, key, illegal, null)).isEqualTo(KeyFault.ILLEGAL_ACCESS);
    assertThat(keys.register(fast, DOMAIN, key, ALL, null)).isEqualTo(KeyFault.NOT_MAPPED);
    assertThat(fast.isValid()).isFalse();
    assertThat(fast.rkey()).isEqualTo(key);
    assertThat(keys.register(fast, DOMAIN, key + 5, ALL, mapping)).isEqualTo(KeyFault.NONE);
    assertThat(fast.rkey()).isEqualTo(key + 5);
    assertThat(fast.lkey()).isEqualTo(key + 5);
    assertThat(keys.register(fast, DOMAIN, key + 6, illegal, null))
        .isEqualTo(KeyFault.ALREADY_VALID);
    assertThat(remoteWrite(key + 5)).isEqualTo(KeyFault.NONE);
    assertThat(remoteWrite(key)).isEqualTo(KeyFault.STALE_KEY);
    keys.deregister(fast);
    assertThat(keys.register(fast, DOMAIN, key + 6, ALL, mapping)).isEqualTo(KeyFault.UNKNOWN_KEY);
  }

  @Test
  void invalidationChecksEachThingInOrder() {
    Registration userRegion = user(ALL);
    assertThat(keys.invalidate(userRegion.rkey(), OTHER_SCOPE, true))
        .isEqualTo(KeyFault.NOT_INVALIDATABLE);
    Registration fast = keys.allocateFast(DOMAIN, 1);
    int key = fast.rkey();
    assertThat(keys.invalidate(key, OTHER_SCOPE, true)).isEqualTo(KeyFault.WRONG_PROTECTION_DOMAIN);
    assertThat(keys.invalidate(key, SCOPE, true)).isEqualTo(KeyFault.NOT_VALID);
    keys.register(fast, DOMAIN, key, LOCAL_WRITE, mapping);
    assertThat(keys.invalidate(key + 1, SCOPE, false)).isEqualTo(KeyFault.STALE_KEY);
    assertThat(keys.invalidate(key, SCOPE, true)).isEqualTo(KeyFault.RIGHT_MISSING);
    assertThat(fast.isValid()).isTrue();
    assertThat(keys.invalidate(key, SCOPE, false)).isEqualTo(KeyFault.NONE);
    assertThat(fast.isValid()).isFalse();
    assertThat(keys.invalidate(key, SCOPE, false)).isEqualTo(KeyFault.NOT_VALID);
  }

  @Test
  void aReadOnlyBufferIsNotRegisteredForWriting() {
    MemoryMapping readOnly =
        new MemoryMapping(ADDRESS, new ByteBuffer[] {buffer.asReadOnlyBuffer()}, 1);
    Registration fast = keys.allocateFast(DOMAIN, 1);
    assertThat(keys.register(fast, DOMAIN, fast.rkey(), ALL, readOnly)).isNotEqualTo(KeyFault.NONE);
    assertThat(fast.isValid()).isFalse();
    assertThat(keys.register(fast, DOMAIN, fast.rkey(), AccessFlag.REMOTE_READ.value(), readOnly))
        .isEqualTo(KeyFault.NONE);
  }

  @Test
  void hostOrderIsLittleEndian() {
    assertThat(keys.atomicResult(0x0102030405060708L)).containsExactly(8, 7, 6, 5, 4, 3, 2, 1);
    Registration region = user(ALL);
    keys.writeLong(region.rkey(), ADDRESS + 8, 0x0102030405060708L);
    assertThat(buffer.get(8)).isEqualTo((byte) 8);
    assertThat(keys.readLong(region.rkey(), ADDRESS + 8)).isEqualTo(0x0102030405060708L);
  }

  @Test
  void everyFaultSaysWhatItIs() {
    assertThat(KeyFault.values()).allSatisfy(fault -> assertThat(fault.text()).isNotBlank());
  }
}

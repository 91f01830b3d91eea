package io.roceverbs.verbs;

import static io.roceverbs.verbs.AccessFlag.LOCAL_WRITE;
import static io.roceverbs.verbs.AccessFlag.MW_BIND;
import static io.roceverbs.verbs.AccessFlag.REMOTE_READ;
import static io.roceverbs.verbs.AccessFlag.REMOTE_WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class AccessFlagsTest {
  @Test
  void flagsAreCollectedIntoTheBitsOfTheCHeader() {
    AccessFlags flags = AccessFlags.of(REMOTE_READ, LOCAL_WRITE, REMOTE_READ);

    assertThat(flags.value()).isEqualTo(0x5);
    assertThat(flags.contains(LOCAL_WRITE)).isTrue();
    assertThat(flags.contains(REMOTE_WRITE)).isFalse();
    assertThat(flags).hasToString("LOCAL_WRITE|REMOTE_READ");
  }

  @Test
  void equalBitsAreEqualSets() {
    assertThat(AccessFlags.of(LOCAL_WRITE, REMOTE_READ))
        .isEqualTo(AccessFlags.fromValue(5))
        .hasSameHashCodeAs(AccessFlags.fromValue(5))
        .isNotEqualTo(AccessFlags.of(LOCAL_WRITE));
    assertThat(AccessFlags.of()).isSameAs(AccessFlags.NONE).hasToString("NONE");
  }

  @Test
  void containmentIsThatOfSets() {
    AccessFlags both = AccessFlags.of(LOCAL_WRITE, REMOTE_READ);

    assertThat(both.containsAll(AccessFlags.of(REMOTE_READ))).isTrue();
    assertThat(both.containsAll(AccessFlags.NONE)).isTrue();
    assertThat(both.containsAll(AccessFlags.of(REMOTE_READ, REMOTE_WRITE))).isFalse();
  }

  @Test
  void onlyARightOfThePeerIsRemote() {
    assertThat(AccessFlags.of(LOCAL_WRITE, MW_BIND).allowsRemote()).isFalse();
    assertThat(AccessFlags.of(REMOTE_READ).allowsRemote()).isTrue();
    assertThat(AccessFlags.of(AccessFlag.REMOTE_ATOMIC).allowsRemote()).isTrue();
    assertThat(AccessFlags.of(AccessFlag.FLUSH_PERSISTENT).allowsRemote()).isTrue();
  }

  @Test
  void unknownBitsAreKeptForTheProviderToRefuse() {
    AccessFlags flags = AccessFlags.fromValue(0x80000401);

    assertThat(flags.value()).isEqualTo(0x80000401);
    assertThat(flags).hasToString("LOCAL_WRITE|0x80000400");
  }
}

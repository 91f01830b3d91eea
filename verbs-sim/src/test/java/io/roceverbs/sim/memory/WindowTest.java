package io.roceverbs.sim.memory;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.sim.conformance.Checks;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import java.nio.ByteBuffer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Windows and the queue pairs that come and go. */
class WindowTest {
  private static final int DOMAIN = 3;
  private static final long ADDRESS = 0x10_0000;
  private static final int WRITE = AccessFlag.REMOTE_WRITE.value();
  private static final int BINDABLE =
      AccessFlags.of(AccessFlag.LOCAL_WRITE, AccessFlag.MW_BIND).value();

  private final KeyTable keys = new KeyTable(0x2001, DeviceProfile.strict());
  private final MemoryMapping mapping =
      new MemoryMapping(ADDRESS, new ByteBuffer[] {ByteBuffer.allocate(64)}, 1);
  private final Registration region = keys.registerUser(DOMAIN, BINDABLE, mapping);
  private final AccessScope binder = new AccessScope(DOMAIN, 0x11);

  private Window bound(Window.Kind kind) {
    Window window = keys.allocateWindow(kind, DOMAIN);
    WindowBind bind = new WindowBind();
    int key = window.rkey();
    bind.set(key, keys.nextVariant(key), region.lkey(), ADDRESS, 64, WRITE);
    assertThat(keys.bind(binder, bind)).isEqualTo(KeyFault.NONE);
    return window;
  }

  private KeyFault write(Window window, AccessScope asker) {
    return keys.checkRemote(window.rkey(), asker, AccessFlag.REMOTE_WRITE, ADDRESS, 64);
  }

  @ParameterizedTest
  @CsvSource({
    "TYPE_1, NONE, WRONG_PROTECTION_DOMAIN, NONE",
    "TYPE_2A, NONE, NONE, WRONG_QUEUE_PAIR",
    "TYPE_2B, WRONG_QUEUE_PAIR, WRONG_PROTECTION_DOMAIN, WRONG_QUEUE_PAIR"
  })
  @Checks("WINDOW-SCOPE")
  void whoMayUseAWindow(
      Window.Kind kind, KeyFault sameNumber, KeyFault sameNumberElsewhere, KeyFault sameDomain) {
    Window window = bound(kind);
    assertThat(write(window, binder)).isEqualTo(KeyFault.NONE);
    assertThat(write(window, new AccessScope(DOMAIN, 0x11))).isEqualTo(sameNumber);
    assertThat(write(window, new AccessScope(DOMAIN + 1, 0x11))).isEqualTo(sameNumberElsewhere);
    assertThat(write(window, new AccessScope(DOMAIN, 0x12))).isEqualTo(sameDomain);
  }

  @ParameterizedTest
  @CsvSource({"TYPE_1, NOT_INVALIDATABLE", "TYPE_2A, NONE", "TYPE_2B, WRONG_QUEUE_PAIR"})
  @Checks("WINDOW-INVALIDATE")
  void whoMayInvalidateAWindowAfterItsQueuePairIsGone(Window.Kind kind, KeyFault fault) {
    Window window = bound(kind);
    assertThat(keys.invalidate(window.rkey(), new AccessScope(DOMAIN, 0x11), false))
        .isEqualTo(fault);
    assertThat(region.hasWindows()).isEqualTo(fault != KeyFault.NONE);
  }

  @Test
  @Checks("WINDOW-CLOSE")
  void aWindowThatIsTakenOutOfUseLetsGoOfItsRegion() {
    Window first = bound(Window.Kind.TYPE_2B);
    Window second = bound(Window.Kind.TYPE_1);
    keys.deallocate(first);
    assertThat(region.hasWindows()).isTrue();
    keys.deallocate(second);
    assertThat(region.hasWindows()).isFalse();
    assertThat(write(first, binder)).isEqualTo(KeyFault.UNKNOWN_KEY);
    assertThat(first.isValid()).isFalse();
  }

  @Test
  @Checks("BIND-STATE")
  void bindingAgainCountsTheRegionOnce() {
    Window window = bound(Window.Kind.TYPE_1);
    WindowBind bind = new WindowBind();
    bind.set(window.rkey(), window.rkey(), region.lkey(), ADDRESS + 8, 8, WRITE);
    assertThat(keys.bind(binder, bind)).isEqualTo(KeyFault.NONE);
    assertThat(write(window, binder)).isEqualTo(KeyFault.OUTSIDE_WINDOW);
    bind.set(window.rkey(), window.rkey(), 0, 0, 0, 0);
    assertThat(keys.bind(binder, bind)).isEqualTo(KeyFault.NONE);
    assertThat(region.hasWindows()).isFalse();
    assertThat(write(window, binder)).isEqualTo(KeyFault.NOT_BOUND);
  }

  @Test
  @Checks("WINDOW-SCOPE")
  void aMissingRightIsTheWindowsOwn() {
    Window window = bound(Window.Kind.TYPE_2B);
    assertThat(keys.checkRemote(window.rkey(), binder, AccessFlag.REMOTE_READ, ADDRESS, 1))
        .isEqualTo(KeyFault.WINDOW_RIGHT_MISSING);
    assertThat(keys.checkRemote(region.rkey(), binder, AccessFlag.REMOTE_WRITE, ADDRESS, 1))
        .isEqualTo(KeyFault.RIGHT_MISSING);
  }
}

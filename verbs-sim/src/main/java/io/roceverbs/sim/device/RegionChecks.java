package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.Registration;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.verbs.AccessFlag;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.VerbsException;
import java.nio.ByteBuffer;
import java.util.Locale;

/** What is checked when a region is registered, changed or closed. */
final class RegionChecks {
  private RegionChecks() {}

  static void rights(String call, SimDevice device, AccessFlags access) {
    // Rule REGISTER-ACCESS: remote write and remote atomic access need local write access.
    if (!Registration.isLegalAccess(access.value())) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          access + " lets the peer write where the adapter itself may not; add LOCAL_WRITE");
    }
    // Rule REGISTER-UNKNOWN: bits 20 to 29 are hints that a device may ignore; other unknown bits
    // are refused.
    if (!Registration.isKnownAccess(access.value())) {
      throw new VerbsException(
          Errno.EINVAL, call, access + " has bits that no AccessFlag has; use named rights");
    }
    if (access.contains(AccessFlag.ON_DEMAND)
        || lacks(device, access, AccessFlag.FLUSH_GLOBAL, DeviceCapability.FLUSH_GLOBAL)
        || lacks(device, access, AccessFlag.FLUSH_PERSISTENT, DeviceCapability.FLUSH_PERSISTENT)) {
      throw new VerbsException(
          Errno.EOPNOTSUPP, call, "the device has no capability for " + access);
    }
  }

  private static boolean lacks(
      SimDevice device, AccessFlags access, AccessFlag flag, DeviceCapability capability) {
    return access.contains(flag) && !device.profile().has(capability);
  }

  static void buffer(String call, ByteBuffer buffer, AccessFlags access) {
    if (!buffer.hasRemaining()) {
      throw new VerbsException(
          Errno.EINVAL, call, "the buffer has no byte between its position and its limit");
    }
    if (buffer.isReadOnly() && access.contains(AccessFlag.LOCAL_WRITE)) {
      throw readOnly(call);
    }
  }

  static VerbsException readOnly(String call) {
    return new VerbsException(
        Errno.EINVAL, call, "a read-only buffer can't be registered with LOCAL_WRITE");
  }

  static void address(String call, long address, long length) {
    if (!AddressSpace.isPageAligned(address)) {
      throw new VerbsException(
          Errno.EINVAL,
          call,
          String.format(
              Locale.ROOT,
              "I/O virtual address 0x%x must agree with the buffer's start modulo the page size;"
                  + " a buffer starts on a page, so a multiple of 4096",
              address));
    }
    AddressSpace.requireInside(call, address, length);
  }

  /** Rule WINDOW-KEEPS-REGION: a window is no child of its region, so this is not EBUSY. */
  static void noWindows(String call, SimDevice device, Registration registration) {
    if (registration.hasWindows()) {
      Errno errno =
          switch (device.profile().get(ErrorSwitch.DeregisterBound.class)) {
            case EINVAL -> Errno.EINVAL;
            case EBUSY -> Errno.EBUSY;
          };
      throw new VerbsException(
          errno, call, "windows are bound to the region; invalidate, unbind or close them first");
    }
  }
}

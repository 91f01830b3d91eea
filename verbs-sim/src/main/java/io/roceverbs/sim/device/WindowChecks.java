package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.Window;
import io.roceverbs.verbs.AccessFlags;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowBinding;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.PostException;
import io.roceverbs.verbs.SendFlag;
import io.roceverbs.verbs.SendRequest;
import org.jspecify.annotations.Nullable;

/** What is checked when a bind is posted; the rest is checked when it is executed. */
final class WindowChecks {
  private static final String BIND = "QueuePair.bind";

  private WindowChecks() {}

  /** What is wrong with the window of a BIND_MW request, or null. */
  static @Nullable String typeTwoFault(SimDevice device, @Nullable MemoryWindow window) {
    if (window == null || !isOwn(device, window)) {
      return "the window to bind must be open and of the same device";
    }
    return window.type() == MemoryWindowType.TYPE_2
        ? null
        : "a window of type 1 is bound by QueuePair.bind, not by a BIND_MW request";
  }

  private static boolean isOwn(SimDevice device, MemoryWindow window) {
    return window instanceof SimMemoryWindow own && own.isOpen() && own.domain().device() == device;
  }

  /**
   * Checks a bind of type 1, and makes the request for it.
   *
   * <p>Rule BIND-CALL: what the call can see is refused by the call.
   */
  static SendRequest typeOneRequest(
      SimDevice device,
      MemoryWindow window,
      long id,
      MemoryWindowBinding binding,
      SendFlag[] flags) {
    if (!isOwn(device, window)) {
      throw refused(Errno.EINVAL, "the window to bind must be open and of the same device", id);
    }
    if (window.type() != MemoryWindowType.TYPE_1) {
      throw refused(Errno.EINVAL, "a window of type 2 is bound by a BIND_MW request", id);
    }
    if (binding.protectionDomain() == null) {
      if (binding.address() != 0 || binding.length() != 0) {
        throw refused(
            Errno.EINVAL, "an address or a length needs a region; use NONE to unbind", id);
      }
    } else if (binding.protectionDomain() != window.protectionDomain()) {
      throw refused(Errno.EPERM, "window and region must belong to the same protection domain", id);
    }
    int illegal = binding.access().value() & ~Window.rights(Window.Kind.TYPE_1);
    if (illegal != 0) {
      throw refused(
          Errno.EINVAL,
          "a window of type 1 can't have "
              + AccessFlags.fromValue(illegal)
              + ", only REMOTE_READ, REMOTE_WRITE and REMOTE_ATOMIC",
          id);
    }
    return request(window, id, binding, flags);
  }

  private static SendRequest request(
      MemoryWindow window, long id, MemoryWindowBinding binding, SendFlag[] flags) {
    SendRequest request =
        new SendRequest().reset(id).bindMemoryWindow(window, window.nextRkey(), binding);
    for (SendFlag flag : flags) {
      switch (flag) {
        case SIGNALED -> request.signaled();
        case FENCE -> request.fenced();
        case SOLICITED -> request.solicited();
        case IP_CSUM -> request.ipChecksum();
        case INLINE -> throw refused(Errno.EINVAL, "a bind can't have " + flag, id);
      }
    }
    return request;
  }

  private static PostException refused(Errno errno, String detail, long id) {
    return new PostException(errno, BIND, detail, 0, id);
  }
}

package io.roceverbs.sim.fabric;

import org.jspecify.annotations.Nullable;

/** Where a frame is captured: an interface of the capture file. */
public enum CapturePlace {
  /** Where frames leave their nodes. The interface has no name, as there is only one mostly. */
  NODE(null),
  /** In a queue of the switch. The file has this interface only if a frame is captured there. */
  SWITCH("switch");

  private final @Nullable String interfaceName;

  CapturePlace(@Nullable String interfaceName) {
    this.interfaceName = interfaceName;
  }

  /** The name of the interface; null for none. */
  @Nullable String interfaceName() {
    return interfaceName;
  }
}

package io.roceverbs.sim.device;

import io.roceverbs.sim.memory.Window;
import io.roceverbs.verbs.MemoryWindow;
import io.roceverbs.verbs.MemoryWindowType;
import io.roceverbs.verbs.ProtectionDomain;
import java.util.Locale;

/**
 * A memory window: the ULP's side of it, that is, the key as the ULP knows it. What the adapter
 * knows of it changes by work requests only.
 */
final class SimMemoryWindow implements MemoryWindow {
  private final SimProtectionDomain domain;
  private final MemoryWindowType type;
  private final Window window;
  private volatile int rkey;
  private final OpenResources.Resource resource;
  private volatile boolean open = true;

  SimMemoryWindow(SimProtectionDomain domain, MemoryWindowType type, Window window) {
    this.domain = domain;
    this.type = type;
    this.window = window;
    this.rkey = window.rkey();
    this.resource = domain.device().resources().add(this);
  }

  SimProtectionDomain domain() {
    return domain;
  }

  @Override
  public ProtectionDomain protectionDomain() {
    return domain;
  }

  @Override
  public MemoryWindowType type() {
    return type;
  }

  @Override
  public int rkey() {
    return rkey;
  }

  @Override
  public int nextRkey() {
    return domain.device().keys().nextVariant(rkey);
  }

  @Override
  public void restoreRkey(int key) {
    rkey = key;
  }

  /** A bind under this key was posted (rule BIND-NEW-KEY: the ULP has it before it is executed). */
  void posted(int newKey) {
    rkey = newKey;
  }

  @Override
  public boolean isOpen() {
    return open;
  }

  @Override
  public void close() {
    DeviceHost host = domain.device().host();
    host.enter();
    try {
      if (!open) {
        return;
      }
      open = false;
      // Rule WINDOW-CLOSE: a bound window is unbound by it.
      boolean bound = window.isValid();
      domain.device().keys().deallocate(window);
      domain.memory().removeWindow();
      resource.release();
      if (bound) {
        Keys.changed(domain.device(), window.rkey(), false, "window closed");
      }
    } finally {
      host.exit();
    }
  }

  @Override
  public String toString() {
    return String.format(Locale.ROOT, "MemoryWindow of %s rkey 0x%08x", type, rkey);
  }
}

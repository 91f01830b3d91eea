package io.roceverbs.sim;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * The fabrics of this JVM that are open, in the order in which they were made, so that {@code
 * Device.list()} finds their devices. A fabric that was forgotten without being closed is not kept
 * alive by this list.
 */
final class OpenFabrics {
  private static final List<WeakReference<Fabric>> FABRICS = new ArrayList<>();

  private OpenFabrics() {}

  static synchronized void add(Fabric fabric) {
    FABRICS.removeIf(reference -> reference.get() == null);
    FABRICS.add(new WeakReference<>(fabric));
  }

  static synchronized void remove(Fabric fabric) {
    FABRICS.removeIf(reference -> reference.get() == fabric || reference.get() == null);
  }

  static synchronized List<Fabric> all() {
    List<Fabric> fabrics = new ArrayList<>();
    for (WeakReference<Fabric> reference : FABRICS) {
      Fabric fabric = reference.get();
      if (fabric != null) {
        fabrics.add(fabric);
      }
    }
    return fabrics;
  }
}

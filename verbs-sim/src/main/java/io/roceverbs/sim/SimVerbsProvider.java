package io.roceverbs.sim;

import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.VerbsProvider;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the devices of all open fabrics of this JVM known to {@link Device#list()}, so that a
 * program that looks for its device by name runs unchanged. Its C counterpart is a libibverbs
 * provider, such as {@code providers/rxe} of rdma-core.
 *
 * <p>Any thread may call any method.
 */
public final class SimVerbsProvider implements VerbsProvider {
  /** Called by the service loader. */
  public SimVerbsProvider() {}

  @Override
  public String name() {
    return "roceverbs-sim";
  }

  @Override
  public List<Device> devices() {
    List<Device> devices = new ArrayList<>();
    for (Fabric fabric : OpenFabrics.all()) {
      for (Node node : fabric.nodes()) {
        devices.add(node.device());
      }
    }
    return List.copyOf(devices);
  }
}

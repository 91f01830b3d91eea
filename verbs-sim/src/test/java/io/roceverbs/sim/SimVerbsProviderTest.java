package io.roceverbs.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.ProtectionDomain;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The devices of open fabrics are found as those of any provider are. */
class SimVerbsProviderTest {
  private static List<Device> listed(Device... wanted) {
    List<Device> ours = List.of(wanted);
    return Device.list().stream().filter(ours::contains).toList();
  }

  @Test
  void theDevicesOfAllOpenFabricsAreListedInOrder() {
    try (Fabric first = Fabric.create();
        Fabric second = Fabric.create()) {
      Device alice = first.addNode("alice").device();
      Device bob = first.addNode("bob").device();
      Device carol = second.addNode("carol").device();

      assertThat(listed(alice, bob, carol)).containsExactly(alice, bob, carol);
      assertThat(first.nodes()).extracting(Node::name).containsExactly("alice", "bob");
    }
  }

  @Test
  void theDevicesOfAClosedFabricAreNotListed() {
    Fabric fabric = Fabric.create();
    Device alice = fabric.addNode("alice").device();
    fabric.close();

    assertThat(listed(alice)).isEmpty();
  }

  @Test
  void aListedDeviceIsOpenedAsOnHardware() {
    try (Fabric fabric = Fabric.create()) {
      fabric.addNode("found-by-name");
      Device device =
          Device.list().stream()
              .filter(candidate -> candidate.name().equals("found-by-name"))
              .findFirst()
              .orElseThrow();

      try (DeviceContext context = device.open();
          ProtectionDomain domain = context.allocateProtectionDomain()) {
        assertThat(domain.context()).isSameAs(context);
        assertThat(context.queryPort(1).activeMtu().bytes()).isEqualTo(4096);
      }
    }
  }
}

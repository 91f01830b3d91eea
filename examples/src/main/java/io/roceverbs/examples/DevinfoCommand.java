package io.roceverbs.examples;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.NodeConfiguration;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ProfileSwitch;
import io.roceverbs.verbs.DeviceAttributes;
import io.roceverbs.verbs.DeviceCapability;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.PortAttributes;
import java.io.PrintWriter;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** What a device says of itself. */
@Command(
    name = "devinfo",
    description = {
      "Shows what a simulated device says of itself, as ibv_devinfo -v does, and in which points"
          + " its profile parts from strict."
    },
    sortOptions = false,
    exitCodeListHeading = "%nExit codes:%n",
    exitCodeList = {"0:the device was shown", ExitCode.USAGE_TEXT})
final class DevinfoCommand implements Callable<Integer> {
  private static final int GIDS_MAX = 256;

  private final Terminal terminal;

  /** The profiles that the library offers. */
  enum Profile {
    STRICT,
    SOFTROCE,
    CONNECTX,
    IRDMA,
    FALSEINVALIDATE;

    DeviceProfile device() {
      return switch (this) {
        case STRICT -> DeviceProfile.strict();
        case SOFTROCE -> DeviceProfile.softRoce();
        case CONNECTX -> DeviceProfile.connectX();
        case IRDMA -> DeviceProfile.irdma();
        case FALSEINVALIDATE -> DeviceProfile.falseInvalidate();
      };
    }

    @Override
    public String toString() {
      return device().name();
    }
  }

  @Option(
      names = "--profile",
      paramLabel = "NAME",
      description = "${COMPLETION-CANDIDATES} (default: ${DEFAULT-VALUE})")
  private Profile profile = Profile.STRICT;

  DevinfoCommand(Terminal terminal) {
    this.terminal = terminal;
  }

  @Override
  public Integer call() {
    PrintWriter out = terminal.out();
    try (Fabric fabric = Fabric.create();
        DeviceContext context =
            fabric
                .addNode(NodeConfiguration.named("node0").withProfile(profile.device()))
                .device()
                .open()) {
      out.println("hca_id: " + context.device().name());
      show(out, context.device().transportType(), context.queryDevice());
      for (int port = 1; port <= context.queryDevice().physicalPorts(); port++) {
        show(out, context, port);
      }
    }
    showDifferences(out);
    out.flush();
    return ExitCode.OK;
  }

  private static void show(PrintWriter out, Object transport, DeviceAttributes device) {
    line(out, "transport", transport);
    line(out, "fw_ver", device.firmwareVersion());
    line(out, "node_guid", guid(device.nodeGuid()));
    line(out, "sys_image_guid", guid(device.systemImageGuid()));
    line(out, "vendor_id", String.format(Locale.ROOT, "0x%06x", device.vendorId()));
    line(out, "vendor_part_id", device.vendorPartId());
    line(out, "hw_ver", String.format(Locale.ROOT, "0x%X", device.hardwareVersion()));
    line(out, "phys_port_cnt", device.physicalPorts());
    line(out, "max_mr_size", String.format(Locale.ROOT, "0x%x", device.maxMemoryRegionBytes()));
    line(out, "page_size_cap", String.format(Locale.ROOT, "0x%x", device.pageSizes()));
    line(out, "max_qp", device.maxQueuePairs());
    line(out, "max_qp_wr", device.maxQueuePairRequests());
    line(out, "device_cap_flags", capabilities(device));
    line(out, "max_sge", device.maxSegments());
    line(out, "max_sge_rd", device.maxReadSegments());
    line(out, "max_cq", device.maxCompletionQueues());
    line(out, "max_cqe", device.maxCompletionQueueEntries());
    line(out, "max_mr", device.maxMemoryRegions());
    line(out, "max_mw", device.maxMemoryWindows());
    line(out, "max_pd", device.maxProtectionDomains());
    line(out, "max_qp_rd_atom", device.maxReadAtomicPerQueuePair());
    line(out, "max_qp_init_rd_atom", device.maxInitiatorReadAtomicPerQueuePair());
    line(out, "max_res_rd_atom", device.maxReadAtomicResources());
    line(out, "atomic_cap", device.atomicCapability());
    line(out, "max_mcast_grp", device.maxMulticastGroups());
    line(out, "max_mcast_qp_attach", device.maxMulticastAttachmentsPerGroup());
    line(out, "max_total_mcast_qp_attach", device.maxMulticastAttachments());
    line(out, "max_ah", device.maxAddressHandles());
    line(out, "max_srq", device.maxSharedReceiveQueues());
    line(out, "max_srq_wr", device.maxSharedReceiveRequests());
    line(out, "max_srq_sge", device.maxSharedReceiveSegments());
    line(out, "max_pkeys", device.maxPartitionKeys());
    line(out, "local_ca_ack_delay", device.localAckDelay());
    line(out, "num_comp_vectors", device.completionVectors());
    line(out, "hca_core_clock", device.clockKilohertz() + "kHZ");
    line(out, "max_dm_size", device.maxDeviceMemoryBytes());
  }

  private static String capabilities(DeviceAttributes device) {
    long bits = device.capabilities().stream().mapToLong(DeviceCapability::mask).sum();
    return String.format(Locale.ROOT, "0x%08x %s", bits, device.capabilities());
  }

  private static void show(PrintWriter out, DeviceContext context, int number) {
    PortAttributes port = context.queryPort(number);
    out.println("\tport: " + number);
    line(out, "  state", port.state());
    line(out, "  max_mtu", port.maxMtu().bytes());
    line(out, "  active_mtu", port.activeMtu().bytes());
    line(out, "  link_layer", port.linkLayer());
    line(out, "  max_msg_sz", String.format(Locale.ROOT, "0x%x", port.maxMessageBytes()));
    line(out, "  gid_tbl_len", port.gidTableLength());
    line(out, "  pkey_tbl_len", port.partitionKeyTableLength());
    line(out, "  active_width", port.activeWidth());
    line(out, "  active_speed", port.activeSpeed());
    line(out, "  phys_state", port.physicalState());
    GidEntry[] gids = new GidEntry[GIDS_MAX];
    int count = context.queryGidTable(gids);
    for (int i = 0; i < count; i++) {
      if (gids[i].port() == number) {
        line(out, "  GID[" + gids[i].index() + "]", gids[i].gid() + ", " + gids[i].type());
      }
    }
  }

  private static String guid(long guid) {
    return String.format(
        Locale.ROOT,
        "%04x:%04x:%04x:%04x",
        guid >>> 48,
        guid >>> 32 & 0xFFFF,
        guid >>> 16 & 0xFFFF,
        guid & 0xFFFF);
  }

  private void showDifferences(PrintWriter out) {
    out.println("\tprofile: " + profile);
    int differences = 0;
    for (Map.Entry<Class<?>, ProfileSwitch> entry : profile.device().switches().entrySet()) {
      if (!DeviceProfile.strict().is(entry.getValue())) {
        line(out, "  " + entry.getKey().getSimpleName(), entry.getValue());
        differences++;
      }
    }
    out.println("RESULT profile=" + profile + " differences=" + differences);
  }

  private static void line(PrintWriter out, String name, Object value) {
    out.printf(Locale.ROOT, "\t%-30s %s%n", name + ":", value);
  }
}

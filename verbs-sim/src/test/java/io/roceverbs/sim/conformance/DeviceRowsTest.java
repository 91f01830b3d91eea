package io.roceverbs.sim.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.roceverbs.sim.Fabric;
import io.roceverbs.sim.LinkConfiguration;
import io.roceverbs.sim.Node;
import io.roceverbs.verbs.AtomicCapability;
import io.roceverbs.verbs.Device;
import io.roceverbs.verbs.DeviceAttributes;
import io.roceverbs.verbs.DeviceContext;
import io.roceverbs.verbs.Errno;
import io.roceverbs.verbs.GidEntry;
import io.roceverbs.verbs.GidType;
import io.roceverbs.verbs.LinkLayer;
import io.roceverbs.verbs.LinkSpeed;
import io.roceverbs.verbs.LinkWidth;
import io.roceverbs.verbs.PathMtu;
import io.roceverbs.verbs.PortAttributes;
import io.roceverbs.verbs.PortCapability;
import io.roceverbs.verbs.PortPhysicalState;
import io.roceverbs.verbs.PortState;
import io.roceverbs.verbs.ProtectionDomain;
import io.roceverbs.verbs.VerbsException;
import java.util.ArrayList;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a device tells of itself, its port and its tables, and its protection domains. */
class DeviceRowsTest {
  private static final int PORT = 1;

  private final Fabric fabric = Fabric.create();
  private final Node node = fabric.addNode("a");
  private final DeviceContext context = node.device().open();

  @AfterEach
  void closeFabric() {
    fabric.close();
  }

  private static void assertErrno(Errno errno, String words, ThrowingCallable call) {
    VerbsException refused = catchThrowableOfType(VerbsException.class, call);
    assertThat(refused).isNotNull();
    assertThat(refused.errno()).isEqualTo(errno);
    assertThat(refused).hasMessageContaining(words);
  }

  @Test
  @Checks({"PDTest.test_alloc_pd", "PDTest.test_dealloc_pd", "PDTest.test_destroy_pd_twice"})
  void aProtectionDomainIsAllocatedAndFreedAndFreedAgain() {
    ProtectionDomain domain = context.allocateProtectionDomain();
    assertThat(domain.isOpen()).isTrue();
    assertThat(domain.context()).isSameAs(context);
    domain.close();
    assertThat(domain.isOpen()).isFalse();
    domain.close();
    assertThat(domain.isOpen()).isFalse();
    context.close();
    assertThat(context.isOpen()).isFalse();
  }

  @Test
  @Checks("PDTest.test_multiple_pd_creation")
  void manyProtectionDomainsLiveSideBySide() {
    List<ProtectionDomain> domains = new ArrayList<>();
    for (int i = 0; i < 100; i++) {
      domains.add(context.allocateProtectionDomain());
    }
    assertThat(domains).doesNotHaveDuplicates().allMatch(ProtectionDomain::isOpen);
    domains.forEach(ProtectionDomain::close);
    assertThat(domains).noneMatch(ProtectionDomain::isOpen);
    context.close();
  }

  @Test
  @Checks({"DeviceTest.test_dev_list", "DeviceTest.test_open_dev"})
  void theDevicesOfAFabricAreListedAndCanBeOpened() {
    fabric.addNode("b");
    assertThat(fabric.nodes().stream().map(Node::device).map(Device::name))
        .containsExactly("a", "b");
    for (Node each : fabric.nodes()) {
      try (DeviceContext opened = each.device().open()) {
        assertThat(opened.device()).isSameAs(each.device());
        assertThat(opened.isOpen()).isTrue();
      }
    }
  }

  @Test
  @Checks({"DeviceTest.test_query_device", "DeviceTest.test_query_device_ex"})
  void theLimitsOfTheDefaultProfileAreThoseOfSoftRoce() {
    DeviceAttributes attributes = context.queryDevice();
    assertThat(attributes.nodeGuid()).isEqualTo(node.device().guid()).isNotZero();
    assertThat(attributes.systemImageGuid()).isEqualTo(node.device().guid());
    assertThat(attributes.vendorId()).isEqualTo(0xFFFFFF);
    assertThat(Long.toUnsignedString(attributes.maxMemoryRegionBytes()))
        .isEqualTo("18446744073709551615");
    assertThat(attributes.pageSizes()).isEqualTo(0xFFFFF000L);
    assertThat(attributes.maxQueuePairs()).isEqualTo((1 << 20) - 16);
    assertThat(attributes.maxQueuePairRequests()).isEqualTo(1 << 20);
    assertThat(attributes.maxSegments()).isEqualTo(32);
    assertThat(attributes.maxReadSegments()).isEqualTo(32);
    assertThat(attributes.maxCompletionQueues()).isEqualTo(1 << 20);
    assertThat(attributes.maxCompletionQueueEntries()).isEqualTo(32_767);
    assertThat(attributes.maxMemoryRegions()).isEqualTo(0x7FFFF);
    assertThat(attributes.maxMemoryWindows()).isEqualTo(0x7FFFF);
    assertThat(attributes.maxProtectionDomains()).isEqualTo(1 << 20);
    assertThat(attributes.maxReadAtomicPerQueuePair()).isEqualTo(128);
    assertThat(attributes.maxInitiatorReadAtomicPerQueuePair()).isEqualTo(128);
    assertThat(attributes.maxReadAtomicResources()).isEqualTo(0x3F000);
    assertThat(attributes.atomicCapability()).isEqualTo(AtomicCapability.HCA);
    assertThat(attributes.maxMulticastGroups()).isEqualTo(8192);
    assertThat(attributes.maxMulticastAttachmentsPerGroup()).isEqualTo(56);
    assertThat(attributes.maxMulticastAttachments()).isEqualTo(0x70000);
    assertThat(attributes.maxAddressHandles()).isEqualTo(32_767);
    assertThat(attributes.maxSharedReceiveQueues()).isEqualTo((1 << 20) - 0x20001);
    assertThat(attributes.maxSharedReceiveRequests()).isEqualTo(1 << 20);
    assertThat(attributes.maxSharedReceiveSegments()).isEqualTo(27);
    assertThat(attributes.maxFastRegistrationPages()).isEqualTo(512);
    assertThat(attributes.maxPartitionKeys()).isEqualTo(64);
    assertThat(attributes.localAckDelay()).isEqualTo(15);
    assertThat(attributes.completionVectors()).isEqualTo(4);
    assertThat(attributes.completionTimestampMask()).isEqualTo(-1);
    assertThat(attributes.clockKilohertz()).isEqualTo(1_000_000);
  }

  @Test
  @Checks("DeviceTest.test_phys_port_cnt_ex")
  void aDeviceHasOnePortAndNoOther() {
    assertThat(context.queryDevice().physicalPorts()).isEqualTo(1);
    assertThat(context.queryPort(1).state()).isEqualTo(PortState.ACTIVE);
    assertErrno(Errno.EINVAL, "port 2 does not exist", () -> context.queryPort(2));
  }

  @Test
  @Checks("DeviceTest.test_query_port")
  void thePortIsAnActiveEthernetPort() {
    PortAttributes attributes = context.queryPort(PORT);
    assertThat(attributes.state()).isEqualTo(PortState.ACTIVE);
    assertThat(attributes.physicalState()).isEqualTo(PortPhysicalState.LINK_UP);
    assertThat(attributes.maxMtu()).isEqualTo(PathMtu.MTU_4096);
    assertThat(attributes.activeMtu()).isEqualTo(PathMtu.MTU_4096);
    assertThat(attributes.capabilities()).containsExactly(PortCapability.CM_SUP);
    assertThat(attributes.localIdentifier()).isZero();
    assertThat(attributes.linkLayer()).isEqualTo(LinkLayer.ETHERNET);
    assertThat(attributes.activeWidth()).isEqualTo(LinkWidth.WIDTH_4X);
    assertThat(attributes.activeSpeed()).isEqualTo(LinkSpeed.EDR);
    assertThat(attributes.maxMessageBytes()).isEqualTo(1L << 31);
    assertThat(attributes.partitionKeyTableLength()).isEqualTo(1);
    assertThat(attributes.badPartitionKeyCounter()).isZero();
    assertThat(attributes.badQueueKeyCounter()).isZero();
  }

  @Test
  @Checks("DeviceTest.test_query_port_bad_flow")
  void aPortThatIsNotThereIsInvalidInEveryQuery() {
    for (int port : new int[] {0, 2, 255}) {
      String words = "port " + port + " does not exist";
      assertErrno(Errno.EINVAL, words, () -> context.queryPort(port));
      assertErrno(Errno.EINVAL, words, () -> context.queryPortSpeed(port));
      assertErrno(Errno.EINVAL, words, () -> context.queryGid(port, 0));
      assertErrno(Errno.EINVAL, words, () -> context.queryGidEntry(port, 0));
      assertErrno(Errno.EINVAL, words, () -> context.queryPartitionKey(port, 0));
      assertErrno(Errno.EINVAL, words, () -> context.getPartitionKeyIndex(port, 0xFFFF));
    }
  }

  @Test
  @Checks("DeviceTest.test_query_port_speed")
  void fourLanesOfEdrAreAHundredGigabits() {
    assertThat(context.queryPortSpeed(PORT)).isEqualTo(1000);
  }

  @ParameterizedTest
  @CsvSource({
    "1_000_000, WIDTH_1X, SDR, 25",
    "1_000_000_000, WIDTH_1X, SDR, 25",
    "1_000_000_001, WIDTH_1X, FDR10, 100",
    "10_000_000_000, WIDTH_1X, FDR10, 100",
    "25_000_000_000, WIDTH_1X, EDR, 250",
    "40_000_000_000, WIDTH_4X, FDR10, 400",
    "100_000_000_000, WIDTH_4X, EDR, 1000",
    "200_000_000_000, WIDTH_4X, HDR, 2000",
    "400_000_000_000, WIDTH_4X, NDR, 4000",
    "800_000_000_000, WIDTH_4X, XDR, 8000",
    "1_600_000_000_000, WIDTH_4X, XDR, 8000"
  })
  void aPortNamesTheLanesThatItsBandwidthNeeds(
      String bitsPerSecond, LinkWidth width, LinkSpeed speed, long units) {
    LinkConfiguration link =
        LinkConfiguration.DEFAULT.withBandwidth(Long.parseLong(bitsPerSecond.replace("_", "")));
    try (Fabric other = Fabric.builder().link(link).build();
        DeviceContext opened = other.addNode("b").device().open()) {
      assertThat(opened.queryPort(PORT).activeWidth()).isEqualTo(width);
      assertThat(opened.queryPort(PORT).activeSpeed()).isEqualTo(speed);
      assertThat(opened.queryPortSpeed(PORT)).isEqualTo(units);
    }
  }

  @Test
  @Checks({"DeviceTest.test_query_pkey", "DeviceTest.test_get_pkey_index"})
  void thePartitionKeyOfIndexZeroLeadsBackToIt() {
    assertThat(context.queryPartitionKey(PORT, 0)).isEqualTo(0xFFFF);
    assertThat(context.getPartitionKeyIndex(PORT, 0xFFFF)).isZero();
    assertErrno(Errno.EINVAL, "index 1", () -> context.queryPartitionKey(PORT, 1));
    assertErrno(Errno.ENOENT, "0x7fff", () -> context.getPartitionKeyIndex(PORT, 0x7FFF));
  }

  @Test
  @Checks({"DeviceTest.test_query_gid", "DeviceTest.test_query_gid_ex"})
  void aGidEntryTellsWhereItIsAndWhatItStandsFor() {
    GidEntry entry = context.queryGidEntry(PORT, 0);
    assertThat(entry.gid()).isEqualTo(context.queryGid(PORT, 0)).isEqualTo(node.gid());
    assertThat(entry.index()).isZero();
    assertThat(entry.port()).isEqualTo(PORT);
    assertThat(entry.type()).isEqualTo(GidType.ROCE_V2);
    assertThat(entry.interfaceIndex()).isPositive();
    assertThat(context.queryGidEntry(PORT, 1).gid().isIpv4Mapped()).isFalse();
  }

  @Test
  @Checks("DeviceTest.test_query_gid_ex_bad_flow")
  void anEmptyIndexOfTheGidTableHasNoData() {
    assertErrno(Errno.ENODATA, "no address at index 2", () -> context.queryGidEntry(PORT, 2));
    assertErrno(Errno.ENODATA, "no address at index 2", () -> context.queryGid(PORT, 2));
  }

  @Test
  @Checks("DeviceTest.test_query_gid_table")
  void theWholeGidTableIsReadAtOnce() {
    GidEntry[] entries = new GidEntry[10];
    assertThat(context.queryGidTable(entries)).isEqualTo(2);
    assertThat(entries[0]).isEqualTo(context.queryGidEntry(PORT, 0));
    assertThat(entries[1]).isEqualTo(context.queryGidEntry(PORT, 1));
    assertThat(entries[2]).isNull();
    assertThat(context.queryGidTable(new GidEntry[2])).isEqualTo(2);
  }

  @Test
  @Checks("DeviceTest.test_query_gid_table_bad_flow")
  void aGidTableThatDoesNotFitIsInvalidAndFillsNothing() {
    GidEntry[] entries = new GidEntry[1];
    assertErrno(Errno.EINVAL, "2 entries", () -> context.queryGidTable(entries));
    assertThat(entries[0]).isNull();
    assertErrno(Errno.EINVAL, "room for 0", () -> context.queryGidTable(new GidEntry[0]));
  }
}

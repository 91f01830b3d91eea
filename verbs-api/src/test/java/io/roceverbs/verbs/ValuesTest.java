package io.roceverbs.verbs;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The records of the control plane. */
class ValuesTest {
  private static final Gid PEER = new Gid(0, 0x0000_ffff_0a00_0002L);

  @Test
  void anAddressVectorHasTheUsualDefaults() {
    assertThat(AddressVector.to(PEER))
        .isEqualTo(new AddressVector(PEER, 0, 0, 64, 0, 0, StaticRate.MAX, 1));
  }

  @Test
  void eachWitherOfAnAddressVectorChangesOneField() {
    Gid other = new Gid(1, 2);

    assertThat(
            AddressVector.to(PEER)
                .withDestination(other)
                .withSourceGidIndex(1)
                .withFlowLabel(0xfffff)
                .withHopLimit(2)
                .withTrafficClass(3)
                .withServiceLevel(4)
                .withStaticRate(StaticRate.GBPS_100)
                .withPort(5))
        .isEqualTo(new AddressVector(other, 1, 0xfffff, 2, 3, 4, StaticRate.GBPS_100, 5));
  }

  @Test
  void eachWitherOfACompletionQueueInitChangesOneField() {
    CompletionQueueInit init =
        CompletionQueueInit.ofCapacity(8)
            .withFields(CompletionField.IMM, CompletionField.BYTE_LEN)
            .withFlags(CompletionQueueFlag.IGNORE_OVERRUN)
            .withCompletionVector(2)
            .withAttachment("mine");

    assertThat(init)
        .isEqualTo(
            new CompletionQueueInit(
                8,
                null,
                2,
                "mine",
                Set.of(CompletionField.BYTE_LEN, CompletionField.IMM),
                Set.of(CompletionQueueFlag.IGNORE_OVERRUN)));
    assertThat(init.fields()).containsExactly(CompletionField.BYTE_LEN, CompletionField.IMM);
    assertThat(init.withFields().fields()).isEmpty();
    CompletionQueueInit standard = init.withFields(CompletionField.standard());
    assertThat(standard.fields()).isEqualTo(CompletionField.standard());
    assertThat(standard.fields().stream().mapToInt(CompletionField::value).sum()).isEqualTo(0x7F);
    assertThat(init.withFlags().flags()).isEmpty();
    assertThatThrownBy(() -> init.fields().add(CompletionField.SL))
        .isInstanceOf(UnsupportedOperationException.class);
    assertThatThrownBy(() -> init.flags().clear())
        .isInstanceOf(UnsupportedOperationException.class);
    assertThat(CompletionQueueInit.ofCapacity(-1).capacity()).isEqualTo(-1);
  }

  @Test
  void anAddressVectorRefusesWhatDoesNotFitTheField() {
    AddressVector address = AddressVector.to(PEER);

    assertThatThrownBy(() -> address.withFlowLabel(0x100000))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage("flowLabel is 1048576, legal are 0 to 1048575");
    assertThatThrownBy(() -> address.withServiceLevel(16))
        .isInstanceOf(IllegalArgumentException.class);
    assertThatThrownBy(() -> address.withHopLimit(-1)).isInstanceOf(IllegalArgumentException.class);
  }

  @Test
  void capacitiesAreNotNegative() {
    assertThatThrownBy(() -> new QueuePairCapacities(1, 2, -3, 4, 5))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessage(
            "capacities count from 0, but one is negative: send requests 1, receive requests 2,"
                + " send segments -3, receive segments 4, inline bytes 5");
  }

  @Test
  void deviceAttributesKeepTheirOwnCapabilities() {
    Set<DeviceCapability> capabilities = new HashSet<>(Set.of(DeviceCapability.XRC));

    DeviceAttributes attributes = attributesWith(capabilities);
    capabilities.clear();

    assertThat(attributes.capabilities()).containsExactly(DeviceCapability.XRC);
    assertThatThrownBy(() -> attributes.capabilities().clear())
        .isInstanceOf(UnsupportedOperationException.class);
  }

  private static DeviceAttributes attributesWith(Set<DeviceCapability> capabilities) {
    return new DeviceAttributes(
        "1.0",
        1,
        1,
        0xffffff,
        1,
        1,
        -1,
        4096,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        AtomicCapability.HCA,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        1,
        -1,
        1,
        capabilities);
  }

  @Test
  void eachWitherOfARegionChangeSetsOneComponent() {
    ByteBuffer buffer = ByteBuffer.allocate(8);
    AccessFlags access = AccessFlags.of(AccessFlag.LOCAL_WRITE);

    assertThat(MemoryRegionChange.NONE).isEqualTo(new MemoryRegionChange(null, null, null));
    assertThat(MemoryRegionChange.NONE.withBuffer(buffer).withAccess(access))
        .isEqualTo(new MemoryRegionChange(buffer, null, access));
  }

  @Test
  void aBindingToNothingHasNoRegion() {
    assertThat(MemoryWindowBinding.NONE)
        .isEqualTo(new MemoryWindowBinding(null, 0, 0, 0, AccessFlags.NONE));
  }

  @Test
  void withoutAProviderThereIsNoDevice() {
    assertThat(Device.list()).isEmpty();
  }
}

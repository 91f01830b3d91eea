package io.roceverbs.sim.profile;

import static org.assertj.core.api.Assertions.assertThat;

import io.roceverbs.verbs.DeviceCapability;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class DeviceProfileTest {
  private static final int SWITCHES = 61;

  @Test
  void strictHasTheFirstValueOfEverySwitch() {
    assertThat(DeviceProfile.strict().switches()).hasSize(SWITCHES);
    for (Map.Entry<Class<?>, ProfileSwitch> entry : DeviceProfile.strict().switches().entrySet()) {
      assertThat(entry.getValue()).isEqualTo(entry.getKey().getEnumConstants()[0]);
    }
  }

  @Test
  void everySwitchHasAValueInEveryProfile() {
    for (DeviceProfile profile : profiles()) {
      assertThat(profile.switches().keySet())
          .as(profile.name())
          .containsExactlyElementsOf(DeviceProfile.strict().switches().keySet());
    }
  }

  @Test
  void aDeviceWithFalseInvalidateDiffersFromStrictInOneSwitch() {
    assertThat(differences(DeviceProfile.falseInvalidate()))
        .containsExactly("SendWithInvalidate.FAILS");
    assertThat(DeviceProfile.falseInvalidate().has(DeviceCapability.MEM_MGT_EXTENSIONS)).isTrue();
  }

  @Test
  void connectXDiffersFromStrictInWhatItsDriverShows() {
    assertThat(differences(DeviceProfile.connectX()))
        .containsExactly(
            "PostErrno.ENOMEM_AT_SEND",
            "CapacityRounding.UP_TO_POWER",
            "InlineTooLong.ENOMEM",
            "ErrorFields.LEFT_OVER",
            "DatagramOverMtu.LOC_LEN_ERR",
            "DatagramTooLongForReceive.LOC_LEN_ERR",
            "UserRegionKeys.EQUAL",
            "AckCoalescing.EVERY_FOURTH",
            "EcnCapability.ECT_0",
            "CongestionNotification.ON",
            "RateControl.DCQCN");
  }

  @Test
  void irdmaDiffersFromStrictInWhatItsDriverShows() {
    assertThat(differences(DeviceProfile.irdma()))
        .containsExactly(
            "AddressHandleOfOtherDomain.COMPLETION_ERROR",
            "UnsignalledErrorCompletion.DROPPED",
            "ErrorFields.LEFT_OVER",
            "SendErrorState.ERR",
            "DatagramOverMtu.LOC_LEN_ERR",
            "LocalFaultStatus.LOC_PROT_ERR_AND_EVENT",
            "MemoryOperationStatus.GENERAL_ERR_IF_VALID",
            "FailedRemoteInvalidation.ACCESS_WITHOUT_RIGHTS",
            "UserRegionKeys.EQUAL",
            "LocalInvalidateOrder.RELAXED_LATE");
  }

  @Test
  void softRoceDiffersFromStrictInWhatWasMeasured() {
    assertThat(differences(DeviceProfile.softRoce()))
        .containsExactly(
            "SendSlotFree.AT_COMPLETION",
            "CapacityRounding.UP_TO_POWER_LESS_ONE",
            "InlineTooLong.ENOSPC_AT_COMPLETE",
            "ZeroReadDepth.WAIT",
            "MemoryOperationsOnUc.OFF",
            "ErrorFields.ZERO",
            "CompletionsAtReset.KEEP",
            "CompletionsAtDestroy.KEEP",
            "CompletionQueueOverrun.LOSE",
            "SolicitedOnError.NO",
            "LastWqeEvent.EACH_FLUSH_RUN",
            "SendQueueDrainedEvent.ALWAYS",
            "SendErrorState.ERR",
            "DatagramTooLongForReceive.DROP_BUT_FAIL_SHARED",
            "QueueKeyHighBit.AS_GIVEN",
            "DatagramHeaderGap.ZERO",
            "LocalFaultStatus.RXE_6_1",
            "BeforeLocalFault.NEVER_COMPLETED",
            "ReceiveTooShort.REMOTE_OPERATION",
            "ReceiveKeyFault.LOC_QP_OP_ERR",
            "ImmediateAccessFault.REM_ACCESS_ERR",
            "MemoryOperationStatus.LOC_QP_OP_ERR",
            "InvalidateFree.ACCEPT_REGION",
            "AccessEvents.OFF",
            "UserRegionKeys.EQUAL_OR_NO_RKEY",
            "LocalInvalidateOrder.WAIT_EARLIER",
            "RetryCountSeven.INFINITE",
            "AckTimer.TICKS",
            "NakBehindRnr.YES",
            "DuplicateBeforeFirst.ALL_ONES",
            "ResponseGap.WAIT",
            "ReadDepthExceeded.RECYCLE",
            "ReservedOpcode.DROP",
            "ShortFirst.ACCEPT",
            "CommunicationEstablished.NEVER",
            "UcGap.LOSES_NEXT",
            "MigrationRequest.ZERO",
            "PacketLifeTime.CODE_18");
  }

  @Test
  void oneSwitchIsSetOnTopOfAnyProfile() {
    for (DeviceProfile profile : profiles()) {
      DeviceProfile changed = profile.with(WireSwitch.DuplicateAck.IF_ASKED);

      assertThat(changed.is(WireSwitch.DuplicateAck.IF_ASKED)).isTrue();
      assertThat(changed.get(WireSwitch.DuplicateAck.class))
          .isEqualTo(WireSwitch.DuplicateAck.IF_ASKED);
      assertThat(changed.with(WireSwitch.DuplicateAck.ALWAYS).switches())
          .isEqualTo(profile.switches());
      assertThat(profile.is(WireSwitch.DuplicateAck.ALWAYS)).isTrue();
    }
  }

  @Test
  void capabilitiesAreAddedAndTakenAway() {
    DeviceProfile with2A =
        DeviceProfile.strict().withCapability(DeviceCapability.MEM_WINDOW_TYPE_2A);

    assertThat(with2A.has(DeviceCapability.MEM_WINDOW_TYPE_2A)).isTrue();
    assertThat(with2A.withoutCapability(DeviceCapability.MEM_WINDOW_TYPE_2A).capabilities())
        .isEqualTo(DeviceProfile.strict().capabilities());
  }

  private static List<DeviceProfile> profiles() {
    return List.of(
        DeviceProfile.strict(),
        DeviceProfile.softRoce(),
        DeviceProfile.connectX(),
        DeviceProfile.irdma(),
        DeviceProfile.falseInvalidate());
  }

  private static List<String> differences(DeviceProfile profile) {
    return profile.switches().entrySet().stream()
        .filter(entry -> !DeviceProfile.strict().is(entry.getValue()))
        .map(entry -> entry.getKey().getSimpleName() + "." + entry.getValue())
        .toList();
  }
}

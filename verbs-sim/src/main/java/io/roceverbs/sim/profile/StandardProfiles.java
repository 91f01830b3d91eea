package io.roceverbs.sim.profile;

import io.roceverbs.verbs.DeviceCapability;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The values of the profiles that the library offers. */
final class StandardProfiles {
  private static final List<Class<? extends ProfileSwitch>> GROUPS =
      List.of(PostingSwitch.class, ErrorSwitch.class, WireSwitch.class, Quirk.class);

  private static final Set<DeviceCapability> CAPABILITIES =
      EnumSet.of(
          DeviceCapability.BAD_PKEY_CNTR,
          DeviceCapability.BAD_QKEY_CNTR,
          DeviceCapability.UD_AV_PORT_ENFORCE,
          DeviceCapability.CURR_QP_STATE_MOD,
          DeviceCapability.PORT_ACTIVE_EVENT,
          DeviceCapability.SYS_IMAGE_GUID,
          DeviceCapability.RC_RNR_NAK_GEN,
          DeviceCapability.SRQ_RESIZE,
          DeviceCapability.MEM_WINDOW,
          DeviceCapability.XRC,
          DeviceCapability.MEM_WINDOW_TYPE_2B,
          DeviceCapability.MEM_MGT_EXTENSIONS);

  private StandardProfiles() {}

  /** The first constant of every switch. */
  static DeviceProfile makeStrict() {
    Map<Class<?>, ProfileSwitch> first = new LinkedHashMap<>();
    for (Class<? extends ProfileSwitch> group : GROUPS) {
      for (Class<?> type : group.getPermittedSubclasses()) {
        first.put(type, (ProfileSwitch) type.getEnumConstants()[0]);
      }
    }
    return new DeviceProfile("strict", DeviceLimits.SOFTWARE, CAPABILITIES, first);
  }

  static DeviceProfile makeSoftRoce(DeviceProfile strict) {
    return strict
        .named("softRoce")
        .withoutCapability(DeviceCapability.CURR_QP_STATE_MOD)
        .withoutCapability(DeviceCapability.XRC)
        .withCapability(DeviceCapability.AUTO_PATH_MIG)
        .withCapability(DeviceCapability.CHANGE_PHY_PORT)
        .with(
            PostingSwitch.SendSlotFree.AT_COMPLETION,
            PostingSwitch.CapacityRounding.UP_TO_POWER_LESS_ONE,
            PostingSwitch.InlineTooLong.ENOSPC_AT_COMPLETE,
            PostingSwitch.ZeroReadDepth.WAIT,
            PostingSwitch.MemoryOperationsOnUc.OFF,
            PostingSwitch.ErrorFields.ZERO,
            PostingSwitch.CompletionsAtReset.KEEP,
            PostingSwitch.CompletionsAtDestroy.KEEP,
            PostingSwitch.CompletionQueueOverrun.LOSE,
            PostingSwitch.SolicitedOnError.NO,
            PostingSwitch.LastWqeEvent.EACH_FLUSH_RUN,
            PostingSwitch.SendQueueDrainedEvent.ALWAYS,
            PostingSwitch.SendErrorState.ERR,
            PostingSwitch.DatagramTooLongForReceive.DROP_BUT_FAIL_SHARED,
            PostingSwitch.QueueKeyHighBit.AS_GIVEN,
            PostingSwitch.DatagramHeaderGap.ZERO)
        .with(
            ErrorSwitch.LocalFaultStatus.RXE_6_1,
            ErrorSwitch.BeforeLocalFault.NEVER_COMPLETED,
            ErrorSwitch.ReceiveTooShort.REMOTE_OPERATION,
            ErrorSwitch.ReceiveKeyFault.LOC_QP_OP_ERR,
            ErrorSwitch.ImmediateAccessFault.REM_ACCESS_ERR,
            ErrorSwitch.MemoryOperationStatus.LOC_QP_OP_ERR,
            ErrorSwitch.InvalidateFree.ACCEPT_REGION,
            ErrorSwitch.AccessEvents.OFF,
            ErrorSwitch.UserRegionKeys.EQUAL_OR_NO_RKEY)
        .with(
            WireSwitch.LocalInvalidateOrder.WAIT_EARLIER,
            WireSwitch.RetryCountSeven.INFINITE,
            WireSwitch.AckTimer.TICKS,
            WireSwitch.NakBehindRnr.YES,
            WireSwitch.DuplicateBeforeFirst.ALL_ONES,
            WireSwitch.ResponseGap.WAIT,
            WireSwitch.ReadDepthExceeded.RECYCLE,
            WireSwitch.ReservedOpcode.DROP,
            WireSwitch.ShortFirst.ACCEPT,
            WireSwitch.CommunicationEstablished.NEVER,
            WireSwitch.UcGap.LOSES_NEXT,
            WireSwitch.MigrationRequest.ZERO,
            WireSwitch.PacketLifeTime.CODE_18);
  }

  static DeviceProfile makeConnectX(DeviceProfile strict) {
    return strict
        .named("connectX")
        .with(
            PostingSwitch.PostErrno.ENOMEM_AT_SEND,
            PostingSwitch.CapacityRounding.UP_TO_POWER,
            PostingSwitch.InlineTooLong.ENOMEM,
            PostingSwitch.ErrorFields.LEFT_OVER,
            PostingSwitch.DatagramOverMtu.LOC_LEN_ERR,
            PostingSwitch.DatagramTooLongForReceive.LOC_LEN_ERR,
            ErrorSwitch.UserRegionKeys.EQUAL,
            WireSwitch.AckCoalescing.EVERY_FOURTH,
            WireSwitch.EcnCapability.ECT_0,
            WireSwitch.CongestionNotification.ON,
            WireSwitch.RateControl.DCQCN);
  }

  static DeviceProfile makeIrdma(DeviceProfile strict) {
    return strict
        .named("irdma")
        .with(
            PostingSwitch.AddressHandleOfOtherDomain.COMPLETION_ERROR,
            PostingSwitch.UnsignalledErrorCompletion.DROPPED,
            PostingSwitch.ErrorFields.LEFT_OVER,
            PostingSwitch.SendErrorState.ERR,
            PostingSwitch.DatagramOverMtu.LOC_LEN_ERR,
            ErrorSwitch.LocalFaultStatus.LOC_PROT_ERR_AND_EVENT,
            ErrorSwitch.MemoryOperationStatus.GENERAL_ERR_IF_VALID,
            ErrorSwitch.FailedRemoteInvalidation.ACCESS_WITHOUT_RIGHTS,
            ErrorSwitch.UserRegionKeys.EQUAL,
            WireSwitch.LocalInvalidateOrder.RELAXED_LATE);
  }
}

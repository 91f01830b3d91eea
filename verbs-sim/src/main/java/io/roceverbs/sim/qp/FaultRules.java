package io.roceverbs.sim.qp;

import io.roceverbs.sim.memory.KeyFault;
import io.roceverbs.sim.profile.DeviceProfile;
import io.roceverbs.sim.profile.ErrorSwitch;
import io.roceverbs.sim.wire.NakCode;
import io.roceverbs.verbs.CompletionStatus;

/** How the profile of a device reports what failed. */
final class FaultRules {
  private final ErrorSwitch.LocalFaultStatus localFault;
  private final ErrorSwitch.BeforeLocalFault beforeLocalFault;
  private final ErrorSwitch.ReceiveTooShort receiveTooShort;
  private final CompletionStatus receiveKeyFault;
  private final CompletionStatus immediateAccessFault;

  FaultRules(DeviceProfile profile) {
    localFault = profile.get(ErrorSwitch.LocalFaultStatus.class);
    beforeLocalFault = profile.get(ErrorSwitch.BeforeLocalFault.class);
    receiveTooShort = profile.get(ErrorSwitch.ReceiveTooShort.class);
    receiveKeyFault =
        profile.is(ErrorSwitch.ReceiveKeyFault.LOC_PROT_ERR)
            ? CompletionStatus.LOC_PROT_ERR
            : CompletionStatus.LOC_QP_OP_ERR;
    immediateAccessFault =
        profile.is(ErrorSwitch.ImmediateAccessFault.LOC_ACCESS_ERR)
            ? CompletionStatus.LOC_ACCESS_ERR
            : CompletionStatus.REM_ACCESS_ERR;
  }

  /** How a send completes whose memory can't be gathered. */
  CompletionStatus gatherStatus(KeyFault fault) {
    return switch (localFault) {
      case LOC_PROT_ERR, LOC_PROT_ERR_AND_EVENT -> CompletionStatus.LOC_PROT_ERR;
      case RXE_6_1 ->
          fault == KeyFault.OUT_OF_RANGE
              ? CompletionStatus.LOC_PROT_ERR
              : CompletionStatus.LOC_QP_OP_ERR;
      case RXE_6_12 -> CompletionStatus.WR_FLUSH_ERR;
    };
  }

  /** Whether such a send also raises an event. */
  boolean gatherFaultRaisesEvent() {
    return localFault == ErrorSwitch.LocalFaultStatus.LOC_PROT_ERR_AND_EVENT;
  }

  /** What becomes of the requests before such a send. */
  ErrorSwitch.BeforeLocalFault beforeGatherFault() {
    return beforeLocalFault;
  }

  /** What the peer is told of a refusal. */
  NakCode nakCode(Refusal refusal) {
    return refusal == Refusal.TOO_LONG
            && receiveTooShort == ErrorSwitch.ReceiveTooShort.REMOTE_OPERATION
        ? NakCode.REMOTE_OPERATIONAL_ERROR
        : refusal.nakCode();
  }

  /** How a receive completes that the refused request had taken. */
  CompletionStatus receiveStatus(Refusal refusal) {
    return switch (refusal) {
      case INVALID, LENGTH -> refusal.receiveStatus();
      case ACCESS -> immediateAccessFault;
      case RECEIVE -> receiveKeyFault;
      case TOO_LONG ->
          receiveTooShort == ErrorSwitch.ReceiveTooShort.LOC_LEN_ERR
              ? refusal.receiveStatus()
              : CompletionStatus.LOC_QP_OP_ERR;
    };
  }
}

package io.roceverbs.sim.profile;

/**
 * What may differ between devices when something fails: status, NAK, event.
 *
 * <p>The first value of each switch is that of {@link DeviceProfile#strict()}.
 */
public sealed interface ErrorSwitch extends ProfileSwitch
    permits ErrorSwitch.LocalFaultStatus,
        ErrorSwitch.BeforeLocalFault,
        ErrorSwitch.PayloadSource,
        ErrorSwitch.ReceiveTooShort,
        ErrorSwitch.ReceiveKeyFault,
        ErrorSwitch.ImmediateAccessFault,
        ErrorSwitch.MemoryOperationStatus,
        ErrorSwitch.InvalidateFree,
        ErrorSwitch.FailedRemoteInvalidation,
        ErrorSwitch.DeregisterBound,
        ErrorSwitch.AccessEvents,
        ErrorSwitch.UserRegionKeys {
  /**
   * The status of a send whose memory can't be gathered.
   *
   * <p>Source: rdma-core libibverbs; measured on Soft-RoCE of Linux 6.1 and 6.12.
   */
  enum LocalFaultStatus implements ErrorSwitch {
    /** LOC_PROT_ERR. */
    LOC_PROT_ERR,
    /** LOC_PROT_ERR, and the event QP_ACCESS_ERR. */
    LOC_PROT_ERR_AND_EVENT,
    /** LOC_QP_OP_ERR for a key that is unknown or not valid, LOC_PROT_ERR for a range. */
    RXE_6_1,
    /** WR_FLUSH_ERR. */
    RXE_6_12
  }

  /**
   * What becomes of unacknowledged requests before one whose memory can't be gathered.
   *
   * <p>Source: measured on Soft-RoCE of Linux 6.1 and 6.12.
   */
  enum BeforeLocalFault implements ErrorSwitch {
    /** They are brought to their end first. */
    COMPLETE_FIRST,
    /** Neither they nor the faulty one ever complete, and the queue pair stays in RTS. */
    NEVER_COMPLETED,
    /** They are flushed. */
    FLUSHED
  }

  /**
   * Where the payload of a retransmission comes from.
   *
   * <p>Source: Linux rxe_req.c; rdmavt qp.c.
   */
  enum PayloadSource implements ErrorSwitch {
    /** From memory, through the key, as at the first transmission. */
    REREAD,
    /** From the memory that the key meant at post, whatever became of the key. */
    PINNED
  }

  /**
   * What a message longer than the receive draws: NAK, and status of receive and send.
   *
   * <p>Source: InfiniBand Architecture vol 1, as in mlx5 and irdma; measured on Soft-RoCE; rdmavt.
   */
  enum ReceiveTooShort implements ErrorSwitch {
    /** NAK invalid request, LOC_LEN_ERR, REM_INV_REQ_ERR. */
    LOC_LEN_ERR,
    /** NAK remote operational error, LOC_QP_OP_ERR, REM_OP_ERR. */
    REMOTE_OPERATION,
    /** NAK invalid request, LOC_QP_OP_ERR, REM_INV_REQ_ERR. */
    LOC_QP_OP_ERR
  }

  /**
   * The status of a receive whose memory can't be filled.
   *
   * <p>Source: measured on Soft-RoCE.
   */
  enum ReceiveKeyFault implements ErrorSwitch {
    /** LOC_PROT_ERR. */
    LOC_PROT_ERR,
    /** LOC_QP_OP_ERR. */
    LOC_QP_OP_ERR
  }

  /**
   * The status of a receive that a WRITE with immediate and a bad key had taken.
   *
   * <p>Source: measured on Soft-RoCE.
   */
  enum ImmediateAccessFault implements ErrorSwitch {
    /** LOC_ACCESS_ERR. */
    LOC_ACCESS_ERR,
    /** REM_ACCESS_ERR. */
    REM_ACCESS_ERR
  }

  /**
   * The status of a REG_MR or LOCAL_INV that failed.
   *
   * <p>Source: rdma-core libibverbs; Linux rxe_req.c; irdma hw.c.
   */
  enum MemoryOperationStatus implements ErrorSwitch {
    /** MW_BIND_ERR. */
    MW_BIND_ERR,
    /** LOC_QP_OP_ERR. */
    LOC_QP_OP_ERR,
    /** GENERAL_ERR with QP_FATAL for a REG_MR of a valid region; else MW_BIND_ERR. */
    GENERAL_ERR_IF_VALID
  }

  /**
   * What an invalidation of a key that is free already does.
   *
   * <p>Source: Linux rxe_mr.c.
   */
  enum InvalidateFree implements ErrorSwitch {
    /** It fails. */
    ERROR,
    /** It succeeds for a region. */
    ACCEPT_REGION
  }

  /**
   * What a SEND_WITH_INV does whose key can't be invalidated.
   *
   * <p>Source: Linux rxe_resp.c, class J; irdma hw.c; rdmavt qp.c.
   */
  enum FailedRemoteInvalidation implements ErrorSwitch {
    /** It is acknowledged with the MSN as it was; the receive fails with REM_INV_REQ_ERR; ERR. */
    ACKNOWLEDGED,
    /** As ACKNOWLEDGED; but REM_ACCESS_ERR, with QP_ACCESS_ERR, for a key without remote rights. */
    ACCESS_WITHOUT_RIGHTS,
    /** As ACKNOWLEDGED, without the acknowledgement. */
    NOT_ACKNOWLEDGED,
    /** It succeeds as a plain SEND; the receive does not say that a key was invalidated. */
    IGNORED
  }

  /**
   * The error of closing a region to which windows are bound.
   *
   * <p>Source: Linux rxe_verbs.c rxe_dereg_mr.
   */
  enum DeregisterBound implements ErrorSwitch {
    /** EINVAL. */
    EINVAL,
    /** EBUSY. */
    EBUSY
  }

  /**
   * Whether a fault of the peer's request that takes no receive raises an event.
   *
   * <p>Source: InfiniBand Architecture vol 1, C9-222.1.1; linux-rdma 2026-02.
   */
  enum AccessEvents implements ErrorSwitch {
    /** QP_REQ_ERR or QP_ACCESS_ERR is raised. */
    ON,
    /** Nothing is raised. */
    OFF
  }

  /**
   * The keys of a user memory region.
   *
   * <p>Source: Linux rxe_mr.c.
   */
  enum UserRegionKeys implements ErrorSwitch {
    /** lkey and rkey differ, so that mixing them up is found. */
    DIFFERENT,
    /** They are equal. */
    EQUAL,
    /** They are equal; the rkey is 0 without a remote right. */
    EQUAL_OR_NO_RKEY
  }
}

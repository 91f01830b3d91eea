package io.roceverbs.sim.profile;

/**
 * What may differ between devices when requests are posted, in their slots, and in their
 * completions.
 *
 * <p>The first value of each switch is that of {@link DeviceProfile#strict()}.
 */
public sealed interface PostingSwitch extends ProfileSwitch
    permits PostingSwitch.SendSlotFree,
        PostingSwitch.PostErrno,
        PostingSwitch.CapacityRounding,
        PostingSwitch.InlineTooLong,
        PostingSwitch.LkeyCheckAtPost,
        PostingSwitch.AddressHandleOfOtherDomain,
        PostingSwitch.ZeroReadDepth,
        PostingSwitch.MemoryOperationsOnUc,
        PostingSwitch.UnsignalledErrorCompletion,
        PostingSwitch.ErrorFields,
        PostingSwitch.CompletionsAtReset,
        PostingSwitch.CompletionsAtDestroy,
        PostingSwitch.CompletionQueueOverrun,
        PostingSwitch.SolicitedOnError,
        PostingSwitch.LastWqeEvent,
        PostingSwitch.SendQueueDrainedEvent,
        PostingSwitch.SendErrorState,
        PostingSwitch.DatagramOverMtu,
        PostingSwitch.DatagramTooLongForReceive,
        PostingSwitch.QueueKeyHighBit,
        PostingSwitch.DatagramHeaderGap {
  /**
   * When the slot of a send request is free again.
   *
   * <p>Source: rdma-core providers/mlx5/qp.c and cq.c; Linux rxe_comp.c.
   */
  enum SendSlotFree implements PostingSwitch {
    /** When its completion, or that of a later request of the queue, is polled. */
    AT_POLL,
    /** As soon as it is complete, polled or not. */
    AT_COMPLETION
  }

  /**
   * The error of a post that can never be right in this state, or with so many segments.
   *
   * <p>Source: rdma-core tests/test_qpex.py; providers/mlx5/qp.c.
   */
  enum PostErrno implements PostingSwitch {
    /** EINVAL for sends and receives. */
    EINVAL,
    /** ENOMEM for a send, as some providers say; EINVAL for a receive. */
    ENOMEM_AT_SEND
  }

  /**
   * What a queue pair is created with when less was asked for.
   *
   * <p>Source: Linux rxe_queue.c and rxe_qp.c.
   */
  enum CapacityRounding implements PostingSwitch {
    /** Exactly what was asked for. */
    NONE,
    /** Queues of 2^k - 1 requests, READ depths of 2^k. */
    UP_TO_POWER_LESS_ONE,
    /** Queues of 2^k requests. */
    UP_TO_POWER
  }

  /**
   * The error of a send with more inline data than the queue pair was created with.
   *
   * <p>Source: rdma-core providers/mlx5, irdma and rxe.
   */
  enum InlineTooLong implements PostingSwitch {
    /** EINVAL: it can never be right. */
    EINVAL,
    /** EINVAL from a post; ENOSPC where the batch of a builder ends. */
    ENOSPC_AT_COMPLETE,
    /** ENOMEM, as for a full queue. */
    ENOMEM
  }

  /**
   * Whether a post looks at the lkeys of its segments.
   *
   * <p>Source: Linux rxe_req.c; rdmavt qp.c.
   */
  enum LkeyCheckAtPost implements PostingSwitch {
    /** No: they are looked at when memory is accessed. */
    NO,
    /** Yes: a bad one is EINVAL. */
    YES
  }

  /**
   * What becomes of a datagram whose address handle belongs to another protection domain.
   *
   * <p>Source: Linux rdmavt qp.c; irdma hw.c.
   */
  enum AddressHandleOfOtherDomain implements PostingSwitch {
    /** EINVAL at post. */
    EINVAL_AT_POST,
    /** It is taken, and completes with LOC_QP_OP_ERR. */
    COMPLETION_ERROR
  }

  /**
   * What becomes of a READ or atomic on a queue pair with max_rd_atomic 0.
   *
   * <p>Source: Linux rdmavt qp.c; rxe_req.c.
   */
  enum ZeroReadDepth implements PostingSwitch {
    /** EINVAL at post. */
    EINVAL_AT_POST,
    /** It is taken and waits for ever. */
    WAIT
  }

  /**
   * Whether a UC queue pair takes LOCAL_INV and REG_MR.
   *
   * <p>Source: ibv_post_send(3); Linux rxe_opcode.c.
   */
  enum MemoryOperationsOnUc implements PostingSwitch {
    /** It does. */
    ON,
    /** It does not: EINVAL at post. */
    OFF
  }

  /**
   * Whether an unsignalled send that fails or is flushed completes.
   *
   * <p>Source: InfiniBand Architecture vol 1, 10.7.3.1; linux-rdma 2025-10-30 (irdma).
   */
  enum UnsignalledErrorCompletion implements PostingSwitch {
    /** It does. */
    YES,
    /** It does not. */
    DROPPED
  }

  /**
   * What a failed completion has in the fields that are undefined then.
   *
   * <p>Source: ibv_poll_cq(3).
   */
  enum ErrorFields implements PostingSwitch {
    /** Asking for one throws. */
    POISON,
    /** Zero, as an opcode SEND. */
    ZERO,
    /** Whatever the success before had. */
    LEFT_OVER
  }

  /**
   * What becomes of unpolled completions when their queue pair is reset.
   *
   * <p>Source: rdma-core providers/mlx5/verbs.c.
   */
  enum CompletionsAtReset implements PostingSwitch {
    /** They are removed. */
    PURGE,
    /** They stay. */
    KEEP
  }

  /**
   * What becomes of unpolled completions when their queue pair is destroyed.
   *
   * <p>Source: rdma-core providers/mlx5/verbs.c and irdma/uverbs.c.
   */
  enum CompletionsAtDestroy implements PostingSwitch {
    /** They are removed. */
    PURGE,
    /** They stay. */
    KEEP
  }

  /**
   * What happens when a completion does not fit.
   *
   * <p>Source: ibv_get_async_event(3); Linux rxe_cq.c.
   */
  enum CompletionQueueOverrun implements PostingSwitch {
    /**
     * CQ_ERR once, no further completion is taken, and all queue pairs on it go to ERR with
     * QP_FATAL.
     */
    CLOSE,
    /**
     * CQ_ERR for each lost one; a queue pair whose receive was lost goes to ERR; the queue goes on.
     */
    LOSE
  }

  /**
   * Whether a failed completion wakes a queue that was armed for solicited ones.
   *
   * <p>Source: ibv_req_notify_cq(3).
   */
  enum SolicitedOnError implements PostingSwitch {
    /** It does. */
    YES,
    /** Failed sends and flushes do not. */
    NO
  }

  /**
   * How often LAST_WQE_REACHED is raised.
   *
   * <p>Source: Linux rxe_resp.c; InfiniBand Architecture vol 1, o11-5.2.5.
   */
  enum LastWqeEvent implements PostingSwitch {
    /** Once for each entry to ERR. */
    ONCE,
    /** At each run of the flush in ERR. */
    EACH_FLUSH_RUN
  }

  /**
   * Whether SQ_DRAINED is raised.
   *
   * <p>Source: ibv_modify_qp(3); Linux rxe_comp.c.
   */
  enum SendQueueDrainedEvent implements PostingSwitch {
    /** Only if EN_SQD_ASYNC_NOTIFY asked for it. */
    IF_ASKED,
    /** Always. */
    ALWAYS
  }

  /**
   * The state of a UD or UC queue pair after a send that failed.
   *
   * <p>Source: InfiniBand Architecture vol 1, C10-96, as restated in rdmavt; Linux rxe_req.c, irdma
   * hw.c.
   */
  enum SendErrorState implements PostingSwitch {
    /** SQE: receiving goes on. */
    SQE,
    /** ERR: everything ends. */
    ERR
  }

  /**
   * What becomes of a datagram longer than the MTU of the port.
   *
   * <p>Source: Linux rxe_req.c, restating C10-93.1.1; irdma hw.c.
   */
  enum DatagramOverMtu implements PostingSwitch {
    /** It succeeds, and nothing is sent. */
    SILENT_SUCCESS,
    /** It fails with LOC_LEN_ERR. */
    LOC_LEN_ERR
  }

  /**
   * What becomes of a datagram that does not fit into the receive.
   *
   * <p>Source: Linux rxe_resp.c.
   */
  enum DatagramTooLongForReceive implements PostingSwitch {
    /** It is dropped, and the receive stays. */
    DROP,
    /** It is dropped; a receive of a shared queue fails. */
    DROP_BUT_FAIL_SHARED,
    /** The receive fails with LOC_LEN_ERR. */
    LOC_LEN_ERR
  }

  /**
   * Which Q_Key a datagram bears whose request names one with bit 31 set.
   *
   * <p>Source: InfiniBand Architecture vol 1, 10.2.5, as restated in hfi1 ud.c; Linux rxe_req.c.
   */
  enum QueueKeyHighBit implements PostingSwitch {
    /** That of the sending queue pair. */
    OWN_QKEY,
    /** The one that was named. */
    AS_GIVEN
  }

  /**
   * What stands in the first 20 bytes of a datagram's receive over IPv4.
   *
   * <p>Source: Linux rxe_resp.c; InfiniBand Architecture vol 1, annex A17.
   */
  enum DatagramHeaderGap implements PostingSwitch {
    /** Bytes that mean nothing, drawn from the seed of the fabric. */
    POISON,
    /** Zeros. */
    ZERO
  }
}

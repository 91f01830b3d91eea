package io.roceverbs.sim.profile;

/**
 * What may differ between devices on the wire, in time, and in order.
 *
 * <p>The first value of each switch is that of {@link DeviceProfile#strict()}.
 */
public sealed interface WireSwitch extends ProfileSwitch
    permits WireSwitch.LocalInvalidateOrder,
        WireSwitch.RetryCountSeven,
        WireSwitch.SequenceNakCostsRetry,
        WireSwitch.AckTimer,
        WireSwitch.NakBehindRnr,
        WireSwitch.DuplicateAck,
        WireSwitch.DuplicateBeforeFirst,
        WireSwitch.DuplicateReadDeadKey,
        WireSwitch.ResponseGap,
        WireSwitch.PartialReadReplay,
        WireSwitch.ReadDepthExceeded,
        WireSwitch.ReservedOpcode,
        WireSwitch.ShortFirst,
        WireSwitch.WriteKeyRecheck,
        WireSwitch.CommunicationEstablished,
        WireSwitch.UcGap,
        WireSwitch.AckCoalescing,
        WireSwitch.Credits,
        WireSwitch.MigrationRequest,
        WireSwitch.PacketLifeTime,
        WireSwitch.EcnCapability,
        WireSwitch.CongestionNotification,
        WireSwitch.RateControl {
  /**
   * When an unfenced LOCAL_INV takes effect.
   *
   * <p>Source: linux-rdma 2022-05-22, Pearson; Linux rxe_req.c, irdma, rdmavt qp.c.
   */
  enum LocalInvalidateOrder implements WireSwitch {
    /** When the queue reaches it; earlier requests may be unacknowledged. */
    RELAXED,
    /** When all earlier requests are complete. */
    WAIT_EARLIER,
    /** As RELAXED, but the next request may start before. */
    RELAXED_LATE,
    /** At post. */
    AT_POST
  }

  /**
   * What retry_cnt 7 means.
   *
   * <p>Source: InfiniBand Architecture vol 1; Linux rxe_comp.c.
   */
  enum RetryCountSeven implements WireSwitch {
    /** Seven retries. */
    SEVEN,
    /** Retries without end. */
    INFINITE
  }

  /**
   * Whether a PSN sequence NAK costs a retry.
   *
   * <p>Source: Linux rxe_comp.c; hfi1 rc.c.
   */
  enum SequenceNakCostsRetry implements WireSwitch {
    /** It does. */
    YES,
    /** It does not. */
    NO
  }

  /**
   * How the ACK timer runs.
   *
   * <p>Source: InfiniBand Architecture vol 1; Linux rxe_comp.c, and its packets.
   */
  enum AckTimer implements WireSwitch {
    /** To the nanosecond, and stopped while nothing is outstanding. */
    EXACT,
    /** Rounded up to 4 ms, and not stopped when all is acknowledged. */
    TICKS
  }

  /**
   * Whether the packet behind one that was refused for want of a receive draws a sequence NAK.
   *
   * <p>Source: Linux hfi1 rc.c; measured on Soft-RoCE.
   */
  enum NakBehindRnr implements WireSwitch {
    /** It is dropped in silence. */
    NO,
    /** It does. */
    YES
  }

  /**
   * Which repeated SENDs and WRITEs are acknowledged again.
   *
   * <p>Source: InfiniBand Architecture vol 1, C9-105; hfi1 rc.c.
   */
  enum DuplicateAck implements WireSwitch {
    /** All. */
    ALWAYS,
    /** Those that ask for it. */
    IF_ASKED
  }

  /**
   * The PSN that acknowledges a repeated SEND or WRITE before anything was executed.
   *
   * <p>Source: measured on Soft-RoCE.
   */
  enum DuplicateBeforeFirst implements WireSwitch {
    /** The one before the first. */
    PREVIOUS,
    /** 0xFFFFFF. */
    ALL_ONES
  }

  /**
   * What a repeated READ draws whose key died meanwhile.
   *
   * <p>Source: measured on Soft-RoCE; Linux hfi1 rc.c.
   */
  enum DuplicateReadDeadKey implements WireSwitch {
    /** A NAK remote access error, and the responder goes to ERR. */
    NAK,
    /** Nothing. */
    DROP
  }

  /**
   * What a requester does when a response inside a READ is missing.
   *
   * <p>Source: Linux hfi1 rc.c; measured on Soft-RoCE.
   */
  enum ResponseGap implements WireSwitch {
    /** It asks for the rest at once. */
    ASK_AGAIN,
    /** It drops the later ones and waits for the ACK timer. */
    WAIT
  }

  /**
   * The opcode that a READ's answer begins with when only its rest is asked for again.
   *
   * <p>Source: measured on Soft-RoCE; Linux hfi1 rc.c.
   */
  enum PartialReadReplay implements WireSwitch {
    /** MIDDLE or LAST, as at the first time. */
    CONTINUE,
    /** FIRST or ONLY, as a new READ. */
    RESTART
  }

  /**
   * What a READ or atomic beyond max_dest_rd_atomic draws.
   *
   * <p>Source: InfiniBand Architecture vol 1, class C; Linux rxe_resp.c.
   */
  enum ReadDepthExceeded implements WireSwitch {
    /** A NAK invalid request. */
    NAK,
    /** It is executed, in place of the oldest that was saved. */
    RECYCLE
  }

  /**
   * What a reserved opcode of the RC class draws.
   *
   * <p>Source: InfiniBand Architecture vol 1; measured on Soft-RoCE.
   */
  enum ReservedOpcode implements WireSwitch {
    /** A NAK invalid request. */
    NAK,
    /** Nothing. */
    DROP
  }

  /**
   * What a SEND FIRST shorter than the path MTU draws.
   *
   * <p>Source: InfiniBand Architecture vol 1; measured on Soft-RoCE of Linux 6.1.
   */
  enum ShortFirst implements WireSwitch {
    /** A NAK invalid request. */
    NAK,
    /** It is taken. */
    ACCEPT
  }

  /**
   * Which packets of a WRITE look at the key.
   *
   * <p>Source: Linux rxe_resp.c; hfi1 rc.c.
   */
  enum WriteKeyRecheck implements WireSwitch {
    /** Each. */
    EACH_PACKET,
    /** The first one; the rest goes where it led. */
    FIRST_ONLY
  }

  /**
   * When COMM_EST is raised.
   *
   * <p>Source: Linux rdmavt rvt_comm_est; rdma_notify(3).
   */
  enum CommunicationEstablished implements WireSwitch {
    /** At the first request in RTR, or in RTS before the RTU of its connection. */
    UNTIL_READY_TO_USE,
    /** Never. */
    NEVER,
    /** At the first request in RTR. */
    RTR_ONLY
  }

  /**
   * Where a UC responder goes on after a gap.
   *
   * <p>Source: Linux hfi1 uc.c; measured on Soft-RoCE of Linux 6.12.
   */
  enum UcGap implements WireSwitch {
    /** At the next FIRST or ONLY. */
    RESYNC,
    /** At the next but one: one message more is lost. */
    LOSES_NEXT
  }

  /**
   * Which requests that ask for it are acknowledged.
   *
   * <p>Source: Linux rxe_resp.c; hfi1 rc.c.
   */
  enum AckCoalescing implements WireSwitch {
    /** Each, at once. */
    NONE,
    /** Every fourth, or the last one after 8 us: one ACK for all before it. */
    EVERY_FOURTH
  }

  /**
   * End-to-end credits in acknowledgements.
   *
   * <p>Source: Linux rdmavt rc.c; measured on Soft-RoCE.
   */
  enum Credits implements WireSwitch {
    /** The code for no limit is sent, and what comes is not heeded. */
    OFF,
    /** The free receives are sent, and what comes is heeded. */
    ON
  }

  /**
   * The migration bit of the BTH.
   *
   * <p>Source: packets of ConnectX-4 and Soft-RoCE.
   */
  enum MigrationRequest implements WireSwitch {
    /** 1. */
    MIGRATED,
    /** 0. */
    ZERO
  }

  /**
   * The packet life time of a route, 4.096 us times 2 to the power of this.
   *
   * <p>Source: Linux cma.c.
   */
  enum PacketLifeTime implements WireSwitch {
    /** 16. */
    CODE_16,
    /** 18. */
    CODE_18
  }

  /**
   * Whether packets say that a switch may mark them instead of dropping them.
   *
   * <p>Source: RFC 3168; packets of ConnectX-4 and Soft-RoCE.
   */
  enum EcnCapability implements WireSwitch {
    /** They bear the traffic class as the address vector gives it. */
    AS_GIVEN,
    /** The two low bits of the traffic class are ECT(0). */
    ECT_0
  }

  /**
   * Whether the sender of a marked packet is told so.
   *
   * <p>Source: InfiniBand Architecture vol 1, annex A17; Linux mlx5 cong.c.
   */
  enum CongestionNotification implements WireSwitch {
    /** It is not. */
    OFF,
    /** It is, with a CNP, at most one in 50 us for each queue pair. */
    ON
  }

  /**
   * What a sender does that is told of congestion.
   *
   * <p>Source: Linux mlx5 cong.c; measured on Soft-RoCE.
   */
  enum RateControl implements WireSwitch {
    /** Nothing: CNPs are ignored. */
    OFF,
    /** It sends more slowly, by the rules of DCQCN. */
    DCQCN
  }
}

package io.roceverbs.sim.profile;

/**
 * What single devices were seen to do, off in every profile but those that are about one of them.
 *
 * <p>The first value of each switch is that of {@link DeviceProfile#strict()}.
 */
public sealed interface Quirk extends ProfileSwitch
    permits Quirk.SendWithInvalidate,
        Quirk.ResetSpoilsInit,
        Quirk.AtomicByteOrder,
        Quirk.KeyVariant,
        Quirk.Placement {
  /**
   * Whether the device can do the SEND_WITH_INV that it announces.
   *
   * <p>Source: spdk issue 3926.
   */
  enum SendWithInvalidate implements Quirk {
    /** It can. */
    WORKS,
    /** Each completes with LOC_QP_OP_ERR, and QP_REQ_ERR is raised. */
    FAILS
  }

  /**
   * What a RESET of a queue pair that is in RESET does.
   *
   * <p>Source: Mooncake issues 721 and 722.
   */
  enum ResetSpoilsInit implements Quirk {
    /** Nothing. */
    NO,
    /** The next move to INIT is EINVAL. */
    YES
  }

  /**
   * The byte order in which the old value of an atomic comes back.
   *
   * <p>Source: libfabric issue 10911.
   */
  enum AtomicByteOrder implements Quirk {
    /** That of the host. */
    HOST,
    /** Swapped. */
    SWAPPED
  }

  /**
   * How many low bits of a key change with each registration.
   *
   * <p>Source: ibv_inc_rkey(3).
   */
  enum KeyVariant implements Quirk {
    /** Eight. */
    EIGHT_BITS,
    /** Two, so that tests see them wrap around. */
    TWO_BITS
  }

  /**
   * The order in which the bytes of a message, or of the answer to a READ, are placed before its
   * completion.
   *
   * <p>Source: ibv_query_qp_data_in_order(3).
   */
  enum Placement implements Quirk {
    /** As they are in the message. */
    IN_ORDER,
    /** Any, drawn from the seed of the fabric. */
    SHUFFLED
  }
}

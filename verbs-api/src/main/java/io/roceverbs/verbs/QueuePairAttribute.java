package io.roceverbs.verbs;

import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/**
 * Name of one attribute of a queue pair: {@code enum ibv_qp_attr_mask}, kernel {@code enum
 * ib_qp_attr_mask}.
 *
 * <p>Each transition has its own set of required and optional attributes; everything else is
 * EINVAL. {@link QueuePairAttributes} sets the bit together with the value, so a mask cannot be
 * forgotten.
 *
 * <p>Source: rdma-core {@code libibverbs/verbs.h}, ibv_modify_qp(3).
 */
public enum QueuePairAttribute {
  /** The state to enter. */
  STATE(0),

  /** The state the caller believes the queue pair to be in. */
  CUR_STATE(1),

  /** Whether the end of a send queue drain raises SQ_DRAINED. */
  EN_SQD_ASYNC_NOTIFY(2),

  /** What the peer may do through this queue pair. */
  ACCESS_FLAGS(3),

  /** Index into the port's partition key table. */
  PKEY_INDEX(4),

  /** Port of the device. */
  PORT(5),

  /** Queue key (datagrams). */
  QKEY(6),

  /** Address of the peer. */
  AV(7),

  /** Largest payload of one packet. */
  PATH_MTU(8),

  /** Time to wait for an acknowledgement. */
  TIMEOUT(9),

  /** Retries after timeouts and sequence NAKs. */
  RETRY_CNT(10),

  /** Retries after RNR NAKs. */
  RNR_RETRY(11),

  /** First packet sequence number expected from the peer. */
  RQ_PSN(12),

  /** READ and atomic requests in flight from this side. */
  MAX_QP_RD_ATOMIC(13),

  /** Address of the alternate path; EINVAL on RoCE. */
  ALT_PATH(14),

  /** Time an RNR NAK of this side asks the peer to wait. */
  MIN_RNR_TIMER(15),

  /** First packet sequence number of this side. */
  SQ_PSN(16),

  /** READ and atomic requests of the peer this side can hold. */
  MAX_DEST_RD_ATOMIC(17),

  /** State of path migration. */
  PATH_MIG_STATE(18),

  /** Queue sizes; in no legal transition, so EINVAL. */
  CAP(19),

  /** Queue pair number of the peer. */
  DEST_QPN(20),

  /** Packet pacing (raw packet queue pairs). */
  RATE_LIMIT(25);

  private final int bit;

  QueuePairAttribute(int bit) {
    this.bit = bit;
  }

  /** {@return a mask with exactly one bit set} */
  public int mask() {
    return 1 << bit;
  }

  /**
   * Returns the bits of several attributes.
   *
   * @param attributes any attributes
   * @return the OR of their masks
   */
  public static int maskOf(Set<QueuePairAttribute> attributes) {
    int bits = 0;
    for (QueuePairAttribute attribute : attributes) {
      bits |= attribute.mask();
    }
    return bits;
  }

  /**
   * Returns the attributes whose bits are set in a mask.
   *
   * @param bits a mask of the C ABI; bits that belong to no attribute are left out
   * @return an unmodifiable set in the order of the bits
   */
  public static Set<QueuePairAttribute> setOf(int bits) {
    EnumSet<QueuePairAttribute> attributes = EnumSet.allOf(QueuePairAttribute.class);
    attributes.removeIf(attribute -> (bits & attribute.mask()) == 0);
    return Collections.unmodifiableSet(attributes);
  }
}
